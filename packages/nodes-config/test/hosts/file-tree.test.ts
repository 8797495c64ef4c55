import { expect, test } from 'vitest';
import { parseNodesConfigOrThrow } from '../../src/documents/nodes-config.ts';
import { fileTree } from '../../src/hosts/file-tree.ts';

const [HOST] = parseNodesConfigOrThrow(
  'hosts: [{hostname: worker-0, interfaces: [{name: eth0, macAddress: "52:54:00:AB:00:01"}]}]\n',
).hosts;

// Configs with such addresses are refused; for hosts from other sources, the path is that of Go's filepath.Base.
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

test('a host without cards has no list of addresses, so it matches no machine', () => {
  const paths = fileTree([{ ...HOST!, interfaces: [], role: 'worker' }], []).map(({ path }) => path);
  expect(paths).toEqual(['/etc/assisted/hostconfig/worker-0/role']);
});
