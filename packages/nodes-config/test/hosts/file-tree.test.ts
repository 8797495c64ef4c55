import { expect, test } from 'vitest';
import { parseNodesConfigOrThrow } from '../../src/documents/nodes-config.ts';
import { fileTree } from '../../src/hosts/file-tree.ts';

const [HOST] = parseNodesConfigOrThrow(
  'hosts: [{hostname: worker-0, interfaces: [{name: eth0, macAddress: "52:54:00:AB:00:01"}]}]\n',
).hosts;

// Configs are checked for addresses; anyone who plans hosts of other origin gets the path that Go's filepath.Base gives.
test.each([
  ['52:54:00:AB:00:01', '/etc/assisted/hostnames/52:54:00:ab:00:01'],
  ['up/52:54:00:AB:00:01', '/etc/assisted/hostnames/52:54:00:ab:00:01'],
  ['up/AB//', '/etc/assisted/hostnames/ab'],
  ['//', '/etc/assisted/hostnames'],
  ['', '/etc/assisted/hostnames'],
])('the name of a host with the card %j is in %s', (macAddress, expected) => {
  const host = { ...HOST!, interfaces: [{ ...HOST!.interfaces[0]!, macAddress }] };
  const files = fileTree([host], []).filter(({ path }) => path.startsWith('/etc/assisted/hostnames'));
  expect(files.map(({ path, contents }) => [path, contents])).toEqual([[expected, 'worker-0']]);
});

test('a host that no card is known of has no list of addresses, and so is no one\u2019s', () => {
  const paths = fileTree([{ ...HOST!, interfaces: [], role: 'worker' }], []).map(({ path }) => path);
  expect(paths).toEqual(['/etc/assisted/hostconfig/worker-0/role']);
});
