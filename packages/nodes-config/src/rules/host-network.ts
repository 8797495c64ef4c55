// The network of a host as its surroundings see it: its certain addresses, its source of DNS servers, and its routes
// to other networks.
import type { Node, Path } from '@coreiso/diagnostics';
import type { NetworkLink } from '@coreiso/nmstate';
import { type IpAddress, isLinkLocal, parseAddress } from '@coreiso/peers/ip';
import { listOf, memberOf, textOf } from '@coreiso/peers/members';
import { plainValues } from '../text/numbers.ts';
import { type Mention, readLinks } from './network-view.ts';

/** A static address of a host, and the properties of its link. */
export interface HostAddress {
  readonly text: string;
  readonly path: Path;
  readonly address: IpAddress;
  readonly prefixLength: number;
  readonly link: string;
  /** As written, on the link or on a link below it; undefined for the kernel's 1500. */
  readonly mtu: number | undefined;
  /** 0 for none. */
  readonly vlan: number;
}

export type Family = 4 | 6;

/** The settings of a network state that decide how other hosts are reached. */
export interface HostNetworkView {
  readonly addresses: readonly HostAddress[];
  /** Families of the addresses that it gets from its site: by DHCP or from routers. */
  readonly dynamic: ReadonlySet<Family>;
  readonly dnsServers: readonly string[];
  /** Whether it gets DNS servers from its site. */
  readonly isToldServers: boolean;
  readonly hasDefaultRoute: boolean;
  /** Next hops of its routes. */
  readonly gateways: readonly Mention[];
}

/** Reads the network state at a place of a document; unexpected values are left out. */
export function viewNetwork({ node, path }: { readonly node: Node; readonly path: Path }): HostNetworkView {
  const values = plainValues(node);
  const links = new Links(values, readLinks({ node, path: [] }));
  const told = links.told();
  const routes = listOf(values, 'routes', 'config');
  return {
    addresses: links.addresses(path),
    dynamic: new Set(told.map(({ family }) => family)),
    dnsServers: listOf(values, 'dns-resolver', 'config', 'server').filter((server) => typeof server === 'string'),
    isToldServers: told.some(({ settings }) => memberOf(settings, 'auto-dns') !== false),
    hasDefaultRoute:
      told.some(({ settings }) => memberOf(settings, 'auto-routes') !== false) || routes.some(isDefaultRoute),
    gateways: routes.flatMap((route, index) => {
      const text = textOf(route, 'next-hop-address');
      if (text === '' || textOf(route, 'state') === 'absent') return [];
      return [{ text, path: [...path, 'routes', 'config', index, 'next-hop-address'] }];
    }),
  };
}

/** Whether a route is a default route of the main table; table 0 also means the main table. */
function isDefaultRoute(route: unknown): boolean {
  const table = memberOf(route, 'table-id');
  return (
    ['0.0.0.0/0', '::/0'].includes(textOf(route, 'destination')) &&
    textOf(route, 'state') !== 'absent' &&
    (table === undefined || table === 0 || table === 254)
  );
}

const FAMILIES: readonly (readonly [Family, string])[] = [
  [4, 'ipv4'],
  [6, 'ipv6'],
];

class Links {
  readonly #interfaces: readonly unknown[];
  readonly #links: readonly NetworkLink[];

  constructor(state: unknown, links: readonly NetworkLink[]) {
    this.#interfaces = listOf(state, 'interfaces');
    this.#links = links;
  }

  /** Interfaces that get addresses from their site. */
  told(): { readonly family: Family; readonly settings: unknown }[] {
    return this.#interfaces
      .filter(isUp)
      .flatMap((one) =>
        FAMILIES.map(([family, key]) => ({ family, settings: memberOf(one, key) })).filter(
          ({ settings }) =>
            memberOf(settings, 'enabled') === true &&
            (memberOf(settings, 'dhcp') === true || memberOf(settings, 'autoconf') === true),
        ),
      );
  }

  addresses(path: Path): HostAddress[] {
    return this.#interfaces.flatMap((one, position) =>
      FAMILIES.flatMap(([, key]) => {
        if (!isUp(one) || memberOf(one, key, 'enabled') !== true) return [];
        const at = [...path, 'interfaces', position, key, 'address'];
        return listOf(one, key, 'address').flatMap((entry, index) =>
          this.#address(this.#links[position], entry, [...at, index, 'ip']),
        );
      }),
    );
  }

  #address(link: NetworkLink | undefined, entry: unknown, path: Path): HostAddress[] {
    const text = textOf(entry, 'ip');
    const address = parseAddress(text);
    const length = memberOf(entry, 'prefix-length');
    if (link === undefined || address === undefined || typeof length !== 'number' || isLinkLocal(address)) return [];
    const stack = this.#stack(link);
    const mtu = stack.find((one) => one.mtu !== undefined)?.mtu;
    const vlan = stack.find((one) => one.vlan !== undefined)?.vlan ?? 0;
    return [{ text, path, address, prefixLength: length, link: link.name, mtu, vlan }];
  }

  /** A link and the links below it, top down; a circle is followed once. */
  #stack(top: NetworkLink): NetworkLink[] {
    const stack = new Set([top]);
    for (const { below } of stack) {
      const names = new Set(below.map(({ name }) => name));
      for (const link of this.#links) if (names.has(link.name)) stack.add(link);
    }
    return [...stack];
  }
}

function isUp(one: unknown): boolean {
  return ['', 'up'].includes(textOf(one, 'state'));
}
