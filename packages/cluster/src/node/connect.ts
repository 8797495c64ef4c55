// A cluster's API from a kubeconfig: TLS with certificates of the cluster and of the user, proxies, rotating tokens.

import { access, constants } from 'node:fs/promises';
import { checkArgument } from '@coreiso/peers/arguments';
import { cidrContains, parseAddress, parseCidr } from '@coreiso/peers/ip';
import type { Dispatcher } from 'undici';
import { ClusterError } from '../errors.ts';
import type { Fetch } from '../reader/answer.ts';
import { clusterOverFetch } from '../reader/over-fetch.ts';
import type { ClusterReader, RequestApprover } from '../reader/port.ts';
import { CredentialSource, type Credentials, material } from './credentials.ts';
import type { ClusterEntry } from './entries.ts';
import { type Context, kubeconfigFiles, readContext } from './kubeconfig.ts';
import type { ReadFile } from './limited-file.ts';

/** Options of connecting to a cluster. */
export interface ConnectOptions {
  /** A kubeconfig file (default: the files of `KUBECONFIG`, else `~/.kube/config`, else the service account of the pod). */
  readonly kubeconfig?: string | undefined;
  /** Context to use instead of the current one. */
  readonly context?: string | undefined;
  /** Environment variables (default: `process.env`). */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Directory with `token` and `ca.crt` of a pod's service account (default: the path that Kubernetes uses). */
  readonly serviceAccount?: string | undefined;
  /** Timeout of a credential plugin in milliseconds (default: one minute). */
  readonly programTimeout?: number | undefined;
  /** Maximum bytes of an answer after decompression (default: 64 MiB); a list of several pages may have four times as many. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Reads the kubeconfig and the files that it names, at most `limit` bytes of each (default: with `node:fs`). For callers that
   * must be able to stop reading a pipe.
   */
  readonly readFile?: ((path: string, limit: number) => Promise<Uint8Array>) | undefined;
  /** Called with each file that holds a token or a key, so that the caller can check its permissions. */
  readonly onSecretFile?: ((path: string) => void) | undefined;
  /** Called once for each setting that weakens the connection. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A cluster that a kubeconfig names. */
export interface ConnectedCluster extends ClusterReader, RequestApprover, AsyncDisposable {
  /** The API server's address. */
  readonly server: string;
  /** Name of the context, or `in-cluster`. */
  readonly context: string;
}

/**
 * Connects as `kubectl` would. Nothing is sent before the first request.
 *
 * @example
 * await using cluster = await clusterFromKubeconfig({ context: 'admin' });
 * const facts = await factsFromCluster(cluster);
 */
export async function clusterFromKubeconfig(options: ConnectOptions = {}): Promise<ConnectedCluster> {
  checkArgument('options', options, 'object');
  const { env = process.env, programTimeout, maxAnswerBytes, readFile, onWarning, onSecretFile } = options;
  const context = await findContext(options, env);
  const { cluster, user, secretFiles } = context;
  for (const file of secretFiles) onSecretFile?.(file);
  if (cluster.skipsVerification) {
    onWarning?.(`the certificate of ${cluster.server} is not checked: the kubeconfig says insecure-skip-tls-verify`);
  }
  const source = new CredentialSource(user, cluster, { env, timeout: programTimeout, readFile });
  const connections = new Connections(cluster, env, readFile);
  const fetch: Fetch = async (url, init) => {
    const credentials = await source.current();
    const response = await connections.fetch(url, init, credentials);
    // An issuer may revoke tokens early; a retry with new ones is what a user would do.
    if (response.status !== 401) return response;
    source.forget();
    await response.body?.cancel();
    return connections.fetch(url, init, await source.current());
  };
  const api = clusterOverFetch({ server: cluster.server, fetch, maxAnswerBytes });
  // A login program with a person takes longer than an answer may: get credentials before the request.
  const withCredentials =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await source.current();
      return await ask(...args);
    };
  return {
    server: cluster.server,
    context: context.name,
    get: withCredentials(api.get.bind(api)),
    list: withCredentials(api.list.bind(api)),
    async *watch(...args) {
      await source.current();
      yield* api.watch(...args);
    },
    approve: withCredentials(api.approve.bind(api)),
    [Symbol.asyncDispose]: () => connections.close(),
  };
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

async function findContext(options: ConnectOptions, env: NodeJS.ProcessEnv): Promise<Context> {
  const { kubeconfig, context, serviceAccount: account = ACCOUNT } = options;
  const host = env['KUBERNETES_SERVICE_HOST'];
  const isAsked = kubeconfig !== undefined || env['KUBECONFIG'] !== undefined || context !== undefined;
  if (!isAsked && host !== undefined && (await isReadable(`${account}/token`))) {
    const authority = host.includes(':') ? `[${host}]` : host;
    return {
      name: 'in-cluster',
      cluster: {
        server: `https://${authority}:${env['KUBERNETES_SERVICE_PORT'] ?? '443'}`,
        authority: { file: `${account}/ca.crt` },
        skipsVerification: false,
      },
      user: { tokenFile: `${account}/token` },
      secretFiles: [`${account}/token`],
    };
  }
  return readContext(kubeconfigFiles(kubeconfig, env), context, options.readFile);
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** Connections of one user; another certificate needs new connections. */
class Connections {
  readonly #cluster: ClusterEntry;
  readonly #env: NodeJS.ProcessEnv;
  readonly #readFile: ReadFile | undefined;
  readonly #open = new Map<string, Promise<Dispatcher>>();

  constructor(cluster: ClusterEntry, env: NodeJS.ProcessEnv, readFile: ReadFile | undefined) {
    this.#cluster = cluster;
    this.#env = env;
    this.#readFile = readFile;
  }

  async fetch(url: string, init: RequestInit, credentials: Credentials): Promise<Response> {
    const { fetch } = await import('undici');
    const headers: Record<string, string> = {};
    new Headers(init.headers).forEach((value, name) => {
      headers[name] = value;
    });
    if (credentials.token !== undefined) headers['authorization'] = `Bearer ${credentials.token}`;
    const dispatcher = await this.#dispatcher(credentials);
    const request = { ...init, headers, dispatcher } as Parameters<typeof fetch>[1];
    return (await fetch(url, request)) as unknown as Response;
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(async (dispatcher) => (await dispatcher).destroy()));
  }

  /** Requests that begin together share the connection being opened. */
  #dispatcher(credentials: Credentials): Promise<Dispatcher> {
    const { certificate } = credentials;
    const identity = certificate === undefined ? '' : new TextDecoder('latin1').decode(certificate);
    const known = this.#open.get(identity);
    if (known !== undefined) return known;
    const opened = this.#connect(credentials);
    this.#open.set(identity, opened);
    opened.catch(() => this.#open.delete(identity));
    return opened;
  }

  async #connect({ certificate, key }: Credentials): Promise<Dispatcher> {
    const { Agent, ProxyAgent } = await import('undici');
    const { authority, skipsVerification, serverName, server } = this.#cluster;
    const connect = {
      rejectUnauthorized: !skipsVerification,
      ...(authority && { ca: Buffer.from(await material(authority, this.#readFile)) }),
      ...(serverName && { servername: serverName }),
      ...(certificate && { cert: Buffer.from(certificate) }),
      ...(key && { key: Buffer.from(key) }),
    };
    // A watch may be silent for minutes; the server or the signal ends it.
    const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 10_000 };
    const proxy = this.#cluster.proxy ?? proxyFor(server, this.#env);
    try {
      if (proxy === undefined) return new Agent({ ...limits, connect });
      return new ProxyAgent({ ...limits, uri: proxy, requestTls: connect });
    } catch (error) {
      const message = `the certificates of the kubeconfig cannot be used: ${(error as Error).message}`;
      throw new ClusterError('CLUSTER_KUBECONFIG', message, { cause: error });
    }
  }
}

/** The proxy for an address from environment variables, as curl and Go read them. */
function proxyFor(server: string, env: NodeJS.ProcessEnv): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const read = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = read(name);
  if (proxy === undefined) return undefined;
  const isExempt = (read('NO_PROXY') ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => matches(entry, hostname, port || (protocol === 'https:' ? '443' : '80')));
  if (isExempt) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address;
  // Not the value: it may hold a password.
  throw new ClusterError(
    'CLUSTER_KUBECONFIG',
    `${name} in the environment is not the address of an http or https proxy`,
  );
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const network = parseCidr(entry);
  const address = parseAddress(host.replace(/^\[|\]$/g, ''));
  if (network !== undefined) return address !== undefined && cidrContains(network, address);
  const exempt = parseAddress(entry);
  if (exempt !== undefined) return address?.version === exempt.version && address.value === exempt.value;
  const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (name === '' || (only !== undefined && only !== port)) return false;
  return host === name || host.endsWith(`.${name}`);
}
