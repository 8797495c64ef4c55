// Checks fields for values that nmstate refuses or that cannot work on the machine. Ignores parts of a state that forms do not
// have.
import type { Path } from '@coreiso/diagnostics';
import { canonicalAddress, parseAddress, parseCidr } from '@coreiso/peers/ip';
import { isInterfaceName } from '../strict/interfaces.ts';
import type { StateFinding } from '../table/codes.ts';
import { MODES } from './fields.ts';
import type { AddressForm, InterfaceForm, NetworkForm, RouteForm, RuleForm } from './types.ts';

type StateFindings = StateFinding[];
type Family = 'ipv4' | 'ipv6';

const FAMILIES: readonly Family[] = ['ipv4', 'ipv6'];
const VERSIONS = { ipv4: 4, ipv6: 6 } as const;
const HIGHEST = 0xffff_ffff;
/** RFC 8200: the lowest MTU of every IPv6 link. */
const LOWEST_IPV6_MTU = 1280;
const HIGHEST_VLAN = 4094;

/** All mistakes in a form, each with the path of its field. */
export function formFindings(form: NetworkForm): StateFinding[] {
  const found: StateFindings = [];
  for (const [index, one] of form.interfaces.entries()) checkInterface(one, ['interfaces', index], found);
  checkNames(form.interfaces, found);
  checkPorts(form.interfaces, found);
  checkBases(form.interfaces, found);
  checkNesting(form.interfaces, found);
  for (const [index, one] of form.routes.entries()) checkRoute(one, form.interfaces, ['routes', index], found);
  for (const [index, one] of form.rules.entries()) checkRule(one, ['rules', index], found);
  checkDns(form, found);
  return found;
}

export function checkInterface(form: InterfaceForm, path: Path, found: StateFindings): void {
  const { name, mac, mtu, type } = form;
  if (!isInterfaceName(name)) {
    const message = name === '' ? 'the interface has no name' : `\`${name}\` cannot be the name of an interface`;
    const help = 'Use at most 15 characters, without blanks, colons and slashes.';
    found.push({ code: 'nmstate/interface-name', message, path: [...path, 'name'], help });
  }
  if (mac !== undefined && type === 'ovs-bridge') {
    const message = 'an Open vSwitch bridge has no MAC address of its own';
    found.push({ code: 'nmstate/invalid-argument', message, path: [...path, 'mac'], help: 'Leave it out.' });
  } else if (mac !== undefined && type !== 'infiniband' && !/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac)) {
    const message = `\`${mac}\` is not a MAC address`;
    found.push({
      code: 'nmstate/mac-address',
      message,
      path: [...path, 'mac'],
      help: 'Write it as 52:54:00:00:00:01.',
    });
  }
  const lowest = form.ipv6?.enabled === true ? LOWEST_IPV6_MTU : 1;
  checkNumber(mtu, lowest, HIGHEST, 'MTU', [...path, 'mtu'], found);
  for (const family of FAMILIES) checkAddresses(form[family], family, [...path, family], found);
  if (form.type === 'vlan') checkVlan(form, path, found);
  if (form.type === 'bond') checkBond(form, path, found);
}

function checkNumber(
  value: number | undefined,
  lowest: number,
  highest: number,
  what: string,
  path: Path,
  found: StateFindings,
): void {
  if (value === undefined || (Number.isInteger(value) && value >= lowest && value <= highest)) return;
  const message = `${what} ${value} is out of range (${lowest}–${highest})`;
  found.push({ code: 'nmstate/out-of-range', message, path, help: 'Choose a whole number in that range.' });
}

function checkAddresses(form: AddressForm | undefined, family: Family, path: Path, found: StateFindings): void {
  const version = VERSIONS[family];
  form?.addresses?.forEach((text, index) => {
    const cidr = parseCidr(text);
    if (cidr?.address.version === version) return;
    const example = version === 4 ? '192.0.2.10/24' : '2001:db8::10/64';
    const message = `expected an IPv${version} address with a prefix, found '${text}'`;
    found.push({
      code: 'nmstate/wrong-address',
      message,
      path: [...path, 'addresses', index],
      help: `Write it as ${example}.`,
    });
  });
  if (form?.enabled === true && form.autoconf === true && form.dhcp !== true) {
    const message = 'nmstate does not support autoconf without DHCP';
    found.push({
      code: 'nmstate/not-implemented',
      message,
      path: [...path, 'autoconf'],
      help: 'Switch `dhcp` on, too.',
    });
  }
  if (family === 'ipv4' && form?.autoconf !== undefined) {
    const message = 'autoconf is for IPv6 only';
    found.push({ code: 'nmstate/refused-key', message, path: [...path, 'autoconf'], help: 'Leave it out.' });
  }
}

function checkVlan({ base, id, name }: InterfaceForm & { type: 'vlan' }, path: Path, found: StateFindings): void {
  if (base === undefined || base === '' || base === name) {
    const message = 'the VLAN has no interface below it';
    found.push({
      code: 'nmstate/missing-key',
      message,
      path: [...path, 'base'],
      help: 'Name the interface in `base`.',
    });
  }
  if (id === undefined || !Number.isInteger(id) || id < 1 || id > HIGHEST_VLAN) {
    const message = `VLAN ID ${id} is out of range (1–${HIGHEST_VLAN})`;
    found.push({ code: 'nmstate/vlan-id', message, path: [...path, 'id'], help: 'Choose a number in that range.' });
  }
}

/** Modes with a primary port. */
const WITH_PRIMARY: readonly string[] = ['active-backup', 'balance-tlb', 'balance-alb'];

function checkBond(form: InterfaceForm & { type: 'bond' }, path: Path, found: StateFindings): void {
  const { mode, primary, ports = [], miimon, state = 'up' } = form;
  if (mode === undefined ? state === 'up' : !MODES.includes(mode)) {
    const message = mode === undefined ? 'the bond has no mode' : `\`${mode}\` is not a mode of a bond`;
    const help = `Choose one of ${MODES.join(', ')}.`;
    found.push({ code: 'nmstate/unknown-value', message, path: [...path, 'mode'], help });
  }
  checkNumber(miimon, 0, HIGHEST, 'miimon', [...path, 'miimon'], found);
  if (primary === undefined || (ports.includes(primary) && WITH_PRIMARY.includes(mode ?? ''))) return;
  const message = ports.includes(primary)
    ? `a bond in mode ${mode} has no primary port`
    : `${primary} is not a port of the bond`;
  found.push({
    code: 'nmstate/primary-port',
    message,
    path: [...path, 'primary'],
    help: 'Choose a port, or leave it out.',
  });
}

/** Refuses repeated names. Open vSwitch bridges have separate names. */
function checkNames(interfaces: readonly InterfaceForm[], found: StateFindings): void {
  const seen = new Set<string>();
  interfaces.forEach(({ name, type }, index) => {
    const key = type === 'ovs-bridge' || type === 'ipsec' ? `${name} ${type}` : name;
    if (seen.has(key) && name !== '') {
      const message = `${name} is declared twice`;
      const help = 'Give every interface a name of its own.';
      found.push({ code: 'nmstate/duplicate-interface', message, path: ['interfaces', index, 'name'], help });
    }
    seen.add(key);
    const isBeside =
      type !== 'ovs-interface' && interfaces.some((one) => one.type === 'ovs-bridge' && one.name === name);
    if (isBeside && type !== 'ovs-bridge') {
      const message = `${name} is a bridge of Open vSwitch: only its own interface can share the name`;
      const help = 'Choose another name, or the type `ovs-interface`.';
      found.push({ code: 'nmstate/invalid-argument', message, path: ['interfaces', index, 'name'], help });
    }
  });
}

export function portsOf(form: InterfaceForm): readonly string[] {
  return 'ports' in form ? (form.ports ?? []) : [];
}

function checkPorts(interfaces: readonly InterfaceForm[], found: StateFindings): void {
  const owners = new Map<string, InterfaceForm>();
  interfaces.forEach((form, index) => {
    portsOf(form).forEach((port, position) => {
      const path = ['interfaces', index, 'ports', position];
      const owner = owners.get(port) ?? interfaces.find((one) => one !== form && isBridgeOf(port, one));
      if (!isInterfaceName(port)) {
        found.push({ code: 'nmstate/interface-name', message: `\`${port}\` cannot be the name of a port`, path });
      } else if (owner !== undefined) {
        const message = `${port} is a port of ${owner.name} already`;
        found.push({ code: 'nmstate/invalid-argument', message, path, help: 'List it once.' });
      } else if (port === form.name && form.type !== 'ovs-bridge') {
        found.push({ code: 'nmstate/invalid-argument', message: `${port} cannot be a port of itself`, path });
      }
      owners.set(port, form);
    });
  });
  interfaces.forEach((form, index) => {
    const bridge = interfaces.find((one) => isBridgeOf(form.name, one));
    const owner = form.type === 'ovs-bridge' ? undefined : (owners.get(form.name) ?? bridge);
    if (owner === undefined || (owner.type === 'ovs-bridge' && form.type === 'ovs-interface')) return;
    for (const family of FAMILIES) {
      if (form[family]?.enabled !== true) continue;
      const message = `${form.name} is a port of ${owner.name} and cannot have addresses`;
      const path = ['interfaces', index, family, 'enabled'];
      found.push({ code: 'nmstate/invalid-argument', message, path, help: `Move the addresses to ${owner.name}.` });
    }
  });
}

/** The number of passes that nmstate makes over interfaces declared before their controllers. */
const MOST_ROUNDS = 4;

/** Checks ports of ports: nmstate starts controllers first, and has to find an order. */
function checkNesting(interfaces: readonly InterfaceForm[], found: StateFindings): void {
  const present = interfaces.filter(({ state }) => state !== 'absent');
  const owners = new Map(present.flatMap((form) => portsOf(form).map((port) => [port, form] as const)));
  // An Open vSwitch bridge is not a port, but its interface of the same name is.
  const waiting = new Set(present.filter(({ name, type }) => type !== 'ovs-bridge' && owners.has(name)));
  const isUp = ({ state = 'up' }: InterfaceForm): boolean => state === 'up';
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const form of waiting) {
      const owner = owners.get(form.name);
      // nmstate never gets to an interface that is down.
      if (isUp(form) && (owner === undefined || !waiting.has(owner))) waiting.delete(form);
    }
  }
  const first = [...waiting].find(isUp);
  if (first === undefined) return;
  const message = `${first.name} is a port in a circle of ports, or comes before its controller`;
  const path = ['interfaces', interfaces.indexOf(first), 'name'];
  found.push({ code: 'nmstate/invalid-argument', message, path, help: 'Put controllers before their ports.' });
}

/** An Open vSwitch bridge always has the interface of its own name as a port. */
function isBridgeOf(port: string, { name, type }: InterfaceForm): boolean {
  return type === 'ovs-bridge' && name === port;
}

function checkBases(interfaces: readonly InterfaceForm[], found: StateFindings): void {
  for (const [index, form] of interfaces.entries()) {
    if (form.type !== 'vlan' || (form.state ?? 'up') !== 'up') continue;
    const isAbsent = interfaces.some(({ name, state }) => name === form.base && state === 'absent');
    if (!isAbsent) continue;
    const message = `${form.base} is absent, and ${form.name} cannot be on top of it`;
    const path = ['interfaces', index, 'base'];
    found.push({ code: 'nmstate/invalid-argument', message, path, help: 'Choose an interface that is up.' });
  }
}

/** The IP version of a network or an address; undefined for another text. */
function versionOf(text: string): 4 | 6 | undefined {
  return (parseCidr(text)?.address ?? parseAddress(text))?.version;
}

export function checkRoute(
  { destination, gateway, interface: name, metric, table }: RouteForm,
  interfaces: readonly InterfaceForm[] | undefined,
  path: Path,
  found: StateFindings,
): void {
  const version = destination === undefined ? undefined : parseCidr(destination)?.address.version;
  const isReserved = destination !== '0.0.0.0/0' && destination?.startsWith('0.') === true;
  if (version === undefined || isReserved) {
    const message = `expected a network, found '${destination ?? ''}'`;
    const help = 'Write it as 198.51.100.0/24, or as 0.0.0.0/0 for all.';
    found.push({ code: 'nmstate/wrong-address', message, path: [...path, 'destination'], help });
  }
  if (gateway !== undefined && (versionOf(gateway) !== version || gateway.includes('/')) && version !== undefined) {
    const message = `expected an IPv${version} address, found '${gateway}'`;
    found.push({
      code: 'nmstate/wrong-address',
      message,
      path: [...path, 'gateway'],
      help: 'Write the address of a router.',
    });
  }
  checkNumber(metric, 0, HIGHEST, 'metric', [...path, 'metric'], found);
  checkNumber(table, 0, HIGHEST, 'table', [...path, 'table'], found);
  if (interfaces === undefined) return;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const home = interfaces.find((one) => one.name === name && one.type !== 'ovs-bridge');
  if (home !== undefined && (home.state ?? 'up') === 'up' && home[family]?.enabled === true) return;
  const message =
    name === undefined || name === '' ? 'the route has no interface' : `${name} has no ${words(family)} for the route`;
  const help = `Choose an interface that has ${words(family)}.`;
  found.push({ code: 'nmstate/invalid-argument', message, path: [...path, 'interface'], help });
}

function words(family: Family): string {
  return family === 'ipv4' ? 'IPv4' : 'IPv6';
}

export function checkRule({ from, to, priority, table }: RuleForm, path: Path, found: StateFindings): void {
  const given = [
    ['from', from],
    ['to', to],
  ] as const;
  const versions = given.flatMap(([key, text]) => {
    if (text === undefined) return [];
    const version = versionOf(text);
    if (version !== undefined) return [version];
    const message = `expected a network, found '${text}'`;
    found.push({ code: 'nmstate/wrong-address', message, path: [...path, key], help: 'Write it as 198.51.100.0/24.' });
    return [];
  });
  if (from === undefined && to === undefined) {
    const message = 'the rule has neither a source nor a destination';
    found.push({
      code: 'nmstate/missing-key',
      message,
      path: [...path, 'from'],
      help: 'Give a network in `from` or `to`.',
    });
  }
  if (new Set(versions).size > 1) {
    const message = 'source and destination are of different families';
    found.push({ code: 'nmstate/invalid-argument', message, path: [...path, 'to'], help: 'Make it two rules.' });
  }
  checkNumber(priority, 0, HIGHEST, 'priority', [...path, 'priority'], found);
  checkNumber(table, 0, HIGHEST, 'table', [...path, 'table'], found);
}

function checkDns({ dns: { servers, search }, interfaces }: NetworkForm, found: StateFindings): void {
  checkServers(servers, interfaces, found);
  const families = servers.map((server): Family => (server.includes(':') ? 'ipv6' : 'ipv4'));
  const turns = families.filter((family, index) => index > 0 && family !== families[index - 1]).length;
  if (turns > 1) {
    const message = 'nmstate does not support servers of both families in turn';
    found.push({ code: 'nmstate/not-implemented', message, path: ['dns', 'servers'], help: 'Group them by family.' });
  }
  const wanted = servers.length > 0 ? new Set(families) : new Set<Family>();
  for (const family of wanted) {
    if (interfaces.some((one) => canResolve(one, family))) continue;
    const message = `no interface has ${words(family)}, and the servers are reached by none`;
    found.push({
      code: 'nmstate/invalid-argument',
      message,
      path: ['dns', 'servers'],
      help: 'Give an interface addresses.',
    });
  }
  if (servers.length > 0 || search.length === 0) return;
  if (interfaces.some((one) => FAMILIES.some((family) => canResolve(one, family)))) return;
  const message = 'no interface has addresses, and names cannot be resolved';
  found.push({
    code: 'nmstate/invalid-argument',
    message,
    path: ['dns', 'search'],
    help: 'Give an interface addresses.',
  });
}

function checkServers(servers: readonly string[], interfaces: readonly InterfaceForm[], found: StateFindings): void {
  const zones = new Set<string>();
  servers.forEach((server, index) => {
    const path = ['dns', 'servers', index];
    const [address = '', zone, ...more] = server.split('%');
    const isOfZone = zone !== undefined && address.includes(':') && more.length === 0;
    if (canonicalAddress(isOfZone ? address : server) === undefined) {
      const message = `expected an IP address, found '${server}'`;
      found.push({ code: 'nmstate/wrong-address', message, path, help: 'Write an address.' });
    } else if (isOfZone && !interfaces.some((one) => one.name === zone && canResolve(one, 'ipv6'))) {
      const message = `${zone || 'the interface'} has no IPv6, and ${server} is reached through it`;
      found.push({ code: 'nmstate/invalid-argument', message, path, help: 'Name an interface that has IPv6.' });
    } else if (isOfZone && zones.add(zone).size > 1) {
      const message = 'nmstate does not support link-local servers behind several interfaces';
      found.push({ code: 'nmstate/not-implemented', message, path, help: 'Name the same interface in all of them.' });
    }
  });
}

function canResolve(form: InterfaceForm, family: Family): boolean {
  const { type, state = 'up' } = form;
  const addresses = form[family];
  if (type === 'loopback' || type === 'ovs-bridge' || state !== 'up' || addresses?.enabled !== true) return false;
  return addresses.dhcp === true || (addresses.addresses ?? []).some((one) => !/^fe80:/i.test(one));
}
