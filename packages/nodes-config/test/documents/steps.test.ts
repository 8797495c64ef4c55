import { isUpstream, parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const UP = '      type: ethernet\n      state: up\n      ipv4: {enabled: true, dhcp: true}\n';

describe('a failure of the installer', () => {
  const broken = '  networkConfig: {interfaces: [{name: eth0, type: ethernet, state: 7}]}\n';
  const row = (fields: string): string => `hosts:\n- interfaces: [${fields}]\n${broken}`;
  const good = '{name: eth0, macAddress: "52:54:00:a1:00:01"}';

  test.each([
    ['no-interfaces', row('')],
    ['mac-missing', row('{name: eth0}')],
    ['mac-invalid', row('{name: eth0, macAddress: "52:54:00"}')],
    ['duplicate-mac', `${row(good)}- interfaces: [${good}]\n`],
    ['device-name', `${row(good)}  rootDeviceHints: {deviceName: sda}\n`],
    ['wwn-extension', `${row(good)}  rootDeviceHints: {wwnWithExtension: a}\n`],
    ['role', `${row(good)}  role: boss\n`],
  ])('in the list of hosts (%s) keeps it from checking their networks', (code, text) => {
    const { diagnostics } = parseNodesConfig(text);
    const printed = diagnostics.filter(isUpstream).map((one) => one.code);
    expect(printed).toEqual([`nodes-config/${code}`]);
    expect(diagnostics.some((one) => one.code.startsWith('nmstate/') && !isUpstream(one))).toBe(true);
  });

  test('before the list of hosts keeps it from warning about names', () => {
    const named = `hosts:\n- interfaces: [{name: nic, macAddress: "52:54:00:a1:00:01"}]\n  networkConfig:\n    interfaces:\n    - name: eth0\n${UP}`;
    const warned = (text: string) =>
      parseNodesConfig(text)
        .diagnostics.filter((one) => one.code === 'nodes-config/name-not-in-network')
        .map(isUpstream);
    expect([warned(named), warned(`cpuArchitecture: mips\n${named}`)]).toEqual([[true], [false]]);
  });
});
