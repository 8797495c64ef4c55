import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cluster, Host, InfraEnv } from '@openshift-assisted/types/assisted-installer-service';

const API = '/api/assisted-install/v2';
const CLUSTER_ID = '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11';

/** The settings of the service in an image: `assisted-service.env`. */
export interface ServiceSettings {
  readonly INFRA_ENV_ID: string;
  /** PEM in base64. */
  readonly EC_PUBLIC_KEY_PEM: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/**
 * Plays the service that installs machines, as far as the machines use it: it admits clients with a token of the image,
 * and remembers their requests. It is not a container: tests let a guest find it at the container's address.
 */
export class AssistedService implements AsyncDisposable {
  /** Requests and answers, such as `POST /clusters 201`, without clients that only read. */
  readonly orders: string[] = [];
  /** Bodies of requests, by method and path. */
  readonly bodies = new Map<string, unknown>();
  /** The answer to all requests for now. */
  trouble: 'silence' | 401 | 500 | undefined;
  readonly #settings: ServiceSettings;
  readonly #key: KeyObject;
  readonly #server: Server;
  readonly #watchers = new Set<() => void>();
  readonly #infraEnvs: Partial<InfraEnv>[] = [];
  readonly #hosts: { id: string; status: Host['status'] }[] = [];
  #cluster: { id: string; status: Cluster['status'] } | undefined;

  private constructor(settings: ServiceSettings) {
    this.#settings = settings;
    const pem = Buffer.from(settings.EC_PUBLIC_KEY_PEM, 'base64').toString();
    this.#key = createPublicKey(pem.replaceAll('EC PUBLIC KEY', 'PUBLIC KEY'));
    this.#server = createServer(async (request, response) => {
      const answer = this.trouble === undefined ? await this.#answer(request) : this.trouble;
      if (answer === 'silence') return void request.socket.destroy();
      const { status, body = '' } = typeof answer === 'number' ? { status: answer } : answer;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  static async open(settings: ServiceSettings): Promise<AssistedService> {
    const service = new AssistedService(settings);
    await new Promise<void>((done) => service.#server.listen(0, '127.0.0.1', done));
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Acts as if the machine with the service had registered its infra-env. */
  expectHosts(): void {
    this.#infraEnvs.push({ id: this.#settings.INFRA_ENV_ID });
  }

  /** Registers another machine. */
  addHost(id: string): void {
    this.#hosts.push({ id, status: 'discovering' });
  }

  /** Marks all checks of the registered machines as passed. */
  findHostsReady(): void {
    for (const host of this.#hosts) host.status = 'known';
    if (this.#cluster?.status === 'insufficient') this.#cluster.status = 'ready';
  }

  /** Waits for a request, written as `POST /clusters 201`. */
  async receives(order: RegExp): Promise<string> {
    return await new Promise((done) => {
      const watch = () => {
        const found = this.orders.find((line) => order.test(line));
        if (found === undefined) return;
        this.#watchers.delete(watch);
        done(found);
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '' } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    const asked = `${method} ${url.replace(API, '')}`;
    const answer = this.#mayAsk(request, asked)
      ? this.#do(asked, text === '' ? undefined : JSON.parse(text))
      : { status: 401 };
    if (method !== 'GET') {
      this.orders.push(`${asked} ${answer.status}`);
      if (text !== '') this.bodies.set(asked, JSON.parse(text));
      for (const watch of this.#watchers) watch();
    }
    return answer;
  }

  /** Machines register with one token, and the program that drives the installation has another. */
  #mayAsk({ headers }: IncomingMessage, asked: string): boolean {
    const isAgent = asked === `POST /infra-envs/${this.#settings.INFRA_ENV_ID}/hosts`;
    const token = isAgent ? String(headers['x-secret-key']) : (headers.authorization ?? '');
    const [header = '', claims = '', signature = ''] = token.split('.');
    const key = { key: this.#key, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('SHA256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))) return false;
    const { auth_scheme, exp = Number.POSITIVE_INFINITY } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    return auth_scheme === (isAgent ? 'agentAuth' : 'userAuth') && exp > Date.now() / 1000;
  }

  #do(asked: string, body: unknown): Answer {
    const hosts = `/infra-envs/${this.#settings.INFRA_ENV_ID}/hosts`;
    const cluster = this.#cluster;
    switch (asked) {
      case 'GET /infra-envs':
        return { status: 200, body: this.#infraEnvs };
      case 'POST /infra-envs':
        this.expectHosts();
        return { status: 201, body: this.#infraEnvs[0] };
      case `GET ${hosts}`:
        return { status: 200, body: this.#hosts };
      case `POST ${hosts}`:
        this.addHost((body as { host_id: string }).host_id);
        return { status: 201, body: this.#hosts.at(-1) };
      case 'GET /clusters':
        return { status: 200, body: cluster === undefined ? [] : [cluster] };
      case 'POST /clusters':
        this.#cluster = { id: CLUSTER_ID, status: 'insufficient' };
        return { status: 201, body: this.#cluster };
      case 'POST /clusters/import':
        this.#cluster = { id: CLUSTER_ID, status: 'adding-hosts' };
        return { status: 201, body: this.#cluster };
      case `GET /clusters/${cluster?.id}`:
        return { status: 200, body: cluster };
      case `POST /clusters/${cluster?.id}/actions/install`:
        if (cluster?.status !== 'ready') return { status: 409 };
        cluster.status = 'installing';
        return { status: 202, body: cluster };
      default:
        return this.#install(asked, hosts);
    }
  }

  #install(asked: string, hosts: string): Answer {
    const host = this.#hosts.find(({ id }) => asked === `POST ${hosts}/${id}/actions/install`);
    if (host === undefined) return { status: 404 };
    if (host.status !== 'known') return { status: 409 };
    host.status = 'installing';
    return { status: 202, body: host };
  }
}
