// The network of a host as its surroundings see it: which addresses it has for certain, who tells it names, where it sends the rest.
import { goYaml, type Path, toPlain } from '@coreiso/diagnostics';
import type { Link } from '@coreiso/nmstate';
import { cidrContains, type IpAddress, isLinkLocal, parseAddress, parseCidr } from '@coreiso/peers/ip';
import { listOf, memberOf, textOf } from '@coreiso/peers/members';
import { numbersAsNumbers } from '../facts/objects.ts';
import type { HostPlan } from '../hosts/plan.ts';
import { readLinks } from '../rules/network-view.ts';

/** As much of a host plan as advice needs. */
export interface AdvisedHost extends Pick<HostPlan, 'name' | 'path' | 'role'> {
  readonly network: Pick<NonNullable<HostPlan['network']>, 'state'> | undefined;
}

/** A static address of a host, on a link of which this is known. */
export interface HostAddress {
  readonly text: string;
  readonly path: Path;
  readonly address: IpAddress;
  readonly prefixLength: number;
  readonly link: string;
  /** As written, on the link or on what it stands on; undefined for the kernel's 1500. */
  readonly mtu: number | undefined;
  /** 0 for none. */
  readonly vlan: number;
}

type Family = 4 | 6;

export interface HostView {
  readonly name: string;
  readonly path: Path;
  readonly role: string | undefined;
  /** Where its network stands, or the host itself where it has none. */
  readonly networkPath: Path;
  readonly addresses: readonly HostAddress[];
  /** Families that it gets addresses of from its site: by DHCP or from routers. */
  readonly dynamic: ReadonlySet<Family>;
  readonly dnsServers: readonly string[];
  /** Whether its site tells it DNS servers. */
  readonly isToldServers: boolean;
  readonly hasDefaultRoute: boolean;
}

export function viewHost({ name, path, role, network }: AdvisedHost): HostView {
  const base = { name, path, role };
  const state = network?.state;
  if (state === undefined) {
    const dynamic = new Set<Family>([4, 6]);
    const rest = { dnsServers: [], isToldServers: true, hasDefaultRoute: true };
    return { ...base, networkPath: path, addresses: [], dynamic, ...rest };
  }
  const networkPath = state.path;
  const values = numbersAsNumbers(toPlain(state.node, goYaml));
  const links = new Links(values, readLinks({ node: state.node, path: [] }));
  const told = links.told();
  return {
    ...base,
    networkPath,
    addresses: links.addresses(networkPath),
    dynamic: new Set(told.map(({ family }) => family)),
    dnsServers: listOf(values, 'dns-resolver', 'config', 'server').filter((server) => typeof server === 'string'),
    isToldServers: told.some(({ settings }) => memberOf(settings, 'auto-dns') !== false),
    hasDefaultRoute:
      told.some(({ settings }) => memberOf(settings, 'auto-routes') !== false) ||
      listOf(values, 'routes', 'config').some(isDefaultRoute),
  };
}

/** Of the main table, which 0 stands for, too. */
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
  readonly #links: readonly Link[];

  constructor(state: unknown, links: readonly Link[]) {
    this.#interfaces = listOf(state, 'interfaces');
    this.#links = links;
  }

  /** Interfaces that ask their site for addresses. */
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

  #address(link: Link | undefined, entry: unknown, path: Path): HostAddress[] {
    const text = textOf(entry, 'ip');
    const address = parseAddress(text);
    const length = memberOf(entry, 'prefix-length');
    if (link === undefined || address === undefined || typeof length !== 'number' || isLinkLocal(address)) return [];
    const stack = this.#stack(link);
    const mtu = stack.find((one) => one.mtu !== undefined)?.mtu;
    const vlan = stack.find((one) => one.vlan !== undefined)?.vlan ?? 0;
    return [{ text, path, address, prefixLength: length, link: link.name, mtu, vlan }];
  }

  /** A link and what it stands on, top down; whatever leads in a circle is seen once. */
  #stack(top: Link): Link[] {
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

/** Whether an address lies in one of the networks. */
export function isInside(address: IpAddress, networks: readonly string[]): boolean {
  return networks.some((text) => {
    const network = parseCidr(text);
    return network !== undefined && cidrContains(network, address);
  });
}
