import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { evaluatePolicy } from '../src/forms.ts';
import { generateKeyfiles, type Keyfile, refusalKind } from '../src/index.ts';

interface Refusal {
  readonly kind: string | null;
  readonly message: string;
}

interface Recording {
  readonly files?: Keyfile[];
  readonly error?: Refusal;
  /** The possible results if the tool lists several things in random order. */
  readonly oneOf?: Refusal[];
}

const goldens = new Goldens(new URL('goldens/nmstate.json', import.meta.url));
const cases = goldens.paths(/\.yml$/).map((path) => {
  const name = path.replace(/\.yml$/, '');
  const input = new TextDecoder('utf-8', { ignoreBOM: true }).decode(goldens.bytes(path));
  return { name, input, recording: goldens.json<Recording>(`${name}.json`) };
});

/** If the last text ends with an empty line, the recording also has the two line ends of the listing around it. */
function asRecorded({ name, content }: Keyfile, index: number, all: readonly Keyfile[]): Keyfile {
  const isCounted = index === all.length - 1 && content.endsWith('\n\n');
  return { name, content: isCounted ? `${content}\n\n` : content };
}

test('has the expected number of recordings', () => {
  expect(cases.length).toBe(976);
});

describe('writes the keyfiles of nmstatectl gc', () => {
  const accepted = cases.flatMap(({ name, input, recording: { files } }) => (files ? [{ name, input, files }] : []));
  test.each(accepted)('$name', ({ name, input, files }) => {
    const policy = name === 'policy-capture-with-current' ? evaluatePolicy(input) : undefined;
    const outcome = generateKeyfiles(policy?.ok ? policy.value : input, { mode: 'compatible' });
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome.ok && outcome.value.map(asRecorded)).toEqual(files);
  });
});

describe('refuses with the kind and message of nmstate, and a place', () => {
  const refused = cases.flatMap(({ name, input, recording: { error, oneOf } }) =>
    error && error.kind !== null ? [{ name, input, possible: oneOf ?? [error] }] : [],
  );
  test.each(refused)('$name', ({ input, possible }) => {
    const outcome = generateKeyfiles(input, { mode: 'compatible' });
    expect(outcome.ok).toBe(false);
    const [first] = outcome.diagnostics;
    expect(possible).toContainEqual({ kind: refusalKind(first!), message: first?.message });
    for (const { range } of outcome.diagnostics) expect(range).toBeDefined();
  });
});

describe('refuses the same as the parser of nmstate, with a place', () => {
  const refused = cases.flatMap(({ name, input, recording: { error } }) =>
    error?.kind === null ? [{ name, input }] : [],
  );
  test.each(refused)('$name', ({ input }) => {
    const outcome = generateKeyfiles(input, { mode: 'compatible' });
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics.length).toBeGreaterThan(0);
    for (const diagnostic of outcome.diagnostics) {
      expect(diagnostic.severity).toBe('error');
      expect(refusalKind(diagnostic)).toBeUndefined();
      expect(diagnostic.range).toBeDefined();
    }
  });
});
