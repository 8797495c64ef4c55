import { parseYaml } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { goYamlMessage } from '../../src/text/go-yaml-message.ts';

test.each([
  ['interfaces:\n- name: "a\n', 'yaml: line 3: found unexpected end of stream'],
  ['@a: 1\n', 'yaml: found character that cannot start any token'],
  ['a:\n- b\n   c: d\n', 'yaml: line 3: mapping values are not allowed in this context'],
  ['a: [b\n', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: [b', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: 1\nb', "yaml: line 3: could not find expected ':'"],
  ['a: *b', "yaml: unknown anchor 'b' referenced"],
  ['é: \u0007', 'yaml: control characters are not allowed'],
])('go-yaml\u2019s message for %j is repeated', (text, words) => {
  const outcome = parseYaml(text)[0];
  const finding = outcome.ok ? undefined : outcome.diagnostics[0];
  expect(goYamlMessage(finding!)).toBe(words);
});
