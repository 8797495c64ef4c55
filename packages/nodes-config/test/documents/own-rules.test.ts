import type { Diagnostic } from '@coreiso/diagnostics';
import { type ClusterFacts, isUpstream, parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const cluster: ClusterFacts = {
  nodes: [
    {
      name: 'node-0',
      architecture: 'amd64',
      master: true,
      addresses: [
        { type: 'InternalIP', address: '2001:db8::13' },
        { type: 'Hostname', address: 'node-0' },
      ],
    },
  ],
};

/** Every case has a `«` before the place of the finding; the mark is removed before the text is read. */
function marked(text: string): { text: string; line: number; column: number } {
  const lines = text.slice(0, text.indexOf('«')).split('\n');
  return { text: text.replace('«', ''), line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

const host = (lines: string): string =>
  `hosts:\n- interfaces:\n  - name: eth0\n    macAddress: 52:54:00:a1:00:01\n${lines}`;

const networked = (lines: string): string => host(`  networkConfig:\n    interfaces:\n    - name: eth0\n${lines}`);

const UP = '      type: ethernet\n      state: up\n      ipv4: {enabled: true, dhcp: true}\n';

const two = (first: string, second: string): string =>
  `hosts:\n- interfaces:\n  - name: eth0\n    macAddress: ${first}\n- interfaces:\n  - name: eth0\n    macAddress: ${second}\n`;

const network = (mac: string, address: string): string => `- interfaces:
  - name: eth0
    macAddress: ${mac}
  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
      ipv4: {enabled: false}
      ipv6:
        enabled: true
        address:
        - ip: ${address}
          prefix-length: 64
`;

const CASES: readonly (readonly [rule: string, what: string, text: string, help?: RegExp])[] = [
  ['unknown-key', 'a slip in a key', host('  «hostnme: a\n'), /hostname/],
  ['unknown-key', 'a key of a hint', host('  rootDeviceHints:\n    «deviceNames: /dev/sda\n'), /deviceName/],
  ['unknown-key', 'a key that resembles none', host('  «colour: red\n'), /^Expected one of: hostname, role/],
  [
    'unknown-key',
    'nmstate spelling in the table',
    'hosts:\n- interfaces:\n  - name: eth0\n    «mac-address: 52:54:00:a1:00:01\n',
    /macAddress/,
  ],
  ['misplaced-key', 'what --cpu-architecture writes', host('  «cpuArchitecture: amd64\n'), /top of the file/],
  ['misplaced-key', 'what --ssh-key-path writes', host('  «sshKey: x\n'), /top of the file/],
  ['misplaced-key', 'a level of spec', '«spec:\n  hosts: []\n', /up one level/],
  ['misplaced-key', 'a key of agent-config', `«rendezvousIP: 192.0.2.1\n${host('')}`, /agent-config/],
  ['misplaced-key', 'a hint outside of the hints', host('  «deviceName: /dev/sda\n'), /rootDeviceHints/],
  ['misplaced-key', 'routes beside the network', host('  «routes: {}\n'), /networkConfig/],
  ['duplicate-key', 'a key twice', host('  hostname: a\n  «hostname: b\n'), /Remove/],
  ['key-case', 'letter case', host('  «HostName: a\n'), /`hostname`/],
  ['unquoted-text', 'a name that is a boolean', host('  hostname: «n\n'), /"n"/],
  ['unquoted-text', 'a serial number in octal', host('  rootDeviceHints:\n    serialNumber: «00123\n'), /"00123"/],
  ['unquoted-text', 'a world wide name', host('  rootDeviceHints:\n    wwn: «0x5000c500a1b2c3d4\n'), /in quotes/],
  ['unquoted-text', 'a vendor that is a boolean', host('  rootDeviceHints:\n    vendor: «Y\n'), /"Y"/],
  ['duplicate-mac', 'letter case', two('52:54:00:a1:00:aa', '«52:54:00:A1:00:AA'), /own machine/],
  ['duplicate-mac', 'dashes', two('52:54:00:a1:00:aa', '«52-54-00-a1-00-aa'), /own machine/],
  ['zero-mac', 'the loopback address', two('52:54:00:a1:00:aa', "«'00:00:00:00:00:00'"), /network card/],
  ['broadcast-mac', 'the broadcast address', two('52:54:00:a1:00:aa', '«ff:ff:ff:ff:ff:ff'), /network card/],
  ['mac-form', 'dashes', two('52:54:00:a1:00:aa', '«52-54-00-a1-00-01'), /52:54:00:a1:00:01/],
  ['mac-form', 'digits alone', two('52:54:00:a1:00:aa', '«525400A10001'), /52:54:00:a1:00:01/],
  ['mac-form', 'dots', two('52:54:00:a1:00:aa', '«5254.00a1.0001'), /52:54:00:a1:00:01/],
  ['null-entry', 'an empty interface', 'hosts:\n- interfaces:\n  - «null\n', /macAddress/],
  [
    'duplicate-hostname',
    'letter case',
    `${host('  hostname: a\n')}- hostname: «A\n  interfaces: [{macAddress: '52:54:00:a1:00:02'}]\n`,
  ],
  ['hostname-in-cluster', 'letter case', host('  hostname: «NODE-0\n')],
  ['hostname-path', 'a way out', host('  hostname: «../up\n'), /letters, digits/],
  ['hostname-path', 'a subdirectory', host('  hostname: «a/b\n')],
  ['hostname-invalid', 'an underscore', host('  hostname: «a_b\n')],
  ['hostname-invalid', 'length', host(`  hostname: «${'a'.repeat(64)}\n`), /Shorten/],
  ['hostname-invalid', 'the name of every host', host('  hostname: «localhost\n')],
  [
    'duplicate-address',
    'two hosts',
    `hosts:\n${network('52:54:00:a1:00:01', '2001:db8::7')}${network('52:54:00:a1:00:02', '«2001:db8:0:0::7')}`,
  ],
  ['address-in-cluster', 'another spelling', `hosts:\n${network('52:54:00:a1:00:01', '«2001:db8:0:0::13')}`],
  ['interface-unmapped', 'an interface', host(`  networkConfig:\n    interfaces:\n    - name: «eth9\n${UP}`), /eth9/],
  [
    'interface-unmapped',
    'a port of a bond',
    host(
      '  networkConfig:\n    interfaces:\n    - name: bond0\n      type: bond\n      state: up\n      link-aggregation:\n        mode: active-backup\n        port: [eth0, «eth9]\n',
    ),
  ],
  [
    'interface-unmapped',
    'a port of a bridge',
    host(
      '  networkConfig:\n    interfaces:\n    - name: br0\n      type: linux-bridge\n      state: up\n      bridge:\n        port:\n        - name: eth0\n        - name: «eth9\n',
    ),
  ],
  [
    'interface-unmapped',
    'the base of a VLAN',
    host(
      '  networkConfig:\n    interfaces:\n    - name: v7\n      type: vlan\n      state: up\n      vlan: {base-iface: «eth9, id: 7}\n',
    ),
  ],
  [
    'interface-unnamed',
    'no name',
    `hosts:\n- interfaces:\n  - «macAddress: 52:54:00:a1:00:01\n  networkConfig:\n    interfaces:\n    - name: eth0\n${UP}`,
  ],
  [
    'interface-name-word',
    'a name that is a type of profiles',
    `hosts:\n- interfaces:\n  - {name: «bond, macAddress: "52:54:00:a1:00:01"}\n  networkConfig:\n    interfaces:\n    - {name: bond0, type: bond, state: up, link-aggregation: {mode: active-backup, port: [bond]}}\n    - {name: bond, type: ethernet, state: up}\n`,
    /nic0/,
  ],
  [
    'interface-name-word',
    'a name that is a method of addresses',
    `hosts:\n- interfaces:\n  - {name: «auto, macAddress: "52:54:00:a1:00:01"}\n  networkConfig:\n    interfaces:\n    - {name: auto, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}\n`,
  ],
  [
    'interface-name-word',
    'a name that the installer writes into every profile',
    `hosts:\n- interfaces:\n  - {name: «"true", macAddress: "52:54:00:a1:00:01"}\n  networkConfig:\n    interfaces:\n    - {name: "true", type: ethernet, state: up}\n`,
  ],
  [
    'interface-name-word',
    'a name that a search domain begins with',
    `hosts:\n- interfaces:\n  - {name: «eth0, macAddress: "52:54:00:a1:00:01"}\n  networkConfig:\n    interfaces:\n    - {name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: false, address: [{ip: 192.0.2.2, prefix-length: 24}]}}\n    dns-resolver: {config: {server: [192.0.2.1], search: [eth0.example]}}\n    routes: {config: [{destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eth0}]}\n`,
  ],
  [
    'interface-name',
    'length',
    'hosts:\n- interfaces:\n  - name: «averylonginterface\n    macAddress: 52:54:00:a1:00:01\n',
    /15/,
  ],
  ...["'.'", "'..'", 'a/b', "'a b'", 'a:b'].map((name): (typeof CASES)[number] => [
    'interface-name',
    name,
    `hosts:\n- interfaces:\n  - name: «${name}\n    macAddress: 52:54:00:a1:00:01\n`,
    /blanks, colons and slashes/,
  ]),
  [
    'duplicate-interface-name',
    'a name twice',
    'hosts:\n- interfaces:\n  - {name: eth0, macAddress: "52:54:00:a1:00:01"}\n  - {name: «eth0, macAddress: "52:54:00:a1:00:02"}\n',
  ],
  ['hopeless-hint', 'a directory', host('  rootDeviceHints:\n    deviceName: «/dev/disk\n')],
  ['hopeless-hint', 'a partition', host('  rootDeviceHints:\n    deviceName: «/dev/sda1\n'), /whole disk/],
  ['hopeless-hint', 'a partition of NVMe', host('  rootDeviceHints:\n    deviceName: «/dev/nvme0n1p2\n')],
  ['hopeless-hint', 'a SCSI address of three', host('  rootDeviceHints:\n    hctl: «0:0:0\n')],
  [
    'hopeless-hint',
    'bytes for gigabytes',
    host('  rootDeviceHints:\n    minSizeGigabytes: «120000000000\n'),
    /gigabytes/,
  ],
  ['hopeless-hint', 'a decimal world wide name', host("  rootDeviceHints:\n    wwn: «'5764888998011235840'\n"), /0x5/],
  ['hopeless-hint', 'a negative size', host('  rootDeviceHints:\n    minSizeGigabytes: «-1\n')],
  [
    'hopeless-hint',
    'an NVMe disk that turns',
    host('  rootDeviceHints:\n    deviceName: /dev/nvme0n1\n    rotational: «true\n'),
  ],
  ['hopeless-hint', 'outer blanks', host("  rootDeviceHints:\n    serialNumber: «'S123 '\n")],
  ['profile-name', 'a blank', networked(`      profile-name: «my profile\n${UP}`), /without blanks/],
  ['keyfile-value', 'a quoted description', networked(`      description: «'"a"'\n${UP}`)],
  [
    'keyfile-value',
    'a password that ends with a backslash',
    networked(`      802.1x:\n        identity: a\n        eap-methods: [md5]\n        password: «'p4ss\\'\n${UP}`),
  ],
  ['boot-url', 'no scheme', `bootArtifactsBaseURL: «boot.example.test/a\n${host('')}`, /http/],
  ['role-not-worker', 'a control plane', host('  role: «master\n'), /worker/],
  ['ignored-document', 'a second document', `${host('')}---\n«hosts: []\n`],
];

function find(diagnostics: readonly Diagnostic[], code: string): Diagnostic | undefined {
  return diagnostics.find((one) => one.code === code && !isUpstream(one));
}

describe('a rule that upstream lacks points at its place and gives help', () => {
  const table = CASES.map(([rule, what, source, help = /./]) => ({ rule, what, source, help }));

  test.each(table)('$rule: $what', ({ rule, source, help }) => {
    const { text, line, column } = marked(source);
    const { diagnostics } = parseNodesConfig(text, { cluster });
    const found = find(diagnostics, `nodes-config/${rule}`);
    expect(found?.range?.start).toMatchObject({ line, column });
    expect(found?.help).toMatch(help);
    // A sentence without missing parts.
    expect(found?.message).toMatch(/^\S(?:\S| (?! ))*[^\s:,]$/);
    expect(
      find(parseNodesConfig(text, { cluster, mode: 'compatible' }).diagnostics, `nodes-config/${rule}`),
    ).toBeDefined();
  });
});

test('a search domain that begins with a dot does not begin with an interface name', () => {
  const text = networked(
    '      type: ethernet\n      state: up\n      ipv4: {enabled: true, dhcp: false, address: [{ip: 192.0.2.2, prefix-length: 24}]}\n    dns-resolver: {config: {server: [192.0.2.1], search: [.example.test]}}\n    routes: {config: [{destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eth0}]}\n',
  );
  const { diagnostics } = parseNodesConfig(text);
  expect(find(diagnostics, 'nodes-config/interface-name-word')).toBeUndefined();
});

test('a port of a bridge without a MAC address is reported with its whole path', () => {
  const text = host(
    '  networkConfig:\n    interfaces:\n    - {name: br0, type: linux-bridge, state: up, bridge: {port: [{name: eth9}]}}\n',
  );
  expect(find(parseNodesConfig(text).diagnostics, 'nodes-config/interface-unmapped')?.path).toEqual([
    ...['hosts', 0, 'networkConfig', 'interfaces', 0, 'bridge', 'port', 0, 'name'],
  ]);
});

describe('merge keys', () => {
  const base = 'x-base: &base {role: worker}\n';

  test('may be overridden below', () => {
    const { diagnostics } = parseNodesConfig(`${base}${host('  <<: *base\n  role: worker\n')}`);
    expect(diagnostics).toEqual([]);
  });

  test('override keys above them, and that is reported', () => {
    const { text, line, column } = marked(`${base}${host('  «role: arbiter\n  <<: *base\n')}`);
    const found = find(parseNodesConfig(text).diagnostics, 'nodes-config/duplicate-key');
    expect(found?.range?.start).toMatchObject({ line, column });
  });
});

describe('the two modes', () => {
  const text = host('  hostname: a_b\n');

  test('strict mode, the default, refuses violations of coreiso\u2019s own rules', () => {
    expect(parseNodesConfig(text)).toMatchObject({ ok: false, diagnostics: [{ severity: 'error', upstream: false }] });
  });

  test('compatible mode accepts them with a warning', () => {
    const outcome = parseNodesConfig(text, { mode: 'compatible' });
    expect(outcome).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning', upstream: false }] });
  });

  test('findings that upstream hides behind an earlier failure are reported, but not as upstream\u2019s', () => {
    const { diagnostics } = parseNodesConfig(`cpuArchitecture: mips\n${host('  role: boss\n')}`);
    const byOrigin = diagnostics.map(({ code, ...rest }) => [code, isUpstream({ code, ...rest })]);
    expect(byOrigin).toEqual([
      ['nodes-config/architecture', true],
      ['nodes-config/role', false],
    ]);
  });

  test('an image for another architecture is refused in both modes', () => {
    for (const mode of ['strict', 'compatible'] as const) {
      const outcome = parseNodesConfig(`cpuArchitecture: arm64\n${host('')}`, { mode, baseArchitecture: 'x86_64' });
      expect(outcome).toMatchObject({ ok: false, diagnostics: [{ code: 'nodes-config/base-architecture' }] });
    }
  });
});

describe('findings of nmstate', () => {
  test.each([
    [
      'a bad address',
      networked(
        `${UP}      ipv6:\n        enabled: true\n        address:\n        - ip: «nonsense\n          prefix-length: 64\n`,
      ),
    ],
    ['an unknown key', networked(`      «colour: red\n${UP}`)],
    [
      'a route into nowhere',
      networked(
        `${UP}    routes:\n      config:\n      - destination: 0.0.0.0/0\n        next-hop-address: 192.0.2.1\n        next-hop-interface: «eth9\n`,
      ),
    ],
  ])('%s is reported at its own line and column', (_, source) => {
    const { text, line, column } = marked(source);
    const found = parseNodesConfig(text).diagnostics.find(isUpstream);
    expect(found?.message).toMatch(
      /^failed to validate network yaml for host 0, failed to execute 'nmstatectl gc', error: /,
    );
    expect(found?.range?.start).toMatchObject({ line, column });
  });
});
