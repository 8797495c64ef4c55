// Mistakes that every reader accepts: left-over quotes and commas, keys without a value.
import {
  type Diagnostic,
  diagnostic,
  type Node,
  type Path,
  type ScalarNode,
  type TextDocument,
} from '@coreiso/diagnostics';
import type { LanguageKind } from './kinds.ts';
import { shapesAt, typesOf, wordsOf } from './schema.ts';
import { namesIn, nearestWord } from './words.ts';

/** Findings about values that are not read as they look. */
export function lint(kind: LanguageKind, document: TextDocument): Diagnostic[] {
  const { root } = document;
  const found: Diagnostic[] = [];
  const names = namesIn(root);
  const visit = (node: Node, path: Path, key: Node | undefined): void => {
    if (node.kind === 'scalar') {
      const finding =
        strayCharacter(node) ??
        missingValue(kind, document, node, path) ??
        unlikelyWord(kind, document, node, path, names);
      if (finding !== undefined && (key === undefined || node.start >= key.start)) {
        found.push(
          diagnostic({ severity: 'warning', path, ...finding }, document.range(node.text === '' && key ? key : node)),
        );
      }
    } else if (node.kind === 'sequence') {
      for (const [index, item] of node.items.entries()) visit(item, [...path, index], undefined);
    } else {
      for (const entry of node.entries)
        if (entry.key.kind === 'scalar') visit(entry.value, [...path, entry.key.text], entry.key);
    }
  };
  if (root !== undefined) visit(root, [], undefined);
  return found;
}

interface Words {
  readonly code: string;
  readonly message: string;
  readonly help: string;
}

function strayCharacter({ style, text }: ScalarNode): Words | undefined {
  if (style !== 'plain') return undefined;
  const code = 'language/stray-character';
  const quote = /^[\u2018\u2019\u201c\u201d]|["'\u2018\u2019\u201c\u201d]$/.exec(text)?.[0];
  if (quote !== undefined)
    return {
      code,
      message: `the quote ${quote} is part of the value`,
      help: 'Write straight quotes around it, or none.',
    };
  const end = /[,;]$/.exec(text)?.[0];
  if (end !== undefined) return { code, message: `the ${end} at the end is part of the value`, help: 'Remove it.' };
  if (/[\u00a0\u2002-\u200b\u202f\u3000]/.test(text))
    return { code, message: 'the value has an unusual space', help: 'Write an ordinary space.' };
  return undefined;
}

function missingValue(
  kind: LanguageKind,
  { root, text }: TextDocument,
  node: ScalarNode,
  path: Path,
): Words | undefined {
  if (kind === 'ignition' || node.text !== '' || node.style !== 'plain' || text === '' || path.length === 0)
    return undefined;
  const types = typesOf(shapesAt(kind, root, path));
  if (types.size === 0 || types.has('array') || types.has('object')) return undefined;
  const name = String(path.at(-1));
  return {
    code: 'language/empty-value',
    message: `\`${name}\` has no value`,
    help: `Write a value, or remove \`${name}\`.`,
  };
}

/** An unknown word that is close to a known one. */
function unlikelyWord(
  kind: LanguageKind,
  { root }: TextDocument,
  { text }: ScalarNode,
  path: Path,
  names: readonly string[],
): Words | undefined {
  const name = String(path.at(-1));
  const words = REFERENCE.test(name) ? names : wordsOf(shapesAt(kind, root, path));
  if (text === '' || words.length < 2 || words.includes(text)) return undefined;
  const near = nearestWord(text, words);
  if (near === undefined) return undefined;
  const help = `Did you mean \`${near}\`?`;
  return {
    code: 'language/unlikely-value',
    message: `\`${text}\` is not a known value of \`${name}\``,
    help,
  };
}

/** Keys whose values name an interface of the document. */
const REFERENCE = /^(?:base-iface|next-hop-interface)$/;

/** The line of the other entry with the same key. */
export function duplicateKeyFindings(document: TextDocument, findings: readonly Diagnostic[]): Diagnostic[] {
  const told = new Set(
    findings.filter(({ code }) => code.endsWith('/duplicate-key')).map(({ range }) => range?.start.offset),
  );
  const nodes: Node[] = told.size === 0 || document.root === undefined ? [] : [document.root];
  const found: Diagnostic[] = [];
  for (const node of nodes) {
    if (node.kind === 'sequence') nodes.push(...node.items);
    if (node.kind !== 'mapping') continue;
    nodes.push(...node.entries.map(({ value }) => value));
    for (const { key } of node.entries) {
      const others = node.entries.filter(
        (one) => one.key !== key && one.key.kind === 'scalar' && key.kind === 'scalar' && one.key.text === key.text,
      );
      if (key.kind !== 'scalar' || told.has(key.start) || !others.some((one) => told.has(one.key.start))) continue;
      const message = `\`${key.text}\` is also here`;
      found.push(
        diagnostic(
          { severity: 'warning', code: 'language/duplicate-key', message, help: 'Remove one of them.' },
          document.range(key),
        ),
      );
    }
  }
  return found;
}
