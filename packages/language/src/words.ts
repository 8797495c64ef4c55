import { closest, type Node } from '@coreiso/diagnostics';

/** The word that was meant: in other letter case, with a slip, or cut short. */
export function nearestWord(text: string, words: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  const longer = words.filter((word) => lower.length > 1 && word.startsWith(lower));
  return (
    words.find((one) => one.toLowerCase() === lower) ??
    closest(text, words) ??
    (longer.length === 1 ? longer[0] : undefined)
  );
}

/** The names that things have in a document: interfaces, hosts, pools. */
export function namesIn(root: Node | undefined, except?: Node): readonly string[] {
  const names = new Set<string>();
  const nodes: Node[] = root === undefined ? [] : [root];
  for (const node of nodes) {
    if (node.kind === 'sequence') nodes.push(...node.items);
    if (node.kind !== 'mapping') continue;
    for (const { key, value } of node.entries) {
      if (value.kind !== 'scalar') nodes.push(value);
      else if (key.kind === 'scalar' && key.text === 'name' && value !== except) names.add(value.text);
    }
  }
  return [...names];
}
