// Values that try to leave their place, and the places in a document to put them.
import fc from 'fast-check';

type Step = string | number;

/** Each once had a meaning for a shell, systemd, YAML, TOML, an INI file, iPXE, GRUB, a template or a terminal. */
const HOSTILE: readonly string[] = [
  '$(id)',
  '`id`',
  '"; id; "',
  "' id '",
  '; id #',
  '| id & id',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
  '${HOME} $HOME $$',
  '%n %h %%',
  '{{.Secret}} {% x %}',
  '\\',
  '\\" \\n',
  '"',
  "'",
  '#x',
  'a #x',
  '[section]',
  '- x: y',
  'x: y',
  '&a *a !!x',
  '-rf',
  '--help',
  '=a=b',
  'true',
  '0x1f',
  '2001-01-01',
  'null',
  '~',
  ' x ',
  '\tx',
  'x\ny=z',
  'x\n[section]\ny=z',
  'x\nExecStart=/bin/id',
  'x\r\nKEY=1',
  '\u0000x',
  '\ufeffx',
  'x\u0085y',
  'x\u2028y\u2029z',
  'x\u007fy\u009b1m',
  '\u202ex',
  '\ud800x',
  '../../x',
  'x'.repeat(5000),
  '"""x"""',
  "'''x'''",
  '||id&&id',
  '<(id) >x',
  '*?[a]',
  '!x',
];

const ALPHABET = [...'$`"\';|&<>()[]{}#%\\*?!~=:,-+@/. \n\r\t\u0000\u0085\u2028\ufeffaZ09é'];

/** The same number of random values, identical in every run (`COREISO_SEED` tries others). */
const RANDOM = fc.sample(
  fc.array(fc.constantFrom(...ALPHABET), { minLength: 1, maxLength: 12 }).map((characters) => characters.join('')),
  HOSTILE.length,
);

/** `COREISO_INJECTION=all` tries every value, in some minutes; `.ci/run` tries four times as many as a plain run. */
const isAll = process.env['COREISO_INJECTION'] === 'all';
const PACE = process.env['COREISO_EXHAUSTIVE'] === '1' ? 4 : 1;

/** A document with one text replaced. */
export interface Variant<T> {
  readonly place: string;
  readonly was: string;
  readonly value: string;
  /** The hostile part of the value. */
  readonly hostile: string;
  readonly document: T;
}

/** The choice of variants. */
export interface Choice {
  /** Tries one in this many values, unless all are requested. */
  readonly share?: number;
  /** Places whose text decides which other files are written. */
  readonly without?: RegExp;
}

/** Every text of a document, with hostile values in its place and after it. */
export function* variantsOf<T>(document: T, { share = 60, without }: Choice = {}): Generator<Variant<T>> {
  let turn = 0;
  for (const { path, text } of textsOf(document)) {
    if (without?.test(path.join('.'))) continue;
    for (const hostile of [...HOSTILE, ...RANDOM]) {
      for (const value of [hostile, text + hostile]) {
        turn++;
        if (!isAll && turn % Math.ceil(share / PACE) !== 0) continue;
        yield { place: path.join('.'), was: text, value, hostile, document: withText(document, path, value) as T };
      }
    }
  }
}

/** The document with an ordinary text in that place. */
function* textsOf(value: unknown, path: readonly Step[] = []): Generator<{ path: readonly Step[]; text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* textsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function withText(value: unknown, [step, ...rest]: readonly Step[], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? withText(one, rest, text) : one));
  return { ...(value as object), [step]: withText((value as Record<Step, unknown>)[step], rest, text) };
}
