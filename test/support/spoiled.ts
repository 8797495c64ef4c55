import { type Diagnostic, goYaml, isCoreisoError, parseYaml, toPlain } from '@coreiso/diagnostics';

/** Common wrong values of people, generators and templates. */
const REPLACEMENTS: readonly unknown[] = [
  null,
  [],
  {},
  '',
  0,
  -1,
  [null],
  [''],
  { a: { b: { c: [{ d: null }] } } },
  JSON.parse('{"__proto__": null, "constructor": null, "toString": 1}'),
];

/** The first document of a text as plain data; undefined if there is none. */
export function plainOf(text: string): unknown {
  const [outcome] = parseYaml(text);
  if (!outcome.ok || outcome.value.root === undefined) return undefined;
  const plain = toPlain(outcome.value.root, goYaml);
  return JSON.parse(JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? Number(value) : value)));
}

/** How often places of one kind are tried, with different surroundings. */
const MOST_TIMES = 2;

type Step = string | number;

/**
 * The number of this test among those that share the cases of the same documents: each case belongs to one test, and
 * each test has some of every place and, over all places, of every replacement. `COREISO_EXHAUSTIVE=1` gives every case
 * to every test.
 */
export interface Share {
  readonly index: number;
  readonly of: number;
}

const isExhaustive = process.env['COREISO_EXHAUSTIVE'] === '1';

/** Every replacement of one place of a document, as JSON text. Places of one kind are tried a few times. */
function* spoiled(
  document: unknown,
  tried: Map<string, { first: number; times: number }>,
  { index, of }: Share,
): Generator<{ place: string; text: string }> {
  for (const path of placesOf(document)) {
    const place = path.map((step) => (typeof step === 'number' ? '*' : step)).join('/');
    const known = tried.get(place) ?? { first: tried.size, times: 0 };
    if (known.times === MOST_TIMES) continue;
    // Each place starts with another test, and the second time it gives every replacement to another test than the first time.
    const turn = known.first + known.times;
    tried.set(place, { ...known, times: known.times + 1 });
    for (const [number, replacement] of REPLACEMENTS.entries()) {
      if (!isExhaustive && (turn + number) % of !== index) continue;
      yield {
        place: `/${place}: ${JSON.stringify(replacement)}`,
        text: JSON.stringify(withAt(document, path, replacement)),
      };
    }
  }
}

function* placesOf(value: unknown, path: readonly Step[] = []): Generator<readonly Step[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function withAt(value: unknown, [step, ...rest]: readonly Step[], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? withAt(one, rest, replacement) : one));
  const entries = Object.entries(value as object);
  return Object.fromEntries(entries.map(([key, one]) => [key, key === step ? withAt(one, rest, replacement) : one]));
}

/** Places where an action throws an error that is not ours, or returns a refusal without a coded error, with the result. */
export function thrownAt<T>(
  documents: Iterable<readonly [document: unknown, rest: T]>,
  action: (text: string, rest: T) => unknown,
  share: Share = { index: 0, of: 1 },
): string[] {
  const thrown: string[] = [];
  const tried = new Map<string, { first: number; times: number }>();
  for (const [document, rest] of documents) {
    for (const { place, text } of spoiled(document, tried, share)) {
      try {
        if (isSilentRefusal(action(text, rest))) thrown.push(`${place} is refused without a coded error`);
      } catch (error) {
        if (!isCoreisoError(error)) thrown.push(`${place} throws ${error}`);
      }
    }
  }
  return thrown;
}

function isSilentRefusal(result: unknown): boolean {
  const { ok, diagnostics = [] } = (result ?? {}) as { ok?: boolean; diagnostics?: readonly Diagnostic[] };
  return (
    ok === false && !diagnostics.some(({ code, severity }) => severity === 'error' && /^[a-z-]+\/[a-z]/i.test(code))
  );
}
