// Findings about unusable addresses, compared with all recordings of the real installer.
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

test('compatible mode refuses no file that the installer accepts', () => {
  expect(accepted.length).toBeGreaterThan(100);
  for (const name of accepted)
    expect([name, sanityOf(name, 'compatible').filter((one) => one.startsWith('error'))]).toEqual([name, []]);
});

test('of the files that the installer accepts, strict mode refuses only those that cannot work', () => {
  const refused = accepted.flatMap((name) => {
    const errors = sanityOf(name, 'strict').filter((one) => one.startsWith('error'));
    return errors.length === 0 ? [] : [[name, [...new Set(errors)].join(', ')]];
  });
  // In each of these, two hosts have one address.
  expect(Object.fromEntries(refused)).toEqual({
    'net-same-ip-two-hosts': 'error duplicate-address',
    'nmsc-empty-middle': 'error duplicate-address',
    'nmsc-same-mac-two-documents': 'error duplicate-address',
  });
});
