// Which context of which files counts. Files are merged as client-go merges them.
import { homedir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { type MappingNode, member } from '@coreiso/diagnostics';
import { ClusterError } from '../errors.ts';
import { type ClusterEntry, readClusterEntry, readUserEntry, type UserEntry } from './entries.ts';
import { type Entry, type KubeconfigFile, type ReadFile, readKubeconfigFile, textAt } from './kubeconfig-file.ts';

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

/** Reads files as client-go merges them: of entries with one name the first wins, and the first current context. */
export async function readContext(
  files: readonly string[],
  wanted: string | undefined,
  readFile?: ReadFile,
): Promise<Context> {
  const all = await Promise.all(files.map((file) => readKubeconfigFile(file, readFile)));
  const read = all.filter((file) => file !== undefined);
  if (read.length === 0) {
    const names = files.join(', ');
    throw new ClusterError(
      'CLUSTER_KUBECONFIG',
      `there is no kubeconfig at ${names}; name one with --kubeconfig or KUBECONFIG, or log in with \`oc login\``,
    );
  }
  return new Kubeconfig(read).context(wanted);
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
    return this.#files.flatMap((file) => file.items(list).map((item) => ({ ...item, file })));
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
