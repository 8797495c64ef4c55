// Clusters and users of a kubeconfig. Names and paths follow client-go.
import { dirname, resolve } from 'node:path';
import { bytesOfBase64 } from '@coreiso/peers/go';
import { fitsHeader } from '../reader/answer.ts';
import type { Section, Value } from './section.ts';

/** Address and connection settings of a cluster; paths are absolute. */
export interface ClusterEntry {
  readonly server: string;
  readonly authority?: Material;
  readonly skipsVerification: boolean;
  readonly serverName?: string;
  readonly proxy?: string;
}

/** The user of a connection. */
export interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly certificate?: Material;
  readonly key?: Material;
  readonly exec?: ExecEntry;
}

/** Inline bytes, or a file that contains them and may change. */
export type Material = { readonly bytes: Uint8Array } | { readonly file: string };

/** A program that returns credentials. */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string;
  /** Directory of a relative command that contains a slash. */
  readonly directory: string;
  readonly wantsClusterInfo: boolean;
}

export function readClusterEntry(cluster: Section): ClusterEntry {
  const server = cluster.text('server');
  const place: Value = cluster.member('server') ?? cluster;
  if (server === undefined || !isWebAddress(server)) {
    return place.refuse('the cluster has no address', 'Set `server`, such as https://api.example.test:6443.');
  }
  if (new URL(server).username !== '' || new URL(server).password !== '') {
    return place.refuse(
      'the address of the cluster has a user name',
      'Remove the user name, and give the user of the context a token.',
    );
  }
  const authority = materialAt(cluster, 'certificate-authority');
  const serverName = cluster.text('tls-server-name');
  const proxy = cluster.text('proxy-url');
  if (proxy !== undefined && !isWebAddress(proxy)) {
    return (cluster.member('proxy-url') ?? cluster).refuse(
      'only http and https proxies are supported',
      'Use an http:// or https:// address.',
    );
  }
  return {
    server,
    skipsVerification: cluster.member('insecure-skip-tls-verify')?.boolean('insecure-skip-tls-verify') ?? false,
    ...(authority && { authority }),
    ...(serverName && { serverName }),
    ...(proxy && { proxy }),
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

/** Inline data takes precedence over a file, as in client-go. */
function materialAt(section: Section, name: string): Material | undefined {
  const data = section.text(`${name}-data`);
  const path = section.text(name);
  if (data === undefined) return path === undefined ? undefined : { file: besideFile(section, path) };
  const bytes = bytesOfBase64(data);
  if (bytes !== undefined) return { bytes };
  const place: Value = section.member(`${name}-data`) ?? section;
  return place.refuse(`${name}-data is not base64`, 'Encode the PEM file with `base64 -w0`.');
}

/** Paths are relative to the file that names them. */
function besideFile({ file }: Section, path: string): string {
  return resolve(dirname(file.path), path);
}

export function readUserEntry(user: Section): UserEntry {
  for (const [name, help] of UNSUPPORTED) {
    if (user.member(name) !== undefined) user.key(name).refuse(`${name} is not supported`, help);
  }
  const token = user.text('token');
  if (token !== undefined && !fitsHeader(token)) {
    user.member('token')?.refuse('token has characters that are invalid in a header', 'Write it in one line.');
  }
  const tokenFile = user.text('tokenFile');
  const certificate = materialAt(user, 'client-certificate');
  const key = materialAt(user, 'client-key');
  const exec = user.member('exec')?.section('exec');
  return {
    ...(token && { token }),
    ...(tokenFile && { tokenFile: besideFile(user, tokenFile) }),
    ...(certificate && { certificate }),
    ...(key && { key }),
    ...(exec && { exec: readExec(exec) }),
  };
}

/** Login methods that need their own programs. */
const UNSUPPORTED: readonly (readonly [string, string])[] = [
  ['auth-provider', 'Use an exec plugin (`exec:`), as kubectl 1.26 and newer require, or a token from `oc whoami -t`.'],
  ['username', 'The API has no passwords; log in with `oc login` and use the token it writes.'],
  ['as', 'Impersonation is not supported; use credentials of that user.'],
];

const EXEC_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function readExec(exec: Section): ExecEntry {
  const command = exec.member('command')?.argument('command') ?? '';
  if (command === '') return exec.refuse('the exec plugin has no command', 'Set `command`.');
  const apiVersion = exec.text('apiVersion');
  if (apiVersion === undefined || !EXEC_VERSIONS.includes(apiVersion)) {
    const versions = EXEC_VERSIONS.join(', ');
    return exec.refuse(`the exec plugin's apiVersion is not one of ${versions}`, 'Update the plugin.');
  }
  return {
    apiVersion,
    command,
    args: (exec.member('args')?.items('args') ?? []).map((item) => item.argument('an entry of args')),
    env: Object.fromEntries(exec.sections('env').map(readVariable)),
    installHint: exec.text('installHint') ?? '',
    directory: dirname(exec.file.path),
    wantsClusterInfo: exec.member('provideClusterInfo')?.boolean('provideClusterInfo') ?? false,
  };
}

function readVariable(variable: Section): [name: string, value: string] {
  const name = variable.member('name')?.argument('name') ?? '';
  if (name === '' || name.includes('=')) {
    const place: Value = variable.member('name') ?? variable;
    return place.refuse('an entry of env has no name', 'Set `name` to that of a variable.');
  }
  return [name, variable.member('value')?.argument('value') ?? ''];
}
