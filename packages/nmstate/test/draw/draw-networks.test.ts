import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawNetworks, ethernet, fromForm, linksOf, linuxBridge, ovsBridge, toForm } from '../../src/forms.ts';
import { sampleState } from '../../src/index.ts';

const drawn = (state: string, title = 'worker-0'): string => drawNetworks([{ title, links: linksOf(state) }]);

/** The texts of a drawing, from top to bottom. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

/** The cards by their names. */
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
  test('has every interface above what it stands on', () => {
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

  test('says what an interface has', () => {
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

  test('is as wide as the narrowest screen, and its cards lie inside one below the other', () => {
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

  test('gives lines that run side by side tracks of their own', () => {
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

  test('tells bridges of Open vSwitch from the interface of their name', () => {
    const svg = drawn(
      'interfaces: [{name: br0, type: ovs-bridge, bridge: {port: [{name: br0}, {name: e}]}}, {name: br0, type: ovs-interface}]',
    );
    expect([...cardsOf(svg).keys()]).toEqual(['br0 (ovs-bridge)', 'br0 (ovs-interface)', 'e (not declared)']);
    expect(svg.match(/<circle/g)).toHaveLength(2);
  });

  test('draws what leads in a circle, and cables once', () => {
    const circle =
      'interfaces: [{name: a, type: vlan, vlan: {base-iface: b, id: 1}}, {name: b, type: vlan, vlan: {base-iface: a, id: 1}}]';
    expect(cardsOf(drawn(circle)).size).toBe(2);
    const cable = 'interfaces: [{name: a, type: veth, veth: {peer: b}}, {name: b, type: veth, veth: {peer: a}}]';
    expect(drawn(cable).match(/<path/g)).toHaveLength(1);
  });

  test('shows text of others as text', () => {
    const svg = drawn(`interfaces: [{name: "<script>'&\\u0000\\"", type: "]]>"}]`, '<b>&');
    expect(svg).not.toContain('<script>');
    expect(svg).not.toMatch(/[\0-\x08]/);
    expect(svg).toContain('&lt;script&gt;&#39;&amp;\ufffd');
    expect(svg).toContain('<title>Network of &lt;b&gt;&amp;</title>');
  });

  test('says in words what it shows', () => {
    const [, words] = /<desc>([^<]*)<\/desc>/.exec(drawn(sampleState)) ?? [];
    expect(words).toContain('worker-0. eno1: ethernet, with 192.0.2.10/24. storage: ethernet, IPv4 from the site.');
    expect(words).toContain('bond0.100: vlan, on bond0.');
    expect(drawn('')).toContain('<desc>worker-0. No interfaces.</desc>');
    expect(drawNetworks([])).toContain('<title>Networks of 0 hosts</title>');
  });

  test('has dark colours, and no script and nothing from elsewhere', () => {
    const svg = drawn(sampleState);
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    expect(svg).not.toMatch(/<script|href|url\(|@import/);
  });

  test('cuts names that are too long, and keeps them whole beside', () => {
    const name = 'a-profile-with-a-name-that-fits-nowhere';
    const svg = drawn(`interfaces: [{name: ${name}, type: ethernet}]`);
    expect(textsOf(svg)[1]).toMatch(/^a-profile-with-.*…$/);
    expect(svg).toContain(`<title>${name} (ethernet)</title>`);
  });
});

test('the picture of the documentation is what its program prints', () => {
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

  test('stand below the cards, and in the description', () => {
    const svg = drawNetworks([{ title: 'a', links: linksOf(text), routes: toForm(text).routes }]);
    expect(textsOf(svg).slice(-1)).toEqual(['route 0.0.0.0/0 via 192.0.2.1 on eno1']);
    expect(/<desc>(.*)<\/desc>/.exec(svg)?.[1]).toBe('a. eno1: ethernet. route 0.0.0.0/0 via 192.0.2.1 on eno1.');
    const [last] = [...svg.matchAll(/<text [^>]* y="(\d+)"/g)].slice(-1);
    expect(Number(last?.[1])).toBeLessThan(Number(/viewBox="0 0 320 (\d+)"/.exec(svg)?.[1]));
  });

  test('are counted where they are many, and push the next host down', () => {
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

test('a drawing without styles has none that a strict content security policy refuses, and keeps its font', () => {
  const links = linksOf(sampleState);
  const svg = drawNetworks([{ title: 'a', links }], { styles: 'none' });
  expect(svg).not.toMatch(/<style|style=/);
  expect(svg).toContain('font-family="ui-monospace');
  expect(textsOf(svg)).toEqual(textsOf(drawNetworks([{ title: 'a', links }])));
  expect(() => drawNetworks([], { styles: 'some' as 'own' })).toThrow('styles');
});
