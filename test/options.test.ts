import { expect, test } from 'vitest';
import { sources } from './support/sources.ts';

// Anyone who passes on options of their own may pass `undefined` for those they were not given: an option that is absent and one
// that is `undefined` are the same.

/** Every interface of options, exported or not, with what is between its braces. */
const OPTIONS = /^(?:export )?interface (\w*Options)\b[^{;]*\{\n([\s\S]*?)^\}/gm;

/** A member that may be absent, on a line of its own. */
const OPTIONAL = /^ {2}readonly (\w+)\?: ([^;]+);$/gm;

test('an option may be undefined wherever it may be absent', () => {
  const others = sources.flatMap(({ path, text }) =>
    [...text.matchAll(OPTIONS)].flatMap(([, name, body = '']) =>
      [...body.matchAll(OPTIONAL)]
        .filter(([, , type = '']) => !type.endsWith('| undefined') && type !== 'undefined')
        .map(([, member]) => `${path} ${name}.${member}`),
    ),
  );
  expect(others).toEqual([]);
});
