import { keyfileOf } from '@coreiso/nmstate';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../test/support/profiles.ts';
import { NameMap } from '../../src/hosts/name-map.ts';

const names = new NameMap(
  new Map([
    ['eth0', 'eth1'],
    ['eth1', 'eth0'],
    ['eth0.5', 'ens5'],
    ['up', 'enp94s0f0np0'],
  ]),
);

function mapContent(text: string): string {
  return keyfileOf({ name: '', sections: names.mapSections(profileOf(text).sections) }).content;
}

describe('a name of the profiles becomes a name of the machine', () => {
  test.each([
    ['crossed', 'eth0', 'eth1'],
    ['crossed the other way', 'eth1', 'eth0'],
    ['of a VLAN', 'eth1.101', 'eth0.101'],
    ['that is in the table with its dot', 'eth0.5', 'ens5'],
    ['below one that is in the table with its dot', 'eth0.5.7', 'ens5.7'],
    ['of fifteen characters', 'up.10', 'enp94s0f0np0.10'],
    ['of sixteen characters', 'up.101', 'enp94s0f0np.101'],
    ['of a VLAN in a VLAN', 'up.2507.8', 'enp94s0f0n.2507.8'],
    ['with a long end', 'up.storage-net1', 'en.storage-net1'],
    ['with an end that leaves one character', 'up.storage-net-1', 'e.storage-net-1'],
    ['with an end that leaves none', 'up.storage-net-01', 'enp94s0f0np0.storage-net-01'],
    ['with an end that is no name', 'up.and running', 'enp94s0f0np0.and running'],
    ['that only begins alike', 'eth00', undefined],
    ['of nobody', 'bond0', undefined],
    ['that is empty', '', undefined],
    ['that begins with a dot', '.eth0', undefined],
  ])('%s', (_, logical, real) => {
    expect(names.map(logical)).toBe(real);
  });
});

test('values are replaced in settings that hold names of interfaces', () => {
  const text =
    '[connection]\nid=eth0\ntype=eth0\n=eth0\nidx=\n\n[vlan]\nid=eth0\nparent=eth1.7\n\n[ipv4]\ndns-search=eth0.example;\nrouting-rule1=from eth0 iif eth0\n';
  expect(mapContent(text)).toBe(
    '[connection]\nid=eth1\ntype=eth0\n=eth0\nidx=\n\n[vlan]\nid=eth0\nparent=eth0.7\n\n[ipv4]\ndns-search=eth0.example;\nrouting-rule1=from eth0 iif eth1\n',
  );
});

test.each([
  ['connection', 'id'],
  ['connection', 'interface-name'],
  ['connection', 'master'],
  ['connection', 'controller'],
  ['match', 'interface-name'],
  ['bond', 'primary'],
  ['bond', 'active_slave'],
  ['hsr', 'port1'],
  ['hsr', 'port2'],
  ['macvlan', 'parent'],
])('[%s] %s= holds the name of an interface', (section, key) => {
  expect(mapContent(`[${section}]\n${key}=eth0\n`)).toBe(`[${section}]\n${key}=eth1\n`);
  // In another section the same key means something else, except `parent`, which holds an interface everywhere.
  const elsewhere = `[proxy]\n${key}=eth0\n`;
  expect(mapContent(elsewhere)).toBe(key === 'parent' ? '[proxy]\nparent=eth1\n' : elsewhere);
});

test('a file is renamed if its name without the extension is an interface', () => {
  expect(names.mapFile('eth0.nmconnection')).toBe('eth1.nmconnection');
  expect(names.mapFile('up.2507.nmconnection')).toBe('enp94s0f0n.2507.nmconnection');
  expect(names.mapFile('bond0.nmconnection')).toBeUndefined();
});
