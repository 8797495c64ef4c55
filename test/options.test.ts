import { expect, test } from 'vitest';
import { sources } from './support/sources.ts';

// Callers that pass on their own options may pass `undefined` for missing ones: an absent option and an `undefined` one mean the
// same.

/** Every interface of options, exported or not, with the text between its braces. */
const OPTIONS = /^(?:export )?interface (\w*Options)\b[^{;]*\{\n([\s\S]*?)^\}/gm;

/** A member that may be absent, on a line of its own. */
const OPTIONAL = /^ {2}readonly (\w+)\?: ([^;]+);$/gm;

test('every option that may be absent may be undefined', () => {
  const others = sources.flatMap(({ path, text }) =>
    [...text.matchAll(OPTIONS)].flatMap(([, name, body = '']) =>
      [...body.matchAll(OPTIONAL)]
        .filter(([, , type = '']) => !type.endsWith('| undefined') && type !== 'undefined')
        .map(([, member]) => `${path} ${name}.${member}`),
    ),
  );
  expect(others).toEqual([]);
});
