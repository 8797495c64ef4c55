// Texts before the check: odd-looking values, splitting, similar words.
import { parseJson, parseYaml, type TextDocument } from '@coreiso/diagnostics';
import type { LanguageKind } from '@coreiso/language';
import { describe, expect, test } from 'vitest';
import { lint } from '../src/lint.ts';
import { editsOfWhole, partAt, partsOf, pathOfWhole, placeInPart } from '../src/parts.ts';
import { segmentsOf } from '../src/segments.ts';
import { isLikelyTypoOf, namesIn, nearestWord } from '../src/words.ts';

function documentOf(kind: LanguageKind, text: string): TextDocument {
  const [outcome] = kind === 'ignition' ? [parseJson(text)] : parseYaml(text);
  if (outcome?.ok !== true) throw new Error(`cannot be read: ${text}`);
  return outcome.value;
}

test.each<[kind: LanguageKind, text: string, findings: string[]]>([
  [
    'network-state',
    'a: "b"\nc: “d”\ne: f”\ng: h"\ni: j,\nk: l;\nm: n o\np: q r\ns: t\'\n',
    [
      '2:4 language/stray-character c the quote “ is part of the value | Write straight quotes around it, or none.',
      '3:4 language/stray-character e the quote ” is part of the value | Write straight quotes around it, or none.',
      '4:4 language/stray-character g the quote " is part of the value | Write straight quotes around it, or none.',
      '5:4 language/stray-character i the , at the end is part of the value | Remove it.',
      '6:4 language/stray-character k the ; at the end is part of the value | Remove it.',
      '7:4 language/stray-character m the value has an unusual space | Write an ordinary space.',
      "9:4 language/stray-character s the quote ' is part of the value | Write straight quotes around it, or none.",
    ],
  ],
  [
    'network-state',
    'interfaces:\n- name:\n  mtu:\n  ipv4:\n  state: ""\n  bogus:\n',
    [
      '2:3 language/empty-value interfaces.0.name `name` has no value | Write a value, or remove `name`.',
      '3:3 language/empty-value interfaces.0.mtu `mtu` has no value | Write a value, or remove `mtu`.',
    ],
  ],
  ['network-state', '', []],
  ['ignition', '{"storage": {"files": [{"path": ""}]}}', []],
  [
    'network-state',
    'interfaces:\n- name: eth0\n  type: ehternet\n  state: upp\n- name: b\n  type: zzz\n  base-iface: eht0\n  next-hop-interface: eth0\n',
    [
      '3:9 language/unlikely-value interfaces.0.type `ehternet` is not a known value of `type` | Did you mean `ethernet`?',
      '4:10 language/unlikely-value interfaces.0.state `upp` is not a known value of `state` | Did you mean `up`?',
      '7:15 language/unlikely-value interfaces.1.base-iface `eht0` is not a known value of `base-iface` | Did you mean `eth0`?',
    ],
  ],
])('%s: reports odd values in %j', (kind, text, findings) => {
  const found = lint(kind, documentOf(kind, text));
  expect(
    found.map(
      ({ severity, range, code, path, message, help }) =>
        `${severity === 'warning' ? '' : severity}${range?.start.line}:${range?.start.column} ${code}${path.length === 0 ? '' : ` ${path.join('.')}`} ${message} | ${help}`,
    ),
  ).toEqual(findings);
});

test.each<[text: string, path: string, segments: [LanguageKind, number, number][], given?: LanguageKind]>([
  [
    'kind: InfraEnv\na: 1\n---\nkind: NMStateConfig\n',
    'm.yaml',
    [
      ['infraenv', 0, 20],
      ['nmstateconfig', 23, 44],
    ],
  ],
  ['kind: Secret\n---\nkind: InfraEnv\n--- # x\n\n---\nkind: Foo\n', 'm.yaml', [['infraenv', 16, 32]]],
  ['interfaces: []\n---\ninterfaces: []\n', 'x.yaml', [['network-state', 0, 34]]],
  ['a: 1\n---\nb: 2\n', 'x.yaml', []],
  ['', 'x.yaml', []],
  ['a: 1\n---\nb: 2\n', 'x.yaml', [['infraenv', 0, 14]], 'infraenv'],
  ['{"ignition": 1}\n---\n', 'a.ign', [['ignition', 0, 20]]],
  ['a: 1\n', 'install-config.yaml', [['install-config', 0, 5]]],
])('the documents of %j in %s', (text, path, segments, given) => {
  const found = segmentsOf(text, path, given);
  expect(found.map(({ kind, start, end }) => [kind, start, end])).toEqual(segments);
  for (const one of found) {
    // Everything else is blank, and lines keep their numbers.
    expect(one.text.slice(one.start, one.end)).toBe(text.slice(one.start, one.end));
    expect(one.text.slice(0, one.start) + one.text.slice(one.end)).toMatch(/^\s*$/);
    expect(one.text.replace(/[^\r\n]/g, 'x')).toBe(text.replace(/[^\r\n]/g, 'x'));
  }
});

describe('a long list of hosts', () => {
  const hosts = (count: number, pad = ''): string =>
    Array.from({ length: count }, (_, index) => `${pad}- hostname: h${index}\n${pad}  role: worker\n`).join('');

  test.each([
    ['plain', `hosts:\n${hosts(8)}`, 'hosts:\n', ''],
    ['with CR LF', `hosts:\r\n${hosts(8).replaceAll('\n', '\r\n')}b: 1\r\n`, 'hosts:\r\n', 'b: 1\r\n'],
    [
      'with remarks and more',
      `a: 1\nhosts: # x\n\n# y\n${hosts(9, '  ')}b: 2\n`,
      'a: 1\nhosts: # x\n\n# y\n',
      'b: 2\n',
    ],
  ])('%s is split into documents with one host', (_, text, head, tail) => {
    const parts = partsOf({ kind: 'agent-config', text }) ?? [];
    expect(head + parts.map(({ start, end }) => text.slice(start, end)).join('') + tail).toBe(text);
    for (const [index, part] of parts.entries()) {
      const own = text.slice(part.start, part.end);
      expect(own).toContain(`hostname: h${index}`);
      expect(part.source).toEqual({ kind: 'agent-config', text: head + own + tail });
      expect(part.source.text.slice(part.at, part.at + own.length)).toBe(own);
      expect([part.index, partAt(parts, part.start), partAt(parts, part.end - 1)]).toEqual([index, part, part]);
    }
    expect([partAt(parts, 0), partAt(undefined, 0)]).toEqual([undefined, undefined]);
  });

  test.each<[string, LanguageKind, string]>([
    ['too short', 'nodes-config', `hosts:\n${hosts(7)}`],
    ['of another kind', 'network-state', `hosts:\n${hosts(8)}`],
    ['with an anchor', 'nodes-config', `hosts:\n${hosts(8)}x: &a 1\n`],
    ['of several documents', 'nodes-config', `hosts:\n${hosts(8)}---\n`],
    ['below another key', 'nodes-config', `x:\n${hosts(8)}`],
    ['on one line', 'nodes-config', `hosts: [${'{},'.repeat(9)}]\n`],
  ])('%s is read as a whole', (_, kind, text) => {
    expect(partsOf({ kind, text })).toBeUndefined();
  });

  test('places and edits of a part convert to those of the whole', () => {
    const text = `hosts:\n${hosts(8)}b: 1\n`;
    const part = partsOf({ kind: 'nodes-config', text })?.[3];
    if (part === undefined) throw new Error('no parts');
    const at = (offset: number) => placeInPart(part, { range: { start: { offset } } } as never);
    expect([at(part.start - 1), at(part.start), at(part.end - 1), at(part.end)]).toEqual([
      ...[undefined, part.at, part.at + part.end - part.start - 1, undefined],
    ]);
    const length = part.end - part.start;
    const moved = (start: number, end: number) => editsOfWhole(part, [{ start, end, text: 'x' }])[0];
    expect(moved(0, 5)).toEqual({ start: 0, end: 5, text: 'x' });
    expect(moved(part.at, part.at + length)).toEqual({ start: part.start, end: part.end, text: 'x' });
    expect(moved(part.at + length + 1, part.at + length + 4)).toEqual({
      start: text.length - 4,
      end: text.length - 1,
      text: 'x',
    });
    expect(pathOfWhole(part, ['hosts', 0, 'role'])).toEqual(['hosts', 3, 'role']);
    expect(pathOfWhole(part, ['a', 0])).toEqual(['a', 0]);
    expect(pathOfWhole(part, ['hosts', 1])).toEqual(['hosts', 1]);
  });
});

test.each([
  ['UP', 'up'],
  ['dow', 'down'],
  ['e', undefined],
  ['act', undefined],
  ['acti', 'active'],
  ['zzz', undefined],
  ['wonder', undefined],
  ['windo', 'window'],
])('the word near %s is %s', (written, meant) => {
  expect(nearestWord(written, ['up', 'down', 'eth', 'active', 'actor', 'window'])).toBe(meant);
});

describe('a name that is similar to a declared one', () => {
  const names = (...list: string[]): string => list.map((name) => `- name: ${name}\n`).join('');

  test.each<[written: string, declared: string, isMeant: boolean, text: string]>([
    // Another number may be another interface.
    ['eth1', 'eth0', false, names('eth0', 'eth1')],
    // Of a usual and an unusual name the usual one, unless the other occurs more often.
    ['eht0', 'eth0', true, names('eth0', 'eht0')],
    ['eht0', 'eth0', false, names('eth0', 'eht0', 'eht0', 'eht0')],
    ['eht0', 'eth0', true, names('eth0', 'eth0', 'eht0', 'eht0')],
    ['eth0', 'eht0', false, names('eht0', 'eht0', 'eth0')],
    // Of two of a kind the more frequent one.
    ['upilnk', 'uplink', true, names('uplink', 'uplink', 'upilnk')],
    ['upilnk', 'uplink', false, names('uplink', 'upilnk', 'upilnk')],
    // Of two single names the declared one, if both are long and unusual.
    ['upilnk', 'uplink', true, names('uplink', 'upilnk')],
    ['ulp', 'upl', false, names('upl', 'ulp')],
    ['ulpk', 'uplk', true, names('uplk', 'ulpk')],
    ['enp1s0', 'ens1', false, names('enp1s0', 'ens1')],
    ['br-exx', 'br-ex', false, names('br-ex', 'br-exx')],
  ])('%s is taken for a typo of %s: %s', (written, declared, isMeant, text) => {
    expect(isLikelyTypoOf(documentOf('network-state', text).root, written, declared)).toBe(isMeant);
  });

  test('counts keys that may stand for an interface, wherever they are', () => {
    const text = 'a: {next-hop-interface: up1x, base-iface: up1x, ports: [up1x], controller: other, note: upx1}\n';
    expect(isLikelyTypoOf(documentOf('network-state', text).root, 'upx1', 'up1x')).toBe(true);
    const notes = 'a: {note: up1x, remark: up1x, name: upx1, port: [upx1]}\n';
    expect(isLikelyTypoOf(documentOf('network-state', notes).root, 'upx1', 'up1x')).toBe(false);
  });

  test('names are those of things, each once, without the one in question', () => {
    const { root } = documentOf('network-state', 'a:\n- name: x\n- {name: y, b: {name: x}}\n- {name: {c: z}}\n');
    expect(namesIn(root)).toEqual(['x', 'y']);
    expect(namesIn(undefined)).toEqual([]);
    const list = root?.kind === 'mapping' ? root.entries[0]?.value : undefined;
    const item = list?.kind === 'sequence' ? list.items[1] : undefined;
    const name = item?.kind === 'mapping' ? item.entries[0]?.value : undefined;
    expect(namesIn(root, name)).toEqual(['x']);
  });
});
