// Walks through a line character by character. Positions count UTF-8 bytes, as nmstate's do.

export interface Character {
  readonly text: string;
  readonly at: number;
}

export class Line {
  readonly characters: readonly Character[];
  #next = 0;

  constructor(text: string) {
    const characters: Character[] = [];
    let at = 0;
    for (const character of text) {
      characters.push({ text: character, at });
      at += bytesOf(character.codePointAt(0) ?? 0);
    }
    this.characters = characters;
  }

  take(): Character | undefined {
    const character = this.characters[this.#next];
    if (character !== undefined) this.#next += 1;
    return character;
  }

  peek(): string | undefined {
    return this.characters[this.#next]?.text;
  }

  /** Takes everything up to an end character, or to the end of the line. */
  takeUntil(isEnd: (character: string) => boolean): string {
    let taken = '';
    for (let next = this.peek(); next !== undefined && !isEnd(next); next = this.peek()) {
      taken += next;
      this.#next += 1;
    }
    return taken;
  }
}

export function isBlank(character: string): boolean {
  return /[\s\x85]/.test(character) && character !== '\ufeff';
}

/** The length of a text as nmstate adds it to a position: in characters. */
export function lengthOf(text: string): number {
  return [...text].length;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}
