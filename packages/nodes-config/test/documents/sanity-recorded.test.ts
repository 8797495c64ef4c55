// What is said about addresses that no machine can work with, held against everything that the real installer was asked.
import { expect, test } from 'vitest';
import { goldens, names, parseRecorded } from './recordings.ts';

const SANITY = [
  'virtual-address',
  'address-is-gateway',
  'network-address',
  'duplicate-address',
  'rendezvous-on-no-host',
  'no-default-route',
  'no-dns-server',
].map((rule) => `nodes-config/${rule}`);

function sanityOf(name: string, mode: 'strict' | 'compatible'): string[] {
  return parseRecorded(name, mode)
    .diagnostics.filter(({ code }) => SANITY.includes(code))
    .map(({ severity, code }) => `${severity} ${code.replace('nodes-config/', '')}`);
}

const accepted = names.filter((name) => {
  const { errors = [], crash } = goldens.json<{ errors?: string[]; crash?: string }>(`${name}.json`);
  return errors.length === 0 && crash === undefined;
});

test('nothing that the installer takes is refused in compatible mode', () => {
  expect(accepted.length).toBeGreaterThan(100);
  for (const name of accepted)
    expect([name, sanityOf(name, 'compatible').filter((one) => one.startsWith('error'))]).toEqual([name, []]);
});

test('of what the installer takes strict mode refuses what cannot work, and nothing else', () => {
  const refused = accepted.flatMap((name) => {
    const errors = sanityOf(name, 'strict').filter((one) => one.startsWith('error'));
    return errors.length === 0 ? [] : [[name, [...new Set(errors)].join(', ')]];
  });
  // Two hosts have one address in each of these.
  expect(Object.fromEntries(refused)).toEqual({
    'net-same-ip-two-hosts': 'error duplicate-address',
    'nmsc-empty-middle': 'error duplicate-address',
    'nmsc-same-mac-two-documents': 'error duplicate-address',
  });
});
