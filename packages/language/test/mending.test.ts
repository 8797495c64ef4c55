// Findings with the fixes that were tried: the reported line, its repairs, and how certain they are.
import { applyEdits, type Diagnostic } from '@coreiso/diagnostics';
import { findingsWithFixes, type LanguageKind } from '@coreiso/language';
import { describe, expect, test } from 'vitest';
import { changes } from './repair/shown.ts';

function shown(text: string, findings: readonly Diagnostic[]): string[] {
  return findings.map(({ code, range, fixes = [] }) => {
    const place = `${range?.start.line}:${range?.start.column}-${range?.end.column} ${code}`;
    const made = fixes.flatMap(({ title, edits, safe }) => changes(text, [{ title, edits, certain: safe }]));
    return [place, ...made].join(' | ');
  });
}

const CARD = 'interfaces:\n- name: e\n  type: ethernet\n';
const CONFIG = '{"ignition": {"version": "3.4.0"}, ';

test.each<[kind: LanguageKind, text: string, findings: string[]]>([
  // One line is the cause.
  [
    'network-state',
    `${CARD}  state up\n  mtu: 1500\n`,
    ['5:3-3 diagnostics/yaml-syntax', '4:3-11 language/cause | Add the colon:  → :'],
  ],
  ['network-state', 'interfaces: [\n', ['2:1-1 diagnostics/yaml-syntax', '1:1-14 language/cause | Add ]:  → ]']],
  // Several lines are, and are repaired as one.
  [
    'network-state',
    'interfaces:\n- name: e\n  type: "ethernet\n  state: up\n  description: it\'s "a"\n  mtu: {\n',
    [
      '5:22-22 diagnostics/yaml-syntax',
      `3:3-18 language/cause | Add the closing quote: \n  state: up\n  description: it's "a"\n  mtu: { → "\n  state: up\n  description: it's "a"\n  mtu: {}`,
    ],
  ],
  [
    'network-state',
    'interfaces:\n- name: [e\n  type: ethernet\n  mtu: [5\n',
    [
      '3:7-7 diagnostics/yaml-syntax',
      '2:1-11 language/cause | Add ]: \n  type: ethernet\n  mtu: [5 → ]\n  type: ethernet\n  mtu: [5]',
    ],
  ],
  [
    'network-state',
    'interfaces:\n- name: e\n  description: a: b\n  type: ethernet\n  profile-name: c: d\n',
    [
      '3:17-17 diagnostics/yaml-syntax | Put the value in quotes: a: b\n  type: ethernet\n  profile-name: c: d → "a: b"\n  type: ethernet\n  profile-name: "c: d"',
    ],
  ],
  [
    'network-state',
    'interfaces:\n- name: e\n   type: ethernet\n    state: up\n  mtu: 5\n',
    ['3:8-8 diagnostics/yaml-syntax | Begin the line in column 3:  type: ethernet\n   → type: ethernet\n'],
  ],
  // Inserted brackets and commas are certain only if no findings remain.
  [
    'ignition',
    `${CONFIG}"passwd": {"users": [{"name": "core" "groups": ["a"]}]}}`,
    ['1:73-73 ignition/syntax | Add the comma:  → ,'],
  ],
  [
    'ignition',
    `${CONFIG}"passwd": {"users": [{"name": "core", "groups": ["a"]]}}`,
    ['1:89-89 ignition/syntax | Add }:  → }'],
  ],
  [
    'ignition',
    `${CONFIG}"storage": {"files": [{"path": "/a", "x": 1,}]}}`,
    ['1:80-80 ignition/syntax | Remove the comma?: , → '],
  ],
  [
    'ignition',
    `${CONFIG}"storage": {"files": [{"path": "/a", "mode": 9999,}]}}`,
    ['1:86-86 ignition/syntax | Remove the comma: , → '],
  ],
  [
    'ignition',
    `${CONFIG}"storage": {"files": [{"path": "/a", "mode": 9999]}}`,
    ['1:85-85 ignition/syntax | Add }?:  → }'],
  ],
  [
    'ignition',
    "{'ignition': {'version': '3.4.0',},}",
    [
      '1:2-2 ignition/syntax | Write double quotes: \'ignition\' → "ignition"',
      '1:1-37 language/cause | Write double quotes: \'version\' → "version"',
      '1:1-37 language/cause | Write double quotes: \'3.4.0\' → "3.4.0"',
      '1:1-37 language/cause | Remove the comma: , → ',
      '1:1-37 language/cause | Remove the comma: , → ',
    ],
  ],
  // A repair of another finding is not a fix of this one.
  [
    'network-state',
    `${CARD}  mtu: x\n  description: a\u00a0b\n`,
    ['4:8-9 nmstate/wrong-value', '5:16-19 language/stray-character | Write ordinary spaces: \u00a0 →  '],
  ],
  // The version, wherever it belongs.
  [
    'ignition',
    '{"version": "3.4.0"}',
    ['1:2-11 ignition/version-unreadable | Add `version`?:  → , "ignition": {"version": "3.6.0"}'],
  ],
  ['ignition', '{}', ['1:1-3 ignition/version-unreadable | Add `version`?:  → "ignition": {"version": "3.6.0"}']],
  ['ignition', '{"ignition": {}}', ['1:14-16 ignition/version-unreadable | Add `version`?:  → "version": "3.6.0"']],
  [
    'ignition',
    '{"ignition": {"vrsion": "3.4.0"}}',
    ['1:15-23 ignition/version-unreadable | Rename `vrsion` to `version`:  → e'],
  ],
  ['ignition', '{"ignition": {"version": "9.0.0"}}', ['1:26-33 ignition/version-unsupported']],
  ['ignition', '[]', ['1:1-3 ignition/type']],
  ['ignition', '', ['undefined:undefined-undefined ignition/empty']],
  // Keys a level too high or too deep.
  [
    'network-state',
    `${CARD}  ipv4:\n    enabled: true\n    mtu: 1500\n`,
    ['6:5-8 nmstate/unknown-key | Remove `mtu`?:     mtu: 1500\n →  | Begin the line in column 3:    → '],
  ],
  [
    'network-state',
    `${CARD}  ipv4:\n    dhcp: true\n    mtu: 1500\n    enabled: true\n`,
    [
      '6:5-8 nmstate/unknown-key | Move `mtu` to `interfaces`: mtu: 1500\n    enabled: true → enabled: true\n  mtu: 1500',
    ],
  ],
  [
    'network-state',
    `mtu: 1500\n${CARD}`,
    [
      '1:1-4 nmstate/unknown-key | Move `mtu` to `interfaces`: mtu: 1500\ninterfaces:\n- name: e\n  type: ethernet → interfaces:\n- name: e\n  type: ethernet\n  mtu: 1500',
    ],
  ],
  [
    'ignition',
    `${CONFIG}"storage": {"path": "/a", "files": [{"mode": 1}]}}`,
    [
      '1:72-83 ignition/path-not-specified',
      '1:48-54 ignition/unused-key | Move `path` to `files`: path": "/a", "files": [{"mode": 1 → files": [{"mode": 1, "path": "/a"',
    ],
  ],
])('%s: %j', (kind, text, findings) => {
  expect(shown(text, findingsWithFixes({ kind, text }))).toEqual(findings);
});

describe('findings of another check', () => {
  const text = `${CARD}  sate: up\n  tpye: x\n`;
  const own = findingsWithFixes({ kind: 'network-state', text });
  const bare = own.map(({ fixes: _, arguments: __, ...finding }) => finding);

  test('get the fixes and values of equal findings', () => {
    expect(bare.length).toBeGreaterThan(1);
    expect(findingsWithFixes({ kind: 'network-state', text }, bare)).toEqual(own);
    expect(own.every(({ fixes }) => (fixes ?? []).length > 0)).toBe(true);
  });

  test.each([
    ['another code', { code: 'a/b' }],
    ['other words', { message: 'm' }],
    ['another place', { range: { start: { offset: 1, line: 1, column: 2 }, end: { offset: 2, line: 1, column: 3 } } }],
  ])('but not if they have %s, except for the values of their place', (_, other) => {
    const [first] = bare;
    if (first === undefined) throw new Error('no finding');
    const [found] = findingsWithFixes({ kind: 'network-state', text }, [{ ...first, ...other }]);
    expect(found).not.toHaveProperty('fixes');
    expect(found?.arguments).toMatchObject({ place: 'interfaces[0].sate', key: 'sate', value: 'up' });
  });

  test('keep their own fixes', () => {
    const fixes = [{ title: 'Write `b`', edits: [{ start: 0, end: 1, text: 'b' }], safe: true }];
    const foreign: Diagnostic = {
      severity: 'error',
      code: 'a/b',
      message: 'm',
      path: ['interfaces', 0, 'name'],
      fixes,
    };
    const [found] = findingsWithFixes({ kind: 'network-state', text }, [{ ...foreign, arguments: { more: 1 } }]);
    // Without a place the document is unknown.
    expect(found).toEqual({ ...foreign, arguments: { more: 1, place: 'interfaces[0].name', key: 'name' } });
    expect(findingsWithFixes({ kind: 'network-state', text }, [])).toEqual([]);
  });
});

test('keeps only the more effective of two fixes at one place safe', () => {
  const text =
    'interfaces:\n- name: eth0\n  type: vlan\n  vlan:\n    id: 7\n    base-ifce: eth1\n- name: eth1\n  type: ethernet\n';
  const safe = findingsWithFixes({ kind: 'network-state', text }).flatMap(({ fixes = [] }) =>
    fixes.filter((fix) => fix.safe),
  );
  expect(safe.map(({ title }) => title)).toEqual(['Rename `base-ifce` to `base-iface`']);
  const [fix] = safe;
  expect(findingsWithFixes({ kind: 'network-state', text: applyEdits(text, fix?.edits ?? []) })).toEqual([]);
});
