// All possible readings of a value, the likeliest first: later, another check of the text drops those that repair nothing.
import { expect, test } from 'vitest';
import { valueRepairs } from '../../src/repair/value-repairs.ts';
import { changes } from './shown.ts';
import { HOST, INTERFACE, ignition, type Place, subjectOf } from './subjects.ts';

const PLACES: readonly Place[] = [
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'mtu'],
    text: `${INTERFACE}  mtu:§\n`,
    rows: [
      [' "1500"', ['Write `1500`: "1500" → 1500']],
      [' 1_500', ['Put `1_500` in quotes: 1_500 → "1_500"']],
      [' "1 500"', ['Write `1500`: "1 500" → 1500']],
      [' 1500.00', ['Write `1500`: .00 → ', 'Put `1500.00` in quotes: 1500.00 → "1500.00"']],
      [' 9000 GB', ['Write `9000`:  GB → ', 'Put `9000 GB` in quotes:  → ', 'Write `9000 gb`: GB → gb']],
      [' /24', ['Write `24`: / → ', 'Put `/24` in quotes:  → ']],
      [' x', ['Put `x` in quotes:  → ']],
      [' [1500]', ['Write the value alone: [1500] → "1500"']],
      ['\n  - 1500', ['Write the value alone: \n  - 1500 →  "1500"']],
      [' {a: 1}', ["Put it in single quotes: {a: 1} → '{a: 1}'", 'Write the value alone: {a: 1} → "1"']],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'ipv4', 'enabled'],
    text: `${INTERFACE}  ipv4: {enabled: §}\n`,
    rows: [
      ['yes', ['Write `true`: yes → true', 'Put `yes` in quotes: yes → "yes"']],
      ['on', ['Write `true`: on → true', 'Put `on` in quotes: on → "on"']],
      ['enabled', ['Write `true`: enabled → true', 'Put `enabled` in quotes:  → ']],
      ['Y', ['Write `true`: Y → true', 'Put `Y` in quotes: Y → "Y"', 'Write `y`: Y → "y"']],
      ['1', ['Write `true`: 1 → true', 'Put `1` in quotes: 1 → "1"']],
      ['TRUE', ['Write `true`: TRUE → true', 'Put `TRUE` in quotes: TRUE → "TRUE"', 'Write `true`: TRUE → "true"']],
      ['no', ['Write `false`: no → false', 'Put `no` in quotes: no → "no"']],
      ['off', ['Write `false`: off → false', 'Put `off` in quotes: off → "off"']],
      ['disable', ['Write `false`: disabl → fals', 'Put `disable` in quotes:  → ']],
      ['N', ['Write `false`: N → false', 'Put `N` in quotes: N → "N"', 'Write `n`: N → "n"']],
      ['0', ['Write `false`: 0 → false', 'Put `0` in quotes: 0 → "0"']],
      ['False', ['Write `false`: F → f', 'Put `False` in quotes: False → "False"', 'Write `false`: False → "false"']],
      ['maybe', ['Put `maybe` in quotes:  → ']],
      ['[true]', ['Write the value alone: [true] → true']],
      ['[x]', ['Write the value alone: [x] → x']],
      ['"true"', ['Write `true`: "true" → true']],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'ipv4', 'address', 0, 'prefix-length'],
    text: `${INTERFACE}  ipv4: {address: [{ip: 192.0.2.1, prefix-length: §}]}\n`,
    rows: [
      ['255.255.255.0', ['Write `24`: 55.255.255.0 → 4', 'Put `255.255.255.0` in quotes:  → ']],
      ['"255.255.255.0"', ['Write `24`: "255.255.255.0" → 24']],
      [
        '255.255.255.255',
        [
          'Write `32`: 255.255.255.255 → 32',
          'Put `255.255.255.255` in quotes:  → ',
          'Write `25:52:55:25:52:55`: 255.255.255.255 → "25:52:55:25:52:55"',
        ],
      ],
      ['0.0.0.0', ['Write `0`: .0.0.0 → ', 'Put `0.0.0.0` in quotes:  → ']],
      ['255.0.255.0', ['Put `255.0.255.0` in quotes:  → ']],
      ['255.255.256.0', ['Put `255.255.256.0` in quotes:  → ']],
      ['/24', ['Write `24`: / → ', 'Put `/24` in quotes:  → ']],
      ['24.0', ['Write `24`: .0 → ', 'Put `24.0` in quotes: 24.0 → "24.0"']],
      ['"24"', ['Write `24`: "24" → 24']],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'ipv4', 'address', 0, 'ip'],
    text: `${INTERFACE}  ipv4:\n    address:\n    - ip: §\n`,
    rows: [
      [
        '192.0.2.1/24',
        [
          'Put `192.0.2.1/24` in quotes:  → ',
          'Write `192.0.2.0/24`: 1 → 0',
          'Write the prefix length as `prefix-length: 24`: / → \n      prefix-length: ',
        ],
      ],
      ['192,0,2,1', ['Put `192,0,2,1` in quotes:  → ', 'Write `192.0.2.1`: ,0,2, → .0.2.']],
      ['192.0.2.01', ['Put `192.0.2.01` in quotes:  → ', 'Write `192.0.2.1`: 0 → ']],
      [
        '192.0.2.1.',
        [
          'Put `192.0.2.1.` in quotes:  → ',
          'Write `192.0.2.1`: . → ',
          'Write `192.0.2.1`: . → ',
          'Write `192.0.2.1`: . → ',
        ],
      ],
      ['"192.0.2.1 "', ['Write `192.0.2.1`:   → ', 'Write `192.0.2.1`:   → ', 'Write `192.0.2.1`:   → ']],
      [
        '192.0.2.1,',
        [
          'Put `192.0.2.1,` in quotes:  → ',
          'Write `192.0.2.1`: , → ',
          'Write `192.0.2.1`: , → ',
          'Write `192.0.2.1`: , → ',
        ],
      ],
      ['192.0.2', ['Put `192.0.2` in quotes:  → ']],
      [
        '2001:db8::1/64',
        [
          'Put `2001:db8::1/64` in quotes:  → ',
          'Write the prefix length as `prefix-length: 64`: / → \n      prefix-length: ',
        ],
      ],
      ["'192.0.2.1;'", ['Write `192.0.2.1`: ; → ', 'Write `192.0.2.1`: ; → ', 'Write `192.0.2.1`: ; → ']],
      [
        '“192.0.2.1”',
        [
          'Put `“192.0.2.1”` in quotes:  → ',
          'Write `192.0.2.1`: “192.0.2.1” → 192.0.2.1',
          'Write `192.0.2.1`: “192.0.2.1” → 192.0.2.1',
          'Write `192.0.2.1`: “192.0.2.1” → 192.0.2.1',
        ],
      ],
      [
        '192.0.2.1/24\n      prefix-length: 24',
        ['Put `192.0.2.1/24` in quotes:  → ', 'Write `192.0.2.0/24`: 1 → 0', 'Write `192.0.2.1`: /24 → '],
      ],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'ipv4', 'address'],
    text: `${INTERFACE}  ipv4:\n    address:§\n`,
    rows: [
      [' 192.0.2.1/24', ['Write a list:  → \n    -', 'Write `192.0.2.0/24`: 1 → 0', 'Write `192.0.2.1`: /24 → ']],
      [
        '\n      ip: 192.0.2.1\n      prefix-length: 24',
        ['Write a list of one item: ip: 192.0.2.1\n → - ip: 192.0.2.1\n  '],
      ],
      [' {ip: 192.0.2.1}', ['Write a list of one item: {ip: 192.0.2.1} → [{ip: 192.0.2.1}]']],
      ['\n      prefix-length: 24', ['Write a list of one item?:  → - ']],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'ipv4', 'address', 0],
    text: `${INTERFACE}  ipv4:\n    address:§\n`,
    rows: [
      [
        '\n    - 192.0.2.1/24',
        [
          'Write `192.0.2.0/24`: 1 → 0',
          'Write `192.0.2.1`: /24 → ',
          'Write it as a map: 192.0.2.1/ → ip: 192.0.2.1\n      prefix-length: ',
        ],
      ],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'ipv4'],
    text: `${INTERFACE}  ipv4:§\n`,
    rows: [
      ['\n  - enabled: true\n  - dhcp: true', ['Remove the dashes: - enabled: true\n  - →   enabled: true\n   ']],
      ['\n  - enabled: true\n    dhcp: true', ['Remove the dashes: - →  ']],
      [' [{enabled: true}]', ['Write the map alone: [{enabled: true}] → {enabled: true}']],
      [' enabled', ['Write it as a map:  enabled → \n    enabled: {}']],
    ],
  },
  {
    kind: 'nodes-config',
    path: ['hosts', 0, 'interfaces', 1, 'macAddress'],
    text: `${HOST}  - name: eno2\n    macAddress: §\n`,
    rows: [
      [
        '52-54-00-00-00-1',
        ['Put `52-54-00-00-00-1` in quotes:  → ', 'Write `52:54:00:00:00:01`: 52-54-00-00-00-1 → "52:54:00:00:00:01"'],
      ],
      [
        '525400000001',
        [
          'Put `525400000001` in quotes: 525400000001 → "525400000001"',
          'Write `52:54:00:00:00:01`: 525400000001 → "52:54:00:00:00:01"',
        ],
      ],
      [
        '5254.0000.0001',
        ['Put `5254.0000.0001` in quotes:  → ', 'Write `52:54:00:00:00:01`: 5254.0000.0001 → "52:54:00:00:00:01"'],
      ],
      [
        '52:54:OO:00:00:01',
        [
          'Put `52:54:OO:00:00:01` in quotes:  → ',
          'Write `52:54:00:00:00:01`: 52:54:OO:00:00:01 → "52:54:00:00:00:01"',
        ],
      ],
      ['52:54:00:00:00', ['Put `52:54:00:00:00` in quotes: 52:54:00:00:00 → "52:54:00:00:00"']],
      ['52:54:00:00:00:02', ['Put `52:54:00:00:00:02` in quotes: 52:54:00:00:00:02 → "52:54:00:00:00:02"']],
      [
        '5:54:0:0:0:1',
        [
          'Put `5:54:0:0:0:1` in quotes: 5:54:0:0:0:1 → "5:54:0:0:0:1"',
          'Write `05:54:00:00:00:01`?: 5:54:0:0:0:1 → "05:54:00:00:00:01"',
        ],
      ],
      ['x52:54', ['Put `x52:54` in quotes:  → ']],
      [
        '52 54 00 00 00 03',
        [
          'Put `52 54 00 00 00 03` in quotes:  → ',
          'Write `52:54:00:00:00:03`: 52 54 00 00 00 03 → "52:54:00:00:00:03"',
        ],
      ],
    ],
  },
  {
    kind: 'network-state',
    path: ['interfaces', 0, 'type'],
    text: 'interfaces:\n- name: a\n  type: §\n',
    rows: [
      ['ethenet', ['Put `ethenet` in quotes:  → ', 'Write `ethernet`:  → r']],
      ['Ethernet', ['Put `Ethernet` in quotes:  → ', 'Write `ethernet`: E → e', 'Write `ethernet`: E → e']],
      ['eth', ['Put `eth` in quotes:  → ', 'Write `veth`:  → v']],
      ['vlna', ['Put `vlna` in quotes:  → ', 'Write `vlan`: na → an']],
      ['zzz', ['Put `zzz` in quotes:  → ']],
      ['"ethernet"', []],
      [
        'ETHERNET ',
        [
          'Put `ETHERNET` in quotes:  → ',
          'Write `ethernet`: ETHERNET → ethernet',
          'Write `ethernet`: ETHERNET → ethernet',
        ],
      ],
    ],
  },
  {
    kind: 'network-state',
    path: ['routes', 'config', 0, 'destination'],
    text: 'routes:\n  config:\n  - destination: §\n',
    rows: [
      ['0.0.0.0', ['Put `0.0.0.0` in quotes:  → ', 'Write `0.0.0.0/0`:  → /0']],
      [
        '0.0.0.0/00',
        [
          'Put `0.0.0.0/00` in quotes:  → ',
          'Write `0.0.0.0/0`: 0 → ',
          'Write `0.0.0.0/0`: 0 → ',
          'Write `0.0.0.0`: /00 → ',
        ],
      ],
      [
        '192.0.2.1/24',
        ['Put `192.0.2.1/24` in quotes:  → ', 'Write `192.0.2.0/24`: 1 → 0', 'Write `192.0.2.1`: /24 → '],
      ],
      ['192.0.2.0\\24', ['Put `192.0.2.0\\24` in quotes:  → ', 'Write `192.0.2.0/24`: \\ → /']],
      ['192.0.2.0 / 24', ['Put `192.0.2.0 / 24` in quotes:  → ', 'Write `192.0.2.0/24`:  /  → /']],
      ['192.0.2.300/24', ['Put `192.0.2.300/24` in quotes:  → ', 'Write `192.0.2.300`: /24 → ']],
      ['192.0.2.0/33', ['Put `192.0.2.0/33` in quotes:  → ', 'Write `192.0.2.0`: /33 → ']],
      [
        '10.1.2.3/8',
        ['Put `10.1.2.3/8` in quotes:  → ', 'Write `10.0.0.0/8`: 1.2.3 → 0.0.0', 'Write `10.1.2.3`: /8 → '],
      ],
      [
        '1.2.3.4/0',
        ['Put `1.2.3.4/0` in quotes:  → ', 'Write `0.0.0.0/0`: 1.2.3.4 → 0.0.0.0', 'Write `1.2.3.4`: /0 → '],
      ],
      ['255.255.255.255/32', ['Put `255.255.255.255/32` in quotes:  → ', 'Write `255.255.255.255`: /32 → ']],
      ['default', ['Put `default` in quotes:  → ']],
      ['"::"', ['Write `::/0`:  → /0']],
      ['"::1"', []],
    ],
  },
  {
    kind: 'network-state',
    path: ['routes', 'config', 0, 'table-id'],
    text: 'routes:\n  config:\n  - table-id: §\n',
    rows: [['main', ['Write `254`: main → 254', 'Put `main` in quotes:  → ']]],
  },
  {
    kind: 'network-state',
    path: ['routes', 'config', 0, 'next-hop-interface'],
    text: `${INTERFACE}routes:\n  config:\n  - next-hop-interface: §\n`,
    rows: [
      ['eht0', ['Put `eht0` in quotes:  → ', 'Write `eth0`: ht → th']],
      ['zzz', ['Put `zzz` in quotes:  → ', 'Write `eth0`: zzz → eth0'], 'eth0'],
    ],
  },
  {
    kind: 'network-state',
    path: ['dns-resolver', 'config', 'server'],
    text: 'dns-re§\n',
    rows: [
      [
        'solver: {config: {server: "192.0.2.1, 192.0.2.2"}}',
        ['Write a list: "192.0.2.1, 192.0.2.2" → [192.0.2.1, 192.0.2.2]'],
      ],
      ['solver:\n  config:\n    server: 192.0.2.1', ['Write a list:  → \n      -']],
      [
        'solver:\n  config:\n    server: 192.0.2.1 192.0.2.2; 192.0.2.3',
        ['Write a list:  192.0.2.1 192.0.2.2; → \n      - 192.0.2.1\n      - 192.0.2.2\n      -'],
      ],
      ['solver:\n  config:\n    server: a?b c', ['Write a list:  → \n      -']],
      ['solver:\n  config:\n    server: |\n      a\n      b', ['Write `a\nb`:  → -']],
      ['solver:\n  config:\n    server:\n      a: 192.0.2.1', ['Write a list of one item?:  → - ']],
    ],
  },
  {
    kind: 'nodes-config',
    path: ['hosts', 0, 'hostname'],
    text: 'hosts:\n- hostname: §\n',
    rows: [
      ['Worker_0', ['Put `Worker_0` in quotes:  → ', 'Write `worker_0`: W → w', 'Write `worker-0`: Worker_ → worker-']],
      ['worker 0', ['Put `worker 0` in quotes:  → ', 'Write `worker-0`:   → -']],
      [
        'worker-0.',
        [
          'Put `worker-0.` in quotes:  → ',
          'Write `worker-0`: . → ',
          'Write `worker-0`: . → ',
          'Write `worker-0`: . → ',
        ],
      ],
      ['"worker-0"', []],
      ['7', ['Put `7` in quotes: 7 → "7"']],
      ['true', ['Put `true` in quotes: true → "true"']],
      ['[worker]', ['Write the value alone: [worker] → worker']],
      [
        '{a: worker}',
        ["Put it in single quotes: {a: worker} → '{a: worker}'", 'Write the value alone: {a: worker} → worker'],
      ],
      ['{a: b, c: d}', ["Put it in single quotes: {a: b, c: d} → '{a: b, c: d}'"]],
    ],
  },
  {
    kind: 'nodes-config',
    path: ['hosts', 0, 'rootDeviceHints'],
    text: 'hosts:\n- rootDeviceHints: §\n',
    rows: [['/dev/sda', ['Write it as a map:  → \n    deviceName:']]],
  },
  {
    kind: 'nodes-config',
    path: ['hosts', 0, 'rootDeviceHints', 'deviceName'],
    text: 'hosts:\n- rootDeviceHints: {deviceName: §}\n',
    rows: [['dev/sda', ['Put `dev/sda` in quotes:  → ', 'Write `/dev/sda`:  → /']]],
  },
  {
    kind: 'nodes-config',
    path: ['hosts', 0, 'rootDeviceHints', 'minSizeGigabytes'],
    text: 'hosts:\n- rootDeviceHints: {minSizeGigabytes: §}\n',
    rows: [['120 GB', ['Write `120`:  GB → ', 'Write `120 gb`: GB → gb']]],
  },
  {
    kind: 'nodes-config',
    path: ['hosts'],
    text: 'hosts: §}\n',
    rows: [['{hostname: a', ['Write a list of one item: {hostname: a} → [{hostname: a}]']]],
  },
  {
    kind: 'nodes-config',
    path: ['hosts'],
    text: 'hosts:§\n',
    rows: [['\n  hostname: a\n\n  role: worker', ['Write a list of one item: hostname: a\n\n → - hostname: a\n\n  ']]],
  },
  {
    kind: 'install-config',
    path: ['networking', 'machineNetwork'],
    text: 'networking:\n  machineNetwork: §\n',
    rows: [
      ['192.0.2.0/24', ['Write a list:  → \n    - cidr:', 'Write `192.0.2.0`: /24 → ']],
      ['192.0.2.0/24, 198.51.100.0/24', ['Write a list:  192.0.2.0/24, → \n    - cidr: 192.0.2.0/24\n    - cidr:']],
    ],
  },
  {
    kind: 'install-config',
    path: ['networking', 'machineNetwork', 0],
    text: 'networking:\n  machineNetwork:§\n',
    rows: [['\n  - 192.0.2.0/24', ['Write `192.0.2.0`: /24 → ', 'Write it as a map:  → cidr: ']]],
  },
  {
    kind: 'install-config',
    path: ['platform'],
    text: 'platform: §\n',
    rows: [['none', ['Write it as a map:  none → \n  none: {}']]],
  },
  {
    kind: 'install-config',
    path: ['platform'],
    text: 'platform:§\n',
    rows: [['\n  none:', ['Write `none: {}`:  →  {}']]],
  },
  {
    kind: 'install-config',
    path: ['pullSecret'],
    text: 'pullSecret: §}}\n',
    rows: [
      ['{"auths": {', ['Put it in single quotes: {"auths": {}} → \'{"auths": {}}\'']],
      ['{"auths": {\'a\': b', ["Put it in single quotes: {\"auths\": {'a': b}} → '{\"auths\": {''a'': b}}'"]],
    ],
  },
  {
    kind: 'install-config',
    path: ['additionalTrustBundle'],
    text: 'additionalTrustBundle: §\n',
    rows: [['7', ['Put `7` in quotes: 7 → "7"']]],
  },
  {
    kind: 'ignition',
    path: ['storage', 'files', 0, 'mode'],
    text: ignition('"storage": {"files": [{"path": "/a", "mode": §}]}'),
    rows: [
      ['"0644"', ['Write `420`: "0644" → 420', 'Write `644`: "0644" → 644']],
      ['"0o644"', ['Write `420`: "0o644" → 420']],
      ['"644"', ['Write `420`: "644" → 420', 'Write `644`: "644" → 644']],
      ['644', ['Write `420`: 644 → 420']],
      ['420', []],
      ['"420"', ['Write `420`: "420" → 420']],
      ['755', ['Write `493`: 755 → 493']],
      ['999', []],
      ['0', []],
    ],
  },
  {
    kind: 'ignition',
    path: ['storage', 'files', 0, 'path'],
    text: ignition('"storage": {"files": [{"path": §}]}'),
    rows: [
      ['"etc/motd"', ['Write `/etc/motd`:  → /']],
      ['"/etc//motd"', ['Write `/etc/motd`: / → ']],
      ['"/etc/../motd/"', ['Write `/motd`: etc/../motd/ → motd']],
      ['"/etc/./motd"', ['Write `/etc/motd`: ./ → ']],
      ['"motd"', []],
      ['"/etc/motd"', []],
      ['["/a"]', ['Write the value alone: ["/a"] → "/a"']],
    ],
  },
  {
    kind: 'ignition',
    path: ['storage', 'files', 0, 'contents', 'source'],
    text: ignition('"storage": {"files": [{"path": "/a", "contents": {"source": §}}]}'),
    rows: [
      ['"http:/x/a"', ['Write `http://x/a`:  → /']],
      ['"htp://x/a"', ['Write `http://x/a`:  → t']],
      [
        '"https//x/a"',
        ['Write `https://x/a`:  → :', 'Write `data:,https%2F%2Fx%2Fa`: https//x/ → data:,https%2F%2Fx%2F'],
      ],
      [
        '"HTTP://x/a"',
        ['Write `http://x/a`: HTTP → http', 'Write `data:,HTTP%3A%2F%2Fx%2Fa`: HTTP://x/ → data:,HTTP%3A%2F%2Fx%2F'],
      ],
      ['"data:hello"', ['Write `data:,hello`:  → ,']],
      ['"dat:,hello"', ['Write `data:,hello`:  → a']],
      ['"hello world"', ['Write `data:,hello%20world`: hello  → data:,hello%20']],
      ['"a%20b"', ['Write `data:,a%20b`:  → data:,']],
      ['"data,x"', ['Write `data:,data%2Cx`: , → :,data%2C']],
      ['"https:///x/a"', ['Write `https://x/a`: / → ']],
      ['"ftp://x/a"', ['Write `tftp://x/a`:  → t']],
      ['"data:;base64,YQ=="', []],
      [
        '"http;//x/a"',
        ['Write `http://x/a`: ; → :', 'Write `data:,http%3B%2F%2Fx%2Fa`: http;//x/ → data:,http%3B%2F%2Fx%2F'],
      ],
      ['"http:\\\\\\\\x"', ['Write `http://x`: \\\\\\\\ → //']],
    ],
  },
  {
    kind: 'ignition',
    path: ['storage', 'files', 0, 'contents'],
    text: ignition('"storage": {"files": [{"path": "/a", "contents": §}]}'),
    rows: [
      ['"hello"', ['Write it as `source`: "hello" → {"source": "data:,hello"}']],
      ['"https://x/a"', ['Write it as `source`: "https://x/a" → {"source": "https://x/a"}']],
      ['"arn:aws:s3:::b/k"', ['Write it as `source`: "arn:aws:s3:::b/k" → {"source": "arn:aws:s3:::b/k"}']],
    ],
  },
  {
    kind: 'ignition',
    path: ['storage', 'files', 0, 'user'],
    text: ignition('"storage": {"files": [{"path": "/a", "user": §}]}'),
    rows: [['"root"', ['Write it as a map: "root" → {"name": "root"}']]],
  },
  {
    kind: 'ignition',
    path: ['storage', 'files'],
    text: ignition('"storage": {"files": §}}'),
    rows: [['{"path": "/a"', ['Write a list of one item: {"path": "/a"} → [{"path": "/a"}]']]],
  },
  {
    kind: 'ignition',
    path: ['systemd', 'units', 0, 'name'],
    text: ignition('"systemd": {"units": [{"name": §}]}'),
    rows: [
      ['"a", "contents": "[Unit]\\n[Service]\\n"', ['Write `a.service`:  → .service']],
      ['"a", "contents": "[Timer]"', ['Write `a.timer`:  → .timer']],
      ['"a b", "contents": "[Timer]"', []],
      ['"a"', []],
    ],
  },
  {
    kind: 'ignition',
    path: ['systemd', 'units', 0, 'enabled'],
    text: ignition('"systemd": {"units": [{"name": "a.service", "enabled": §}]}'),
    rows: [['"true"', ['Write `true`: "true" → true']]],
  },
  {
    kind: 'ignition',
    path: ['passwd', 'users', 0, 'sshAuthorizedKeys'],
    text: ignition('"passwd": {"users": [{"name": "core", "sshAuthorizedKeys": §}]}'),
    rows: [
      [
        '"ssh-ed25519 AAAA x"',
        ['Write a list: "ssh-ed25519 AAAA x" → ["ssh-ed25519 AAAA x"]', 'Write `ssh-ed25519 aaaa x`: AAAA → aaaa'],
      ],
    ],
  },
  {
    kind: 'ignition',
    path: ['passwd', 'users', 0, 'groups'],
    text: ignition('"passwd": {"users": [{"name": "core", "groups": §}]}'),
    rows: [['"wheel, sudo"', ['Write a list: "wheel, sudo" → ["wheel", "sudo"]']]],
  },
  {
    kind: 'ignition',
    path: ['passwd', 'users', 0, 'passwordHash'],
    text: ignition('"passwd": {"users": [{"name": "core", "passwordHash": §}]}'),
    rows: [['7', ['Correct the value: 7 → "7"']]],
  },
  {
    kind: 'ignition',
    path: ['ignition', 'version'],
    text: '{"ignition": {"version": §}}',
    rows: [
      ['"3.4"', ['Write `3.4.0`:  → .0']],
      ['"v3.4.0"', ['Write `3.4.0`: v → ']],
      ['"3.4.0"', ['Write `3.4.0`:  → ']],
      ['"2.3.0"', []],
      ['"3.10.0"', []],
      ['3.4', ['Put `3.4` in quotes: 3.4 → "3.4"', 'Write `3.4.0`: 3.4 → "3.4.0"']],
    ],
  },
];

const rows = PLACES.flatMap(({ kind, path, text, rows: own }) =>
  own.map(([written, proposals, near]) => ({ kind, path, near, text: text.replace('§', () => written), proposals })),
);

test.each(rows)('$kind $path: $text', ({ kind, text, path, near, proposals }) => {
  expect(changes(text, valueRepairs(subjectOf(kind, text), path, near))).toEqual(proposals);
});

test('a place without a value has nothing to repair', () => {
  expect(valueRepairs(subjectOf('network-state', INTERFACE), ['interfaces', 0, 'mtu'], undefined)).toEqual([]);
});
