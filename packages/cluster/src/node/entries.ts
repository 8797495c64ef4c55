// Clusters and users of a kubeconfig. Names and places follow client-go.
import { dirname, resolve } from 'node:path';
import { goKey, goYaml, type MappingNode, member, type Node, toPlain } from '@coreiso/diagnostics';
import { bytesOfBase64 } from '@coreiso/diagnostics/go';
import { isObject, type KubeObject } from '../objects.ts';
import { type Entry, type KubeconfigFile, textAt } from './kubeconfig-file.ts';

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

export function readClusterEntry({ node, file }: Entry): ClusterEntry {
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

export function readUserEntry({ node, file }: Entry): UserEntry {
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
