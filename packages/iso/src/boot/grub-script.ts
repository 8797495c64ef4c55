// The language of GRUB's menus, as far as live images use it (GRUB manual 6, "Writing full configuration files
// directly"). Left out: background commands and pipes, which GRUB does not support either.

/** A part of a word: text, or the value of a variable. */
type WordPart =
  | { readonly text: string; readonly quoted: boolean }
  | { readonly variable: string; readonly quoted: boolean };

export type Word = readonly WordPart[];

export type Statement =
  | { readonly kind: 'command'; readonly words: readonly Word[] }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly condition: readonly Statement[]; readonly body: readonly Statement[] }[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'loop'; readonly body: readonly Statement[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: readonly Statement[] }
  | {
      readonly kind: 'entry' | 'submenu';
      readonly words: readonly Word[];
      readonly body: readonly Statement[];
    };

type Token = { readonly kind: 'word'; readonly word: Word } | { readonly kind: 'end' };

/** A parsed menu. GRUB skips parts that it cannot read. */
export interface Script {
  readonly statements: readonly Statement[];
  /** The first syntax error. */
  readonly problem: string | undefined;
}

const DEPTH_LIMIT = 64;

export function parseGrubScript(text: string): Script {
  const tokens: Token[] = [];
  const closed = tokenize(text, tokens);
  return new Parser(tokens, closed ? undefined : 'a quotation mark is never closed').script();
}

/** Splits `text`; false if a quotation mark is never closed; GRUB ignores the text after it. */
function tokenize(text: string, tokens: Token[]): boolean {
  let at = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (character === '\n' || character === ';') {
      tokens.push({ kind: 'end' });
      at++;
    } else if (/\s/.test(character)) at++;
    else if (character === '\\' && text[at + 1] === '\n') at += 2;
    else if (character === '#') {
      while (at < text.length && text[at] !== '\n') at++;
    } else {
      const parts: WordPart[] = [];
      const end = readWord(text, at, parts);
      if (end === undefined) return false;
      tokens.push({ kind: 'word', word: parts });
      at = end;
    }
  }
  tokens.push({ kind: 'end' });
  return true;
}

function readWord(text: string, start: number, parts: WordPart[]): number | undefined {
  let at = start;
  const add = (part: string, quoted: boolean): void => {
    parts.push({ text: part, quoted });
  };
  while (at < text.length && !/[\s;]/.test(text[at] as string)) {
    const character = text[at] as string;
    // A separate bracket opens or closes a block, also directly after a word.
    if ((character === '{' || character === '}') && at > start) return at;
    if (character === '{' || character === '}') {
      add(character, false);
      return at + 1;
    }
    if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) return undefined;
      add(text.slice(at + 1, end), true);
      at = end + 1;
    } else if (character === '"') {
      const end = readQuoted(text, at + 1, parts);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === '\\') {
      if (text[at + 1] !== '\n') add(text[at + 1] ?? '', true);
      at += 2;
    } else if (character === '$') at = readVariable(text, at, parts, false);
    else {
      let end = at + 1;
      while (end < text.length && !/[\s;'"\\${}]/.test(text[end] as string)) end++;
      add(text.slice(at, end), false);
      at = end;
    }
  }
  return at;
}

function readQuoted(text: string, start: number, parts: WordPart[]): number | undefined {
  let at = start;
  parts.push({ text: '', quoted: true });
  while (text[at] !== '"') {
    if (at >= text.length) return undefined;
    if (text[at] === '$') at = readVariable(text, at, parts, true);
    else if (text[at] === '\\' && /[$"\\\n]/.test(text[at + 1] ?? '')) {
      parts.push({ text: text[at + 1] as string, quoted: true });
      at += 2;
    } else {
      let end = at + 1;
      while (end < text.length && !/["$\\]/.test(text[end] as string)) end++;
      parts.push({ text: text.slice(at, end), quoted: true });
      at = end;
    }
  }
  return at + 1;
}

function readVariable(text: string, start: number, parts: WordPart[], quoted: boolean): number {
  const rest = text.slice(start, start + 256);
  const name = /^\$(?:\{([A-Za-z_]\w*|\d+|[@*#?])\}|([A-Za-z_]\w*|\d+|[@*#?]))/.exec(rest);
  if (name === null) {
    parts.push({ text: '$', quoted });
    return start + 1;
  }
  parts.push({ variable: name[1] ?? name[2] ?? '', quoted });
  return start + name[0].length;
}

/** Text that is not a statement. */
class ScriptSyntaxError extends Error {}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #problem: string | undefined;

  constructor(tokens: readonly Token[], problem: string | undefined) {
    this.#tokens = tokens;
    this.#problem = problem;
  }

  script(): Script {
    const statements: Statement[] = [];
    for (;;) {
      this.#skipEnds();
      if (this.#at >= this.#tokens.length) break;
      const start = this.#at;
      try {
        statements.push(this.#statement());
      } catch (error) {
        if (!(error instanceof ScriptSyntaxError)) throw error;
        this.#problem ??= error.message;
        // GRUB reads until a block is complete, and drops an incomplete one.
        if (this.#at >= this.#tokens.length) break;
        this.#at = start;
        this.#skipLine();
      }
    }
    return { statements, problem: this.#problem };
  }

  #statement(): Statement {
    if (++this.#depth > DEPTH_LIMIT) throw new ScriptSyntaxError('blocks are nested too deeply');
    try {
      switch (this.#plainWord()) {
        case 'if':
          return this.#if();
        case 'while':
        case 'until':
        case 'for':
          return this.#loop();
        case 'function':
          return this.#function();
        case 'menuentry':
          return this.#menu('entry');
        case 'submenu':
          return this.#menu('submenu');
        case '{':
        case '}':
        case 'then':
        case 'else':
        case 'elif':
        case 'fi':
        case 'do':
        case 'done':
          throw new ScriptSyntaxError(`unexpected '${this.#plainWord()}'`);
        default:
          return this.#command();
      }
    } finally {
      this.#depth--;
    }
  }

  #command(): Statement {
    const words: Word[] = [];
    for (let token = this.#tokens[this.#at]; token?.kind === 'word'; token = this.#tokens[this.#at]) {
      // A `}` ends the command; as its first word it is text.
      if (this.#plainWord() === '}' && words.length > 0) break;
      words.push(token.word);
      this.#at++;
    }
    return { kind: 'command', words };
  }

  #if(): Statement {
    const branches: { condition: Statement[]; body: Statement[] }[] = [];
    let otherwise: Statement[] = [];
    let keyword = this.#take('if');
    while (keyword !== 'fi') {
      if (keyword === 'else') {
        otherwise = this.#until(['fi']);
        this.#take('fi');
        break;
      }
      const condition = this.#until(['then']);
      this.#take('then');
      const body = this.#until(['elif', 'else', 'fi']);
      branches.push({ condition, body });
      keyword = this.#take('elif', 'else', 'fi');
    }
    return { kind: 'if', branches, otherwise };
  }

  #loop(): Statement {
    this.#at++;
    this.#until(['do']);
    this.#take('do');
    const body = this.#until(['done']);
    this.#take('done');
    return { kind: 'loop', body };
  }

  #function(): Statement {
    this.#at++;
    const name = this.#plainWord() ?? '';
    this.#at++;
    return { kind: 'function', name, body: this.#block() };
  }

  #menu(kind: 'entry' | 'submenu'): Statement {
    this.#at++;
    const words: Word[] = [];
    while (this.#plainWord() !== '{') {
      const token = this.#tokens[this.#at];
      if (token?.kind !== 'word') throw new ScriptSyntaxError('a menu entry has no block');
      words.push(token.word);
      this.#at++;
    }
    return { kind, words, body: this.#block() };
  }

  #block(): Statement[] {
    this.#skipEnds();
    this.#take('{');
    const body = this.#until(['}']);
    this.#take('}');
    return body;
  }

  #until(ends: readonly string[]): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      this.#skipEnds();
      if (this.#at >= this.#tokens.length)
        throw new ScriptSyntaxError(`expected '${ends.join("' or '")}', found the end`);
      if (ends.includes(this.#plainWord() ?? '')) return statements;
      statements.push(this.#statement());
    }
  }

  #take(...expected: readonly string[]): string {
    const word = this.#plainWord() ?? '';
    if (!expected.includes(word)) throw new ScriptSyntaxError(`expected '${expected.join("' or '")}', found '${word}'`);
    this.#at++;
    return word;
  }

  /** The next word, if it is plain unquoted text. */
  #plainWord(): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || token.word.length !== 1) return undefined;
    const [part] = token.word;
    return part !== undefined && 'text' in part && !part.quoted ? part.text : undefined;
  }

  #skipEnds(): void {
    while (this.#tokens[this.#at]?.kind === 'end') this.#at++;
  }

  #skipLine(): void {
    while (this.#tokens[this.#at]?.kind === 'word') this.#at++;
  }
}
