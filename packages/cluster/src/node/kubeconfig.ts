// kubeconfig files, read by our own YAML reader, so that a mistake has a line and a column. Names and places follow client-go.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import {
  type Diagnostic,
  DiagnosticsError,
  decodeText,
  diagnosticAt,
  formatDiagnostics,
  goKey,
  goYaml,
  type MappingNode,
  member,
  type Node,
  parseYaml,
  type TextDocument,
  toPlain,
} from '@coreiso/diagnostics';
import { bytesOfBase64 } from '@coreiso/diagnostics/go';
import { ClusterError } from '../errors.ts';
import { isObject, type KubeObject } from '../objects.ts';

/** Where a cluster is and how to speak to it; paths are absolute. */
export interface ClusterEntry {
  readonly server: string;
  readonly authority?: Material;
  readonly skipsVerification: boolean;
  readonly serverName?: string;
  readonly proxy?: string;
}

/** Who speaks. */
export interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly certificate?: Material;
  readonly key?: Material;
  readonly exec?: ExecEntry;
}

/** Bytes that are given, or a file that holds them and may change. */
export type Material = { readonly bytes: Uint8Array } | { readonly file: string };

/** A program that gives credentials. */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string;
  /** Where the command is looked for if it has a slash. */
  readonly directory: string;
  readonly wantsClusterInfo: boolean;
}

/** What a context comes to. */
export interface Context {
  readonly name: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/** The files that a kubeconfig is read from: the one named, those of `KUBECONFIG`, else `~/.kube/config`. */
export function kubeconfigFiles(named: string | undefined, env: NodeJS.ProcessEnv): readonly string[] {
  if (named !== undefined) return [named];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return listed.length > 0 ? listed : [resolve(env['HOME'] ?? homedir(), '.kube', 'config')];
}

interface Entry {
  readonly node: MappingNode;
  readonly file: KubeconfigFile;
}

/** A file and its findings. */
class KubeconfigFile {
  readonly path: string;
  readonly document: TextDocument;
  readonly root: MappingNode | undefined;

  constructor(path: string, document: TextDocument) {
    this.path = path;
    this.document = document;
    this.root = document.root?.kind === 'mapping' ? document.root : undefined;
  }

  refuse(place: Node, path: readonly (string | number)[], message: string, cure: string): never {
    throw refused(this.path, [diagnosticAt(this.document, place, { code: 'cluster/kubeconfig', message, path, cure })]);
  }
}

/** The first finding in words; never with the line itself, which may hold a token. */
function refused(path: string, diagnostics: readonly Diagnostic[]): ClusterError {
  const [first] = diagnostics;
  const words = formatDiagnostics(first === undefined ? [] : [first], { file: path }).trimEnd();
  return new ClusterError('CLUSTER_KUBECONFIG', words, { cause: new DiagnosticsError(diagnostics) });
}

/** Reads files as client-go merges them: of entries with one name the first wins, and the first current context. */
export async function readContext(files: readonly string[], wanted: string | undefined): Promise<Context> {
  const read = (await Promise.all(files.map(readOne))).filter((file) => file !== undefined);
  if (read.length === 0) {
    const names = files.join(', ');
    throw new ClusterError(
      'CLUSTER_KUBECONFIG',
      `there is no kubeconfig at ${names}; name one with --kubeconfig or KUBECONFIG, or log in with \`oc login\``,
    );
  }
  return new Kubeconfig(read).context(wanted);
}

async function readOne(path: string): Promise<KubeconfigFile | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
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

class Kubeconfig {
  readonly #files: readonly KubeconfigFile[];

  constructor(files: readonly KubeconfigFile[]) {
    this.#files = files;
  }

  context(wanted: string | undefined): Context {
    const name = wanted ?? this.#current();
    if (name === undefined) {
      throw new ClusterError(
        'CLUSTER_KUBECONFIG',
        `${this.#places()}: there is no current context; choose one with --context: ${this.#names('contexts').join(', ') || 'there is none'}`,
      );
    }
    const context = this.#entry('contexts', 'context', name);
    if (context === undefined) {
      const known = this.#names('contexts').join(', ') || 'none';
      throw new ClusterError(
        'CLUSTER_KUBECONFIG',
        `${this.#places()}: there is no context "${name}"; there is: ${known}`,
      );
    }
    const cluster = this.#named(context, 'cluster', 'clusters');
    const user = member(context.node, 'user') === undefined ? undefined : this.#named(context, 'user', 'users');
    return { name, cluster: readClusterEntry(cluster), user: user === undefined ? {} : readUserEntry(user) };
  }

  #current(): string | undefined {
    for (const { root } of this.#files) {
      const value = root && textAt(root, 'current-context');
      if (value) return value;
    }
    return undefined;
  }

  #places(): string {
    return this.#files.map(({ path }) => path).join(', ');
  }

  #items(list: string): { name: string; node: MappingNode; file: KubeconfigFile }[] {
    return this.#files.flatMap((file) => {
      const items = file.root && member(file.root, list)?.value;
      if (items?.kind !== 'sequence') return [];
      return items.items.flatMap((node) =>
        node.kind === 'mapping' ? [{ name: textAt(node, 'name') ?? '', node, file }] : [],
      );
    });
  }

  #names(list: string): string[] {
    return [...new Set(this.#items(list).map(({ name }) => name))];
  }

  #entry(list: string, kind: string, name: string): Entry | undefined {
    const found = this.#items(list).find((item) => item.name === name);
    if (found === undefined) return undefined;
    const node = member(found.node, kind)?.value;
    if (node?.kind === 'mapping') return { node, file: found.file };
    return found.file.refuse(
      found.node,
      [list],
      `the ${kind} "${name}" has no ${kind}`,
      `Give it a mapping \`${kind}:\`.`,
    );
  }

  /** The cluster or user that a context names. */
  #named({ node, file }: Entry, kind: string, list: string): Entry {
    const name = textAt(node, kind);
    const place = member(node, kind)?.value ?? node;
    if (name === undefined) return file.refuse(place, ['contexts'], `the context names no ${kind}`, `Set \`${kind}\`.`);
    const known = this.#names(list).join(', ') || 'none';
    return (
      this.#entry(list, kind, name) ??
      file.refuse(place, ['contexts', kind], `there is no ${kind} "${name}"`, `Name one of \`${list}\`: ${known}.`)
    );
  }
}

function textAt(node: MappingNode, name: string): string | undefined {
  const value = member(node, name)?.value;
  return value?.kind === 'scalar' && value.text !== '' ? value.text : undefined;
}

function readClusterEntry({ node, file }: Entry): ClusterEntry {
  const server = textAt(node, 'server');
  const place = member(node, 'server')?.value ?? node;
  if (server === undefined || !/^https?:\/\//.test(server) || !URL.canParse(server)) {
    return file.refuse(
      place,
      ['clusters', 'server'],
      'the cluster has no address',
      'Set `server`, such as https://api.example.test:6443.',
    );
  }
  const authority = materialAt(node, file, 'certificate-authority');
  const serverName = textAt(node, 'tls-server-name');
  const proxy = textAt(node, 'proxy-url');
  const proxyPlace = member(node, 'proxy-url')?.value ?? node;
  if (proxy !== undefined && !/^https?:\/\//.test(proxy)) {
    return file.refuse(
      proxyPlace,
      ['clusters', 'proxy-url'],
      'only http and https proxies are spoken',
      'Use an http:// or https:// address.',
    );
  }
  return {
    server,
    skipsVerification: textAt(node, 'insecure-skip-tls-verify') === 'true',
    ...(authority && { authority }),
    ...(serverName && { serverName }),
    ...(proxy && { proxy }),
  };
}

/** The data in the file wins over a file beside it, as in client-go. */
function materialAt(node: MappingNode, file: KubeconfigFile, name: string): Material | undefined {
  const data = textAt(node, `${name}-data`);
  if (data !== undefined) {
    const bytes = bytesOfBase64(data);
    if (bytes !== undefined) return { bytes };
    const place = member(node, `${name}-data`)?.value ?? node;
    return file.refuse(place, [`${name}-data`], `${name}-data is not base64`, 'Encode the PEM file with `base64 -w0`.');
  }
  const path = textAt(node, name);
  return path === undefined ? undefined : { file: resolve(dirname(file.path), path) };
}

function readUserEntry({ node, file }: Entry): UserEntry {
  for (const [name, cure] of UNSUPPORTED) {
    const entry = member(node, name);
    if (entry !== undefined) file.refuse(entry.key, ['users', name], `${name} is not supported`, cure);
  }
  const token = textAt(node, 'token');
  const tokenFile = textAt(node, 'tokenFile');
  const certificate = materialAt(node, file, 'client-certificate');
  const key = materialAt(node, file, 'client-key');
  const exec = member(node, 'exec')?.value;
  return {
    ...(token && { token }),
    ...(tokenFile && { tokenFile: resolve(dirname(file.path), tokenFile) }),
    ...(certificate && { certificate }),
    ...(key && { key }),
    ...(exec && { exec: readExec(exec, file) }),
  };
}

/** Ways to log in that only their own programs know. */
const UNSUPPORTED: readonly (readonly [string, string])[] = [
  [
    'auth-provider',
    'Use an exec plugin (`exec:`), as kubectl 1.26 and newer want it too, or a token from `oc whoami -t`.',
  ],
  ['username', 'The API has no passwords; log in with `oc login` and use the token it writes.'],
  ['as', 'Impersonation is not supported; use credentials of that user.'],
];

const EXEC_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function readExec(node: Node, file: KubeconfigFile): ExecEntry {
  const plain: unknown = toPlain(node, goYaml, goKey);
  const values: KubeObject = isObject(plain) ? plain : {};
  const { command, apiVersion, args, env, installHint, provideClusterInfo } = values;
  if (typeof command !== 'string' || command === '') {
    return file.refuse(node, ['users', 'exec'], 'the exec plugin has no command', 'Set `command`.');
  }
  if (typeof apiVersion !== 'string' || !EXEC_VERSIONS.includes(apiVersion)) {
    return file.refuse(
      node,
      ['users', 'exec'],
      `the exec plugin's apiVersion is not one of ${EXEC_VERSIONS.join(', ')}`,
      'Update the plugin.',
    );
  }
  const variables = (Array.isArray(env) ? env : [])
    .filter(isObject)
    .map(({ name, value }) => [String(name), String(value ?? '')]);
  return {
    apiVersion,
    command,
    args: (Array.isArray(args) ? args : []).map(String),
    env: Object.fromEntries(variables),
    installHint: typeof installHint === 'string' ? installHint : '',
    directory: dirname(file.path),
    wantsClusterInfo: provideClusterInfo === true,
  };
}
