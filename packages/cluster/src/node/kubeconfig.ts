// Selects the context from the files, which are merged as in client-go.
import { homedir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { ClusterError } from '../errors.ts';
import { type ClusterEntry, readClusterEntry, readUserEntry, type UserEntry } from './entries.ts';
import { type KubeconfigFile, readKubeconfigFile } from './kubeconfig-file.ts';
import type { ReadFile } from './limited-file.ts';
import type { Section, Value } from './section.ts';

/** The cluster and user of a context. */
export interface Context {
  readonly name: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  /** Files that contain a token or a key of this user; the kubeconfig itself is one if it has them inline. */
  readonly secretFiles: readonly string[];
}

/** The files of a kubeconfig: the given one, those of `KUBECONFIG`, else `~/.kube/config`. */
export function kubeconfigFiles(named: string | undefined, env: NodeJS.ProcessEnv): readonly string[] {
  if (named !== undefined) return [named];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return listed.length > 0 ? listed : [resolve(env['HOME'] ?? homedir(), '.kube', 'config')];
}

/** Reads files and merges them as client-go does: the first of several entries with one name counts, and the first current context. */
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
        `${this.#places()}: there is no context "${name}"; expected one of ${known}`,
      );
    }
    const cluster = this.#named(context, 'cluster', 'clusters');
    if (cluster === undefined) return context.refuse('the context names no cluster', 'Set `cluster`.');
    const user = this.#named(context, 'user', 'users');
    const entry = user === undefined ? {} : readUserEntry(user);
    return {
      name,
      cluster: readClusterEntry(cluster),
      user: entry,
      secretFiles: user === undefined ? [] : secretFilesOf(entry, user.file.path),
    };
  }

  #current(): string | undefined {
    for (const { root } of this.#files) {
      const value = root?.text('current-context');
      if (value) return value;
    }
    return undefined;
  }

  #places(): string {
    return this.#files.map(({ path }) => path).join(', ');
  }

  #items(list: string): { readonly name: string; readonly section: Section }[] {
    const sections = this.#files.flatMap(({ root }) => root?.sections(list) ?? []);
    return sections.map((section) => ({ name: section.text('name') ?? '', section }));
  }

  #names(list: string): string[] {
    return [...new Set(this.#items(list).map(({ name }) => name))];
  }

  #entry(list: string, kind: string, name: string): Section | undefined {
    const found = this.#items(list).find((item) => item.name === name)?.section;
    if (found === undefined) return undefined;
    const entry = found.member(kind)?.section(kind);
    return entry ?? found.refuse(`the ${kind} "${name}" has no ${kind}`, `Give it a mapping \`${kind}:\`.`);
  }

  /** The cluster or user that a context names; undefined if it names none. */
  #named(context: Section, kind: string, list: string): Section | undefined {
    const name = context.text(kind);
    if (name === undefined) return undefined;
    const entry = this.#entry(list, kind, name);
    if (entry !== undefined) return entry;
    const known = this.#names(list).join(', ') || 'none';
    const place: Value = context.member(kind) ?? context;
    return place.refuse(`there is no ${kind} "${name}"`, `Name one of \`${list}\`: ${known}.`);
  }
}

function secretFilesOf({ token, tokenFile, key }: UserEntry, kubeconfig: string): string[] {
  const isInside = token !== undefined || (key !== undefined && 'bytes' in key);
  return [
    ...(isInside ? [kubeconfig] : []),
    ...(tokenFile === undefined ? [] : [tokenFile]),
    ...(key !== undefined && 'file' in key ? [key.file] : []),
  ];
}
