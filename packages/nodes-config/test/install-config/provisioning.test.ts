import { parseInstallConfig, splitMessages } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { driverProblem } from '../../src/install-config/rules/provisioning.ts';

const BASE = {
  apiVersion: 'v1',
  baseDomain: 'example.test',
  metadata: { name: 'reef' },
  controlPlane: { replicas: 3 },
  compute: [{ name: 'worker', replicas: 0 }],
  networking: { machineNetwork: [{ cidr: '192.0.2.0/24' }] },
  pullSecret: '{"auths":{"a.test":{"auth":"eDp5"}}}',
};
const VIPS = { apiVIPs: ['192.0.2.2'], ingressVIPs: ['192.0.2.3'] };
const bmc = (address: string) => ({ address, username: 'u', password: 'p' });
const host = (name: string, address: string) => ({
  ...{ name, role: 'master', bootMACAddress: `52:54:00:00:00:0${name.length}`, bmc: bmc(address) },
});

function errors(changes: object): string[] {
  return splitMessages(parseInstallConfig({ ...BASE, ...changes }, { mode: 'compatible' }).diagnostics).upstream;
}

const on = (baremetal: object): string[] =>
  errors({ platform: { baremetal: { ...VIPS, hosts: [host('a', 'ipmi://192.0.2.77')], ...baremetal } } });

// Metal3's drivers by scheme, and whether they boot a machine from media or over a network.
describe('a controller without a provisioning network', () => {
  test.each([
    ['ipmi', 'ipmi'],
    ['libvirt', 'ipmi'],
    ['redfish', 'redfish'],
    ['redfish-uefihttp', undefined],
    ['redfish-virtualmedia', undefined],
    ['idrac', 'idrac'],
    ['idrac-redfish', 'idrac'],
    ['idrac-virtualmedia', undefined],
    ['ilo4', 'ilo'],
    ['ilo4-virtualmedia', undefined],
    ['ilo5', 'ilo5'],
    ['ilo5-redfish', 'redfish'],
    ['ilo5-virtualmedia', undefined],
    ['irmc', 'irmc'],
  ])('%s has the driver %s', (scheme, driver) => {
    const problem = driver && `driver ${driver} requires provisioning network`;
    for (const address of [`${scheme}://192.0.2.7/a`, `${scheme.toUpperCase()}+https://bmc.example.test:443`])
      expect(driverProblem(address)).toBe(problem);
  });

  test.each([
    ['', 'missing BMC address'],
    ['192.0.2.7', 'driver ipmi requires provisioning network'],
    ['192.0.2.7:623', 'driver ipmi requires provisioning network'],
    ['[2001:db8::7]:623', 'driver ipmi requires provisioning network'],
    ['[2001:db8::7]', 'driver ipmi requires provisioning network'],
    ['bmc.example.test', 'driver ipmi requires provisioning network'],
    ['redfish-virtualmedia://me:secret@[2001:db8::7]:443/redfish', undefined],
    ['redfish-virtualmedia:192.0.2.7/a', undefined],
    ['foo://192.0.2.7', "Unknown BMC type 'foo' for address foo://192.0.2.7"],
    ['redfish+ftp://192.0.2.7', "Unknown BMC type 'redfish+ftp' for address redfish+ftp://192.0.2.7"],
    ['redfish://a_b/', 'failed to parse BMC address information: BMC address hostname/IP : [a_b] is invalid'],
    ['redfish://-a/', 'failed to parse BMC address information: BMC address hostname/IP : [-a] is invalid'],
    ['redfish://[a:b]/', 'failed to parse BMC address information: BMC address hostname/IP : [a:b] is invalid'],
  ])('of the address %j: %s', (address, problem) => {
    expect(driverProblem(address)).toBe(problem);
  });

  test('is reported with its host, and the provisioning address may be in the machine network', () => {
    const path = 'platform.baremetal';
    expect(on({ provisioningNetwork: 'Disabled' })).toContainEqual(
      `${path}.hosts[0].bmc: Invalid value: "ipmi://192.0.2.77": driver ipmi requires provisioning network`,
    );
    const media = { provisioningNetwork: 'Disabled', hosts: [host('a', 'redfish-virtualmedia://192.0.2.77')] };
    expect(on({ ...media, clusterProvisioningIP: '192.0.2.9' })).toEqual([]);
    expect(on({ ...media, clusterProvisioningIP: '198.51.100.9' })).toEqual([
      `${path}.clusterProvisioningIP: Invalid value: "198.51.100.9": provisioning network is disabled, IP expected to be in one of the machine networks: 192.0.2.0/24`,
    ]);
  });
});

describe('a provisioning network', () => {
  const V4 = { provisioningNetworkCIDR: '172.22.0.0/24', clusterProvisioningIP: '172.22.0.3' };
  const cidr = 'platform.baremetal.provisioningNetworkCIDR: Invalid value: ';

  test.each<[changes: object, messages: string[]]>([
    [{}, []],
    [{ provisioningNetworkGateway: '172.22.0.1', provisioningDHCPRange: '172.22.0.10,172.22.0.254' }, []],
    [
      { provisioningNetworkCIDR: '172.22.0.1/24' },
      [`${cidr}"172.22.0.1/24": provisioningNetworkCIDR has host bits set, expected 172.22.0.0/24`],
    ],
    [
      { provisioningNetworkCIDR: '192.0.2.128/25', clusterProvisioningIP: '192.0.2.130' },
      [`${cidr}"192.0.2.128/25": cannot overlap with machine network: 192.0.2.0/24 overlaps with 192.0.2.128/25`],
    ],
    [
      { provisioningNetworkCIDR: '192.0.0.0/16', clusterProvisioningIP: '192.0.0.3' },
      [`${cidr}"192.0.0.0/16": cannot overlap with machine network: 192.0.2.0/24 overlaps with 192.0.0.0/16`],
    ],
    [
      { provisioningNetworkCIDR: '192.0.2.64/26', clusterProvisioningIP: '192.0.2.67' },
      [`${cidr}"192.0.2.64/26": cannot overlap with machine network: 192.0.2.64/26 overlaps with 192.0.2.0/24`],
    ],
    [
      { clusterProvisioningIP: '172.22.1.3' },
      [
        'platform.baremetal.clusterProvisioningIP: Invalid value: "172.22.1.3": "172.22.1.3" is not in the provisioning network',
      ],
    ],
    [
      { provisioningNetworkGateway: 'x' },
      ['platform.baremetal.provisioningNetworkGateway: Invalid value: "x": "x" is not a valid IP'],
    ],
    [
      { additionalNTPServers: ['192.0.2.1', 'ntp.example.test.', 'a_b', '2001:db8::1'] },
      ['platform.baremetal.additionalNTPServers: Invalid value: "a_b": NTP server is not a valid IP or domain name'],
    ],
    ...(
      [
        ['172.22.0.10', 'provisioning DHCP range should be in format: start_ip,end_ip'],
        ['172.22.0.10,172.22.0.11,172.22.0.12', 'provisioning DHCP range should be in format: start_ip,end_ip'],
        ['172.22.0.10,x', 'x: "x" is not a valid IP'],
        ['172.22.0.10,172.22.1.11', '"172.22.1.11" is not in the provisioning network'],
      ] as const
    ).map(([range, detail]): [object, string[]] => [
      { provisioningDHCPRange: range },
      [`platform.baremetal.provisioningDHCPRange: Invalid value: "${range}": ${detail}`],
    ]),
    ...(
      [
        ['172.22.0.10', true],
        ['172.22.0.20', true],
        ['172.22.0.9', false],
        ['172.22.0.21', false],
      ] as const
    ).map(([address, isInside]): [object, string[]] => [
      { provisioningDHCPRange: '172.22.0.10,172.22.0.20', clusterProvisioningIP: address },
      isInside
        ? [
            `platform.baremetal.clusterProvisioningIP: Invalid value: "${address}": "${address}" overlaps with the allocated DHCP range`,
          ]
        : [],
    ]),
  ])('of %j: %j', (changes, messages) => {
    expect(on({ provisioningNetwork: 'Managed', ...V4, ...changes })).toEqual(messages);
  });

  test.each([
    ['Managed', 63, true],
    ['Managed', 64, false],
    ['Unmanaged', 63, false],
  ])('%s of IPv6 with the prefix length %i is refused: %s', (provisioningNetwork, prefix, isRefused) => {
    const text = `fd00:1101::/${prefix}`;
    expect(on({ provisioningNetwork, provisioningNetworkCIDR: text, clusterProvisioningIP: 'fd00:1101::3' })).toEqual(
      isRefused
        ? [`${cidr}"${text}": provisioningNetworkCIDR mask must be greater than or equal to 64 for IPv6 networks`]
        : [],
    );
  });
});

test('every host needs a complete controller of its own', () => {
  const path = 'platform.baremetal.hosts';
  const hosts = [
    host('a', 'ipmi://192.0.2.7'),
    { ...host('bb', 'ipmi://192.0.2.7') },
    { ...host('ccc', ''), bmc: { address: '', username: '', password: '' } },
  ];
  expect(on({ provisioningNetwork: 'Unmanaged', hosts })).toEqual([
    `${path}[1].bmc.address: Duplicate value: "ipmi://192.0.2.7"`,
    `${path}[2].bmc.username: Required value: missing Username`,
    `${path}[2].bmc.password: Required value: missing Password`,
    `${path}[2].bmc.address: Required value: missing Address`,
  ]);
});

// openshift/api: each set includes those before it.
describe('capabilities', () => {
  const ADDED: Readonly<Record<string, readonly string[]>> = {
    None: [],
    'v4.11': ['baremetal', 'marketplace', 'openshift-samples', 'MachineAPI'],
    'v4.12': ['Console', 'Insights', 'Storage', 'CSISnapshot'],
    'v4.13': ['NodeTuning'],
    'v4.14': ['Build', 'DeploymentConfig', 'ImageRegistry'],
    'v4.15': ['OperatorLifecycleManager', 'CloudCredential'],
    'v4.16': ['CloudControllerManager', 'Ingress'],
    'v4.17': [],
    'v4.18': ['OperatorLifecycleManagerV1'],
    vCurrent: ['ClusterAPI', 'CompatibilityRequirements'],
  };
  const known = Object.values(ADDED).flat().sort();
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

  test('and their sets are those of the release', () => {
    const capabilities = { baselineCapabilitySet: 'x', additionalEnabledCapabilities: ['Ingress', 'y'] };
    expect(errors({ capabilities, platform: { none: {} } })).toEqual([
      `capabilities.baselineCapabilitySet: Unsupported value: "x": supported values: ${quoted(Object.keys(ADDED).sort())}`,
      `capabilities.additionalEnabledCapabilities[1]: Unsupported value: "y": supported values: ${quoted(known)}`,
    ]);
  });

  test.each(known)('%s is accepted', (name) => {
    const capabilities = {
      baselineCapabilitySet: 'None',
      additionalEnabledCapabilities: [name, 'Ingress', 'OperatorLifecycleManager'].filter(
        (one, index, all) => all.indexOf(one) === index,
      ),
    };
    expect(errors({ capabilities, platform: { none: {} } })).toEqual([]);
  });

  test.each(Object.keys(ADDED))('%s has Ingress from 4.16 on', (baselineCapabilitySet) => {
    const lacks = ['None', 'v4.11', 'v4.12', 'v4.13', 'v4.14', 'v4.15'].includes(baselineCapabilitySet);
    const found = errors({ capabilities: { baselineCapabilitySet }, platform: { none: {} } });
    expect(found.some((one) => one.includes('the Ingress capability is required'))).toBe(lacks);
    // Sets of 4.11 to 4.14 have the marketplace without the capability that it needs.
    expect(found.some((one) => one.includes('requires the OperatorLifecycleManager capability'))).toBe(
      ['v4.11', 'v4.12', 'v4.13', 'v4.14'].includes(baselineCapabilitySet),
    );
  });
});

test('the supported feature sets are those of the release', () => {
  expect(errors({ featureSet: 'x', platform: { none: {} } })).toEqual([
    'featureSet: Unsupported value: "x": supported values: "", "CustomNoUpgrade", "DevPreviewNoUpgrade", "OKD", "TechPreviewNoUpgrade"',
  ]);
});
