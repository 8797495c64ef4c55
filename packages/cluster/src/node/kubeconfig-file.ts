// One kubeconfig file, read by our own YAML reader, so that a mistake has a line and a column.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Diagnostic,
  decodeText,
  diagnosticAt,
  formatDiagnostics,
  type MappingNode,
  member,
  type Node,
  parseYaml,
  type TextDocument,
} from '@coreiso/diagnostics';
import { ClusterError } from '../errors.ts';

/** A mapping, and the file it stands in. */
export interface Entry {
  readonly node: MappingNode;
  readonly file: KubeconfigFile;
}

/** A file and its findings. */
export class KubeconfigFile {
  readonly path: string;
  readonly document: TextDocument;
  readonly root: MappingNode | undefined;

  constructor(path: string, document: TextDocument) {
    this.path = path;
    this.document = document;
    this.root = document.root?.kind === 'mapping' ? document.root : undefined;
  }

  /** The mappings of a list, with their names. */
  items(list: string): { readonly name: string; readonly node: MappingNode }[] {
    const items = this.root && member(this.root, list)?.value;
    if (items?.kind !== 'sequence') return [];
    return items.items.flatMap((node) => (node.kind === 'mapping' ? [{ name: textAt(node, 'name') ?? '', node }] : []));
  }

  refuse(place: Node, path: readonly (string | number)[], message: string, cure: string): never {
    throw refused(this.path, [diagnosticAt(this.document, place, { code: 'cluster/kubeconfig', message, path, cure })]);
  }
}

/** The first finding in words; never with the line itself, which may hold a token. */
function refused(path: string, diagnostics: readonly Diagnostic[]): ClusterError {
  const [first] = diagnostics;
  const words = formatDiagnostics(first === undefined ? [] : [first], { file: path }).trimEnd();
  return new ClusterError('CLUSTER_KUBECONFIG', words, { diagnostics });
}

export type ReadFile = (path: string) => Promise<Uint8Array>;

/** Reads a file; undefined where there is none. */
export async function readKubeconfigFile(path: string, read: ReadFile = readFile): Promise<KubeconfigFile | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await read(path);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ClusterError('CLUSTER_KUBECONFIG', `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw refused(path, decoded.diagnostics);
  const { text } = decoded.value;
  const [parsed] = parseYaml(text, { flavour: 'go' });
  if (!parsed.ok) throw refused(path, parsed.diagnostics);
  return new KubeconfigFile(resolve(path), parsed.value);
}

/** A scalar that is not empty. */
export function textAt(node: MappingNode, name: string): string | undefined {
  const value = member(node, name)?.value;
  return value?.kind === 'scalar' && value.text !== '' ? value.text : undefined;
}
