import {
  type ConfigSource,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
} from '@coreiso/nodes-config';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const PARSERS = [
  ['nodes-config', parseNodesConfig],
  ['agent-config', parseAgentConfig],
  ['NMStateConfig', parseNMStateConfig],
  ['InfraEnv', parseInfraEnv],
] as const;

const bomb = Array.from({ length: 9 }, (_, level) => {
  const uses =
    level === 0
      ? '[x, x, x, x, x, x, x, x, x]'
      : `[${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]`;
  return `a${level}: &a${level} ${uses}`;
}).join('\n');

const HOSTILE: readonly (readonly [what: string, source: ConfigSource, message: RegExp])[] = [
  ['a file of zeros', new Uint8Array(4096), /control characters are not allowed/],
  ['a program', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xff, 0xfe, 0x80]), /yaml: /],
  ['fifty megabytes', ' '.repeat(50 * 1024 * 1024), /^the text has 52428800 characters/],
  ['a bomb of aliases', bomb, /excessive aliasing|more than \d+ values/],
  ['brackets without end', '['.repeat(100_000), /nested more than|did not find expected/],
  ['an anchor in itself', 'a: &a [*a]\n', /contains itself/],
  ['a number', '42\n', /cannot unmarshal number/],
  ['a list', '- 1\n', /cannot unmarshal array/],
  ['infinity', 'metadata: {managedFields: .inf}\n', /unsupported value: \+Inf/],
];

describe.each(PARSERS)(
  '%s',
  (_, parse: (
    source: ConfigSource,
  ) => ReturnType<
    typeof parseNodesConfig | typeof parseInfraEnv | typeof parseAgentConfig | typeof parseNMStateConfig
  >) => {
    test.each(HOSTILE)('%s is refused with a reason', (_what, source, message) => {
      const outcome = parse(source);
      expect(outcome.ok).toBe(false);
      expect(outcome.diagnostics.some((one) => message.test(one.message))).toBe(true);
    });

    test('never throws, for any values', () => {
      const keys = fc.constantFrom(
        'hosts',
        'interfaces',
        'macAddress',
        'name',
        'networkConfig',
        'rootDeviceHints',
        'spec',
        'config',
        'metadata',
        'labels',
        'role',
        'hostname',
        'sshKey',
        'ipv4',
        'address',
        'ip',
        'type',
        'state',
      );
      const { tree } = fc.letrec((tie) => ({
        tree: fc.oneof(
          { maxDepth: 6 },
          fc.constantFrom(null, true, 1, -1.5, 'x', '', 'eth0', '52:54:00:a1:00:01', '192.0.2.1', '../a'),
          fc.array(tie('tree'), { maxLength: 3 }),
          fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
        ),
      }));
      fc.assert(
        fc.property(tree, (value) => typeof parse(JSON.stringify(value)).ok === 'boolean'),
        { numRuns: 300 },
      );
    });
  },
);

describe('ten thousand hosts', () => {
  test('are compared by look-up, in linear time', () => {
    const hosts = Array.from({ length: 10_000 }, (_, index) => {
      const mac = `52:54:00:${[index >> 16, index >> 8, index].map((part) => (part & 0xff).toString(16).padStart(2, '0')).join(':')}`;
      return `- hostname: n${index}\n  interfaces: [{name: eth0, macAddress: "${mac}"}]\n`;
    });
    const outcome = parseNodesConfig(
      `hosts:\n${hosts.join('')}- hostname: N77\n  interfaces: [{macAddress: "52:54:00:00:00:4D"}]\n`,
    );
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual([
      'nodes-config/duplicate-hostname',
      'nodes-config/hostname-invalid',
      'nodes-config/duplicate-mac',
    ]);
  });
});

test.each([
  ['lists', `[${'x,'.repeat(1000)}]`, (name: string) => `[${`${name},`.repeat(150)}]`],
  [
    'maps',
    `{${Array.from({ length: 500 }, (_, index) => `k${index}: x`).join(', ')}}`,
    (name: string) => `{${Array.from({ length: 150 }, (_, index) => `m${index}: ${name}`).join(', ')}}`,
  ],
])('aliases in %s are counted with all of their values', (_, anchored, uses) => {
  const codes = (used: string): string[] =>
    parseNodesConfig(`metadata:\n  a: &a ${anchored}\n  b: ${used}\n`).diagnostics.map(({ code }) => code);
  expect(codes(uses('*a'))).toEqual(['nodes-config/excessive-aliasing']);
  expect(codes('*a')).not.toContain('nodes-config/excessive-aliasing');
});
