// What a host is waiting for: a pure machine from looks at it to events. Nothing is said twice, nothing is forgotten.
import { type CertificateRequest, CLIENT_SIGNER, SERVING_SIGNER } from '../csr/certificate-request.ts';
import { type KubeObject, nameOf, objectsOf, textOf } from '../objects.ts';
import type { Answer, ServiceIdentity, ServiceObservation } from '../service/client.ts';
import { ServiceStatus } from '../service/status.ts';
import { type ExpectedHost, isNodeOf } from './hosts.ts';
import type { ClusterObservation, KubeletObservation } from './observe.ts';

/** How far a host is. */
export type HostStage =
  /** Nothing was seen of it yet. */
  | 'expected'
  /** Its live system answers. */
  | 'live'
  /** It answered before, and no longer does: it is rebooting into what was installed. */
  | 'rebooting'
  /** Its kubelet runs. */
  | 'kubelet'
  /** A certificate request of its waits for approval. */
  | 'approval'
  /** The node exists and is not ready. */
  | 'joined'
  | 'ready'
  /** It says itself that it cannot go on. */
  | 'failed';

export interface MonitorEvent {
  /** Milliseconds since the monitor began. */
  readonly at: number;
  readonly host: string;
  readonly stage: HostStage;
  readonly level: 'info' | 'warning';
  readonly message: string;
  /** The command that helps, where there is one. */
  readonly command?: string;
}

/** A look at one host; what could not be asked is absent. */
export interface HostLook extends ClusterObservation {
  readonly service?: ServiceObservation;
  readonly kubelet?: KubeletObservation;
}

/** What is known of one host. */
export class HostProgress {
  readonly host: ExpectedHost;
  readonly #service = new ServiceStatus({ subject: 'host' });
  readonly #told = new Set<string>();
  #stage: HostStage = 'expected';
  #since = 0;
  #waitsFor = 'its first sign of life';
  #nodeName: string | undefined;
  #events: MonitorEvent[] = [];
  #now = 0;

  constructor(host: ExpectedHost) {
    this.host = host;
    this.#nodeName = host.nodeName;
  }

  get stage(): HostStage {
    return this.#stage;
  }

  /** What the host waits for, in words. */
  get waitsFor(): string {
    return this.#waitsFor;
  }

  /** When it came to where it is. */
  get since(): number {
    return this.#since;
  }

  get identity(): ServiceIdentity {
    return this.#service.identity;
  }

  get isDone(): boolean {
    return this.#stage === 'ready';
  }

  /** Takes a look, with the moment in milliseconds since the start. */
  look(seen: HostLook, now: number): readonly MonitorEvent[] {
    this.#now = now;
    const node = seen.nodes.ok ? seen.nodes.value.find((one) => isNodeOf(this.host, one)) : undefined;
    if (node !== undefined) this.#nodeName = nameOf(node);
    // The service is of the time before the node; once there is a node, only the node counts.
    if (node === undefined) this.#readService(seen.service);
    this.#readKubelet(seen.kubelet, node);
    this.#readRequests(seen.requests, node);
    this.#readNode(node);
    this.#readTrouble(seen);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #readService(service: ServiceObservation | undefined): void {
    if (service === undefined) return;
    if (!service.infraEnvs.ok) {
      const { status, reason } = service.infraEnvs;
      if (status === 401 || status === 403) {
        this.#once(
          `token ${status}`,
          'warning',
          `the live system answers and refuses the token (${reason}); make a new image, or wait for the node itself`,
        );
      } else if (this.#stage === 'live' && status === undefined) {
        this.#enter('rebooting', 'its kubelet', 'the live system went away: the host reboots into what was installed');
      }
      return;
    }
    if (this.#stage === 'expected' || this.#stage === 'rebooting') {
      const again = this.#stage === 'rebooting';
      const message = again ? 'the live system is back: the host booted the image again' : 'the live system answers';
      this.#enter('live', 'the installation', message);
    }
    const { lines, cause } = this.#service.read(service, this.#now);
    for (const { level, message } of lines) {
      if (level === 'info' || level === 'warning') this.#say(level, message);
    }
    if (cause !== undefined) this.#once(`cause ${cause}`, 'warning', cause);
  }

  #readKubelet(kubelet: KubeletObservation | undefined, node: KubeObject | undefined): void {
    if (kubelet?.isRunning !== true || node !== undefined || !BEFORE_KUBELET.has(this.#stage)) return;
    this.#enter('kubelet', 'its certificate request', 'the kubelet runs');
  }

  #readRequests(requests: Answer<readonly CertificateRequest[]>, node: KubeObject | undefined): void {
    if (!requests.ok || this.#nodeName === undefined) return;
    const name = this.#nodeName;
    for (const request of requests.value) {
      if (!request.isPending) continue;
      const isFirst = request.signer === CLIENT_SIGNER && request.content?.commonNames[0] === `system:node:${name}`;
      const isSecond = request.signer === SERVING_SIGNER && request.username === `system:node:${name}`;
      if (!isFirst && !isSecond) continue;
      if (this.#told.has(`request ${request.name}`)) continue;
      this.#told.add(`request ${request.name}`);
      const which = isFirst ? 'first' : 'second';
      if (node === undefined || isSecond) this.#stageOf('approval', `approval of its ${which} certificate request`);
      this.#say(
        'info',
        `its ${which} certificate request ${request.name} waits for approval`,
        `oc adm certificate approve ${request.name}`,
      );
    }
  }

  #readNode(node: KubeObject | undefined): void {
    if (node === undefined) {
      if (this.#stage === 'joined' || this.#stage === 'ready') this.#enter('expected', 'the node', 'the node is gone');
      return;
    }
    const conditions = objectsOf(node, 'status', 'conditions');
    const ready = conditions.find((condition) => textOf(condition, 'type') === 'Ready');
    if (textOf(ready, 'status') === 'True') {
      if (this.#stage !== 'ready') this.#enter('ready', '', 'the node is ready');
      return;
    }
    const why = textOf(ready, 'message');
    if (this.#stage !== 'joined' && this.#stage !== 'approval')
      this.#enter('joined', 'the node to become ready', 'the node joined');
    if (why !== '') this.#once(`not ready ${why}`, 'info', `the node is not ready: ${why}`);
  }

  /** What keeps us from looking is said once per cause. */
  #readTrouble({ nodes, requests }: HostLook): void {
    for (const [what, answer] of [
      ['nodes', nodes],
      ['certificate requests', requests],
    ] as const) {
      const key = `trouble ${what}`;
      if (answer.ok) this.#told.delete(key);
      else if (!this.#told.has(key)) {
        this.#told.add(key);
        this.#say('warning', `${what} cannot be listed: ${answer.reason}`);
      }
    }
  }

  #stageOf(stage: HostStage, waitsFor: string): void {
    if (stage !== this.#stage) this.#since = this.#now;
    this.#stage = stage;
    this.#waitsFor = waitsFor;
  }

  #enter(stage: HostStage, waitsFor: string, message: string): void {
    this.#stageOf(stage, waitsFor);
    this.#say('info', message);
  }

  #once(key: string, level: MonitorEvent['level'], message: string): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#say(level, message);
  }

  #say(level: MonitorEvent['level'], message: string, command?: string): void {
    const event = { at: this.#now, host: this.host.name, stage: this.#stage, level, message };
    this.#events.push(command === undefined ? event : { ...event, command });
  }
}

const BEFORE_KUBELET: ReadonlySet<HostStage> = new Set(['expected', 'live', 'rebooting']);
