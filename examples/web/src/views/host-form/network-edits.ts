// Common edits of a network, each as a step from one form to the next. Forms are immutable; fields without a value are left out.
import type { AddressForm, BondMode, InterfaceForm, NetworkForm } from '@coreiso/nmstate/forms';

const EVERYWHERE = { ipv4: '0.0.0.0/0', ipv6: '::/0' } as const;
export type Family = keyof typeof EVERYWHERE;
export const FAMILIES: readonly Family[] = ['ipv4', 'ipv6'];

export const EMPTY_NETWORK: NetworkForm = { interfaces: [], routes: [], rules: [], dns: { servers: [], search: [] } };

/** Interfaces that can be added with a few fields; others are written in the text. */
export type NewInterface =
  | { readonly type: 'ethernet'; readonly name: string }
  | { readonly type: 'bond'; readonly name: string; readonly ports: readonly string[]; readonly mode: BondMode }
  | { readonly type: 'vlan'; readonly base: string; readonly id: number }
  | { readonly type: 'linux-bridge'; readonly name: string; readonly ports: readonly string[] };

/**
 * Adds an interface; missing ports are added with it. Ports have no addresses: the first addresses of a port, and the
 * routes through the ports, move to the new interface.
 */
export function addInterface(form: NetworkForm, added: NewInterface): NetworkForm {
  const known = new Set(form.interfaces.map(({ name }) => name));
  const below = 'ports' in added ? added.ports : 'base' in added ? [added.base] : [];
  const cards = below
    .filter((name) => !known.has(name))
    .map((name): InterfaceForm => ({ name, type: 'ethernet', state: 'up' }));
  const one = interfaceFormOf(added);
  if (!('ports' in added)) return { ...form, interfaces: [...form.interfaces, ...cards, one] };
  const isPort = (name: string | undefined): boolean => name !== undefined && added.ports.includes(name);
  const kept = form.interfaces.map((each) => (isPort(each.name) ? withoutAddresses(each) : each));
  const carrier = form.interfaces.find((each) => isPort(each.name) && FAMILIES.some((family) => each[family]?.enabled));
  const addresses = FAMILIES.flatMap((family) => (carrier?.[family] === undefined ? [] : [[family, carrier[family]]]));
  const heir = { ...one, ...Object.fromEntries(addresses) } as InterfaceForm;
  const routes = form.routes.map((route) => (isPort(route.interface) ? { ...route, interface: one.name } : route));
  return { ...form, interfaces: [...kept, ...cards, heir], routes };
}

function interfaceFormOf(added: NewInterface): InterfaceForm {
  const state = 'up';
  if (added.type === 'bond')
    return { type: 'bond', name: added.name, state, mode: added.mode, ports: [...added.ports] };
  if (added.type === 'vlan')
    return { type: 'vlan', name: `${added.base}.${added.id}`, state, base: added.base, id: added.id };
  if (added.type === 'linux-bridge') return { type: 'linux-bridge', name: added.name, state, ports: [...added.ports] };
  return { type: 'ethernet', name: added.name, state };
}

function withoutAddresses(one: InterfaceForm): InterfaceForm {
  const { ipv4, ipv6, ...rest } = one;
  return {
    ...rest,
    ...(ipv4 === undefined ? {} : { ipv4: { enabled: false } }),
    ...(ipv6 === undefined ? {} : { ipv6: { enabled: false } }),
  } as InterfaceForm;
}

/** Removes an interface, with interfaces that are only on it, and the routes through it. */
export function removeInterface(form: NetworkForm, name: string): NetworkForm {
  const gone = new Set([name]);
  for (let grows = true; grows; ) {
    const { size } = gone;
    for (const one of form.interfaces) if (one.type === 'vlan' && gone.has(one.base ?? '')) gone.add(one.name);
    grows = gone.size > size;
  }
  const interfaces = form.interfaces
    .filter((one) => !gone.has(one.name))
    .map((one) =>
      'ports' in one && one.ports !== undefined ? { ...one, ports: one.ports.filter((port) => !gone.has(port)) } : one,
    );
  return { ...form, interfaces, routes: form.routes.filter((route) => !gone.has(route.interface ?? '')) };
}

export function changeInterface(form: NetworkForm, position: number, members: object): NetworkForm {
  const interfaces = form.interfaces.map((one, index) =>
    index === position ? ({ ...one, ...members } as InterfaceForm) : one,
  );
  return { ...form, interfaces };
}

/** The source of the addresses of a family; `keep` if the text has something that no choice describes. */
export type Addressing = 'keep' | 'off' | 'dhcp' | 'static';

export function addressingOf({
  enabled,
  dhcp = false,
  autoconf = false,
  addresses = [],
}: AddressForm = {}): Addressing {
  if (enabled === undefined) return 'keep';
  if (!enabled) return 'off';
  if (dhcp || autoconf) return 'dhcp';
  return addresses.length > 0 ? 'static' : 'keep';
}

export function withAddressing(
  family: Family,
  addressing: Addressing,
  addresses: readonly string[],
): AddressForm | undefined {
  if (addressing === 'keep') return undefined;
  if (addressing === 'off') return { enabled: false };
  if (addressing === 'static')
    return { enabled: true, dhcp: false, ...(family === 'ipv6' ? { autoconf: false } : {}), addresses: [...addresses] };
  return { enabled: true, dhcp: true, ...(family === 'ipv6' ? { autoconf: true } : {}) };
}

/** The default route of a family; the first, if the text has several. */
export function gatewayOf(
  { routes }: NetworkForm,
  family: Family,
): { readonly address: string; readonly through: string } {
  const found = routes.find(({ destination }) => destination === EVERYWHERE[family]);
  return { address: found?.gateway ?? '', through: found?.interface ?? '' };
}

export function withGateway(form: NetworkForm, family: Family, address: string, through: string): NetworkForm {
  const destination = EVERYWHERE[family];
  const at = form.routes.findIndex((route) => route.destination === destination);
  const before = form.routes[at];
  if (address === '') return { ...form, routes: form.routes.filter((_, index) => index !== at) };
  // nmstate needs the interface; by default it is the first with addresses of that family.
  const carrier = through || (form.interfaces.find((one) => one[family]?.enabled === true) ?? form.interfaces[0])?.name;
  const after = { ...before, destination, gateway: address, interface: carrier };
  const routes =
    at === -1 ? [...form.routes, after] : form.routes.map((route, index) => (index === at ? after : route));
  return { ...form, routes };
}

/** Interfaces that can become ports: no other interface is on them. */
export function freePorts({ interfaces }: NetworkForm, cards: readonly string[]): string[] {
  const taken = new Set(
    interfaces.flatMap((one) => ('ports' in one ? (one.ports ?? []) : one.type === 'vlan' ? [one.base ?? ''] : [])),
  );
  const names = [...cards, ...interfaces.map(({ name }) => name)].filter((name) => name !== '');
  return [...new Set(names)].filter((name) => !taken.has(name));
}

/** `bond0` or, if it exists, the next. */
export function freeName({ interfaces }: NetworkForm, stem: string): string {
  const names = new Set(interfaces.map(({ name }) => name));
  for (let number = 0; ; number += 1) if (!names.has(`${stem}${number}`)) return `${stem}${number}`;
}

/** Words separated by commas or blanks. */
export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
