import { goQuote, isBlank, utf8Length } from '@coreiso/peers/go';
import { trimSpace } from '@coreiso/peers/rust';

/** Properties of a systemd unit's text that the rules check. */
export type UnitReading =
  | { readonly fault: string }
  | { readonly fault: undefined /** Whether section `Install` has options. */; readonly installs: boolean };

const BUFFER = 4096;
const MAX_LINE = 2048;
const LF = 0x0a;
const CR = 0x0d;
const BACKSLASH = 0x5c;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads a unit as Ignition does. The limit of a line's length depends on where Ignition's buffer ends. */
export function readUnit(contents: string): UnitReading {
  return new UnitReader(new TextEncoder().encode(contents)).read();
}

type State = 'between' | 'name' | 'suffix' | 'section' | 'option' | 'value' | 'comment';

/** A state machine; each iteration of the loop in `read` is one step, and the line length is checked between steps. */
class UnitReader {
  readonly #bytes: Uint8Array;
  /** The offset of the next byte. */
  #at = 0;
  /** The offset of the end of the buffer. */
  #filled = 0;
  /** The last line break that was searched for, at or after `#at`. */
  #lineBreak = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): UnitReading {
    let state: State = 'between';
    let section: string | undefined;
    let installs = false;
    for (;;) {
      if (this.#lineTooLong()) return { fault: `line too long (max ${MAX_LINE} bytes)` };
      switch (state) {
        case 'between':
        case 'section': {
          const character = this.#readCharacter();
          if (character === undefined) return { fault: undefined, installs };
          if (character === '[') state = 'name';
          else if (character === '#' || character === ';') state = 'comment';
          else if (state === 'section' && !isBlank(character)) {
            this.#at -= utf8Length(character);
            state = 'option';
          }
          break;
        }
        case 'comment': {
          let line: Uint8Array;
          do {
            line = this.#readLine();
            if (line.at(-1) === 0x20) line = line.subarray(0, -1);
          } while (line.at(-1) === BACKSLASH);
          state = section === undefined ? 'between' : 'section';
          break;
        }
        case 'name': {
          const name = this.#readTo(0x5d);
          if (name.at(-1) !== 0x5d) return { fault: 'unable to find end of section' };
          section = decoder.decode(name.subarray(0, -1));
          state = 'suffix';
          break;
        }
        case 'suffix': {
          const garbage = trimSpace(decoder.decode(this.#readLine()));
          if (garbage !== '') return { fault: `found garbage after section name : ${goQuote(garbage)}` };
          state = 'section';
          break;
        }
        case 'option': {
          let character: string | undefined;
          do {
            character = this.#readCharacter();
            if (character === undefined) return { fault: 'EOF' };
            if (character === '\n' || character === '\r') {
              return { fault: 'unexpected newline encountered while parsing option name' };
            }
          } while (character !== '=');
          state = 'value';
          break;
        }
        case 'value': {
          const line = this.#readLine();
          if (line.at(-1) === BACKSLASH) break;
          installs ||= section === 'Install';
          state = 'section';
        }
      }
    }
  }

  #lineTooLong(): boolean {
    if (this.#filled - this.#at < MAX_LINE) return false;
    if (this.#lineBreak < this.#at) {
      this.#lineBreak = this.#at;
      while (this.#lineBreak < this.#bytes.length && !isLineBreak(this.#bytes[this.#lineBreak])) this.#lineBreak++;
    }
    return this.#lineBreak >= this.#at + MAX_LINE;
  }

  #fill(): void {
    this.#filled = Math.min(this.#at + BUFFER, this.#bytes.length);
  }

  #readCharacter(): string | undefined {
    const lead = this.#bytes[this.#at];
    const size = lead === undefined || lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (this.#at + size > this.#filled) this.#fill();
    if (lead === undefined) return undefined;
    const start = this.#at;
    this.#at += size;
    return size === 1 ? String.fromCharCode(lead) : decoder.decode(this.#bytes.subarray(start, this.#at));
  }

  /** Reads up to and including the delimiter, or to the end. */
  #readTo(delimiter: number): Uint8Array {
    const start = this.#at;
    for (;;) {
      const found = this.#bytes.subarray(this.#at, this.#filled).indexOf(delimiter);
      if (found !== -1) {
        this.#at += found + 1;
        break;
      }
      if (this.#filled - this.#at === BUFFER) this.#at = this.#filled;
      else if (this.#filled === this.#bytes.length) {
        this.#at = this.#filled;
        break;
      } else this.#fill();
    }
    return this.#bytes.subarray(start, this.#at);
  }

  #readLine(): Uint8Array {
    const line = this.#readTo(LF);
    return line.at(-1) === LF ? line.subarray(0, -1) : line;
  }
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}
