import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cardOf, truncateText } from '../../src/draw/card-text.ts';
import { drawNetworks, ethernet, fromForm, linksOf, linuxBridge, ovsBridge, toForm } from '../../src/forms.ts';
import { sampleState } from '../../src/index.ts';

const drawn = (state: string, title = 'worker-0'): string => drawNetworks([{ title, links: linksOf(state) }]);

/** The texts of a drawing, from top to bottom. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

/** The cards by name. */
function cardsOf(svg: string): Map<string, { x: number; y: number; width: number; height: number }> {
  const cards = svg.matchAll(
    /<g[^>]*><title>([^<]*)<\/title><rect class="card" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
  );
  return new Map(
    [...cards].map(([, name = '', ...numbers]) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
      return [name, { x, y, width, height }];
    }),
  );
}

describe('a drawing', () => {
  test('has every interface above the interfaces it uses', () => {
    const rows = [...cardsOf(drawn(sampleState)).keys()];
    expect(rows).toEqual([
      'eno1 (ethernet)',
      'storage (ethernet)',
      'br0 (linux-bridge)',
      'bond0.100 (vlan)',
      'bond0 (bond)',
      'eno2 (ethernet)',
      'eno3 (ethernet)',
    ]);
  });

  test('shows the settings of an interface', () => {
    const text = `interfaces:
- {name: v, type: vlan, vlan: {base-iface: e, id: 7}, mtu: 1400, state: down, mac-address: 52:54:00:00:00:01,
   ipv4: {enabled: true, dhcp: true}, ipv6: {enabled: true, address: [{ip: 2001:db8::1, prefix-length: 64}]}}
`;
    expect(textsOf(drawn(text))).toEqual([
      'worker-0',
      'v',
      'vlan down',
      'VLAN 7 · 2001:db8::1/64',
      'IPv4 from the site · MTU 1400',
      '52:54:00:00:00:01',
      'e',
      'not declared',
    ]);
  });

  test('is as wide as the narrowest screen, with one card below the other', () => {
    const svg = drawn(sampleState);
    expect(svg).toMatch(/viewBox="0 0 320 \d+"/);
    let bottom = 0;
    for (const { x, y, width, height } of cardsOf(svg).values()) {
      expect(y).toBeGreaterThanOrEqual(bottom);
      expect(x + width).toBeLessThanOrEqual(320);
      bottom = y + height;
    }
    expect(Number(/viewBox="0 0 320 (\d+)"/.exec(svg)?.[1])).toBeGreaterThanOrEqual(bottom);
  });

  test('gives lines that run side by side separate tracks', () => {
    const vlans = [1, 2, 3].map((id) => `- {name: b${id}.1, type: vlan, vlan: {base-iface: b${id}, id: 1}}\n`);
    const stack = `interfaces:\n${vlans.join('')}- {name: br0, type: linux-bridge, bridge: {port: [{name: b3.1}, {name: b1.1}, {name: b2.1}]}}\n`;
    const tracks = [...drawn(stack).matchAll(/<path d="M([\d.]+) ([\d.]+)V([\d.]+)/g)].map(([, ...all]) =>
      all.map(Number),
    );
    expect(tracks).toHaveLength(4);
    for (const [index, [x, from = 0, to = 0]] of tracks.entries()) {
      for (const [other, start = 0, end = 0] of tracks.slice(index + 1))
        if (x === other) expect(to <= start || from >= end).toBe(true);
    }
  });

  test('distinguishes an Open vSwitch bridge from the interface of the same name', () => {
    const svg = drawn(
      'interfaces: [{name: br0, type: ovs-bridge, bridge: {port: [{name: br0}, {name: e}]}}, {name: br0, type: ovs-interface}]',
    );
    expect([...cardsOf(svg).keys()]).toEqual(['br0 (ovs-bridge)', 'br0 (ovs-interface)', 'e (not declared)']);
    expect(svg.match(/<circle/g)).toHaveLength(2);
  });

  test('draws cycles, and every cable once', () => {
    const circle =
      'interfaces: [{name: a, type: vlan, vlan: {base-iface: b, id: 1}}, {name: b, type: vlan, vlan: {base-iface: a, id: 1}}]';
    expect(cardsOf(drawn(circle)).size).toBe(2);
    const cable = 'interfaces: [{name: a, type: veth, veth: {peer: b}}, {name: b, type: veth, veth: {peer: a}}]';
    expect(drawn(cable).match(/<path/g)).toHaveLength(1);
  });

  test('escapes foreign text', () => {
    const svg = drawn(`interfaces: [{name: "<script>'&\\u0000\\"", type: "]]>"}]`, '<b>&');
    expect(svg).not.toContain('<script>');
    expect(svg).not.toMatch(/[\0-\x08]/);
    expect(svg).toContain('&lt;script&gt;&#39;&amp;\ufffd');
    expect(svg).toContain('<title>Network of &lt;b&gt;&amp;</title>');
  });

  test('has a description in words', () => {
    const [, words] = /<desc>([^<]*)<\/desc>/.exec(drawn(sampleState)) ?? [];
    expect(words).toContain('worker-0. eno1: ethernet, with 192.0.2.10/24. storage: ethernet, IPv4 from the site.');
    expect(words).toContain('bond0.100: vlan, on bond0.');
    expect(drawn('')).toContain('<desc>worker-0. No interfaces.</desc>');
    expect(drawNetworks([])).toContain('<title>Networks of 0 hosts</title>');
  });

  test('has dark colours, no script and no external resources', () => {
    const svg = drawn(sampleState);
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    expect(svg).not.toMatch(/<script|href|url\(|@import/);
  });

  test('cuts names that are too long, and has the whole name in the title', () => {
    const name = 'a-profile-with-a-name-that-fits-nowhere';
    const svg = drawn(`interfaces: [{name: ${name}, type: ethernet}]`);
    expect(textsOf(svg)[1]).toMatch(/^a-profile-with-.*…$/);
    expect(svg).toContain(`<title>${name} (ethernet)</title>`);
  });
});

test('matches the picture of the documentation', () => {
  const form = toForm('');
  form.interfaces.push(
    ethernet({ name: 'eno1', mtu: 9000 }),
    linuxBridge({ name: 'br0', ports: ['eno1'], ipv4: { address: '192.0.2.10/24' } }),
    ovsBridge({ name: 'br-ex', ports: ['eno2', 'br-ex'] }),
  );
  const text = fromForm(form, '');
  const picture = readFileSync(new URL('../../network.svg', import.meta.url), 'utf8');
  expect(text.ok && drawn(text.value)).toBe(picture);
});

describe('routes', () => {
  const text =
    'interfaces: [{name: eno1, type: ethernet}]\nroutes: {config: [{destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eno1}]}';

  test('are listed below the cards and in the description', () => {
    const svg = drawNetworks([{ title: 'a', links: linksOf(text), routes: toForm(text).routes }]);
    expect(textsOf(svg).slice(-1)).toEqual(['route 0.0.0.0/0 via 192.0.2.1 on eno1']);
    expect(/<desc>(.*)<\/desc>/.exec(svg)?.[1]).toBe('a. eno1: ethernet. route 0.0.0.0/0 via 192.0.2.1 on eno1.');
    const [last] = [...svg.matchAll(/<text [^>]* y="(\d+)"/g)].slice(-1);
    expect(Number(last?.[1])).toBeLessThan(Number(/viewBox="0 0 320 (\d+)"/.exec(svg)?.[1]));
  });

  test('are counted if there are many, and push the next host down', () => {
    const routes = Array.from({ length: 40 }, (_, n) => ({ destination: `198.51.${n}.0/24` }));
    const svg = drawNetworks([
      { title: 'a', links: [], routes },
      { title: 'b', links: [] },
    ]);
    const texts = textsOf(svg);
    expect(texts).toHaveLength(14);
    expect(texts.slice(-3)).toEqual(['route 198.51.10.0/24', 'and 29 more routes', 'b']);
    const places = [...svg.matchAll(/<text [^>]* y="([\d.]+)"/g)].map(([, y]) => Number(y));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});

test('leaves out inline styles for a strict content security policy, and keeps the font', () => {
  const links = linksOf(sampleState);
  const svg = drawNetworks([{ title: 'a', links }], { styles: 'none' });
  expect(svg).not.toMatch(/<style|style=/);
  expect(svg).toContain('font-family="ui-monospace');
  expect(textsOf(svg)).toEqual(textsOf(drawNetworks([{ title: 'a', links }])));
  expect(() => drawNetworks([], { styles: 'some' as 'own' })).toThrow('styles');
});

describe('cuts texts to their width', () => {
  /** The width of a number of Latin letters. */
  const letters = (count: number): number => count * 10 * 0.62;

  test.each<[text: string, count: number, shown: string]>([
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abc…'],
    ['abcd', 3, 'ab…'],
    ['abcd', 1, '…'],
    ['abcd', 0, '…'],
    ['', 0, ''],
    ['a…b', 3, 'a…b'],
    ['é\u02ff', 2, 'é\u02ff'],
    ['漢字', 4, '漢字'],
    ['漢字', 3, '漢…'],
    ['\u0300a', 2, '…'],
    ['😀😀', 3, '😀…'],
  ])('%j to %i letters', (text, count, shown) => {
    expect(truncateText(text, letters(count), 10)).toBe(shown);
  });

  test('on a card, with at most half of it for the type and at most four lines', () => {
    const link = {
      ...{ path: [], name: 'eth0', type: 'ethernet', state: 'up', below: [], peers: [], vlan: undefined },
      ...{ addresses: [] as string[], dynamic: [], mtu: undefined, macAddress: '' },
    };
    const card = (more: object) => cardOf({ ...link, ...more } as never, link.name, 200);
    expect(card({})).toEqual({ name: 'eth0', fullName: 'eth0', type: 'ethernet', lines: [] });
    expect(card({ state: 'down', type: '' }).type).toBe('no type down');
    expect(card({ type: 'a-type-of-many-letters' }).type).toBe('a-type-of-ma…');
    expect(cardOf(undefined, '', 200)).toMatchObject({
      name: '(no name)',
      fullName: '',
      type: 'not declared',
      lines: [],
    });
    const lines = (count: number): readonly string[] =>
      card({ addresses: Array.from({ length: count }, (_, index) => `2001:db8::${index}/64`) }).lines;
    expect(lines(2)).toEqual(['2001:db8::0/64', '2001:db8::1/64']);
    expect(lines(4)).toHaveLength(4);
    expect(lines(6)).toEqual(['2001:db8::0/64', '2001:db8::1/64', '2001:db8::2/64', 'and 3 more lines']);
    expect(card({ vlan: 7, mtu: 9000, addresses: ['192.0.2.1/24'] }).lines).toEqual([
      'VLAN 7 · 192.0.2.1/24',
      'MTU 9000',
    ]);
  });
});

describe('unusual parts look different', () => {
  test('draws an interface that is down paler, and an undeclared one with dashes', () => {
    const svg = drawn(
      'interfaces: [{name: a, type: vlan, state: down, vlan: {base-iface: b, id: 1}}, {name: c, type: dummy}]',
    );
    const groups = svg.match(/<g[^>]*>.*<\/g>/g) ?? [];
    expect(groups.map((group) => /<title>([^<]*)</.exec(group)?.[1])).toEqual([
      'a (vlan down)',
      'b (not declared)',
      'c (dummy)',
    ]);
    expect(groups.map((group) => group.includes('opacity="0.75"'))).toEqual([true, false, false]);
    expect(groups.map((group) => group.includes('stroke-dasharray="4 3"'))).toEqual([false, true, false]);
  });

  test('draws cables with dashes, and links to lower interfaces without', () => {
    const paths = (state: string): string[] => drawn(state).match(/<path [^>]*>/g) ?? [];
    const cable = 'interfaces: [{name: a, type: veth, veth: {peer: b}}, {name: b, type: veth, veth: {peer: a}}]';
    expect(paths(cable).map((path) => path.includes('stroke-dasharray'))).toEqual([true]);
    expect(paths(sampleState).map((path) => path.includes('stroke-dasharray'))).not.toContain(true);
  });

  test('marks an interface without a name or a type', () => {
    const svg = drawn('interfaces: [{name: "", type: ""}]');
    expect(textsOf(svg)).toEqual(['worker-0', '(no name)', 'no type']);
    expect(svg).toContain('<desc>worker-0. (no name): no type.</desc>');
  });

  test('describes lower interfaces, cables and addresses from the site in words', () => {
    const words = (state: string): string | undefined => /<desc>([^<]*)<\/desc>/.exec(drawn(state))?.[1];
    expect(
      words(
        `interfaces:
- {name: b, type: bond, link-aggregation: {mode: 1, port: [x, y]}, ipv4: {enabled: true, dhcp: true}, ipv6: {enabled: true, dhcp: true, autoconf: true}}
- {name: v, type: veth, veth: {peer: w}, ipv4: {enabled: true, address: [{ip: 192.0.2.1, prefix-length: 24}, {ip: 192.0.2.2, prefix-length: 24}]}}
`,
      ),
    ).toBe(
      'worker-0. b: bond, on x, y, IPv4 and IPv6 from the site. v: veth, connected to w, with 192.0.2.1/24, 192.0.2.2/24.',
    );
  });

  test('shows (anywhere) for a route without a destination', () => {
    const svg = drawNetworks([{ title: 'a', links: [], routes: [{ gateway: '192.0.2.1' }, { interface: 'eth0' }] }]);
    expect(textsOf(svg).slice(1)).toEqual(['route (anywhere) via 192.0.2.1', 'route (anywhere) on eth0']);
    expect(svg).toContain('<desc>a. No interfaces. route (anywhere) via 192.0.2.1. route (anywhere) on eth0.</desc>');
  });
});

test('makes a drawing with many tracks wider, so that its cards stay readable', () => {
  const bridges = Array.from({ length: 20 }, (_, index) => `{name: p${index}, type: dummy}`);
  const vlans = Array.from(
    { length: 20 },
    (_, index) => `{name: v${index}, type: vlan, vlan: {base-iface: p${19 - index}, id: 1}}`,
  );
  const svg = drawn(`interfaces: [${[...vlans, ...bridges].join(', ')}]`);
  const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  expect(width).toBeGreaterThanOrEqual(320);
  for (const card of cardsOf(svg).values()) {
    expect(card.width).toBeGreaterThanOrEqual(184);
    expect(card.x + card.width).toBe(width - 8);
  }
  const colours = new Set([...svg.matchAll(/<path [^>]*stroke="([^"]+)"/g)].map(([, colour]) => colour));
  expect([...colours].every((colour) => /^#[0-9a-f]{6}$/.test(colour ?? ''))).toBe(true);
});

test('draws hosts one after the other, with room for each', () => {
  const links = linksOf(sampleState);
  const routes = [{ destination: '0.0.0.0/0' }, { destination: '::/0' }];
  const places = (svg: string): number[] => [...svg.matchAll(/font-size="14"[^>]*>/g)].map(({ index }) => index);
  const one = drawNetworks([{ title: 'a', links, routes }]);
  const two = drawNetworks([
    { title: 'a', links, routes },
    { title: 'b', links },
  ]);
  const heightOf = (svg: string): number => Number(/viewBox="0 0 320 (\d+)"/.exec(svg)?.[1]);
  expect(places(two)).toHaveLength(2);
  // The second host begins a little below the end of the first one.
  const second = Number(/y="(\d+)" font-size="14"[^>]*>b</.exec(two)?.[1]);
  expect(second).toBe(heightOf(one) + 12 + 16);
  const lines = [...one.matchAll(/y="(\d+)"[^>]*>route/g)].map(([, y]) => Number(y));
  expect(lines).toEqual([heightOf(one) - 22, heightOf(one) - 6]);
  expect(two).toContain('<title>Networks of 2 hosts</title>');
  expect(heightOf(drawNetworks([]))).toBe(28);
});
