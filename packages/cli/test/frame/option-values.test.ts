// Values of options: every option with a check has a row.
import { describe, expect, test } from 'vitest';
import { readTimeLimit } from '../../src/commands/nodes/arrival/time-limit.ts';
import { instant, milliseconds } from '../../src/commands/nodes/plan-arguments.ts';
import { commandTree } from '../../src/commands/tree.ts';
import { retriesOf } from '../../src/drop-in/download/sources.ts';
import { commandsOf, type Group } from '../../src/frame/command.ts';
import type { Option } from '../../src/frame/usage.ts';

async function optionsBelow(group: Group, words: string): Promise<(Option & { readonly command: string })[]> {
  const found = [];
  for (const one of await commandsOf(group)) {
    const path = `${words}${one.name}`;
    found.push(...(one.kind === 'command' ? (one.options ?? []).map((option) => ({ ...option, command: path })) : []));
    if (one.kind === 'group') found.push(...(await optionsBelow(one, `${path} `)));
  }
  return found;
}

const checked = (await optionsBelow(commandTree, '')).filter(({ check }) => check !== undefined);
/** Server options have their rows in serve-options.test.ts. */
const OF_SERVERS = /^(?:listen|public-url|max-connections|max-connections-per-client|idle-timeout|max-header|grace)$/;

interface Row {
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  readonly reason: string;
}

const DIGEST: Row = {
  taken: ['0123456789abcdef'.repeat(4), 'ABCDEF0123456789'.repeat(4)],
  refused: ['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), `${'a'.repeat(64)}\n`],
  reason: 'expected 64 hexadecimal digits',
};
const NUMBER: Row = {
  taken: ['0', '7', '999999'],
  refused: ['', '-1', '1000000', '1.5', 'x'],
  reason: 'expected a number',
};
const LABEL: Row = {
  taken: ['a=b', 'A_b.c-d=E_f.g-h', 'node.example.test/a=', 'kubernetes.io/hostname=far-0', 'a=1'],
  refused: ['', 'a', '=b', '-a=b', 'a-=b', 'a=-b', 'a=b-', 'a b=c', 'Example/a=b', 'a/b/c=d', 'a=b=c'],
  reason: 'expected KEY=VALUE, such as site=far',
};
const DOMAIN: Row = {
  taken: ['a.b', 'apps-far.reef.example.test', '1.2', `${'a'.repeat(61)}.`.repeat(4) + 'a'.repeat(5)],
  refused: ['', 'a', '.a', 'a.', 'a..b', 'A.b', '-a.b', 'a-.b', 'a.b-', 'a_b.c', `${'a.'.repeat(126)}ab`],
  reason: 'expected a domain, such as apps-far.reef.example.test',
};
const ADDRESS: Row = {
  taken: ['192.0.2.1', '192.0.2.1:80', '2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:80'],
  refused: ['', 'a.test', '192.0.2.256', '192.0.2.1:', '192.0.2.1:x', '[192.0.2.1', '[2001:db8::1]80', '2001:db8'],
  reason: 'expected an IP address, with a port if it is not 8090',
};

/** Rows by option, or by command and option if the same name has another meaning. */
const ROWS: Readonly<Record<string, Row>> = {
  sha256: DIGEST,
  'base-sha256': DIGEST,
  'control-plane': NUMBER,
  workers: NUMBER,
  arbiters: NUMBER,
  'added-workers': NUMBER,
  'node-label': LABEL,
  'route-label': LABEL,
  domain: DOMAIN,
  'valid-for': {
    taken: ['1m', '90m', '12h', '7d', '99999d'],
    refused: ['', '0m', '7', 'm', '07d', '100000d', '7s', '7 d', '7D', '-7d', '1.5h'],
    reason: 'expected minutes, hours or days, such as 90m, 12h or 7d',
  },
  'valid-until': {
    taken: ['2030-01-31T12:00:00Z', '2030-01-31T12:00Z', '2030-01-31T12:00:00+02:00', '2030-01-31T12:00-11:30'],
    refused: [
      '',
      '2030-01-31',
      '2030-01-31T12:00:00',
      '2030-13-01T12:00Z',
      '2030-01-31 12:00Z',
      'x2030-01-31T12:00Z',
      '2030-01-31T12:00Zx',
    ],
    reason: 'expected a time with its zone, such as 2030-01-31T12:00:00Z',
  },
  timeout: {
    taken: ['1', '90s', '45m', '2h', '99999s'],
    refused: ['', '0', '0m', '100000', '7d', '1.5h', '-1', 'm', ' 1'],
    reason: 'expected seconds, minutes or hours, such as 90s, 45m or 2h',
  },
  resolves: {
    taken: ['api.test=192.0.2.1', 'a=192.0.2.1,2001:db8::1'],
    refused: ['', 'a', '=192.0.2.1', 'a=', 'a b=192.0.2.1', 'a=x', 'a=b=1'],
    reason: 'expected NAME=ADDRESS, such as api-int.reef.example.test=192.0.2.10',
  },
  name: {
    taken: ['a', 'far-0', '0', 'a'.repeat(63)],
    refused: ['', 'default', 'A', '-a', 'a-', 'a.b', 'a_b', 'a'.repeat(64)],
    reason: 'expected a name other than default, of lower-case letters, digits and hyphens',
  },
  replicas: {
    taken: ['1', '999'],
    refused: ['', '0', '01', '1000', '-1', 'x'],
    reason: 'expected a number of routers',
  },
  node: {
    taken: ['far-0=198.51.100.7', 'a.b=2001:db8::7', '0=192.0.2.1'],
    refused: [
      '',
      'far-0',
      'far-0=',
      '=192.0.2.1',
      '-a=192.0.2.1',
      'a-=192.0.2.1',
      'A=192.0.2.1',
      'a=b',
      'a=192.0.2.1:80',
    ],
    reason: 'expected NAME=ADDRESS, such as far-0=198.51.100.7',
  },
  'output-name': {
    taken: ['node.iso', 'a b.ISO'],
    refused: ['', '.iso', 'node', 'a/b.iso', 'a\\b.iso', 'node.iso.gz'],
    reason: 'expected the name of an ISO image, such as node.iso',
  },
  'host-ignition': {
    taken: ['a=b', 'a=b=c', 'far 0=x/y.ign'],
    refused: ['', 'a', 'a=', '=b'],
    reason: 'expected HOST=FILE, such as far-0=ignition-override-far-0.ign',
  },
  address: {
    taken: ['a=192.0.2.1', 'a=192.0.2.1:80', 'a=2001:db8::1', 'a=[2001:db8::1]:80', 'a=[2001:db8::1]', 'a=b.test:80'],
    refused: ['', 'a', 'a=', '=192.0.2.1', 'a=[2001:db8::1', 'a=b c', 'a=b:x'],
    reason: 'expected a host and its address, such as node1=192.0.2.11 or node1=192.0.2.11:2222',
  },
  'agent wait-for bootstrap-complete address': ADDRESS,
  'agent wait-for install-complete address': ADDRESS,
  'log-level': {
    taken: ['trace', 'debug', 'info', 'warn', 'warning', 'error'],
    refused: ['', 'fatal', 'INFO', 'infos', 'xinfo'],
    reason: 'expected one of debug, info, warn, error',
  },
  size: {
    taken: ['1', '64M', '1GiB'],
    refused: ['', '0', 'x', '1P'],
    reason: 'expected a size, such as 3000000, 64M or 1G',
  },
  'dest-console': {
    taken: ['ttyS0', 'ttyS0,115200n8', 'tty0'],
    refused: ['bad', 'ttyS0,'],
    reason: '',
  },
  'image-url': {
    taken: ['https://a.test/x', 'file:///x'],
    refused: ['a.test', '/x', ''],
    reason: 'relative URL without a base',
  },
  'stream-base-url': { taken: ['https://a.test'], refused: ['a.test'], reason: 'relative URL without a base' },
  'fetch-retries': {
    taken: ['0', '+7', '4294967295', 'infinite'],
    refused: ['x', '-1', '1.5', ' 1'],
    reason: 'invalid digit found in string',
  },
};

const rows = checked
  .filter(({ name }) => !OF_SERVERS.test(name))
  .map((option) => ({ ...option, row: ROWS[`${option.command} ${option.name}`] ?? ROWS[option.name] }));

describe.each(rows)('coreiso $command --$name', ({ row, check }) => {
  test('accepts the values that its help promises', async () => {
    for (const value of row?.taken ?? ['it has no row']) await expect(tried(check, value), value).resolves.toBe('');
  });

  test('refuses other values, and names the expected ones', async () => {
    for (const value of row?.refused ?? [])
      await expect(tried(check, value), value).resolves.toMatch(row?.reason === '' ? /./ : exactly(row?.reason));
  });
});

/** Returns the reason why a value is refused, or an empty text. */
async function tried(check: Option['check'], value: string): Promise<string> {
  try {
    await check?.(value);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function exactly(text = ''): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

test.each([
  ['90s', 90_000],
  ['45m', 2_700_000],
  ['45', 2_700_000],
  ['2h', 7_200_000],
])('--timeout %s is %i milliseconds', (text, expected) => {
  expect(readTimeLimit(text)).toBe(expected);
});

test.each([
  ['90m', 5_400_000],
  ['12h', 43_200_000],
  ['7d', 604_800_000],
])('--valid-for %s is %i milliseconds', (text, expected) => {
  expect(milliseconds(text)).toBe(expected);
});

test('--valid-until is the given time', () => {
  expect(instant('2030-01-31T12:00+02:00').toISOString()).toBe('2030-01-31T10:00:00.000Z');
});

test.each([
  ['0', 0],
  ['+7', 7],
  ['4294967295', 2 ** 32 - 1],
  ['infinite', Number.POSITIVE_INFINITY],
])('--fetch-retries %s are %d', (text, expected) => {
  expect(retriesOf(text)).toBe(expected);
});

test.each([
  ['', 'cannot parse integer from empty string'],
  ['4294967296', 'number too large to fit in target type'],
])("--fetch-retries=%j is refused with Rust's message", (text, reason) => {
  expect(() => retriesOf(text)).toThrow(reason);
});
