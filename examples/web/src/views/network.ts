// The network of one host: the stack of interfaces, drawn and as tables.
import type { Node } from '@coreiso/diagnostics';
import { drawNetworks, linksOf, type NetworkLink, toForm } from '@coreiso/nmstate/forms';
import { NETWORK } from '../texts/network.ts';
import type { Block, Sentence, Table, View } from './blocks.ts';

export interface HostNetwork {
  readonly title: string;
  /** As YAML, or a part of a document. Undefined if the site decides. */
  readonly state: string | { readonly node: Node } | undefined;
  /** Cards by the names in the state. */
  readonly cards: readonly { readonly name: string; readonly macAddress: string }[];
}

export function networkView({ title, state, cards }: HostNetwork): View {
  const macs = new Map(cards.map(({ name, macAddress }) => [name, macAddress]));
  const links = (state === undefined ? cardLinks(cards) : linksOf(state)).map((link) => ({
    ...link,
    macAddress: link.macAddress || (macs.get(link.name) ?? ''),
  }));
  const { routes, rules, dns } = state === undefined ? NOTHING : toForm(state);
  const notes: Sentence[] = [];
  if (state === undefined) notes.push({ kind: 'sentence', tone: 'plain', text: NETWORK.dhcpOnly });
  else if (links.length === 0) notes.push({ kind: 'sentence', tone: 'hint', text: NETWORK.empty });
  const tables = [
    interfaceTable(links),
    table(
      NETWORK.routes,
      NETWORK.routeColumns,
      routes.map((route) => [route.destination, route.gateway, route.interface, route.metric, route.table]),
    ),
    table(
      NETWORK.rules,
      NETWORK.ruleColumns,
      rules.map((rule) => [rule.from, rule.to, rule.table, rule.priority]),
    ),
  ];
  const dnsRows = [
    { key: 'dns/servers', name: NETWORK.dnsServers, value: dns.servers.join(', ') },
    { key: 'dns/search', name: NETWORK.dnsSearch, value: dns.search.join(', ') },
  ].filter(({ value }) => value !== '');
  const svg = drawNetworks([{ title, links, routes }], { styles: 'none' });
  const blocks: Block[] = [
    ...notes,
    ...(links.length === 0 ? [] : [{ kind: 'picture', svg, prefix: 'interface/' } as const]),
    ...tables.filter(({ rows }) => rows.length > 0),
    ...(dnsRows.length === 0 ? [] : [{ kind: 'facts', rows: dnsRows } as const]),
  ];
  return { blocks, hidesSecrets: false };
}

const NOTHING: Pick<ReturnType<typeof toForm>, 'routes' | 'rules' | 'dns'> = {
  routes: [],
  rules: [],
  dns: { servers: [], search: [] },
};

/** The known facts about a host without a network. */
function cardLinks(cards: HostNetwork['cards']): readonly NetworkLink[] {
  const dhcp = { enabled: true, dhcp: true };
  return linksOf({
    interfaces: cards.map(({ name, macAddress }) => ({ name: name || macAddress, type: 'ethernet', ipv4: dhcp })),
  });
}

function interfaceTable(links: readonly NetworkLink[]): Table {
  const seen = new Map<string, number>();
  const rows = links.map((link) => {
    const name = link.name || NETWORK.unnamed;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const cells = [name, typeText(link), describeEnds(link), addressText(link), link.macAddress, `${link.mtu ?? ''}`];
    return { key: `interface/${name}${count === 1 ? '' : ` ${count}`}`, cells };
  });
  return withoutEmptyColumns({ kind: 'table', caption: NETWORK.interfaces, columns: NETWORK.columns, rows });
}

function typeText({ type, vlan, state }: NetworkLink): string {
  const kind = vlan === undefined ? type : NETWORK.vlan(vlan);
  return state === 'up' ? kind : NETWORK.notUp(kind, state);
}

function describeEnds({ below, peers }: NetworkLink): string {
  const names = (ends: NetworkLink['below']): string => ends.map(({ name }) => name).join(', ');
  return [names(below), peers.length === 0 ? '' : NETWORK.connectedTo(names(peers))]
    .filter((text) => text !== '')
    .join('; ');
}

function addressText({ addresses, dynamic }: NetworkLink): string {
  return [...addresses, ...dynamic.map((family) => NETWORK.fromSite(family))].join(', ');
}

function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): Table {
  const texts = rows.map((cells) => cells.map((cell) => `${cell ?? ''}`));
  // The position of a row has no meaning: moving it is no change.
  return withoutEmptyColumns({
    kind: 'table',
    caption,
    columns,
    rows: texts.map((cells) => ({ key: `${caption}/${cells.join(' ')}`, cells })),
  });
}

/** Drops empty columns. */
function withoutEmptyColumns({ columns, rows, ...rest }: Table): Table {
  const isFilled = (column: number): boolean => rows.some(({ cells }) => (cells[column] ?? '') !== '');
  const kept = [...columns.keys()].filter((column) => column === 0 || isFilled(column));
  const pick = (texts: readonly string[]): string[] => kept.map((column) => texts[column] ?? '');
  return { ...rest, columns: pick(columns), rows: rows.map(({ key, cells }) => ({ key, cells: pick(cells) })) };
}
