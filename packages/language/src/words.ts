import { closest, type Node } from '@coreiso/diagnostics';

/** The intended word: in other letter case, with a typo, or cut short. */
export function nearestWord(text: string, words: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  const longer = words.filter((word) => lower.length > 1 && word.startsWith(lower));
  return (
    words.find((one) => one.toLowerCase() === lower) ??
    closest(text, words) ??
    (longer.length === 1 ? longer[0] : undefined)
  );
}

/** The names of things in a document: interfaces, hosts, pools. */
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

/** Usual interface names of kernels, udev and people. */
const USUAL =
  /^(?:eth\d+|eno\d+|ens\d+(?:f\d+)?(?:np\d+)?|enp\d+s\d+(?:f\d+)?(?:np\d+)?|enx[0-9a-f]{12}|bond-?\d+|team\d+|br(?:\d+|-[a-z]{2,})|vlan\.?\d+|ib\d+|lo)(?:\.\d+)?$/;

/**
 * Whether a name that refers to an interface can only be a typo of the declared one. False if the declaration may be
 * the typo, or if another number may have been meant.
 */
export function isLikelyTypoOf(root: Node | undefined, written: string, declared: string): boolean {
  const letters = (name: string): string => name.replaceAll(/\d+/g, '#');
  if (letters(written) === letters(declared)) return false;
  const names = namesUsed(root);
  const count = (name: string): number => names.filter((one) => one === name).length;
  // Without this reference and that declaration.
  const [others, more] = [count(written) - 1, count(declared) - 1];
  const [isUsual, wouldBe] = [USUAL.test(written), USUAL.test(declared)];
  if (isUsual !== wouldBe) return wouldBe && others <= more;
  return others < more || (others === 0 && more === 0 && !isUsual && written.length > 3);
}

/** Keys of values that may name an interface. */
export const REFERS: RegExp = /name$|iface|interface|port|controller|slaves/;

/** All texts of a document that may name an interface, once per occurrence. */
function namesUsed(root: Node | undefined): readonly string[] {
  const names: string[] = [];
  const visit = (node: Node, key: string): void => {
    if (node.kind === 'scalar') {
      if (REFERS.test(key)) names.push(node.text);
    } else if (node.kind === 'sequence') for (const item of node.items) visit(item, key);
    else for (const { key: own, value } of node.entries) visit(value, own.kind === 'scalar' ? own.text : '');
  };
  if (root !== undefined) visit(root, '');
  return names;
}
