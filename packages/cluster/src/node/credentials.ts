// Credentials that may change while a program runs: token files that rotate, plugins that run again.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { ClusterError } from '../errors.ts';
import { isObject, textOf } from '../objects.ts';
import { fitsHeader } from '../reader/answer.ts';
import type { ClusterEntry, ExecEntry, Material, UserEntry } from './entries.ts';
import { type ReadFile, readLimited } from './limited-file.ts';

/** The credentials of a request. */
export interface Credentials {
  readonly token?: string;
  readonly certificate?: Uint8Array;
  readonly key?: Uint8Array;
}

/** How to read credential files and run plugins. */
export interface CredentialAccess {
  readonly env: NodeJS.ProcessEnv;
  /** The time limit of a plugin, in milliseconds. */
  readonly timeout?: number | undefined;
  readonly readFile?: ReadFile | undefined;
}

/** How long a token file is cached; client-go rereads once a minute. */
const FILE_LIFE = 60_000;
/** Default time limit of a plugin; some wait for a person. */
const PROGRAM_TIMEOUT = 60_000;
/** A plugin runs again this long before its credentials expire. */
const EARLY = 10_000;
/** A token goes into a header, and Go's servers accept headers of up to a mebibyte. */
const LONGEST_TOKEN = 1024 * 1024;
/** All public authorities together have about 250 KiB. */
const LONGEST_CERTIFICATES = 16 * 1024 * 1024;
/** The output of a credential plugin: a token, or a certificate with its key. */
const LONGEST_OUTPUT = 1024 * 1024;

/** The current credentials of a user. */
export class CredentialSource {
  readonly #user: UserEntry;
  readonly #cluster: ClusterEntry;
  readonly #means: CredentialAccess;
  #kept: { readonly value: Credentials; readonly until: number } | undefined;
  #asking: Promise<Credentials> | undefined;

  constructor(user: UserEntry, cluster: ClusterEntry, means: CredentialAccess) {
    this.#user = user;
    this.#cluster = cluster;
    this.#means = means;
  }

  /** Plugins run once for simultaneous requests. */
  async current(): Promise<Credentials> {
    if (this.#kept !== undefined && Date.now() < this.#kept.until) return this.#kept.value;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** After a 401: cached credentials are no longer valid. */
  forget(): void {
    this.#kept = undefined;
  }

  async #ask(): Promise<Credentials> {
    const { token, tokenFile, certificate, key, exec } = this.#user;
    if (exec !== undefined) {
      const { credentials, until } = await runPlugin(exec, this.#cluster, this.#means);
      this.#kept = { value: credentials, until };
      return credentials;
    }
    const { readFile } = this.#means;
    const value: Credentials = {
      ...(tokenFile !== undefined
        ? { token: await readToken(tokenFile, readFile) }
        : token === undefined
          ? {}
          : { token }),
      ...(certificate && { certificate: await material(certificate, readFile) }),
      ...(key && { key: await material(key, readFile) }),
    };
    this.#kept = { value, until: Date.now() + FILE_LIFE };
    return value;
  }
}

async function readToken(file: string, read: ReadFile | undefined): Promise<string> {
  const token = new TextDecoder().decode(await fileBytes(file, LONGEST_TOKEN, read)).trim();
  if (fitsHeader(token)) return token;
  const message = `${file}, named in the kubeconfig, is not a token: it has characters that are invalid in a header`;
  throw new ClusterError('CLUSTER_KUBECONFIG', message);
}

/** The bytes of a certificate or key. */
export async function material(source: Material, read: ReadFile | undefined): Promise<Uint8Array> {
  return 'bytes' in source ? source.bytes : await fileBytes(source.file, LONGEST_CERTIFICATES, read);
}

async function fileBytes(file: string, limit: number, read: ReadFile | undefined): Promise<Uint8Array> {
  try {
    return await readLimited(file, limit, read);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    const message = `cannot read ${file}, named in the kubeconfig: ${(error as Error).message}`;
    throw new ClusterError('CLUSTER_KUBECONFIG', message, { cause: error });
  }
}

interface PluginAnswer {
  readonly credentials: Credentials;
  readonly until: number;
}

/** Runs the plugin directly, without a shell; its error output is shown if it fails. */
function runPlugin(exec: ExecEntry, cluster: ClusterEntry, means: CredentialAccess): Promise<PluginAnswer> {
  const { env, timeout = PROGRAM_TIMEOUT } = means;
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
    maxBuffer: LONGEST_OUTPUT,
    shell: false,
  } as const;
  return new Promise((done, reject) => {
    try {
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        try {
          if (error !== null) throw pluginError(exec, error, stderr, timeout);
          done(readAnswer(stdout, exec));
        } catch (problem) {
          reject(problem);
        }
      });
      child.stdin?.on('error', () => undefined).end();
    } catch (error) {
      // Node throws some errors of the system synchronously, such as arguments that are too long.
      reject(pluginError(exec, error as Error, '', timeout));
    }
  });
}

function pluginError(exec: ExecEntry, error: ExecError, stderr: string, timeout: number): ClusterError {
  const detail = stderr.trim() === '' ? '' : `; it said: ${stderr.trim().slice(0, 2000).replaceAll('\n', '\n    ')}`;
  const message = `no credentials from ${exec.command}: ${failureOf(exec, error, timeout)}${detail}`;
  return new ClusterError('CLUSTER_CREDENTIALS', message);
}

type ExecError = Error & { readonly code?: unknown; readonly killed?: boolean };

function failureOf({ installHint }: ExecEntry, { code, killed }: ExecError, timeout: number): string {
  if (code === 'ENOENT') return `the program is not installed${installHint === '' ? '' : `: ${installHint.trim()}`}`;
  if (code === 'E2BIG') return 'its arguments are longer than the system takes';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `it printed more than ${LONGEST_OUTPUT / 1024 / 1024} MiB`;
  if (killed === true) return `it did not end in ${timeout / 1000} s`;
  return `it failed${typeof code === 'number' ? ` with status ${code}` : ''}`;
}

function readAnswer(stdout: string, { command, apiVersion }: ExecEntry): PluginAnswer {
  const refuse = (why: string) => new ClusterError('CLUSTER_CREDENTIALS', `no credentials from ${command}: ${why}`);
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    throw refuse('its output is not JSON');
  }
  if (textOf(answer, 'kind') !== 'ExecCredential') throw refuse('its output is not an ExecCredential');
  if (textOf(answer, 'apiVersion') !== apiVersion) throw refuse(`it does not support ${apiVersion}`);
  const status = isObject(answer) ? answer['status'] : undefined;
  const token = textOf(status, 'token');
  const certificate = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if (token === '' && (certificate === '' || key === ''))
    throw refuse('its output has neither a token nor a certificate with its key');
  if (!fitsHeader(token)) throw refuse('its token has characters that are invalid in a header');
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
