import { checkArgument } from '@coreiso/peers/arguments';
import { HIDDEN } from '@coreiso/peers/hidden';
import { isSecretPath } from '@coreiso/peers/secret-names';
import { type OwnFinding, ownDiagnostic } from '../codes.ts';
import type { Diagnostic, Outcome, Path } from '../diagnostic.ts';
import type { MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, TextDocument } from '../node.ts';
import { fail, succeed } from '../outcome.ts';
import { decodeGoScalar, goYaml } from './go-yaml.ts';
import { TAG } from './tags.ts';

/** Entries that merge keys may add to one document: merges of merges double at every step. */
const MERGED_ENTRIES = 1_000_000;

/**
 * Reads a document as sigs.k8s.io/yaml does. Merge keys `<<` are expanded, and go-yaml's errors are reported (wrong tags, keys
 * that cannot be member names). The later of two entries with one key wins; a merge overrides the entries before it.
 *
 * @example const document = valueOrThrow(readAsGo(valueOrThrow(parseYaml(text, { flavour: 'go' })[0])))
 */
export function readAsGo(document: TextDocument): Outcome<TextDocument> {
  checkArgument('document', document, 'object');
  if (document.root === undefined) return succeed(document);
  const reader = new GoReader(document);
  const root = reader.read(document.root, []);
  if (reader.diagnostics.length > 0) return fail(...reader.diagnostics);
  return succeed(root === document.root ? document : { ...document, root });
}

class GoReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #document: TextDocument;
  /** Aliased nodes are read once. */
  readonly #done = new Map<Node, Node>();
  #mergedEntries = 0;

  constructor(document: TextDocument) {
    this.#document = document;
  }

  read(node: Node, path: Path): Node {
    if (node.kind === 'scalar') {
      this.#checkTag(node, path);
      return node;
    }
    const known = this.#done.get(node);
    if (known !== undefined) return known;
    const read = node.kind === 'sequence' ? this.#readSequence(node, path) : this.#readMapping(node, path);
    this.#done.set(node, read);
    return read;
  }

  #readSequence(node: SequenceNode, path: Path): SequenceNode {
    const items = node.items.map((item, position) => this.read(item, [...path, position]));
    return items.some((item, position) => item !== node.items[position]) ? { ...node, items } : node;
  }

  #readMapping(node: MappingNode, path: Path): MappingNode {
    const entries: MappingEntry[] = [];
    let isChanged = false;
    for (const entry of node.entries) {
      if (isMergeKey(entry.key)) {
        isChanged = true;
        for (const merged of this.#mergedMappings(entry, path)) this.#addMerged(entries, merged, entry, path);
        continue;
      }
      const value = this.read(entry.value, [...path, this.#readKey(entry.key, path)]);
      isChanged ||= value !== entry.value;
      entries.push(value === entry.value ? entry : { key: entry.key, value });
    }
    return isChanged ? { ...node, entries } : node;
  }

  #readKey(key: Node, path: Path): string {
    if (key.kind !== 'scalar') {
      this.#report(key, path, {
        code: 'diagnostics/key-not-scalar',
        message: 'invalid map key: a key must be a single value',
      });
      return '?';
    }
    this.#checkTag(key, path);
    const name = goYaml.key(key);
    if (name === undefined) {
      const message = `unsupported map key: ${String(goYaml(key))}`;
      this.#report(key, path, { code: 'diagnostics/unsupported-key', message, help: 'Put the key in quotes.' });
    }
    return name ?? key.text;
  }

  /** The mappings that a merge key names, weakest first. */
  #mergedMappings({ key, value }: MappingEntry, path: Path): readonly MappingNode[] {
    const isAlias = value.start < key.start;
    const sources = value.kind === 'sequence' && !isAlias ? value.items.toReversed() : [value];
    const mappings: MappingNode[] = [];
    for (const source of sources) {
      const read = source.kind === 'mapping' ? this.read(source, path) : source;
      if (read.kind === 'mapping') {
        mappings.push(read);
        continue;
      }
      const message = 'map merge requires map or sequence of maps as the value';
      this.#report(isAlias ? key : source, path, { code: 'diagnostics/merge-not-mapping', message });
      break;
    }
    return mappings;
  }

  #addMerged(entries: MappingEntry[], merged: MappingNode, { key }: MappingEntry, path: Path): void {
    this.#mergedEntries += merged.entries.length;
    if (this.#mergedEntries <= MERGED_ENTRIES) {
      for (const entry of merged.entries) entries.push(entry);
    } else if (this.#mergedEntries - merged.entries.length <= MERGED_ENTRIES) {
      const message = `merge keys bring in more than ${MERGED_ENTRIES} entries`;
      this.#report(key, path, { code: 'diagnostics/too-many-nodes', message });
    }
  }

  #checkTag(node: ScalarNode, path: Path): void {
    if (node.tag === undefined || decodeGoScalar(node) !== undefined) return;
    const message =
      node.tag === TAG.binary
        ? '!!binary value contains invalid base64 data'
        : `cannot decode ${typeOf(node)} \`${isSecretPath(path) ? HIDDEN : node.text}\` as a ${shortTag(node.tag)}`;
    this.#report(node, path, { code: 'diagnostics/tag-mismatch', message });
  }

  #report(node: Node, path: Path, finding: OwnFinding): void {
    this.diagnostics.push(ownDiagnostic({ ...finding, path }, this.#document.range(node)));
  }
}

/** Plain, or tagged as a merge key (`!` counts as no tag here); a quoted `"<<"` is an ordinary key. */
function isMergeKey(key: Node): boolean {
  if (key.kind !== 'scalar' || key.text !== '<<') return false;
  return key.tag === TAG.merge || key.tag === '!' || (key.tag === undefined && key.style === 'plain');
}

function typeOf({ start, end, text }: ScalarNode): string {
  const value = goYaml({ kind: 'scalar', start, end, text, style: 'plain', tag: undefined });
  if (value === null) return '!!null';
  switch (typeof value) {
    case 'boolean':
      return '!!bool';
    case 'bigint':
      return '!!int';
    case 'number':
      return '!!float';
    default:
      return '!!str';
  }
}

function shortTag(tag: string): string {
  return tag.replace(/^tag:yaml\.org,2002:/, '!!');
}
