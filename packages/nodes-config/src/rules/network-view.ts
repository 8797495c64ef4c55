// As much of a network state as the rules about hosts need, whether or not nmstate would take it.
import { goText, goYaml, member, type Node, type Path } from '@coreiso/diagnostics';
import { jsonName } from '../text/decode.ts';
import { entryOf } from '../text/lookup.ts';

/** A name or an address, and where it stands in the document. */
export interface Mention {
  readonly text: string;
  readonly path: Path;
}

export interface InterfaceView {
  readonly name: Mention | undefined;
  readonly type: string;
  readonly state: string;
  readonly identifier: string;
  readonly macAddress: string;
  /** Interfaces below it: ports of bonds and bridges, bases of VLANs. */
  readonly lower: readonly Mention[];
}

/** The interfaces as nmstate reads their keys; what is not there is empty. */
export function readInterfaces(network: Node, path: Path): InterfaceView[] {
  return itemsOf(memberOf(network, 'interfaces')).map((node, position) => {
    const at = [...path, 'interfaces', position];
    return {
      name: mention(memberOf(node, 'name'), [...at, 'name']),
      type: textOf(memberOf(node, 'type')),
      state: textOf(memberOf(node, 'state')) || 'up',
      identifier: textOf(memberOf(node, 'identifier')),
      macAddress: textOf(memberOf(node, 'mac-address')),
      lower: lowerInterfaces(node, at),
    };
  });
}

/** Sections that name one base interface. */
const BASES = ['vlan', 'vxlan', 'mac-vlan', 'mac-vtap', 'macsec', 'ipvlan'] as const;

function lowerInterfaces(node: Node, path: Path): Mention[] {
  const found: (Mention | undefined)[] = BASES.map((section) =>
    mention(memberOf(memberOf(node, section), 'base-iface'), [...path, section, 'base-iface']),
  );
  const bond = memberOf(node, 'link-aggregation');
  const bridge = memberOf(node, 'bridge');
  found.push(
    ...portNames(bond, 'port', [...path, 'link-aggregation']),
    ...portNames(bond, 'ports', [...path, 'link-aggregation']),
    ...portNames(bond, 'ports-config', [...path, 'link-aggregation']),
    ...portNames(bridge, 'port', [...path, 'bridge']),
    ...portNames(bridge, 'ports', [...path, 'bridge']),
    ...portNames(memberOf(node, 'vrf'), 'port', [...path, 'vrf']),
  );
  return found.filter((one) => one !== undefined);
}

/** Ports are names, or maps with a name; an OVS port may be a bond with ports of its own. */
function portNames(section: Node | undefined, key: string, path: Path): (Mention | undefined)[] {
  return itemsOf(memberOf(section, key)).flatMap((item, position) => {
    const at = [...path, key, position];
    if (item.kind === 'scalar') return [mention(item, at)];
    const bond = memberOf(item, 'link-aggregation');
    if (bond !== undefined) return portNames(bond, 'port', [...at, 'link-aggregation']);
    return [mention(memberOf(item, 'name'), [...at, 'name'])];
  });
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'sequence' ? node.items : [];
}

function memberOf(node: Node | undefined, name: string): Node | undefined {
  return node?.kind === 'mapping' ? member(node, name)?.value : undefined;
}

function textOf(node: Node | undefined): string {
  return node?.kind === 'scalar' ? (goText(goYaml(node)) ?? '') : '';
}

function mention(node: Node | undefined, path: Path): Mention | undefined {
  const text = textOf(node);
  return text === '' ? undefined : { text, path };
}

/** The static addresses, or what Go's decoder cannot read them from. */
export type AddressReading =
  | { readonly ok: true; readonly addresses: readonly Mention[] }
  | { readonly ok: false; readonly misfit: Mention };

/** Members and list items on the way to an address, as upstream's own few structs declare them. */
const TO_ADDRESSES = (family: string): readonly string[] => ['interfaces', '*', family, 'address', '*', 'ip'];

/**
 * The addresses as upstream finds them: letter case of keys is free, null is nothing, and nothing else is looked at.
 *
 * @example const reading = readAddresses(network.node, ['hosts', 0, 'networkConfig'])
 */
export function readAddresses(network: Node, path: Path): AddressReading {
  const addresses: Mention[] = [];
  let misfit: Mention | undefined;
  const walk = (node: Node, at: Path, [step, ...rest]: readonly string[]): void => {
    if (isNull(node)) return;
    const wanted = step === undefined ? 'scalar' : step === '*' ? 'sequence' : 'mapping';
    if (node.kind !== wanted) misfit ??= { text: jsonName(node), path: at };
    else if (node.kind === 'scalar') addresses.push({ text: textOf(node), path: at });
    else if (node.kind === 'sequence')
      for (const [index, item] of node.items.entries()) walk(item, [...at, index], rest);
    else if (step !== undefined) {
      const value = entryOf(node, step)?.value;
      if (value !== undefined) walk(value, [...at, step], rest);
    }
  };
  for (const family of ['ipv4', 'ipv6']) walk(network, path, TO_ADDRESSES(family));
  if (misfit !== undefined) return { ok: false, misfit };
  // By interface, and of each interface IPv4 first.
  const interfaceOf = (mention: Mention): number => Number(mention.path[path.length + 1]);
  return { ok: true, addresses: addresses.sort((a, b) => interfaceOf(a) - interfaceOf(b)) };
}

function isNull(node: Node): boolean {
  return node.kind === 'scalar' && goYaml(node) === null;
}
