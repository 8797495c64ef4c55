import { parseNodesConfigOrThrow, planHosts } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { expectedHosts } from '../../src/monitor/hosts.ts';

const STATIC = 'ipv4: {enabled: true, address: [{ip: 192.0.2.50, prefix-length: 24}], dhcp: false}';

/** The host of a config whose only card has these settings. */
function host(...settings: readonly string[]) {
  const card = ['name: eth0', 'type: ethernet', 'state: up', 'mac-address: 52:54:00:ab:00:01', ...settings];
  const network = settings.length === 0 ? '' : `networkConfig: {interfaces: [{${card.join(', ')}}]}, `;
  const interfaces = 'interfaces: [{name: eth0, macAddress: 52:54:00:ab:00:01}]';
  const config = parseNodesConfigOrThrow(`hosts: [{hostname: w1, ${network}${interfaces}}]\n`);
  return expectedHosts(planHosts(config))[0];
}

describe('the addresses of a planned host', () => {
  test.each<[string, readonly string[], readonly string[], readonly number[] | undefined]>([
    ['are nobody’s to say without a network config', [], [], undefined],
    ['are those of the plan', [STATIC, 'ipv6: {enabled: false}'], ['192.0.2.50'], undefined],
    ['are left to DHCP', ['ipv4: {enabled: true, dhcp: true}', 'ipv6: {enabled: false}'], [], [4]],
    [
      'are those of the plan for one version of IP, and left to the network for the other',
      [STATIC, 'ipv6: {enabled: true, dhcp: true, autoconf: true}'],
      ['192.0.2.50'],
      [6],
    ],
  ])('%s', (_, settings, addresses, dynamicVersions) => {
    expect(host(...settings)?.addresses).toEqual(addresses);
    expect(host(...settings)?.dynamicVersions).toEqual(dynamicVersions);
  });
});
