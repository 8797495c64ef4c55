import { type Extent, member, type Node, type TextDocument } from '@coreiso/diagnostics';
import { isSecretName } from '@coreiso/peers/secret-names';

/** An entry of a document's outline, with its children. */
export interface OutlineItem extends Extent {
  readonly name: string;
  /** A detail beside the name, such as the type of an interface. */
  readonly detail?: string;
  readonly kind: 'object' | 'list' | 'value';
  /** The range of the name. */
  readonly label: Extent;
  readonly children: readonly OutlineItem[];
}

/** Keys that name an item of a list, the best first. */
const NAMES = ['hostname', 'name', 'path', 'destination', 'ip', 'cidr', 'device', 'source'];
const DETAILS = ['role', 'type', 'macAddress', 'target', 'next-hop-address'];
const DEEPEST = 6;
/** More than an editor shows at once. */
const MOST = 20_000;

/** The members and items of a document that contain others, and named values at its top. */
export function outlineOf({ root }: Pick<TextDocument, 'root'>): readonly OutlineItem[] {
  let left = MOST;
  const childrenOf = (node: Node, depth: number): OutlineItem[] => {
    if (depth > DEEPEST || node.kind === 'scalar') return [];
    if (node.kind === 'sequence') return node.items.flatMap((item, index) => itemOf(item, index, depth));
    return node.entries.flatMap(({ key, value }): OutlineItem[] => {
      if (key.kind !== 'scalar' || (value.kind === 'scalar' && depth > 0) || left-- <= 0) return [];
      const kind = value.kind === 'mapping' ? 'object' : value.kind === 'sequence' ? 'list' : 'value';
      const detail = value.kind === 'scalar' && !isSecretName(key.text) ? firstLine(value.text) : undefined;
      const label = { start: key.start, end: key.end };
      return [itemWith(key.text, detail, kind, label, Math.max(key.end, value.end), childrenOf(value, depth + 1))];
    });
  };
  const itemOf = (node: Node, index: number, depth: number): OutlineItem[] => {
    if (node.kind === 'scalar' || left-- <= 0) return [];
    const named = textAt(node, NAMES);
    const label = named ?? { start: node.start, end: node.start };
    const detail = textAt(node, DETAILS)?.text;
    const kind = node.kind === 'mapping' ? 'object' : 'list';
    const children = childrenOf(node, depth + 1);
    const item = itemWith(named?.text ?? `${index}`, detail, kind, label, node.end, children);
    return [{ ...item, start: Math.min(node.start, label.start) }];
  };
  return root === undefined ? [] : childrenOf(root, 0);
}

function itemWith(
  name: string,
  detail: string | undefined,
  kind: OutlineItem['kind'],
  { start, end }: Extent,
  last: number,
  children: readonly OutlineItem[],
): OutlineItem {
  const detailed = detail === undefined || detail === '' ? {} : { detail };
  return { name, ...detailed, kind, start, end: Math.max(last, end), label: { start, end }, children };
}

function textAt(node: Node, names: readonly string[]): (Extent & { readonly text: string }) | undefined {
  if (node.kind !== 'mapping') return undefined;
  for (const name of names) {
    const value = member(node, name)?.value;
    if (value?.kind === 'scalar' && value.text !== '') return { ...value, text: firstLine(value.text) };
  }
  return undefined;
}

function firstLine(text: string): string {
  return (/^[^\r\n]{0,60}/.exec(text)?.[0] ?? '').replace(/^data:.*$/, 'data:');
}
