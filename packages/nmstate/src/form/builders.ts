// Builders of interfaces, routes and rules. A value that nmstate would refuse is a `RangeError` that names the field.
import { checkArgument } from '@coreiso/peers/arguments';
import type { StateFinding } from '../table/codes.ts';
import { checkInterface, checkRoute, checkRule, portsOf } from './checks.ts';
import type { AddressForm, BondMode, InterfaceForm, RouteForm, RuleForm } from './types.ts';

/** Static addresses with their prefix lengths, addresses from the site, or none. */
export type Addresses = { readonly address: string | readonly string[] } | { readonly dhcp: true } | false;

/** Options of every interface builder. An omitted family is absent from the state, so it is off on a new host. */
export interface InterfaceOptions {
  readonly name: string;
  readonly mac?: string | undefined;
  readonly mtu?: number | undefined;
  readonly ipv4?: Addresses | undefined;
  readonly ipv6?: Addresses | undefined;
}

/**
 * A network card.
 *
 * @example ethernet({ name: 'eno1', ipv4: { address: '192.0.2.10/24' } })
 */
export function ethernet(options: InterfaceOptions): InterfaceForm {
  return checkedForm({ ...common(options), type: 'ethernet' });
}

/**
 * A bond of several interfaces.
 *
 * @example bond({ name: 'bond0', mode: '802.3ad', ports: ['eno1', 'eno2'], ipv4: { dhcp: true } })
 */
export function bond(
  options: InterfaceOptions & {
    readonly mode: BondMode;
    readonly ports: readonly string[];
    readonly primary?: string | undefined;
    readonly miimon?: number | undefined;
  },
): InterfaceForm {
  const { mode, ports, primary, miimon } = checked(options);
  checkArgument('ports', ports, 'texts');
  return checkedForm({ ...common(options), type: 'bond', mode, ...defined({ primary, miimon }), ports: [...ports] });
}

/**
 * A VLAN on top of another interface. Its default name is made of the base and the id.
 *
 * @example vlan({ base: 'bond0', id: 20, ipv4: { address: '192.0.2.20/24' } })
 */
export function vlan(
  options: Omit<InterfaceOptions, 'name'> & {
    readonly base: string;
    readonly id: number;
    readonly name?: string | undefined;
  },
): InterfaceForm {
  const { base, id, name = `${base}.${id}` } = checked(options);
  return checkedForm({ ...common({ ...options, name }), type: 'vlan', base, id });
}

/**
 * A Linux bridge.
 *
 * @example linuxBridge({ name: 'br0', ports: ['eno1'], ipv4: { dhcp: true } })
 */
export function linuxBridge(
  options: InterfaceOptions & { readonly ports: readonly string[]; readonly stp?: boolean | undefined },
): InterfaceForm {
  const { ports, stp } = checked(options);
  checkArgument('ports', ports, 'texts');
  return checkedForm({ ...common(options), type: 'linux-bridge', ...defined({ stp }), ports: [...ports] });
}

/**
 * An Open vSwitch bridge. Its addresses belong to an interface that is one of its ports, `{ name, type: 'ovs-interface', ipv4 }`.
 *
 * @example ovsBridge({ name: 'br-ex', ports: ['eno1', 'br-ex'] })
 */
export function ovsBridge(options: { readonly name: string; readonly ports: readonly string[] }): InterfaceForm {
  const { name, ports } = checked(options);
  checkArgument('ports', ports, 'texts');
  return checkedForm({ name, type: 'ovs-bridge', state: 'up', ports: [...ports] });
}

/**
 * A static route, or the default route of a family.
 *
 * @example route({ destination: '0.0.0.0/0', gateway: '192.0.2.1', interface: 'eno1' })
 */
export function route(options: RouteForm): RouteForm {
  const form = defined(checked(options));
  const found: StateFinding[] = [];
  checkRoute(form, undefined, [], found);
  return orRefused(form, found);
}

/**
 * A rule that chooses a route table.
 *
 * @example rule({ from: '192.0.2.0/24', table: 200 })
 */
export function rule(options: RuleForm): RuleForm {
  const form = defined(checked(options));
  const found: StateFinding[] = [];
  checkRule(form, [], found);
  return orRefused(form, found);
}

function checked<T extends object>(options: T): T {
  checkArgument('options', options, 'object');
  return options;
}

function common(options: InterfaceOptions): Omit<InterfaceForm, 'type'> & { state: 'up' } {
  const { name, mac, mtu, ipv4, ipv6 } = checked(options);
  checkArgument('name', name, 'text');
  return {
    name,
    state: 'up',
    ...defined({ mac, mtu }),
    ...defined({
      ipv4: ipv4 === undefined ? undefined : addressForm(ipv4, {}),
      ipv6: ipv6 === undefined ? undefined : addressForm(ipv6, { autoconf: true }),
    }),
  };
}

function addressForm(addresses: Addresses, dynamic: AddressForm): AddressForm {
  if (addresses === false) return { enabled: false };
  if ('dhcp' in addresses) return { enabled: true, dhcp: true, ...dynamic };
  const { address } = addresses;
  const isTold = Object.keys(dynamic).map((key) => [key, false] as const);
  return { addresses: [address].flat(), enabled: true, dhcp: false, ...Object.fromEntries(isTold) };
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function checkedForm(form: InterfaceForm): InterfaceForm {
  const found: StateFinding[] = [];
  checkInterface(form, [], found);
  if (new Set(portsOf(form)).size < portsOf(form).length) {
    found.push({ code: 'nmstate/invalid-argument', message: 'a port is listed twice', path: ['ports'] });
  }
  return orRefused(form, found);
}

function orRefused<T>(form: T, found: readonly StateFinding[]): T {
  const [first] = found;
  if (first !== undefined)
    throw new RangeError(`${(first.path ?? []).join('.')} must be what nmstate takes: ${first.message}`);
  return form;
}
