// The parts of a network state that rules about hosts need, whether or not nmstate would accept it.
import { asGoWrites, closest, goYaml, type Node, type Path } from '@coreiso/diagnostics';
import { linksOf, type NetworkLink } from '@coreiso/nmstate';
import { goText } from '@coreiso/peers/go';
import { jsonName } from '../text/decode.ts';
import { entryOf } from '../text/lookup.ts';

/** A name or an address, and where it is in the document. */
export interface Mention {
  readonly text: string;
  readonly path: Path;
}

// A cache, because several rules read the network of one host.
const written = new WeakMap<Node, Node>();
const known = new WeakMap<Node, readonly NetworkLink[]>();

/** A network as Go passes it to nmstate, at the user's own places. */
export function asPassedToNmstate(node: Node): Node {
  const nodes = written.get(node) ?? asGoWrites(node);
  written.set(node, nodes);
  return nodes;
}

/** The links of a network in a document, by their names in Go's spelling. */
export function readLinks({ node, path }: { readonly node: Node; readonly path: Path }): readonly NetworkLink[] {
  const placed = <T extends { readonly path: Path }>(one: T): T => ({ ...one, path: [...path, ...one.path] });
  const links = known.get(node) ?? linksOf({ node: asPassedToNmstate(node) });
  known.set(node, links);
  if (path.length === 0) return links;
  return links.map((link) => placed({ ...link, below: link.below.map(placed), peers: link.peers.map(placed) }));
}

/** systemd's predictable names, as the service matches them: real names, whether or not the table has them. */
const PREDICTABLE = /^en[PsvxXbucaipod]/;

/** Whether a name means hardware only if the table has it. */
export function needsTable(name: string): boolean {
  return !PREDICTABLE.test(name) && !name.startsWith('sriov:');
}

/** Whether the profile of a link finds its card by its name. */
export function isHardware({ type, identifier }: NetworkLink): boolean {
  return (type === 'ethernet' || type === '802-3-ethernet') && identifier !== 'mac-address';
}

/** Declared cards whose names are nearly those of undeclared cards in the table, and these names. */
export function misspeltNames(
  links: readonly NetworkLink[],
  interfaces: readonly { readonly name: string }[],
): ReadonlyMap<string, string> {
  const declared = new Set(links.map(({ name }) => name));
  const known = new Set(interfaces.map(({ name }) => name));
  const undeclared = [...known].filter((name) => name !== '' && !declared.has(name));
  const unconfigured = links.filter((link) => link.state === 'up' && isHardware(link) && !known.has(link.name));
  return new Map(
    unconfigured.flatMap(({ name }) => {
      const near = needsTable(name) ? closest(name, undeclared) : undefined;
      return near === undefined ? [] : [[name, near] as const];
    }),
  );
}

function textOf(node: Node | undefined): string {
  return node?.kind === 'scalar' ? (goText(goYaml(node)) ?? '') : '';
}

/** The static addresses, or the value from which Go's decoder cannot read them. */
export type AddressReading =
  | { readonly ok: true; readonly addresses: readonly Mention[] }
  | { readonly ok: false; readonly mismatch: Mention };

/** The path of members and list items to an address, as upstream's own structs declare it. */
const TO_ADDRESSES = (family: string): readonly string[] => ['interfaces', '*', family, 'address', '*', 'ip'];

/**
 * The addresses as upstream finds them: letter case of keys is ignored, null counts as absent, and all else is ignored.
 *
 * @example const reading = readAddresses(network.node, ['hosts', 0, 'networkConfig'])
 */
export function readAddresses(network: Node, path: Path): AddressReading {
  const addresses: Mention[] = [];
  let mismatch: Mention | undefined;
  const walk = (node: Node, at: Path, [step, ...rest]: readonly string[]): void => {
    if (isNull(node)) return;
    const wanted = step === undefined ? 'scalar' : step === '*' ? 'sequence' : 'mapping';
    if (node.kind !== wanted) mismatch ??= { text: jsonName(node), path: at };
    else if (node.kind === 'scalar') addresses.push({ text: textOf(node), path: at });
    else if (node.kind === 'sequence')
      for (const [index, item] of node.items.entries()) walk(item, [...at, index], rest);
    else if (step !== undefined) {
      const value = entryOf(node, step)?.value;
      if (value !== undefined) walk(value, [...at, step], rest);
    }
  };
  for (const family of ['ipv4', 'ipv6']) walk(network, path, TO_ADDRESSES(family));
  if (mismatch !== undefined) return { ok: false, mismatch };
  // Sorted by interface, and for each interface IPv4 first.
  const interfaceOf = (mention: Mention): number => Number(mention.path[path.length + 1]);
  return { ok: true, addresses: addresses.sort((a, b) => interfaceOf(a) - interfaceOf(b)) };
}

function isNull(node: Node): boolean {
  return node.kind === 'scalar' && goYaml(node) === null;
}
