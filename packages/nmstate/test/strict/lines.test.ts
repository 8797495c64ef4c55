import { parseYaml } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles } from '../../src/index.ts';
import { baseInterfaceFields } from '../../src/interfaces/base.ts';
import { KINDS } from '../../src/interfaces/kinds.ts';
import { networkState } from '../../src/state/network-state.ts';
import type { Field, Fields, Type } from '../../src/table/table.ts';

type Place = readonly (string | number)[];
type Json = { [key: string]: unknown };

/** A place in a table for text, and the required values around it. */
interface TextPlace {
  readonly at: Place;
  readonly around: Json;
  readonly isKey?: true;
}

/** Values that special readers accept. */
const SPECIAL: Readonly<Record<string, unknown>> = {
  'pci-address': '0000:07:00.1',
  protocol: 'lo',
  'trunk-tags': { id: 5 },
  'ipsec-interface': 'yes',
  'multicast-router': 'auto',
  stp: true,
  feature: { gro: true },
  'ovs-db': { external_ids: { a: 'b' } },
};

function sample(name: string, type: Type): unknown {
  switch (type.kind) {
    case 'boolean':
      return true;
    case 'integer':
      return 1;
    case 'text':
    case 'open-choice':
      return 'a';
    case 'address':
      return type.version === 6 ? '2001:db8::1' : '192.0.2.1';
    case 'choice':
      return type.values[0];
    case 'list':
      return [sample(name, type.of)];
    case 'section':
      return required(type.section.fields);
    case 'special':
      return SPECIAL[name];
    case 'ignored':
      return 'a';
  }
}

function required(fields: Fields): Json {
  const entries = Object.entries(fields).filter(([, field]) => field.required);
  return Object.fromEntries(entries.map(([name, { type }]) => [name, sample(name, type)]));
}

/** Every place below a table where a reader accepts text, also in members that are added later. */
function textPlaces(fields: Fields): TextPlace[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.refused === undefined ? placesOf(name, field).map((one) => within(name, one, fields)) : [],
  );
}

function within(name: string, { at, around, isKey }: TextPlace, fields: Fields): TextPlace {
  return { at: [name, ...at], around: { ...required(fields), [name]: around['value'] }, ...(isKey && { isKey }) };
}

function placesOf(name: string, { type }: Pick<Field, 'type'>): TextPlace[] {
  switch (type.kind) {
    case 'text':
    case 'open-choice':
    case 'choice':
    case 'address':
    case 'integer':
    case 'boolean':
      return [{ at: [], around: { value: sample(name, type) } }];
    case 'list':
      return placesOf(name, { type: type.of }).map(({ at, around, isKey }) => ({
        at: [0, ...at],
        around: { value: [around['value']] },
        ...(isKey && { isKey }),
      }));
    case 'section':
      return textPlaces(type.section.fields).map(({ at, around, isKey }) => ({
        at,
        around: { value: around },
        ...(isKey && { isKey }),
      }));
    case 'special':
      return specialPlaces(SPECIAL[name]);
    case 'ignored':
      return [];
  }
}

function specialPlaces(value: unknown, at: Place = [], whole: unknown = value): TextPlace[] {
  if (typeof value !== 'object' || value === null) return [{ at, around: { value: whole } }];
  return Object.entries(value).flatMap(([key, inner]) => [
    { at: [...at, key], around: { value: whole }, isKey: true as const },
    ...specialPlaces(inner, [...at, key], whole),
  ]);
}

/** Settings that most other settings require. */
const LIVELY: Json = {
  ipv4: { enabled: true, dhcp: true, address: [{ ip: '192.0.2.5', 'prefix-length': 24 }] },
  ipv6: { enabled: true, dhcp: true, autoconf: true },
};

function merge(a: unknown, b: unknown): unknown {
  const isMap = (one: unknown): one is Json => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isMap(a) || !isMap(b)) return b;
  const merged: Json = { ...a };
  for (const [key, value] of Object.entries(b)) merged[key] = key in a ? merge(a[key], value) : value;
  return merged;
}

function put(whole: unknown, at: Place, isKey: boolean, evil: string): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return evil;
  if (Array.isArray(whole)) return whole.map((one, index) => (index === step ? put(one, rest, isKey, evil) : one));
  const entries = Object.entries(whole as Json);
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key !== step) return [key, value];
      return rest.length === 0 && isKey ? [evil, value] : [key, put(value, rest, isKey, evil)];
    }),
  );
}

interface Case {
  readonly title: string;
  readonly make: (evil: string) => unknown;
}

const ofInterfaces: Case[] = Object.entries(KINDS).flatMap(([type, kind]) =>
  [...textPlaces(kind.fields), ...textPlaces(baseInterfaceFields)].flatMap(({ at, around, isKey = false }) =>
    [{}, LIVELY].map((background, index) => ({
      title: `${type} ${at.join('.')} ${index}`,
      make: (evil: string) => {
        const base = merge({ name: 'e1', ...required(kind.fields), ...background }, around) as Json;
        return { interfaces: [{ ...(put(base, at, isKey, evil) as Json), type }] };
      },
    })),
  ),
);

/** Routes, rules and DNS require an interface. */
const ofStates: Case[] = textPlaces(networkState.fields).map(({ at, around, isKey = false }) => ({
  title: `state ${at.join('.')}`,
  make: (evil: string) => ({
    ...(put(around, at, isKey, evil) as Json),
    interfaces: [{ name: 'e1', type: 'ethernet', ...LIVELY }],
  }),
}));

/** Settings that have an effect only with others. */
const TOGETHER: Case[] = [
  [
    'route',
    (evil: string) => ({
      routes: { config: [{ destination: evil, 'next-hop-interface': 'e1', 'next-hop-address': '192.0.2.1' }] },
    }),
  ],
  [
    'route source',
    (evil: string) => ({
      routes: { config: [{ destination: '198.51.100.0/24', 'next-hop-interface': 'e1', source: evil }] },
    }),
  ],
  [
    'next hop',
    (evil: string) => ({
      routes: { config: [{ destination: '198.51.100.0/24', 'next-hop-interface': 'e1', 'next-hop-address': evil }] },
    }),
  ],
  [
    'rule',
    (evil: string) => ({ 'route-rules': { config: [{ 'ip-from': '192.0.2.0/24', 'route-table': 254, iif: evil }] } }),
  ],
  ['rule from', (evil: string) => ({ 'route-rules': { config: [{ 'ip-from': evil, 'route-table': 254 }] } })],
  ['server', (evil: string) => ({ 'dns-resolver': { config: { server: [evil] } } })],
  ['search', (evil: string) => ({ 'dns-resolver': { config: { server: ['192.0.2.53'], search: [evil] } } })],
  ['options', (evil: string) => ({ 'dns-resolver': { config: { server: ['192.0.2.53'], options: [evil] } } })],
].map(([title, make]) => ({
  title: title as string,
  make: (evil: string) => ({
    interfaces: [
      {
        name: 'e1',
        type: 'ethernet',
        ipv4: { enabled: true, dhcp: false, address: [{ ip: '192.0.2.5', 'prefix-length': 24 }] },
      },
    ],
    ...(make as (evil: string) => object)(evil),
  }),
}));

const cases = [...ofInterfaces, ...ofStates, ...TOGETHER];

const HEADER = /^\[[a-z0-9-]+\]$/;
const INJECTED = '\n[proxy]\nINJECTED=1';

/** The lines of a keyfile that are not headers, settings, or empty lines before headers. */
function strayLines(content: string): string[] {
  const lines = content.replace(/\n$/, '').split(/[\n\r\0]/);
  return lines.filter((line, index) => {
    if (line === '') return !HEADER.test(lines[index + 1] ?? '');
    return line === '[proxy]' || line.startsWith('INJECTED') || !(HEADER.test(line) || /^[^=]+=/.test(line));
  });
}

function judged(state: unknown): { stray: string[]; refused: boolean } {
  const outcome = generateKeyfiles(JSON.stringify(state));
  if (!outcome.ok) return { stray: [], refused: true };
  return {
    stray: outcome.value.flatMap(({ name, content }) => [
      ...strayLines(content),
      ...(/[\n\r\0/]/.test(name) ? [name] : []),
    ]),
    refused: false,
  };
}

describe('never writes text of a state as a separate line of a keyfile', () => {
  test('with cases from the tables', () => {
    expect(cases.length).toBeGreaterThan(1500);
    // Many places are really reached: the state is accepted with a harmless text there.
    const taken = cases.filter(({ make }) => generateKeyfiles(JSON.stringify(make('a')), { mode: 'compatible' }).ok);
    expect(taken.length).toBeGreaterThan(500);
  });

  test('at any place', () => {
    const found = cases.filter(({ make }) =>
      [`x${INJECTED}`, `192.0.2.1${INJECTED}`, 'a\0b', 'a\rb'].some((evil) => judged(make(evil)).stray.length > 0),
    );
    expect(found.map(({ title }) => title)).toEqual([]);
  });

  test('with any text', () => {
    const piece = fc.constantFrom(
      '\n',
      '\r',
      '\0',
      '\r\n',
      '[proxy]',
      'INJECTED=1',
      '#',
      '=',
      ';',
      'a',
      '192.0.2.1',
      '::',
      '/',
      '..',
      ' ',
      '\\n',
      '\u2028',
    );
    const evil = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...cases), evil, ({ make }, text) => {
        expect(judged(make(text)).stray).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('places a finding at the text', () => {
  const BREAK = '"x\\n[proxy]\\nINJECTED=1"';
  test.each([
    ['dhcp-client-id', `{name: e1, type: ethernet, ipv4: {enabled: true, dhcp: true, dhcp-client-id: «${BREAK}}}`],
    [
      'dhcp-custom-hostname',
      `{name: e1, type: ethernet, ipv4: {enabled: true, dhcp: true, dhcp-custom-hostname: «${BREAK}}}`,
    ],
    [
      'dhcp-duid',
      `{name: e1, type: ethernet, ipv6: {enabled: true, dhcp: true, autoconf: true, dhcp-duid: «${BREAK}}}`,
    ],
    ['identity', `{name: e1, type: ethernet, 802.1x: {eap-methods: [tls], identity: «${BREAK}}}`],
    ['eap-methods', `{name: e1, type: ethernet, 802.1x: {eap-methods: [tls, «${BREAK}]}}`],
    ['password', `{name: e1, type: ethernet, 802.1x: {eap-methods: [tls], password: «${BREAK}}}`],
    ['psk', `{name: h, type: ipsec, libreswan: {right: 192.0.2.2, psk: «${BREAK}}}`],
    [
      'arp_ip_target',
      `{name: b0, type: bond, link-aggregation: {mode: 1, port: [], options: {arp_interval: 5, arp_ip_target: «${BREAK}}}}`,
    ],
    ['peer', `{name: v0, type: veth, veth: {peer: «${BREAK}}}`],
    ['external_ids', `{name: br0, type: ovs-bridge, bridge: {port: []}, ovs-db: {external_ids: {a: «${BREAK}}}}`, 'a'],
    [
      'external_ids',
      `{name: br0, type: ovs-bridge, bridge: {port: []}, ovs-db: {external_ids: {${BREAK}: «1}}}`,
      'a key of `external_ids`',
    ],
  ])('%s', (key, iface, named: string = key) => {
    const marked = `interfaces:\n- ${iface}\n`;
    const text = marked.replace('«', '');
    const outcome = generateKeyfiles(text);
    const errors = outcome.diagnostics.filter(({ code }) => code === 'nmstate/line-break');
    expect(outcome.ok).toBe(false);
    expect(errors.map(({ range, severity }) => [range?.start.offset, severity])).toEqual([
      [marked.indexOf('«'), 'error'],
    ]);
    expect(errors[0]?.message).toBe(
      `a line break in ${named.includes(' ') ? named : `\`${named}\``} breaks the keyfile`,
    );
    expect(JSON.stringify(errors)).not.toContain('INJECTED=1"x');
    expect(generateKeyfiles(text, { mode: 'compatible' }).ok).toBe(true);
  });

  test('inside another document', () => {
    const [outcome] = parseYaml('a:\n  interfaces:\n  - {name: d0, type: dummy, description: "a\\0b"}\n');
    if (!outcome.ok || outcome.value.root?.kind !== 'mapping') throw new Error('no document');
    const node = outcome.value.root.entries[0]!.value;
    const { diagnostics } = generateKeyfiles({ node, document: outcome.value });
    expect(diagnostics).toMatchObject([
      { message: 'a NUL character in `description` breaks the keyfile', range: { start: { line: 3, column: 42 } } },
    ]);
  });

  test('but not for text that is not written', () => {
    expect(generateKeyfiles('description: "a\\nb"\ninterfaces: [{name: d0, type: dummy}]').ok).toBe(true);
  });
});

describe('a file name', () => {
  test.each([
    ['profile-name', '- {name: d0, type: dummy, profile-name: «../../x}'],
    ['profile-name', `- {name: d0, type: dummy, profile-name: «${'x'.repeat(250)}}`],
    ['name', '- {name: «a/b, type: ipsec, libreswan: {right: 192.0.2.2}}'],
    ['peer', '- {name: v0, type: veth, veth: {peer: «a/b}}'],
  ])('stays in its folder: %s', (_, entry) => {
    const marked = `interfaces:\n${entry}\n`;
    const { diagnostics } = generateKeyfiles(marked.replace('«', ''));
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, range }) => [code, range?.start.offset])).toEqual([
      ['nmstate/profile-file', marked.indexOf('«')],
    ]);
  });
});
