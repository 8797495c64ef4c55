// The installation of a new cluster, as the service on its rendezvous host and its API show it at each moment.
import type { Machine } from './machine.ts';
import type { Answer, Server } from './network.ts';

/** The outcome of an installation. */
export type Outcome = 'installed' | 'failed' | 'cancelled' | 'stuck' | 'version stuck' | 'operators stuck';

interface Event {
  readonly event_time: string;
  readonly host_id: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
}

/** The stages that a wait may report, in order. */
export const STAGES = ['service', 'bootstrapping', 'bootstrapped', 'initialized', 'stable', 'complete'] as const;
export type Stage = (typeof STAGES)[number];

export const API = 'https://api.sim.test:6443';
export const RENDEZVOUS = '192.0.2.10';
const SERVICE = `http://${RENDEZVOUS}:8090`;
export const CONSOLE = 'console.apps.sim.test';
export const AUTHORITY = '-----BEGIN CERTIFICATE-----\nc2lt\n-----END CERTIFICATE-----\n';
const CLUSTER_ID = '11111111-2222-4333-8444-555555555555';

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const nothing = (code: number, reason: string): Answer =>
  json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason });
const condition = (type: string, status: boolean, message = '', at = '2026-01-01T00:00:00Z') => ({
  type,
  status: status ? 'True' : 'False',
  lastTransitionTime: at,
  reason: 'Sim',
  message,
});

export class Installation {
  readonly #machine: Machine;
  readonly events: Event[] = [];
  readonly #stages = new Set<Stage>();
  readonly #hosts: { id: string; name: string; status: string }[] = [];
  #status = 'insufficient';
  #statusAt = '';
  isServiceThere = false;
  isApiThere = false;
  version = 'is 10 % complete';
  /** The time when the last operator stopped progressing; undefined while one progresses. */
  settledAt: number | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.status = 'insufficient';
  }

  set status(status: string) {
    this.#status = status;
    this.#statusAt = this.#time();
    this.tell(`cluster is ${status}`, status === 'error' ? 'error' : 'info');
  }

  get stages(): ReadonlySet<Stage> {
    return this.#stages;
  }

  /** Records a state that holds from now on. */
  reach(stage: Stage): void {
    this.#stages.add(stage);
    if (stage === 'service') this.isServiceThere = true;
    if (stage === 'bootstrapping') this.isApiThere = true;
  }

  register(name: string): void {
    const id = `id-${name}`;
    this.#hosts.push({ id, name, status: 'known' });
    this.tell('registered', 'info', id);
  }

  /** An event of the service; all texts are different. */
  tell(message: string, severity: Event['severity'] = 'info', host = ''): void {
    const text = `event ${this.events.length}: ${message}`;
    this.events.push({ event_time: this.#time(), host_id: host, severity, message: text });
  }

  #time(): string {
    return new Date(this.#machine.now).toISOString();
  }

  readonly answer: Server = ({ url }) => {
    if (url.origin === SERVICE) return this.#service(url.pathname.replace('/api/assisted-install/v2', ''));
    if (url.origin !== API || !this.isApiThere) return 'unreachable';
    const objects: Readonly<Record<string, unknown>> = {
      '/api/v1/namespaces/kube-system/configmaps/bootstrap': {
        data: this.#stages.has('bootstrapped') ? { status: 'complete' } : {},
      },
      '/apis/config.openshift.io/v1/clusterversions/version': this.#version(),
      '/apis/config.openshift.io/v1/clusteroperators': this.#operators(),
      '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert': {
        data: { 'ca-bundle.crt': AUTHORITY },
      },
      '/apis/route.openshift.io/v1/namespaces/openshift-console/routes/console': {
        metadata: { name: 'console', namespace: 'openshift-console' },
        spec: { host: CONSOLE, tls: {} },
        status: { ingress: [{ host: CONSOLE, conditions: [{ type: 'Admitted', status: 'True' }] }] },
      },
      ...pool('worker'),
      ...pool('master'),
    };
    const object = objects[url.pathname];
    return object === undefined ? nothing(404, 'NotFound') : json(200, object);
  };

  #service(path: string): Answer | 'unreachable' {
    if (!this.isServiceThere) return 'unreachable';
    if (path === '/infra-envs') return json(200, [{ id: 'infra-env' }]);
    if (path === '/clusters') return json(200, [{ id: CLUSTER_ID }]);
    if (path === '/events') return json(200, this.events);
    if (path !== `/clusters/${CLUSTER_ID}`) return json(404, { code: '404', reason: 'not found' });
    const hosts = this.#hosts.map(({ id, name, status }) => ({ id, requested_hostname: name, status }));
    return json(200, { id: CLUSTER_ID, status: this.#status, status_updated_at: this.#statusAt, hosts });
  }

  #version(): unknown {
    const isThere = this.#stages.has('initialized');
    const conditions = [
      condition('Available', isThere),
      condition('Failing', false),
      condition('Progressing', !isThere, this.version),
    ];
    return { metadata: { name: 'version' }, status: { conditions } };
  }

  #operators(): unknown {
    const settled = this.settledAt;
    const at = new Date(settled ?? this.#machine.now).toISOString();
    const items = ['authentication', 'network'].map((name) => ({
      metadata: { name },
      status: { conditions: [condition('Progressing', settled === undefined, 'rolling out', at)] },
    }));
    return { kind: 'ClusterOperatorList', metadata: { resourceVersion: '1' }, items };
  }
}

function pool(name: string): Readonly<Record<string, unknown>> {
  const group = '/apis/machineconfiguration.openshift.io/v1';
  return {
    [`${group}/machineconfigpools/${name}`]: { status: { configuration: { name: `rendered-${name}` } } },
    [`${group}/machineconfigs/rendered-${name}`]: { spec: { fips: true } },
  };
}
