// Schema lookups at a place of a document.
import { type Path, parseJson, parseYaml, type TextDocument } from '@coreiso/diagnostics';
import type { LanguageKind } from '@coreiso/language';
import { describe, expect, test } from 'vitest';
import { descriptionOf, membersOf, type Schema, shapesAt, typesOf, wordsOf } from '../src/schema.ts';

function documentOf(kind: LanguageKind, text: string): TextDocument {
  const [outcome] = kind === 'ignition' ? [parseJson(text)] : parseYaml(text);
  if (outcome?.ok !== true) throw new Error(`cannot be read: ${text}`);
  return outcome.value;
}

const at = (kind: LanguageKind, text: string, path: Path): readonly Schema[] =>
  shapesAt(kind, documentOf(kind, text).root, path);
const namesAt = (kind: LanguageKind, text: string, path: Path): string[] => [...membersOf(at(kind, text, path)).keys()];

describe('the members of an interface are those of its type', () => {
  const OWN = ['link-aggregation', 'bridge', 'hsr', 'mac-vlan', 'mac-vtap', 'patch', 'dpdk', 'vlan', 'vrf', 'vxlan'];
  const MORE = ['infiniband', 'macsec', 'libreswan', 'ipvlan', 'ip-tunnel', 'ethernet', 'veth'];

  test.each<[type: string, ...own: string[]]>([
    ['bond', 'link-aggregation'],
    ['linux-bridge', 'bridge'],
    ['dummy'],
    ['hsr', 'hsr'],
    ['loopback'],
    ['mac-vlan', 'mac-vlan'],
    ['mac-vtap', 'mac-vtap'],
    ['ovs-bridge', 'bridge'],
    ['ovs-interface', 'patch', 'dpdk'],
    ['vlan', 'vlan'],
    ['vrf', 'vrf'],
    ['vxlan', 'vxlan'],
    ['infiniband', 'infiniband'],
    ['macsec', 'macsec'],
    ['ipsec', 'libreswan'],
    ['xfrm'],
    ['ipvlan', 'ipvlan'],
    ['ip-tunnel', 'ip-tunnel'],
    ['ethernet', 'ethernet', 'veth'],
    ['veth', 'ethernet', 'veth'],
    ['of-no-type', 'ethernet', 'veth'],
    ['{}', 'ethernet', 'veth'],
  ])('%s', (type, ...own) => {
    const names = namesAt('network-state', `interfaces: [{type: ${type}}]`, ['interfaces', 0]);
    expect(names).toEqual(expect.arrayContaining(['name', 'type', 'state', 'mtu', 'ipv4']));
    expect(names.filter((name) => [...OWN, ...MORE].includes(name))).toEqual(own);
    const inHost = `hosts: [{networkConfig: {interfaces: [{}, {type: ${type}, state: up}]}}]`;
    expect(namesAt('nodes-config', inHost, ['hosts', 0, 'networkConfig', 'interfaces', 1])).toEqual(names);
    // Everything else of a removed interface is ignored.
    const absent = `hosts: [{networkConfig: {interfaces: [{type: ${type}, state: absent}]}}]`;
    expect(namesAt('nodes-config', absent, ['hosts', 0, 'networkConfig', 'interfaces', 0])).toEqual(['name', 'type']);
  });
});

test.each<[kind: LanguageKind, text: string, path: Path, types: string[], words: string[], description?: string]>([
  ['network-state', 'interfaces: []', [], ['object'], [], 'The network of a host.'],
  ['network-state', 'interfaces: []', ['interfaces'], ['array', 'null'], [], 'The interfaces.'],
  ['network-state', 'interfaces: []', ['interfaces', 0, 'name'], ['string'], [], 'Name of the interface.'],
  ['network-state', 'interfaces: []', ['interfaces', 'name'], [], []],
  ['network-state', 'bogus: {}', ['bogus'], [], []],
  ['network-state', 'bogus: {}', ['bogus', 'more', 0], [], []],
  ['network-state', '- 1', ['interfaces', 0, 'mtu'], ['integer', 'string'], [], 'Largest packet, in bytes.'],
  ['ignition', '{}', ['storage', 'files', 0, 'mode'], ['integer', 'null'], []],
  ['ignition', '{}', ['ignition', 'version'], ['string'], ['3.6.0']],
])('%s: %j at %j', (kind, text, path, types, words, description) => {
  const shapes = at(kind, text, path);
  expect([[...typesOf(shapes)], wordsOf(shapes), descriptionOf(shapes)]).toEqual([types, words, description]);
});

test('combines several schemas', () => {
  const shapes: Schema[] = [
    { type: 'string', enum: ['a', 7, 'b'], properties: { x: {}, y: { type: 'null' } } },
    { type: ['string', 'array'], const: 'c', examples: ['d', 'a'], description: 7, properties: { x: { enum: ['e'] } } },
    { type: 7, enum: 'f', const: 8, examples: 'g', description: 'h', properties: [{}] },
    { properties: { x: { enum: ['z'] }, y: {}, w: 'not a schema' } },
  ];
  expect([...typesOf(shapes)]).toEqual(['string', 'array']);
  expect(wordsOf(shapes)).toEqual(['a', 'b', 'c', 'd']);
  expect(descriptionOf(shapes)).toBe('h');
  // The first that has a description.
  expect([...membersOf(shapes)]).toEqual([
    ['x', { enum: ['e'] }],
    ['y', { type: 'null' }],
    ['w', {}],
  ]);
});
