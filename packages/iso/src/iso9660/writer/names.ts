import type { TreeNode } from './tree.ts';

interface ShortName {
  readonly stem: string;
  /** The extension with its dot; empty if there is none. */
  readonly extension: string;
  /** Maximum length of the stem. */
  readonly room: number;
}

/**
 * ECMA-119 7.5 at interchange level 1: `KARGS.JSO`, `VMLINUZ.`, at most eight and three characters. All names that
 * would be equal get numbers, such as `LONG_NA0.TXT` and `LONG_NA1.TXT`.
 */
export function primaryNames(nodes: readonly TreeNode[]): Map<TreeNode, string> {
  return uniqueNames(nodes, (node) => {
    const [stem, extension] = splitAtLastDot(node.name);
    const dot = node.kind === 'directory' && extension === '' ? '' : '.';
    return {
      stem: primaryCharacters(stem).slice(0, 8),
      extension: dot + primaryCharacters(extension.slice(1)).slice(0, 3),
      room: 8,
    };
  });
}

/** Joliet 4: up to 64 characters of UCS-2. */
export function jolietNames(nodes: readonly TreeNode[]): Map<TreeNode, string> {
  return uniqueNames(nodes, (node) => {
    const [stem, extension] = splitAtLastDot(jolietCharacters(node.name));
    const kept = extension.slice(0, 32);
    const room = 64 - kept.length;
    return { stem: stem.slice(0, room), extension: kept, room };
  });
}

function primaryCharacters(text: string): string {
  // Each character becomes one, even if it has several UTF-16 units.
  return [...text.replace(/[a-z]/g, (letter) => letter.toUpperCase())]
    .map((character) => (/[A-Z0-9_]/.test(character) ? character : '_'))
    .join('');
}

/** Joliet 3.3.1 forbids control characters and `* / : ; ? \`; characters outside UCS-2 are replaced, too. */
function jolietCharacters(text: string): string {
  return [...text]
    .map((character) => (character.length > 1 || character < ' ' || '*/:;?\\'.includes(character) ? '_' : character))
    .join('');
}

/** The extension keeps its dot. A leading dot does not start an extension. */
function splitAtLastDot(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
}

function uniqueNames(nodes: readonly TreeNode[], shorten: (node: TreeNode) => ShortName): Map<TreeNode, string> {
  const groups = new Map<string, TreeNode[]>();
  const shortened = new Map(nodes.map((node) => [node, shorten(node)]));
  for (const [node, { stem, extension }] of shortened) {
    const name = comparable(stem, extension);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [node]);
    else group.push(node);
  }
  const taken = new Set([...groups].filter(([, group]) => group.length === 1).map(([name]) => name));
  const names = new Map<TreeNode, string>();
  for (const group of groups.values()) {
    let number = 0;
    for (const node of group) {
      const { stem, extension, room } = shortened.get(node) as ShortName;
      let unique = stem;
      while (group.length > 1) {
        const digits = String(number++);
        unique = stem.slice(0, room - digits.length) + digits;
        if (!taken.has(comparable(unique, extension))) break;
      }
      taken.add(comparable(unique, extension));
      names.set(node, unique + extension);
    }
  }
  return names;
}

/** A directory `A` and a file `A.` have different identifiers, but the same name in most readers. */
function comparable(stem: string, extension: string): string {
  return extension === '.' ? stem : stem + extension;
}
