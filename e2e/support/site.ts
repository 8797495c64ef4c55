import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output } from '../../test/support/tools.ts';
import type { Network } from './qemu.ts';

const API = 'api-int.site.example.test';
const REGISTRY = 'registry.example.test';
const ADDRESSES = { [API]: '198.51.100.5', [REGISTRY]: '198.51.100.6' } as const;

/** The address from which a worker of the site gets its config. */
export const WORKER_ENDPOINT = `https://${API}:22623/config/worker`;

/** The answer of the machine config server. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The properties of a request for the worker's config. */
export interface ConfigRequest {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
}

/** The facts of the cluster that new workers need. */
export interface SiteContents {
  readonly apiServerUrl: string;
  readonly pullSecret: string;
  readonly releaseImage: string;
  readonly trustBundle: string;
  readonly workerUserData: object;
}

/** The answer to give, in short. */
export const WORKER_CONFIG: Answer = { status: 200, body: JSON.stringify({ ignition: { version: '3.2.0' } }) };

/** The cluster that nodes join, as far as they see it: a machine config server and a registry on this machine's loopback. */
export class Site implements AsyncDisposable {
  readonly requests: ConfigRequest[] = [];
  /** The answer to the next request for the worker's config; `undefined` drops the connection. */
  answer: Answer | undefined = WORKER_CONFIG;
  readonly #certificate: string;
  readonly #server: Server;
  readonly #events = new EventEmitter();

  private constructor(key: string, certificate: string) {
    this.#certificate = certificate;
    this.#server = createServer({ key, cert: certificate }, (request, response) => {
      const { method = '', url = '' } = request;
      const isRegistry = request.headers.host?.startsWith(REGISTRY) === true;
      const answer = isRegistry ? { status: 401, body: '' } : this.answer;
      if (!isRegistry) {
        this.requests.push({ method, path: url, accept: request.headers.accept ?? '' });
        this.#events.emit('request');
      }
      if (answer === undefined) return void response.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  }

  static async open(): Promise<Site> {
    const folder = mkdtempSync(join(tmpdir(), 'coreiso-site-'));
    try {
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
      const names = Object.keys(ADDRESSES).map((name) => `DNS:${name}`);
      const kind = [
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=site',
      ];
      const files = ['-keyout', key, '-out', certificate];
      output('openssl', ['req', '-x509', ...kind, '-addext', `subjectAltName=${names}`, ...files]);
      const site = new Site(readFileSync(key, 'utf8'), readFileSync(certificate, 'utf8'));
      await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
      return site;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Waits for that many more requests for the worker's config, answered with the current `answer`. */
  async asked(times: number): Promise<void> {
    for (let count = 0; count < times; count++) await once(this.#events, 'request');
  }

  /** The network of its machines. */
  get network(): Network {
    const { port } = this.#server.address() as AddressInfo;
    return {
      subnet: '198.51.100.0/24',
      services: { [`${ADDRESSES[API]}:22623`]: port, [`${ADDRESSES[REGISTRY]}:443`]: port },
    };
  }

  /** The records of its name server, as a file of the guest. */
  get names(): Record<string, string> {
    const lines = Object.entries(ADDRESSES).map(([name, address]) => `${address} ${name}\n`);
    return { 'etc/hosts': `127.0.0.1 localhost\n${lines.join('')}` };
  }

  /** The contents of its objects. */
  get contents(): SiteContents {
    const authority = `data:text/plain;base64,${Buffer.from(this.#certificate).toString('base64')}`;
    return {
      apiServerUrl: 'https://api.site.example.test:6443',
      pullSecret: '{"auths":{"registry.example.test":{"auth":"dXNlcjpwYXNz"}}}',
      releaseImage: `${REGISTRY}/release@sha256:${'5'.repeat(64)}`,
      trustBundle: this.#certificate,
      workerUserData: {
        ignition: {
          version: '3.2.0',
          config: { merge: [{ source: WORKER_ENDPOINT }] },
          security: { tls: { certificateAuthorities: [{ source: authority }] } },
        },
      },
    };
  }

  /** The facts file of this cluster. */
  get facts(): Record<string, unknown> {
    return {
      ...this.contents,
      name: 'site',
      clusterId: '00000000-0000-4000-8000-000000000001',
      version: '4.20.3',
      platform: 'None',
      nodes: [
        {
          name: 'm-0',
          architecture: 'amd64',
          master: true,
          addresses: [{ type: 'InternalIP', address: '198.51.100.5' }],
        },
      ],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
