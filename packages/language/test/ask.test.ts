// Questions of editors about a place, which is `¦` in the texts here.
import { applyEdits, parseJson, parseYaml, type TextDocument } from '@coreiso/diagnostics';
import type { LanguageKind, OutlineItem } from '@coreiso/language';
import { expect, test } from 'vitest';
import { completionsAt } from '../src/ask/complete.ts';
import { hoverAt } from '../src/ask/hover.ts';
import { outlineOf } from '../src/ask/outline.ts';
import { declarationOf } from '../src/ask/references.ts';
import { pathAt } from '../src/path-at.ts';

function cursor(marked: string): { readonly text: string; readonly offset: number } {
  return { text: marked.replace('¦', ''), offset: marked.indexOf('¦') };
}

function documentOf(kind: LanguageKind, text: string): TextDocument {
  const [outcome] = kind === 'ignition' ? [parseJson(text)] : parseYaml(text);
  if (outcome?.ok !== true) throw new Error(`cannot be read: ${text}`);
  return outcome.value;
}

// The number of items, the first ones, and the text after the first is chosen.
test.each<[kind: LanguageKind, marked: string, count: number, first: string[], chosen?: string]>([
  [
    'network-state',
    'interfaces:\n- name: a\n  sta¦\n',
    27,
    ['key type', 'key profile-name', 'key description'],
    'interfaces:\n- name: a\n  type: \n',
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  "sta¦"\n',
    27,
    ['key type', 'key profile-name', 'key description'],
    'interfaces:\n- name: a\n  "type": \n',
  ],
  [
    'network-state',
    "interfaces:\n- name: a\n  'sta¦te': up\n",
    27,
    ['key type', 'key profile-name', 'key description'],
    "interfaces:\n- name: a\n  'type': up\n",
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  sta¦te : up\n',
    27,
    ['key type', 'key profile-name', 'key description'],
    'interfaces:\n- name: a\n  type : up\n',
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  state: u¦p # x\n',
    5,
    ['value up', 'value down', 'value absent'],
    'interfaces:\n- name: a\n  state: up # x\n',
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  state: "u¦p"\n',
    5,
    ['value up', 'value down', 'value absent'],
    'interfaces:\n- name: a\n  state: "up"\n',
  ],
  [
    'network-state',
    "interfaces:\n- name: a\n  state: '¦'\n",
    5,
    ['value up', 'value down', 'value absent'],
    "interfaces:\n- name: a\n  state: 'up'\n",
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  state: "¦\n',
    5,
    ['value up', 'value down', 'value absent'],
    'interfaces:\n- name: a\n  state: "up"\n',
  ],
  [
    'network-state',
    'interfaces:\r\n- name: a\r\n  state: ¦\r\n',
    5,
    ['value up', 'value down', 'value absent'],
    'interfaces:\r\n- name: a\r\n  state: up\r\n',
  ],
  ['network-state', 'interfaces:\n- ¦', 28, ['key name', 'key type', 'key profile-name'], 'interfaces:\n- name: '],
  ['network-state', '¦', 8, ['key description', 'key hostname', 'key dns-resolver'], 'description: '],
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: ¦\n',
    2,
    ['value eth0', 'value eth0.7'],
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n',
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  type: bond\n  link-aggregation:\n    port: [¦]\n',
    1,
    ['value a'],
    'interfaces:\n- name: a\n  type: bond\n  link-aggregation:\n    port: [a]\n',
  ],
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n- name: b\n  link-aggregation:\n    port: [eth0, e¦]\n',
    3,
    ['value eth0', 'value eth0.7', 'value b'],
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n- name: b\n  link-aggregation:\n    port: [eth0, eth0]\n',
  ],
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n- name: b\n  link-aggregation:\n    port: [eth0, "e¦"]\n',
    3,
    ['value eth0', 'value eth0.7', 'value b'],
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n- name: b\n  link-aggregation:\n    port: [eth0, "eth0"]\n',
  ],
  [
    'network-state',
    'interfaces:\n- name: "yes"\n- name: br0\n  bridge:\n    port:\n    - name: ¦\n',
    2,
    ['value yes', 'value br0'],
    'interfaces:\n- name: "yes"\n- name: br0\n  bridge:\n    port:\n    - name: \'yes\'\n',
  ],
  ['network-state', 'interfaces:\n- name: a # ¦\n', 0, []],
  ['network-state', 'interfaces:\n- name: a\n  ipv4: {enabled: ¦}\n', 0, []],
  ['nodes-config', 'hosts:\n- bmc:\n    password: ¦\n', 0, []],
  [
    'nodes-config',
    'hosts:\n- bmc:\n    passwor¦\n',
    4,
    ['key username', 'key password', 'key address'],
    'hosts:\n- bmc:\n    username: \n',
  ],
  [
    'ignition',
    '{"ignition":{"version":"3.4.0"},"st¦": {}}',
    4,
    ['key kernelArguments', 'key passwd', 'key storage'],
    '{"ignition":{"version":"3.4.0"},"kernelArguments": {}}',
  ],
  [
    'ignition',
    '{"ignition":{"version":"3.4.0"}, ¦}',
    4,
    ['key kernelArguments', 'key passwd', 'key storage'],
    '{"ignition":{"version":"3.4.0"}, "kernelArguments": }',
  ],
  [
    'ignition',
    '{"storage":{"files":[{"overwrite": t¦}]}}',
    2,
    ['value true', 'value false'],
    '{"storage":{"files":[{"overwrite": true}]}}',
  ],
  [
    'ignition',
    '{"storage":{"files":[{"overwrite": ¦}]}}',
    2,
    ['value true', 'value false'],
    '{"storage":{"files":[{"overwrite": true}]}}',
  ],
  ['ignition', '{"passwd": ¦', 0, []],
  [
    'ignition',
    '{"systemd":{"units":[{"name":"a","ena¦',
    4,
    ['key contents', 'key dropins', 'key enabled'],
    '{"systemd":{"units":[{"name":"a","contents": ',
  ],
  ['ignition', '{"systemd":{"units":[{"name":"a"¦', 0, []],
  ['ignition', '{"ignition":{"version":"¦"}}', 1, ['value 3.6.0'], '{"ignition":{"version":"3.6.0"}}'],
  ['ignition', '[¦', 0, []],
])('%s: completes %j', (kind, marked, count, first, chosen) => {
  const { text, offset } = cursor(marked);
  const found = completionsAt(kind, text, offset);
  expect(found).toHaveLength(count);
  expect(found.slice(0, 3).map(({ kind: sort, label }) => `${sort} ${label}`)).toEqual(first);
  expect(found[0] && applyEdits(text, [found[0].edit])).toBe(chosen);
});

test('describes keys and no values', () => {
  const { text, offset } = cursor('interfaces:\n- na¦\n');
  const [name] = completionsAt('network-state', text, offset);
  expect(name?.markdown).toBe('**name** (string)\n\nName of the interface.');
  const value = cursor('interfaces:\n- state: ¦\n');
  const found = completionsAt('network-state', value.text, value.offset);
  expect(found.map(({ label, markdown }) => [label, markdown])).toContainEqual(['up', undefined]);
});

test('takes addresses and names from files that belong together', () => {
  const other = documentOf(
    'install-config',
    'hosts:\n- name: b0\n  bootMACAddress: 52:54:00:00:00:09\n  ip: 192.0.2.9/24\n',
  );
  const labels = (marked: string): string[] => {
    const { text, offset } = cursor(marked);
    return completionsAt('agent-config', text, offset, [other]).map(({ label }) => label);
  };
  expect(labels('hosts:\n- hostname: ¦\n')).toEqual(['b0']);
  expect(labels('hosts:\n- interfaces:\n  - macAddress: ¦\n')).toEqual(['52:54:00:00:00:09']);
  expect(labels('rendezvousIP: ¦\n')).toEqual(['192.0.2.9']);
});

test.each<[kind: LanguageKind, marked: string, place?: string, markdown?: string]>([
  ['network-state', 'interfaces:\n- na¦me: a\n', 'name', '**name** (string)\n\nName of the interface.'],
  ['network-state', 'interfaces:\n- name: a¦\n', 'a', '**name** (string)\n\nName of the interface.'],
  ['network-state', 'interf¦aces:\n- name: a\n', 'interfaces', '**interfaces** (array)\n\nThe interfaces.'],
  ['network-state', 'interfaces:\n-¦ name: a\n'],
  ['network-state', 'bogus: ¦1\n'],
  [
    'nodes-config',
    'hosts:\n- bmc:\n    password: hun¦ter2\n',
    'hunter2',
    '**password** (string)\n\nPassword of the management controller.',
  ],
  ['ignition', '{"ignition": {"version": "3.¦4.0"}}', '"3.4.0"', '**version** (string)\n\nValues: `3.6.0`'],
  ['ignition', '{"storage": {"files": [{"mo¦de": 1}]}}', '"mode"', '**mode** (integer)'],
  [
    'network-state',
    'dns-resolver:\n  config:\n    server:\n    - 192.¦0.2.1\n',
    '192.0.2.1',
    '**server** (array)\n\nAddresses of name servers; a link-local one needs its interface, as in `fe80::1%eth0`.',
  ],
  [
    'network-state',
    'interfaces:\n- name: a\n  mt¦u: 1\n',
    'mtu',
    '**mtu** (integer or string)\n\nLargest packet, in bytes.',
  ],
])('%s: explains %j', (kind, marked, place, markdown) => {
  const { text, offset } = cursor(marked);
  const hover = hoverAt(kind, documentOf(kind, text), offset);
  expect([hover && text.slice(hover.start, hover.end), hover?.markdown]).toEqual([place, markdown]);
});

/** Kind, name and detail, the marked text, and its beginning and end. */
function lines(text: string, { kind, name, detail, label, start, end, children }: OutlineItem, depth = 0): string[] {
  const shown = `${kind} ${name}${detail === undefined ? '' : ` (${detail})`}`;
  const own = `${'  '.repeat(depth)}${shown} | ${text.slice(label.start, label.end)} | ${start}-${end}`;
  return [own, ...children.flatMap((child) => lines(text, child, depth + 1))];
}

test.each<[kind: LanguageKind, text: string, items: string[]]>([
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n',
    [
      'list interfaces | interfaces | 0-120',
      '  object eth0 (ethernet) | eth0 | 14-53',
      '  object eth0.7 (vlan) | eth0.7 | 56-120',
      '    object vlan | vlan | 84-120',
    ],
  ],
  [
    'nodes-config',
    'cpuArchitecture: x86_64\npassword: hunter2\nhosts:\n- hostname: a\n  role: worker\n  interfaces:\n  - macAddress: x\n- {}\n- []\n- b\n- hostname: ""\n  name: c\n',
    [
      'value cpuArchitecture (x86_64) | cpuArchitecture | 0-23',
      'value password | password | 24-41',
      'list hosts | hosts | 42-148',
      '  object a (worker) | a | 51-109',
      '    list interfaces | interfaces | 80-109',
      '      object 0 (x) |  | 96-109',
      '  object 1 |  | 112-114',
      '  list 2 |  | 117-119',
      '  object c | c | 126-148',
    ],
  ],
  [
    'ignition',
    '{"storage":{"files":[{"path":"/a","contents":{"source":"data:,x"}}],"links":[{"target":"/b","path":"/c"}]}}',
    [
      'object storage | "storage" | 1-106',
      '  list files | "files" | 12-67',
      '    object /a | "/a" | 21-66',
      '      object contents | "contents" | 34-65',
      '  list links | "links" | 68-105',
      '    object /c (/b) | "/c" | 77-104',
    ],
  ],
  [
    'network-state',
    'a:\n  b:\n    c:\n      d:\n        e:\n          f:\n            g:\n              h: {}\n',
    [
      'object a | a | 0-82',
      '  object b | b | 5-82',
      '    object c | c | 12-82',
      '      object d | d | 21-82',
      '        object e | e | 32-82',
      '          object f | f | 45-82',
      '            object g | g | 60-82',
    ],
  ],
  [
    'network-state',
    'a: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nb: "c\\nd"\nc: data:,secret\nd:\n',
    [
      'value a (xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) | a | 0-73',
      'value b (c) | b | 74-83',
      'value c (data:) | c | 84-99',
      'value d | d | 100-102',
    ],
  ],
  ['network-state', '- - name: a\n', ['list 0 |  | 2-11', '  object a | a | 4-11']],
])('%s: outlines %j', (kind, text, items) => {
  expect(outlineOf(documentOf(kind, text)).flatMap((item) => lines(text, item))).toEqual(items);
});

const VLAN =
  'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n';

test.each<[kind: LanguageKind, marked: string, start?: number, written?: string]>([
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: e¦th0\n',
    20,
    'eth0',
  ],
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n- name: eth0¦.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: eth0\n',
  ],
  [
    'network-state',
    `${VLAN}routes:\n  config:\n  - next-hop-interface: et¦h0\n    next-hop-address: 192.0.2.1\n`,
    20,
    'eth0',
  ],
  ['network-state', `${VLAN}routes:\n  config:\n  - next-hop-interface: et¦h1\n`],
  ['network-state', `${VLAN}routes:\n  config:\n  - next-hop-address: 192.¦0.2.1\n`],
  [
    'agent-config',
    'rendezvousIP: 192.0.2.1¦\nhosts:\n- networkConfig:\n    interfaces:\n    - name: a\n      ipv4:\n        address:\n        - ip: 192.0.2.1/24\n',
    121,
    '192.0.2.1/24',
  ],
  [
    'agent-config',
    'hosts:\n- interfaces:\n  - name: a\n    macAddress: 52:54:00:AA:00:01\n  networkConfig:\n    interfaces:\n    - name: a\n      mac-address: 52:54:00:aa:¦00:01\n',
    49,
    '52:54:00:AA:00:01',
  ],
  ['agent-config', 'hosts:\n- hostname: ¦a\n'],
  ['network-state', 'interfaces:\n- name: b\n  bridge:\n    port:\n    - name: ¦c\n- name: c\n', 64, 'c'],
  ['network-state', 'interfaces:\n- name: ""\n- name: b\n  controller: ¦\n'],
])('%s: finds the declaration of %j', (kind, marked, start, written) => {
  const { text, offset } = cursor(marked);
  const document = documentOf(kind, text);
  const node = declarationOf(document, pathAt(document.root, offset));
  expect([node?.start, node && text.slice(node.start, node.end)]).toEqual([start, written]);
});
