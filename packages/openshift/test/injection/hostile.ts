// Values that try to leave their place, and the places of a document that they are put at.
import fc from 'fast-check';

type Step = string | number;

/** Each once meant something to a shell, systemd, YAML, TOML, an INI file, iPXE, GRUB, a template or a terminal. */
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

/** As many again at random, the same in every run (`COREISO_SEED` tries others). */
const RANDOM = fc.sample(
  fc.array(fc.constantFrom(...ALPHABET), { minLength: 1, maxLength: 12 }).map((characters) => characters.join('')),
  HOSTILE.length,
);

/** `COREISO_INJECTION=all` tries every one, in some minutes; `.ci/run` four times as many as a plain run. */
const isAll = process.env['COREISO_INJECTION'] === 'all';
const PACE = process.env['COREISO_EXHAUSTIVE'] === '1' ? 4 : 1;

/** One text of a document, replaced. */
export interface Variant<T> {
  readonly place: string;
  readonly was: string;
  readonly value: string;
  /** What is hostile in the value. */
  readonly hostile: string;
  readonly document: T;
}

/** Which variants are made. */
export interface Choice {
  /** One in so many, unless all are wanted. */
  readonly share?: number;
  /** Places whose text decides what else is written. */
  readonly without?: RegExp;
}

/** Every text of a document with hostile ones in its place and behind it. */
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

/** What the document has instead, when it has an unremarkable text there. */
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
