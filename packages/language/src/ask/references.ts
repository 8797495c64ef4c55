// References to interfaces and addresses that are declared elsewhere in a document.
import { member, type Node, type Path, type ScalarNode, type TextDocument } from '@coreiso/diagnostics';
import { nodesTo } from '../path-at.ts';

/** Keys whose values, or items, name an interface. */
const REFERENCES =
  /^(?:base-iface|base-interface|next-hop-interface|controller|primary|port|ports|slaves|iif|peer|route-interface|name)$/;

/** Whether the value at a path may name an interface. */
export function isReference(path: Path): boolean {
  return REFERENCES.test(String(path.findLast((step) => typeof step === 'string') ?? ''));
}

/** The interface names that fit at a path: those of the network state around it, then those in the host's table. */
export function interfacesAround(document: TextDocument, path: Path): readonly ScalarNode[] {
  const own = nodesTo(document, path).at(-1);
  return nodesTo(document, path)
    .toReversed()
    .flatMap(declaredIn)
    .filter((name) => name !== own);
}

function declaredIn(node: Node): ScalarNode[] {
  const list = node.kind === 'mapping' ? member(node, 'interfaces')?.value : undefined;
  if (list?.kind !== 'sequence') return [];
  return list.items.flatMap((item) => {
    const name = item.kind === 'mapping' ? member(item, 'name')?.value : undefined;
    return name?.kind === 'scalar' && name.text !== '' ? [name] : [];
  });
}

/** The declaration that the value at a path refers to; undefined if it is not a reference. */
export function declarationOf(document: TextDocument, path: Path): ScalarNode | undefined {
  const node = nodesTo(document, path)[path.length];
  if (node?.kind !== 'scalar' || node.text === '') return undefined;
  if (isReference(path)) return interfacesAround(document, path).find(({ text }) => text === node.text);
  if (path.at(-1) === 'rendezvousIP')
    return valuesOf(document, /^ip$/).find(({ text }) => text.split('/')[0] === node.text);
  if (path.at(-1) === 'next-hop-address') return undefined;
  if (MAC_KEY.test(String(path.at(-1))))
    return valuesOf(document, MAC_KEY).find(
      (other) => other !== node && other.text.toLowerCase() === node.text.toLowerCase(),
    );
  return undefined;
}

/** Keys whose values are MAC addresses. */
export const MAC_KEY: RegExp = /^(?:macAddress|mac-address|bootMACAddress)$/;

/** The scalars of all members with certain keys, anywhere in a document. */
export function valuesOf({ root }: Pick<TextDocument, 'root'>, name: RegExp): readonly ScalarNode[] {
  const found: ScalarNode[] = [];
  const nodes: Node[] = root === undefined ? [] : [root];
  for (const node of nodes) {
    if (node.kind === 'sequence') for (const item of node.items) nodes.push(item);
    if (node.kind !== 'mapping') continue;
    for (const { key, value } of node.entries) {
      if (value.kind !== 'scalar') nodes.push(value);
      else if (key.kind === 'scalar' && name.test(key.text) && value.text !== '') found.push(value);
    }
  }
  return found;
}
