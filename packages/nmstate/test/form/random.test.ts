// Random fills and edits: they never give a state that nmstate refuses, and never lose parts outside the form.
import { parseYaml, serdeYaml, toPlain } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { fromForm, toForm } from '../../src/forms.ts';
import { generateKeyfiles, sampleState } from '../../src/index.ts';
import { aForm, anAddition, aRemoval, type Edit } from './random-forms.ts';

const FILLS = 10_000;
const EDITS = 1_000;

const judge = (text: string) => generateKeyfiles(text, { mode: 'compatible' });

test('makes states that nmstate accepts from all fills, and reads them back', () => {
  let taken = 0;
  fc.assert(
    fc.property(aForm, (form) => {
      const outcome = fromForm(form, '');
      if (!outcome.ok) {
        for (const { message, path } of outcome.diagnostics)
          expect([message, path.length > 0]).toEqual([message, true]);
        return;
      }
      taken += 1;
      expect(judge(outcome.value).diagnostics).toEqual([]);
      expect(withoutState(toForm(outcome.value))).toEqual(withoutState(form));
    }),
    { numRuns: FILLS },
  );
  expect(taken).toBeGreaterThan(FILLS / 20);
});

describeWith(['nmstatectl'], 'the real nmstatectl', () => {
  test('accepts the same fills', () => {
    const texts = fc.sample(aForm, { numRuns: FILLS / 10 }).flatMap((form) => {
      const outcome = fromForm(form, '');
      return outcome.ok ? [outcome.value] : [];
    });
    const refused = texts.filter(
      (input) => run('nmstatectl', ['gc', '-q', '-'], { input: Buffer.from(input) }).status !== 0,
    );
    expect(texts.length).toBeGreaterThan(5);
    expect(refused).toEqual([]);
  });
});

/** Sets the state of every interface that has none to `up`, the default. */
function withoutState(form: ReturnType<typeof toForm>): unknown {
  return { ...form, interfaces: form.interfaces.map((one) => ({ ...one, state: one.state ?? 'up' })) };
}

const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));
const TEXTS = [
  sampleState,
  ...goldens
    .paths(/\.yml$/)
    .map((path) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(goldens.bytes(path)))
    .filter((text) => judge(text).ok && /^interfaces:/m.test(text)),
].map(withComments);

/** A comment at the end of every line that can have one. */
function withComments(text: string): string {
  let result = text;
  for (let line = text.split('\n').length - 1; line >= 0; line -= 1) {
    const lines = result.split('\n');
    if (lines[line]?.trim() === '') continue;
    lines[line] = `${lines[line]} # note ${line}.`;
    const next = lines.join('\n');
    if (JSON.stringify(dataOf(next)) === JSON.stringify(dataOf(text))) result = next;
  }
  return result;
}

function dataOf(text: string): unknown {
  const [outcome] = parseYaml(text);
  if (!outcome.ok || outcome.value.root === undefined) return text;
  return JSON.parse(
    JSON.stringify(toPlain(outcome.value.root, serdeYaml), (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    ),
  );
}

function commentsOf(text: string): string[] {
  return text.match(/# note \d+\./g) ?? [];
}

describe('editing a real text', () => {
  const aText = fc.nat(TEXTS.length - 1).map((index) => TEXTS[index] ?? '');

  test('changes nothing with an unchanged form', () => {
    for (const text of TEXTS) expect(fromForm(toForm(text), text)).toEqual({ ok: true, value: text, diagnostics: [] });
  });

  const edited = (text: string, edits: readonly Edit[]) => {
    const form = toForm(text);
    for (const edit of edits) edit(form);
    return { form, outcome: fromForm(form, text, { judge }) };
  };

  test('keeps all comments after additions and changes', () => {
    let taken = 0;
    fc.assert(
      fc.property(aText, fc.array(anAddition, { minLength: 1, maxLength: 3 }), (text, edits) => {
        const { form, outcome } = edited(text, edits);
        if (!outcome.ok) return;
        taken += 1;
        expect(commentsOf(outcome.value)).toEqual(expect.arrayContaining(commentsOf(text)));
        expect(judge(outcome.value).ok).toBe(true);
        expect(withoutState(toForm(outcome.value))).toEqual(withoutState(form));
      }),
      { numRuns: EDITS },
    );
    expect(taken).toBeGreaterThan(EDITS / 10);
  });

  test('removes only the comments of removed parts', () => {
    fc.assert(
      fc.property(aText, aRemoval, (text, edit) => {
        const { form, outcome } = edited(text, [edit]);
        // Either of two interfaces with the same name may stay.
        const names = toForm(text).interfaces.map(({ name, type }) => `${name} ${type}`);
        if (!outcome.ok || new Set(names).size < names.length) return;
        expect(judge(outcome.value).ok).toBe(true);
        const kept = new Set(commentsOf(outcome.value));
        const lost = commentsOf(text).filter((comment) => !kept.has(comment));
        // The removed lines, and no others.
        const lines = text.split('\n');
        const left = outcome.value.split('\n').map((line) => line.replace(/ # note.*/, '').trim());
        for (const comment of lost) {
          const line =
            lines
              .find((one) => one.includes(comment))
              ?.replace(/ # note.*/, '')
              .trim() ?? '';
          const count = (all: readonly string[]): number => all.filter((one) => one === line).length;
          expect(count(left)).toBeLessThan(count(lines.map((one) => one.replace(/ # note.*/, '').trim())));
        }
        expect(withoutEmpty(withoutState(toForm(outcome.value)))).toEqual(withoutEmpty(withoutState(form)));
      }),
      { numRuns: EDITS },
    );
  });
});

/** An empty list counts as absent. */
function withoutEmpty(form: unknown): unknown {
  return JSON.parse(
    JSON.stringify(form, (_, value) => (Array.isArray(value) && value.length === 0 ? undefined : value)),
  );
}
