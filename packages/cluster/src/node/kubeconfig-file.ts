// One kubeconfig file, read by our own YAML reader, so that mistakes have a line and a column.
import { resolve } from 'node:path';
import { type Diagnostic, decodeText, parseYaml, readAsGo, type TextDocument } from '@coreiso/diagnostics';
import { ClusterError } from '../errors.ts';
import { type ReadFile, readLimited } from './limited-file.ts';
import { refusalAt, Section } from './section.ts';

/** Limit of a kubeconfig: a cluster with its certificates takes about 10 KiB. */
const LONGEST_KUBECONFIG = 16 * 1024 * 1024;

/** A file and its members. */
export class KubeconfigFile {
  readonly path: string;
  readonly document: TextDocument;
  /** Undefined if the file does not set it. */
  readonly root: Section | undefined;

  constructor(path: string, document: TextDocument) {
    this.path = path;
    this.document = document;
    const { root } = document;
    this.root = root && Section.at({ path, document }, root, []);
  }
}

/** Reads a file; undefined if it does not exist. */
export async function readKubeconfigFile(path: string, read?: ReadFile): Promise<KubeconfigFile | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readLimited(path, LONGEST_KUBECONFIG, read);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ClusterError('CLUSTER_KUBECONFIG', `cannot read ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const { text } = accepted(path, decodeText(bytes));
  const [parsed] = parseYaml(text, { flavour: 'go' });
  return new KubeconfigFile(resolve(path), accepted(path, readAsGo(accepted(path, parsed))));
}

type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

function accepted<T>(path: string, result: Result<T>): T {
  if (!result.ok) throw refusalAt(path, result.diagnostics);
  return result.value;
}
