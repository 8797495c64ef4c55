// The views of one host, on the documents that the page offers as templates.
import { parseNodesConfigOrThrow, samples } from '@coreiso/nodes-config';
import { outlineBoots, planNodes } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import type { Block, Table } from '../../src/views/blocks.ts';
import { bootsView, readCards } from '../../src/views/boots.ts';
import { entriesOf } from '../../src/views/changes.ts';
import { keyfilesView } from '../../src/views/keyfiles.ts';
import { networkView } from '../../src/views/network.ts';

const cluster = samples.facts;
const plan = planNodes(parseNodesConfigOrThrow(samples.nodesConfig, { cluster }), { cluster });
const hidden = { secrets: 'hidden' } as const;

const ofKind = <K extends Block['kind']>(blocks: readonly Block[], kind: K): Extract<Block, { kind: K }>[] =>
  blocks.filter((block): block is Extract<Block, { kind: K }> => block.kind === kind);

const rowsOf = (blocks: readonly Block[], caption: string): readonly (readonly string[])[] =>
  ofKind(blocks, 'table')
    .find((table: Table) => table.caption === caption)
    ?.rows.map(({ cells }) => cells) ?? [];

const STATE = `interfaces:
- {name: eno1, type: ethernet, mtu: 9000}
- {name: eno2, type: ethernet, state: down}
- {name: bond0, type: bond, link-aggregation: {mode: active-backup, port: [eno1, eno2]}, ipv6: {enabled: true, autoconf: true}}
- {name: bond0.20, type: vlan, vlan: {base-iface: bond0, id: 20}, ipv4: {enabled: true, address: [{ip: 192.0.2.20, prefix-length: 24}]}}
routes: {config: [{destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: bond0.20, metric: 100}]}
dns-resolver: {config: {server: [192.0.2.53], search: [example.test]}}
`;

describe('the network of a host', () => {
  const cards = [{ name: 'eno1', macAddress: '52:54:00:00:00:01' }];
  const { blocks } = networkView({ title: 'worker-0', state: STATE, cards });

  test('has the contents of the picture in a table', () => {
    expect(rowsOf(blocks, 'Interfaces')).toEqual([
      ['eno1', 'ethernet', '', '', '52:54:00:00:00:01', '9000'],
      ['eno2', 'ethernet (down)', '', '', '', ''],
      ['bond0', 'bond', 'eno1, eno2', 'IPv6 automatic', '', ''],
      ['bond0.20', 'vlan 20', 'bond0', '192.0.2.20/24', '', ''],
    ]);
    expect(rowsOf(blocks, 'Routes')).toEqual([['0.0.0.0/0', '192.0.2.1', 'bond0.20', '100']]);
    expect(ofKind(blocks, 'facts')[0]?.rows.map(({ value }) => value)).toEqual(['192.0.2.53', 'example.test']);
  });

  test('has the same keys in picture and table', () => {
    const [picture] = ofKind(blocks, 'picture');
    expect(picture?.svg).not.toMatch(/style/);
    const titles = [...(picture?.svg ?? '').matchAll(/<g[^>]*><title>(.*?) \([^()]*\)<\/title>/g)].map(
      ([, name]) => name,
    );
    expect(titles.map((name) => `${picture?.prefix}${name}`).sort()).toEqual(
      ['bond0', 'bond0.20', 'eno1', 'eno2'].map((name) => `interface/${name}`).sort(),
    );
    expect([...entriesOf(blocks).keys()]).toContain('interface/bond0');
  });

  test('is DHCP on every card by default', () => {
    const view = networkView({ title: 'worker-0', state: undefined, cards });
    expect(ofKind(view.blocks, 'sentence')[0]?.text).toContain('DHCP');
    expect(rowsOf(view.blocks, 'Interfaces')).toEqual([['eno1', 'ethernet', 'IPv4 automatic', '52:54:00:00:00:01']]);
  });

  test.each([
    ['nothing', ''],
    ['half a line', 'interfaces:\n- name: '],
    ['no state at all', '- 1\n- 2'],
    ['a broken text', 'interfaces: ['],
  ])('with %s has a helpful sentence, and no picture', (_, state) => {
    const view = networkView({ title: 'a', state, cards: [] });
    expect(ofKind(view.blocks, 'picture').length).toBe(state.includes('name') ? 1 : 0);
    expect(view.blocks.length).toBeGreaterThan(0);
  });

  test('has different keys for interfaces with the same name', () => {
    const view = networkView({
      title: 'a',
      state: 'interfaces: [{name: br, type: ovs-bridge}, {name: br, type: ovs-interface}]',
      cards: [],
    });
    expect(new Set(ofKind(view.blocks, 'table')[0]?.rows.map(({ key }) => key)).size).toBe(2);
  });

  test('each host of the template has one', () => {
    for (const { name, interfaces, network } of plan.hosts) {
      const view = networkView({ title: name, state: network?.state, cards: interfaces });
      expect(rowsOf(view.blocks, 'Interfaces').length).toBeGreaterThan(0);
    }
  });
});

describe('the keyfiles of a host', () => {
  test('are the profiles of the plan, each with its purpose', () => {
    const host = plan.hosts.find(({ network }) => network !== undefined);
    const view = keyfilesView({ directory: host?.network?.directory, profiles: host?.network?.profiles ?? [] }, hidden);
    const files = ofKind(view.blocks, 'file');
    expect(files.map(({ name }) => name)).toEqual(host?.network?.profiles.map(({ name }) => name));
    expect(files.every(({ text }) => text.includes('[connection]'))).toBe(true);
    expect(files.map(({ detail }) => detail)).not.toContain('');
  });

  const wifi = {
    name: 'w.nmconnection',
    sections: [
      {
        name: '802-1x',
        settings: [
          { key: 'password', value: 'hunter2' },
          { key: 'identity', value: 'me' },
        ],
      },
    ],
  };

  test('hide secrets until they are requested', () => {
    const view = keyfilesView({ directory: undefined, profiles: [wifi] }, hidden);
    expect(JSON.stringify(view)).not.toContain('hunter2');
    expect(view.hidesSecrets).toBe(true);
    const open = keyfilesView({ directory: undefined, profiles: [wifi] }, { secrets: 'shown' });
    expect(JSON.stringify(open)).toContain('hunter2');
  });

  test('do not exist for a host without a network, and the view explains that', () => {
    expect(keyfilesView({ directory: undefined, profiles: [] }, hidden).blocks).toMatchObject([{ kind: 'sentence' }]);
  });
});

describe('cards as they are typed', () => {
  test.each([
    ['eno1 52:54:00:00:00:01', { eno1: '52:54:00:00:00:01' }],
    ['52-54-00-AB-00-01', { nic0: '52:54:00:ab:00:01' }],
    ['52:54:00:00:00:01 eno1\n\n  eno2=52:54:00:00:00:02', { eno1: '52:54:00:00:00:01', eno2: '52:54:00:00:00:02' }],
  ])('%j is understood', (text, nics) => {
    expect(readCards(text)).toEqual({ nics, problems: [] });
  });

  test.each(['eno1', '52:54:00:00:00', 'a b 52:54:00:00:00:01'])('%j is refused', (text) => {
    expect(readCards(text).problems).toEqual([expect.stringContaining(`found '${text}'`)]);
  });
});

describe('the boots of a machine', () => {
  const outline = (position: number) => outlineBoots(plan, plan.hosts[position]!);
  const [host] = plan.hosts;
  const cards = host?.interfaces.map(({ macAddress }, index) => `enp${index}s0 ${macAddress}`).join('\n') ?? '';

  test('are those of the host with its MAC address, with the names of its cards', () => {
    const { blocks } = bootsView(plan, cards, outline);
    const [steps] = ofKind(blocks, 'steps');
    expect(steps?.steps.map(({ text }) => text)).toEqual(
      Object.values(outline(0)).map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`),
    );
    expect(ofKind(blocks, 'facts')[0]?.rows.map(({ value }) => value)).toContain(host?.name);
    expect(JSON.stringify(rowsOf(blocks, 'Profiles that NetworkManager finds'))).toContain('enp0s0');
  });

  test('of an unknown machine are those of a live system with DHCP', () => {
    const { blocks } = bootsView(plan, 'eno1 52:54:00:ff:ff:ff', outline);
    expect(ofKind(blocks, 'steps')).toEqual([]);
    expect(JSON.stringify(blocks)).toContain('no host of this config');
  });

  test('need a MAC address', () => {
    expect(bootsView(plan, '', outline).blocks).toMatchObject([{ kind: 'sentence', tone: 'hint' }]);
    expect(bootsView(plan, 'x', outline).blocks).toMatchObject([{ tone: 'error' }, { tone: 'hint' }]);
  });
});
