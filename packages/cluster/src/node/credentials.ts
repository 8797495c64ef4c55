// Credentials that may change while a program runs: token files that rotate, programs that are asked again.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClusterError } from '../errors.ts';
import { isObject, textOf } from '../objects.ts';
import type { ClusterEntry, ExecEntry, Material, UserEntry } from './entries.ts';

/** What a request carries. */
export interface Credentials {
  readonly token?: string;
  readonly certificate?: Uint8Array;
  readonly key?: Uint8Array;
}

/** How programs for credentials are run. */
export interface Programs {
  readonly env: NodeJS.ProcessEnv;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
}

/** How long a token file is believed; client-go rereads once a minute. */
const FILE_LIFE = 60_000;
/** How long a program may take where nobody says; some wait for a person. */
const PROGRAM_TIMEOUT = 60_000;
/** A program's credentials are asked for anew this long before they end. */
const EARLY = 10_000;

/** The credentials of a user, as they are at the moment. */
export class CredentialSource {
  readonly #user: UserEntry;
  readonly #cluster: ClusterEntry;
  readonly #programs: Programs;
  #kept: { readonly value: Credentials; readonly until: number } | undefined;
  #asking: Promise<Credentials> | undefined;

  constructor(user: UserEntry, cluster: ClusterEntry, programs: Programs) {
    this.#user = user;
    this.#cluster = cluster;
    this.#programs = programs;
  }

  /** Programs are run once for requests that come at the same time. */
  async current(): Promise<Credentials> {
    if (this.#kept !== undefined && Date.now() < this.#kept.until) return this.#kept.value;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** After a 401: what was kept is no longer good. */
  forget(): void {
    this.#kept = undefined;
  }

  async #ask(): Promise<Credentials> {
    const { token, tokenFile, certificate, key, exec } = this.#user;
    if (exec !== undefined) {
      const { credentials, until } = await runPlugin(exec, this.#cluster, this.#programs);
      this.#kept = { value: credentials, until };
      return credentials;
    }
    const value: Credentials = {
      ...(tokenFile !== undefined ? { token: await readToken(tokenFile) } : token === undefined ? {} : { token }),
      ...(certificate && { certificate: await material(certificate) }),
      ...(key && { key: await material(key) }),
    };
    this.#kept = { value, until: Date.now() + FILE_LIFE };
    return value;
  }
}

async function readToken(file: string): Promise<string> {
  return new TextDecoder().decode(await material({ file })).trim();
}

/** The bytes of a certificate or key. */
export async function material(source: Material): Promise<Uint8Array> {
  if ('bytes' in source) return source.bytes;
  try {
    return await readFile(source.file);
  } catch (error) {
    const message = `${source.file}, which the kubeconfig names, cannot be read: ${(error as Error).message}`;
    throw new ClusterError('CLUSTER_KUBECONFIG', message, { cause: error });
  }
}

interface PluginAnswer {
  readonly credentials: Credentials;
  readonly until: number;
}

/** Runs the program itself, without a shell; what it says on its error output is shown where it fails. */
function runPlugin(exec: ExecEntry, cluster: ClusterEntry, programs: Programs): Promise<PluginAnswer> {
  const { env, timeout = PROGRAM_TIMEOUT } = programs;
  const { command, args, apiVersion } = exec;
  const program = /[/\\]/.test(command) ? resolve(exec.directory, command) : command;
  const info = {
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec.wantsClusterInfo ? { cluster: { server: cluster.server } } : {}) },
  };
  const options = {
    env: { ...env, ...exec.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
    shell: false,
  } as const;
  return new Promise((done, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error !== null) reject(pluginError(exec, error, stderr, timeout));
      else {
        try {
          done(readAnswer(stdout, exec));
        } catch (problem) {
          reject(problem);
        }
      }
    });
    child.stdin?.end();
  });
}

function pluginError(
  { command, installHint }: ExecEntry,
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
  timeout: number,
): ClusterError {
  const isAbsent = error.code === 'ENOENT';
  const why = isAbsent
    ? `the program is not installed${installHint === '' ? '' : `: ${installHint.trim()}`}`
    : error.killed === true
      ? `it did not end in ${timeout / 1000} s`
      : `it failed${typeof error.code === 'number' ? ` with status ${error.code}` : ''}`;
  const said = stderr.trim() === '' ? '' : `; it said: ${stderr.trim().slice(0, 2000)}`;
  return new ClusterError('CLUSTER_CREDENTIALS', `no credentials from ${command}: ${why}${said}`);
}

function readAnswer(stdout: string, { command, apiVersion }: ExecEntry): PluginAnswer {
  const refuse = (why: string) => new ClusterError('CLUSTER_CREDENTIALS', `no credentials from ${command}: ${why}`);
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    throw refuse('its output is not JSON');
  }
  if (textOf(answer, 'kind') !== 'ExecCredential') throw refuse('its output is no ExecCredential');
  if (textOf(answer, 'apiVersion') !== apiVersion) throw refuse(`it does not speak ${apiVersion}`);
  const status = isObject(answer) ? answer['status'] : undefined;
  const token = textOf(status, 'token');
  const certificate = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if (token === '' && (certificate === '' || key === ''))
    throw refuse('there is neither a token nor a certificate with its key');
  const expiry = Date.parse(textOf(status, 'expirationTimestamp'));
  const encoder = new TextEncoder();
  return {
    credentials: {
      ...(token === '' ? {} : { token }),
      ...(certificate === '' ? {} : { certificate: encoder.encode(certificate), key: encoder.encode(key) }),
    },
    until: Number.isNaN(expiry) ? Number.POSITIVE_INFINITY : expiry - EARLY,
  };
}
