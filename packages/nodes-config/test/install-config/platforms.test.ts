import { isUpstream, parseInstallConfig, splitMessages } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const BASE = {
  apiVersion: 'v1',
  baseDomain: 'example.test',
  metadata: { name: 'reef' },
  controlPlane: { replicas: 3 },
  compute: [{ name: 'worker', replicas: 0 }],
  networking: {
    machineNetwork: [{ cidr: '192.0.2.0/24' }],
    clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
    serviceNetwork: ['172.30.0.0/16'],
  },
  pullSecret: '{"auths":{"a.test":{"auth":"eDp5"}}}',
};

const VIPS = { apiVIPs: ['192.0.2.2'], ingressVIPs: ['192.0.2.3'] };

function judged(changes: object): { errors: string[]; warnings: string[] } {
  const { diagnostics } = parseInstallConfig({ ...BASE, ...changes }, { mode: 'compatible' });
  const warnings = diagnostics.filter((one) => one.severity === 'warning' && isUpstream(one));
  return { errors: splitMessages(diagnostics).upstream, warnings: warnings.map(({ message }) => message) };
}

describe('Nutanix', () => {
  const endpoint = { address: 'prism.example.test', port: 9440 };
  const sound = {
    ...VIPS,
    prismCentral: { endpoint, username: 'u', password: 'p' },
    prismElements: [{ uuid: '1', endpoint }],
    subnetUUIDs: ['2'],
  };
  const on = (changes: object) => judged({ platform: { nutanix: { ...sound, ...changes } } });

  test('a valid platform is accepted', () => {
    expect(on({})).toEqual({ errors: [], warnings: ['credentialsMode: Manual is ignored'] });
  });

  test.each([
    [
      { prismCentral: { endpoint: { address: 'https://x', port: 0 }, username: '', password: '' } },
      [
        'platform.nutanix.prismCentral.endpoint.address: Invalid value: "https://x": must be the domain name or IP address of the Prism Central',
        'platform.nutanix.prismCentral.endpoint.port: Invalid value: 0: The Prism Central endpoint port is invalid, must be in the range of 1 to 65535',
        'platform.nutanix.prismCentral.username: Required value: must specify the Prism Central username',
        'platform.nutanix.prismCentral.password: Required value: must specify the Prism Central password',
      ],
    ],
    [{ prismElements: [] }, ['platform.nutanix.prismElements: Required value: must specify one Prism Element']],
    [{ subnetUUIDs: [] }, ['platform.nutanix.subnetUUIDs: Required value: must specify at least one subnet']],
    [
      { subnetUUIDs: ['2', '2'] },
      ['platform.nutanix.subnetUUIDs: Invalid value: "2": should not configure duplicate value'],
    ],
    [
      { apiVIPs: [], ingressVIPs: [] },
      [
        'platform.nutanix.apiVIPs: Required value: must specify at least one VIP for the API',
        'platform.nutanix.ingressVIPs: Required value: must specify at least one VIP for the Ingress',
      ],
    ],
    [
      { dnsRecordsType: 'External' },
      [
        'platform.nutanix.dnsRecordsType: Invalid value: "External": external DNS records can only be configured with user-managed loadbalancers',
      ],
    ],
    ...[0, -1].map((prismAPICallTimeout): [object, string[]] => [
      { prismAPICallTimeout },
      [`platform.nutanix.prismAPICallTimeout: Invalid value: ${prismAPICallTimeout}: must be a positive integer value`],
    ]),
  ])('%j is refused', (changes, errors) => {
    expect(on(changes).errors).toEqual(errors);
  });

  test('fields that nothing reads are reported with the installer\u2019s names', () => {
    const { warnings } = on({ clusterOSImage: 'x', loadBalancer: { type: 'UserManaged' }, prismAPICallTimeout: 5 });
    expect(warnings).toEqual([
      'Platform.Nutanix.ClusterOSImage: x is ignored',
      'Platform.Nutanix.LoadBalancer: {UserManaged} is ignored',
      'Platform.Nutanix.PrismAPICallTimeout: 5 is ignored',
      'credentialsMode: Manual is ignored',
    ]);
  });

  const POOL = 'Platform.Nutanix.DefaultMachinePlatform: ';
  const DOMAINS = 'Platform.Nutanix.FailureDomains: ';
  const element = { uuid: 'e1', endpoint };
  const domain = { name: 'fd-1', prismElement: element, subnetUUIDs: ['s1', 's2'] };
  test.each<[string, object, readonly string[]]>([
    ['a pool that says nothing', { defaultMachinePlatform: {} }, []],
    ['no pool', { defaultMachinePlatform: null }, []],
    ['a pool of zeros', { defaultMachinePlatform: { cpus: 0, osDisk: {}, bootType: '' } }, []],
    [
      'a pool',
      { defaultMachinePlatform: { memoryMiB: 16384, cpus: 4 } },
      [`${POOL}{4 0 16384 {0}  <nil> [] [] [] []}`],
    ],
    ['an empty list in a pool', { defaultMachinePlatform: { gpus: [] } }, [`${POOL}{0 0 0 {0}  <nil> [] [] [] []}`]],
    [
      'everything in a pool that is no pointer',
      {
        defaultMachinePlatform: {
          failureDomains: ['fd-1', 'fd-2'],
          categories: [{ key: 'zone', value: 'a' }, { key: 'b' }],
          bootType: 'UEFI',
          osDisk: { diskSizeGiB: 120 },
          coresPerSocket: 2,
        },
      },
      [`${POOL}{0 2 0 {120} UEFI <nil> [{zone a} {b }] [] [] [fd-1 fd-2]}`],
    ],
    [
      'pointers in a pool',
      { defaultMachinePlatform: { project: { type: 'name' }, gpus: [{ type: 'Name', name: 'x' }, null] } },
      [`${POOL}{0 0 0 {0}  <pointer> [] [{Name <nil> <pointer>} { <nil> <nil>}] [] []}`],
    ],
    ['no failure domains', { failureDomains: null }, []],
    ['an empty list of failure domains', { failureDomains: [] }, [`${DOMAINS}[]`]],
    [
      'failure domains',
      {
        failureDomains: [
          { ...domain, storageContainers: [{ referenceName: 'r', uuid: 'u' }] },
          { ...domain, name: 'fd-2', subnetUUIDs: ['s3'], dataSourceImages: [] },
        ],
      },
      [
        `${DOMAINS}[{fd-1 {e1 {prism.example.test 9440} } [s1 s2] [{r u }] []} {fd-2 {e1 {prism.example.test 9440} } [s3] [] []}]`,
      ],
    ],
  ])('%s is reported with the value as Go prints it', (_, changes, warnings) => {
    const said = on(changes);
    expect(said.errors).toEqual([]);
    expect(said.warnings).toEqual([
      ...warnings.map((text) => `${text} is ignored`),
      'credentialsMode: Manual is ignored',
    ]);
  });

  test('ignored fields are reported in the installer\u2019s order', () => {
    const { warnings } = on({
      failureDomains: [],
      prismAPICallTimeout: 5,
      loadBalancer: { type: 'UserManaged' },
      defaultMachinePlatform: { cpus: 1 },
      preloadedOSImageName: 'y',
      clusterOSImage: 'x',
    });
    const fields = warnings.map((text) => /^Platform\.Nutanix\.(\w+)/.exec(text)?.[1]);
    expect(fields.slice(0, -1)).toEqual([
      ...['ClusterOSImage', 'PreloadedOSImageName', 'DefaultMachinePlatform'],
      ...['LoadBalancer', 'PrismAPICallTimeout', 'FailureDomains'],
    ]);
  });

  test('addresses of two families are sorted with IPv4 first', () => {
    const networking = {
      machineNetwork: [{ cidr: '192.0.2.0/24' }, { cidr: '2001:db8::/64' }],
      clusterNetwork: [
        { cidr: '10.128.0.0/14', hostPrefix: 23 },
        { cidr: 'fd01::/48', hostPrefix: 64 },
      ],
      serviceNetwork: ['172.30.0.0/16', 'fd02::/112'],
    };
    const vips = { apiVIPs: ['2001:db8::2', '192.0.2.2'], ingressVIPs: ['192.0.2.3', '2001:db8::3'] };
    const outcome = parseInstallConfig({ ...BASE, networking, platform: { nutanix: { ...sound, ...vips } } });
    expect(outcome.ok && outcome.value.values.platform.nutanix).toMatchObject({
      apiVIPs: ['192.0.2.2', '2001:db8::2'],
      ingressVIPs: ['192.0.2.3', '2001:db8::3'],
    });
  });
});

describe('vSphere', () => {
  const domain = (changes: object = {}, topology: object = {}) => ({
    name: 'a',
    region: 'r',
    zone: 'z',
    server: 'vc.example.test',
    topology: {
      datacenter: 'dc',
      computeCluster: '/dc/host/c',
      networks: ['n'],
      datastore: '/dc/datastore/d',
      folder: '/dc/vm/f',
      ...topology,
    },
    ...changes,
  });
  const vcenters = [{ server: 'vc.example.test', user: 'u', password: 'p', datacenters: ['dc'] }];
  const on = (failureDomains: object[], changes: object = {}) =>
    judged({ platform: { vsphere: { ...VIPS, vcenters, failureDomains, ...changes } } });

  test('a valid platform is accepted', () => {
    expect(on([domain()])).toEqual({ errors: [], warnings: [] });
  });

  test.each([
    [[], []],
    [[{ role: 'bootstrap' }], []],
    [[{}, null], ['platform.vsphere.hosts: [<pointer> <nil>] is ignored']],
  ])('hosts %j are ignored, and several are reported as ignored', (hosts, warnings) => {
    expect(on([domain()], { hosts })).toEqual({ errors: [], warnings });
  });

  const at = 'platform.vsphere.failureDomains';
  test.each([
    [domain({ region: '' }), [`${at}.region: Required value: must specify region tag value`]],
    [domain({ server: 'other' }), [`${at}.server: Invalid value: "other": server does not exist in vcenters`]],
    [
      domain({ zoneType: 'ComputeCluster' }),
      [`${at}.regionType: Required value: must specify regionType if zoneType is defined`],
    ],
    [domain({}, { networks: [] }), [`${at}.topology.networks: Required value: must specify a network`]],
    [
      domain({}, { datastore: '/other/datastore/d' }),
      [
        `${at}.topology.datastore: Invalid value: "/other/datastore/d": the datastore defined does not exist in the correct datacenter`,
      ],
    ],
    [
      domain({}, { computeCluster: '/other/host/c' }),
      [`${at}.topology.computeCluster: Invalid value: "/other/host/c": compute cluster must be in datacenter dc`],
    ],
    [
      domain({}, { resourcePool: '/dc/x' }),
      [
        `${at}.topology.resourcePool: Invalid value: "/dc/x": full path of resource pool must be provided in format /<datacenter>/host/<cluster>/...`,
      ],
    ],
    [
      domain({}, { tagIDs: ['x'] }),
      [
        `${at}.topology.tagIDs: Invalid value: ["x"]: tag ID must be in the format of urn:vmomi:InventoryServiceTag:<UUID>:GLOBAL`,
      ],
    ],
  ])('%j is refused', (one, errors) => {
    expect(on([one]).errors).toEqual(errors);
  });

  test('names below a datacenter become paths, and paths are normalized', () => {
    const outcome = parseInstallConfig({
      ...BASE,
      platform: {
        vsphere: {
          ...VIPS,
          vcenters,
          failureDomains: [domain({}, { computeCluster: 'c', datastore: '/dc/datastore//d/' })],
        },
      },
    });
    expect(outcome.ok && outcome.value.values.platform.vsphere?.failureDomains[0]?.topology).toMatchObject({
      computeCluster: '/dc/host/c',
      datastore: '/dc/datastore/d',
      resourcePool: '/dc/host/c/Resources',
    });
  });

  test('settings of machines that nothing reads are reported', () => {
    const { warnings } = on([domain()], { defaultMachinePlatform: { cpus: 4, memoryMB: 16384 }, diskType: 'thin' });
    expect(warnings).toEqual([
      'platform.vsphere.defaultMachinePlatform: &{4 0 16384 {0} [] []} is ignored',
      'platform.vsphere.diskType: thin is ignored',
    ]);
  });
});

describe('bare metal', () => {
  const host = (address: string) => ({
    role: 'master',
    bootMACAddress: '52:54:00:00:00:01',
    bmc: { username: 'u', password: 'p', address },
  });
  const on = (changes: object, address = 'redfish-virtualmedia://198.51.100.1') =>
    judged({ platform: { baremetal: { ...VIPS, hosts: [host(address)], ...changes } } }).errors;

  test.each([
    ['192.0.2.64/26', '192.0.2.64/26 overlaps with 192.0.2.0/24'],
    ['192.0.0.0/16', '192.0.2.0/24 overlaps with 192.0.0.0/16'],
    ['192.0.2.0/25', '192.0.2.0/24 overlaps with 192.0.2.0/25'],
  ])('a provisioning network %s overlaps with the machine network', (provisioningNetworkCIDR, words) => {
    const path = 'platform.baremetal.provisioningNetworkCIDR';
    expect(on({ provisioningNetworkCIDR })).toEqual([
      `${path}: Invalid value: "${provisioningNetworkCIDR}": cannot overlap with machine network: ${words}`,
    ]);
  });

  test.each([
    ['idrac-redfish://198.51.100.1', 'driver idrac requires provisioning network'],
    ['libvirt://198.51.100.1', 'driver ipmi requires provisioning network'],
    ['198.51.100.1', 'driver ipmi requires provisioning network'],
    [
      'redfish-virtualmedia://a_b',
      'failed to parse BMC address information: BMC address hostname/IP : [a_b] is invalid',
    ],
    ['smoke://a', "Unknown BMC type 'smoke' for address smoke://a"],
  ])('a controller %s cannot boot from virtual media', (address, words) => {
    const message = `platform.baremetal.hosts[0].bmc: Invalid value: "${address}": ${words}`;
    expect(on({ provisioningNetwork: 'Disabled' }, address)).toEqual([message]);
  });

  test('the old and new field of the provisioning address have to agree', () => {
    expect(on({ provisioningHostIP: '172.22.0.3', clusterProvisioningIP: '172.22.0.4' })).toEqual([
      'failed to create install config: failed to upconvert install config: platform.baremetal.provisioningHostIP: Invalid value: "172.22.0.3": provisioningHostIP is deprecated; only clusterProvisioningIP needs to be specified',
    ]);
  });

  test('a second VIP that is not an address is refused', () => {
    expect(on({ apiVIPs: ['192.0.2.2', 'x'] })).toEqual([
      'platform.baremetal.apiVIPs: Invalid value: "x": "x" is not a valid IP',
      'platform.baremetal.apiVIPs: Invalid value: "x": IP expected to be in one of the machine networks: 192.0.2.0/24',
      'platform.baremetal: Invalid value: {"API":["192.0.2.2","x"],"Ingress":["192.0.2.3"]}: invalid IP[1]: <nil>',
      'platform.baremetal.apiVIPs: Invalid value: ["192.0.2.2","x"]: If two API VIPs are given, one must be an IPv4 address, the other an IPv6',
    ]);
  });
});

describe('pairs of machines', () => {
  const credential = (address: string) => ({ hostName: address, username: 'u', password: 'p', address });
  const on = (addresses: string[], changes: object = {}) =>
    judged({
      controlPlane: { replicas: 2, fencing: { credentials: addresses.map(credential) } },
      platform: { none: {} },
      ...changes,
    }).errors;
  const redfish = ['redfish+https://a.test:1/x', 'redfish+https://b.test:1/x'];

  test('are allowed together with an arbiter', () => {
    expect(on(redfish, { arbiter: { replicas: 1 } })).toEqual([]);
  });

  test.each([
    ['https://a.test/x', ['fencing only supports redfish-compatible BMC addresses, IPMI is not supported']],
    [
      'ipmi://a.test',
      [
        'fencing only supports redfish-compatible BMC addresses, IPMI is not supported',
        'failed to parse redfish address, no port number found',
      ],
    ],
  ])('%s is refused', (address, words) => {
    const path = 'controlPlane.fencing.credentials[0].address';
    expect(on([address, 'redfish://b.test'])).toEqual(
      words.map((one) => `${path}: Invalid value: "${address}": ${one}`),
    );
  });
});

test.each([
  [
    'operatorPublishingStrategy outside of Mixed',
    { operatorPublishingStrategy: { apiserver: 'Internal' } },
    [
      'operatorPublishingStrategy: Invalid value: "External": operator publishing strategy is only allowed with mixed publishing strategy installs',
    ],
  ],
  ['OKD', { featureSet: 'OKD' }, ['featureSet: Forbidden: OKD featureset is not supported on OpenShift clusters']],
  [
    'a pull secret without registries',
    { pullSecret: '{"auths":{}}' },
    ['pullSecret: Invalid value: "<redacted>": auths required'],
  ],
  ['a pull secret with an empty auth', { pullSecret: '{"auths":{"a":{"auth":""}}}' }, []],
  [
    'a pull secret of another shape',
    { pullSecret: '[]' },
    [
      'pullSecret: Invalid value: "<redacted>": json: cannot unmarshal array into Go value of type validate.imagePullSecret',
    ],
  ],
  [
    'IPv6 first',
    {
      networking: {
        machineNetwork: [{ cidr: 'fd00:1::/64' }, { cidr: '192.0.2.0/24' }],
        clusterNetwork: [
          { cidr: 'fd01::/48', hostPrefix: 64 },
          { cidr: '10.128.0.0/14', hostPrefix: 23 },
        ],
        serviceNetwork: ['fd02::/112', '172.30.0.0/16'],
      },
    },
    [],
  ],
  [
    'a machine network that OVN keeps for itself',
    {
      networking: {
        machineNetwork: [{ cidr: 'fd98::/64' }],
        clusterNetwork: [{ cidr: 'fd01::/48', hostPrefix: 64 }],
        serviceNetwork: ['fd02::/112'],
      },
    },
    [
      `networking.machineNetwork[0]: Invalid value: "fd98::/64": must not overlap with OVNKubernetes default internal subnet fd98::/64: please run 'openshift-install explain installconfig.networking.ovnKubernetesConfig.ipv6' for further documentation`,
    ],
  ],
])('%s', (_, changes, errors) => {
  expect(judged({ platform: { none: {} }, ...changes }).errors).toEqual(errors);
});

test('mirrors without credentials are each reported once, if their names are valid', () => {
  const mirrors = ['m.test/a', 'm.test/b', 'M.test/X', 'short/name', 'a.test/x'];
  const { warnings } = judged({ platform: { none: {} }, imageDigestSources: [{ source: 'quay.io/x', mirrors }] });
  expect(warnings).toEqual(['Mirror registry "m.test" is not found in pullSecret']);
});

test('the installer reports only the first of several unknown keys', () => {
  const text = `${JSON.stringify({ ...BASE, platform: { none: {} }, ay: 1, zz: 1 })}\n`;
  const environment = { OPENSHIFT_INSTALL_INVOKER: 'hive' };
  const { diagnostics } = parseInstallConfig(text, { environment, mode: 'compatible' });
  const told = diagnostics.filter(({ code }) => code === 'nodes-config/unknown-key');
  expect(told.map((one) => [one.path.join(), isUpstream(one)])).toEqual([
    ['ay', true],
    ['zz', false],
  ]);
});

test('feature gates count only with the feature set that allows them', () => {
  const changes = { platform: { none: {} }, controlPlane: { replicas: 6 }, featureGates: ['DualReplica=false'] };
  expect(judged(changes).errors.at(-1)).toContain('"2 (with fencing)"');
  expect(judged({ ...changes, featureSet: 'CustomNoUpgrade' }).errors.at(-1)).not.toContain('fencing');
});

test('fields that the installer silently ignores are reported by coreiso', () => {
  const hosts = [{ role: 'master', bootMACAddress: '52:54:00:00:00:01', hardwareProfile: 'x' }];
  const platform = { baremetal: { ...VIPS, clusterOSImage: 'http://a.test/x', hosts } };
  const { diagnostics } = parseInstallConfig({
    ...BASE,
    platform,
    controlPlane: { replicas: 3, management: 'ClusterAPI' },
  });
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'info: nothing uses controlPlane.management',
    'info: nothing uses platform.baremetal.clusterOSImage',
    'info: nothing uses platform.baremetal.hosts[0].hardwareProfile',
  ]);
});

describe('virtual addresses', () => {
  const on = (apiVIPs: readonly string[], ingressVIPs?: readonly string[]) =>
    judged({ platform: { baremetal: { apiVIPs, ...(ingressVIPs && { ingressVIPs }), hosts: [] } } }).errors;
  const path = 'platform.baremetal.apiVIPs';
  const networks = 'IP expected to be in one of the machine networks: 192.0.2.0/24';
  const families = 'If two API VIPs are given, one must be an IPv4 address, the other an IPv6';

  test('written as IPv4 inside IPv6 count as IPv4', () => {
    expect(on(['::ffff:192.0.2.2'], ['192.0.2.3'])).toEqual([]);
    expect(on(['::ffff:192.0.2.2'], ['192.0.2.2'])).toEqual([
      `${path}: Invalid value: "::ffff:192.0.2.2": VIP for API must not be one of the Ingress VIPs`,
    ]);
    expect(on(['192.0.2.2', '::ffff:192.0.2.4'], ['192.0.2.3'])).toEqual([
      `${path}: Invalid value: ["192.0.2.2","::ffff:192.0.2.4"]: ${families}`,
    ]);
  });

  test('with an invalid one are printed in full, and a missing list as null', () => {
    expect(on(['192.0.2.2', 'x'])).toContain(
      'platform.baremetal: Invalid value: {"API":["192.0.2.2","x"],"Ingress":null}: invalid IP[1]: <nil>',
    );
  });

  test('with leading zeros are accepted only by the library that detects families', () => {
    expect(on(['192.0.2.2', '192.0.2.004'], ['192.0.2.3'])).toEqual([
      `${path}: Invalid value: "192.0.2.004": "192.0.2.004" is not a valid IP`,
      `${path}: Invalid value: "192.0.2.004": ${networks}`,
      `${path}: Invalid value: ["192.0.2.2","192.0.2.004"]: ${families}`,
    ]);
  });
});

test('with FIPS the first readable key decides, after any other text', () => {
  const rsa = `ssh-rsa ${btoa('\0\0\0\x07ssh-rsa\0\0\0\x01\x03\0\0\0\x01\x05')}`;
  const ed25519 = `ssh-ed25519 ${btoa(`\0\0\0\x0bssh-ed25519\0\0\0\x20${'k'.repeat(32)}`)}`;
  const broken = 'ssh-ed25519 AAAA core@example';
  const errors = (sshKey: string) =>
    judged({ fips: true, sshKey, platform: { none: {} } }).errors.filter((one) => one.startsWith('sshKey'));
  expect(errors(`${broken}\n${rsa}\n`)).toEqual([]);
  expect(errors(`${rsa}\n${ed25519}\n`)).toEqual([]);
  expect(errors(`${ed25519}\n${rsa}`)).toEqual([
    expect.stringMatching(/SSH key type ssh-ed25519 unavailable when FIPS is enabled/),
  ]);
});
