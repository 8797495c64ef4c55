import { applyEdits } from '@coreiso/diagnostics';
import { editsOfFixes, findingsWithFixes, KINDS, kindOf, type LanguageKind, schemaOf } from '@coreiso/language';
import { describe, expect, test } from 'vitest';

function mended(kind: LanguageKind, text: string): string {
  return applyEdits(text, editsOfFixes(findingsWithFixes({ kind, text }), 'safe'));
}

const STATE = 'interfaces:\n  - name: eth0\n    type: ethernet\n    state: up\n    mtu: 1500\n';

describe('repairs a network state', () => {
  test.each([
    ['a misspelt key', 'mtu:', 'mut:'],
    ['a colon without a blank', 'state: up', 'state:up'],
    ['a missing colon', 'type: ethernet', 'type ethernet'],
    ['a tab', '    state', '\t\tstate'],
    ['a quote that is not closed', 'type: ethernet', 'type: "ethernet'],
    ['typographic quotes', 'type: ethernet', 'type: \u201cethernet\u201d'],
    ['a line one blank off', '    mtu', '     mtu'],
    ['a word with a slip', 'ethernet', 'ehternet'],
  ])('%s', (_, right, wrong) => {
    const text = STATE.replace(right, wrong);
    expect(text).not.toBe(STATE);
    expect(mended('network-state', text).replaceAll('"', '').replaceAll('\t', '  ')).toBe(STATE);
  });
});

const CONFIG =
  '{\n  "ignition": { "version": "3.4.0" },\n  "storage": { "files": [{ "path": "/etc/motd", "mode": 420 }] }\n}\n';

describe('repairs an Ignition config', () => {
  test.each([
    ['an octal mode', '420', '0644'],
    ['an octal mode in quotes', '420', '"0644"'],
    ['a comma too many', '420 }', '420, }'],
    ['a comma too few', '},\n', '}\n'],
    ['a comment', '},\n', '}, // files\n'],
    ['single quotes', '"/etc/motd"', "'/etc/motd'"],
    ['a relative path', '"/etc/motd"', '"etc/motd"'],
    ['a short version', '"3.4.0"', '"3.4"'],
  ])('%s', (_, right, wrong) => {
    const text = CONFIG.replace(right, wrong);
    const result = mended('ignition', text);
    expect(JSON.parse(result)).toEqual(JSON.parse(CONFIG));
  });
});

test('leaves a valid text alone', () => {
  expect(findingsWithFixes({ kind: 'network-state', text: STATE })).toEqual([]);
  expect(findingsWithFixes({ kind: 'ignition', text: CONFIG })).toEqual([]);
});

test('offers no safe fix if two things may have been meant', () => {
  const text =
    'interfaces:\n  - name: eth0\n    type: ethernet\n    state: up\n    ipv4:\n      enabled: true\n      address:\n        - ip: 192.0.2.300\n          prefix-length: 24\n';
  const fixes = findingsWithFixes({ kind: 'network-state', text }).flatMap(({ fixes: own = [] }) => own);
  expect(fixes.filter(({ safe }) => safe)).toEqual([]);
});

test.each<[string, string, LanguageKind | undefined]>([
  ['interfaces:\n- name: eth0\n', '', 'network-state'],
  ['rendezvousIP: 192.0.2.1\nhosts: []\n', '', 'agent-config'],
  ['hosts:\n- hostname: a\n', '', 'nodes-config'],
  ['baseDomain: example.test\nplatform:\n\tnone: {}\n', '', 'install-config'],
  ['kind: NMStateConfig\n', '', 'nmstateconfig'],
  ['{"ignition": {', '', 'ignition'],
  ['x: 1\n', 'dir/install-config.yaml', 'install-config'],
  ['nothing', 'notes.txt', undefined],
  ['{"storage": {"driver": "overlay2"}}', 'daemon.json', undefined],
  ['{"storage": {"files": []}, "systemd": {}}', '', 'ignition'],
  ['hosts:\n- example.test\nroutes: []\n', 'values.yaml', undefined],
  ['apiVersion: apps/v1\nkind: Deployment\nhostname: a\ninterfaces: []\n', 'a.yaml', undefined],
  ['apiVersion: v1\nkind: Service\nmetadata: {name: a}\n', 'a.yaml', undefined],
])('tells the kind of %j', (text, path, kind) => {
  expect(kindOf(text, path)).toBe(kind);
});

test('has a schema of every kind', () => {
  for (const kind of KINDS) expect(schemaOf(kind)).toMatchObject({ type: 'object' });
  expect(() => schemaOf('butane' as LanguageKind)).toThrow(RangeError);
});

test('names the values of a finding, for programs that word it themselves', () => {
  const text = STATE.replace('state: up', 'stat: up').replace(
    'ethernet',
    'vlan\n    vlan: {id: 5000, base-iface: eth1}',
  );
  const named = findingsWithFixes({ kind: 'network-state', text }).map((one) => one.arguments);
  expect(named).toContainEqual({ place: 'interfaces[0].stat', key: 'stat', value: 'up', suggestion: 'state' });
});

test('shows no secret in a title or an argument', () => {
  const text = `hosts:\n- hostname: a\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:00:00:01\n  bmc:\n    username: me\n    password: [8675309123]\n    adress: redfish://192.0.2.1/x\n`;
  const findings = findingsWithFixes({ kind: 'nodes-config', text });
  expect(findings.length).toBeGreaterThan(0);
  const shown = findings.map((one) => [one.arguments, one.fixes?.map(({ title }) => title)]);
  expect(JSON.stringify(shown)).not.toContain('8675309123');
});
