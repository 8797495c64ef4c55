// The stage of a host: a pure state machine from polls to events. No event is lost or reported twice.
import type { ApprovalVerdict } from '../csr/approval.ts';
import { type KubeObject, nameOf, objectsOf, textOf } from '../objects.ts';
import type { Observation, ServiceIdentity, ServiceObservation } from '../service/client.ts';
import type { LiveStatus } from '../service/live-system.ts';
import { ServiceStatus } from '../service/status.ts';
import { inline } from '../service/texts.ts';
import { type ExpectedHost, isNodeOf } from './hosts.ts';
import { hostOf, type Installation, readInstallation } from './installation.ts';
import { LiveStory, type MonitorFact } from './live-story.ts';
import type { ClusterObservation, KubeletObservation } from './observe.ts';

/** The stage of a host. */
export type HostStage =
  /** No poll has seen it yet. */
  | 'expected'
  /** Its live system answers. */
  | 'live'
  /** Its disk is being written. */
  | 'installing'
  /** It answered before, and no longer does: it is rebooting into the installed system. */
  | 'rebooting'
  /** Its kubelet runs. */
  | 'kubelet'
  /** One of its certificate requests waits for approval. */
  | 'approval'
  /** The node exists but is not ready. */
  | 'joined'
  | 'ready'
  /** It reports that it cannot continue. */
  | 'failed';

/** An event of a host, as text and as data. */
export interface MonitorEvent {
  /** Milliseconds since the monitor began. */
  readonly at: number;
  /** The host's name in the plan; absent if the event is about the cluster. */
  readonly host?: string;
  readonly stage?: HostStage;
  readonly level: 'info' | 'warning';
  readonly message: string;
  /** A command that solves the problem, if there is one. */
  readonly command?: string;
  /** The event as data. */
  readonly fact?: MonitorFact;
}

/** A poll of one host; parts that were not requested, or have not answered yet, are absent. */
export interface HostPoll extends ClusterObservation {
  readonly service?: ServiceObservation;
  readonly live?: Observation<LiveStatus>;
  readonly kubelet?: KubeletObservation;
  /** Verdicts on the requests of all hosts. */
  readonly verdicts?: readonly ApprovalVerdict[];
}

/** A single failed poll of a live system may be chance. */
const MISSES = 2;

/** The state of one host. */
export class HostProgress {
  readonly host: ExpectedHost;
  readonly #approveCommand: string | undefined;
  readonly #service: ServiceStatus;
  readonly #live = new LiveStory();
  /** The last text of each kind, so that a lasting cause is reported once. */
  readonly #told = new Map<string, string>();
  #stage: HostStage = 'expected';
  #since = 0;
  #waitsFor = 'its first sign of life';
  #nodeName: string | undefined;
  #hasNode = false;
  #wasJoinTold = false;
  #misses = 0;
  /** Its state in the service. */
  #own: KubeObject | undefined;
  #step = '';
  /** Its pending requests, and the objections to each. */
  #pending: ReadonlyMap<string, string> = new Map();
  #events: MonitorEvent[] = [];
  #now = 0;

  constructor(host: ExpectedHost, approveCommand: string | undefined) {
    this.host = host;
    this.#approveCommand = approveCommand;
    this.#nodeName = host.nodeName;
    // If another machine installs several hosts, each has its own name.
    const nameOf = (one: KubeObject) => (this.#own === one ? host.name : textOf(one, 'requested_hostname'));
    this.#service = new ServiceStatus({ subject: 'host', nameOf });
  }

  get stage(): HostStage {
    return this.#stage;
  }

  /** The event that the host waits for, in words. */
  get waitsFor(): string {
    return this.#waitsFor;
  }

  /** Start of its stage. */
  get since(): number {
    return this.#since;
  }

  get identity(): ServiceIdentity {
    return this.#service.identity;
  }

  get isReady(): boolean {
    return this.#stage === 'ready';
  }

  /** Whether no more events will come unless a person acts. */
  get isSettled(): boolean {
    return this.#stage === 'ready' || this.#stage === 'failed';
  }

  /** Takes a poll, with its time in milliseconds since the start. */
  look(seen: HostPoll, now: number): readonly MonitorEvent[] {
    this.#now = now;
    const node = seen.nodes.ok ? seen.nodes.value.find((one) => isNodeOf(this.host, one)) : undefined;
    if (node !== undefined) this.#nodeName = nameOf(node);
    if (seen.nodes.ok) this.#noteNode(node !== undefined);
    // The live system precedes the node; once there is a node, only the node counts.
    if (!this.#hasNode) {
      this.#readService(seen.service);
      this.#readLive(seen.live);
      this.#readKubelet(seen.kubelet);
    }
    this.#readRequests(seen.verdicts);
    this.#readNode(node);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #noteNode(isThere: boolean): void {
    if (this.#hasNode && !isThere) {
      this.#wasJoinTold = false;
      this.#enter('expected', 'the node', 'the node is gone');
    }
    this.#hasNode = isThere;
  }

  #readService(service: ServiceObservation | undefined): void {
    if (service === undefined) return;
    if (!service.infraEnvs.ok) {
      const { status, reason } = service.infraEnvs;
      if (status === 401 || status === 403) {
        const text = `the live system refuses the token (${inline(reason)}); make a new image, or wait for the node`;
        this.#change('refusal', text, 'warning');
      } else if (status === undefined) this.#missLive();
      return;
    }
    const cluster = service.cluster?.ok ? service.cluster.value : undefined;
    this.#own = cluster && hostOf(cluster, this.host);
    const installation = cluster && readInstallation(cluster, this.host);
    // An installed machine no longer answers; if its service still does, another machine installs it.
    if (installation?.stage !== 'rebooting') this.#meetLive();
    const { lines, cause, isFatal } = this.#service.read(service, this.#now);
    for (const { level, message, fact } of lines) {
      if (level === 'info' || level === 'warning') this.#say(level, message, fact && { fact });
    }
    if (isFatal === true) this.#stageOf('failed', `you: ${cause}`);
    else if (installation !== undefined) this.#readInstallation(installation);
    else if (this.#stage === 'live' || this.#stage === 'failed') this.#stageOf('live', 'the installation');
    this.#change('cause', inline(cause ?? ''), 'warning');
  }

  #readInstallation({ stage, doing, percentage }: Installation): void {
    const hasChanged = stage !== this.#stage;
    const share = percentage === undefined ? '' : `, ${percentage} %`;
    switch (stage) {
      case 'live':
        this.#stageOf('live', doing);
        return;
      case 'rebooting':
        if (hasChanged) this.#enter('rebooting', doing, 'the machine is installed and reboots');
        return;
      case 'failed':
        this.#stageOf('failed', `you: ${doing}`);
        if (hasChanged) this.#say('warning', `the installation failed: ${doing}; ${WAY_OUT}`, this.#gather());
        return;
      case 'installing':
        this.#stageOf('installing', `its installation: ${doing}${share}`);
        if (hasChanged) this.#say('info', 'the machine installs itself');
        if (percentage === undefined || this.#step === `${doing}${share}`) return;
        this.#step = `${doing}${share}`;
        this.#say('info', `${percentage} % of the installation is done: ${doing}`, {
          fact: { kind: 'progress', stage: doing, percentage },
        });
    }
  }

  /** The command that collects the logs of the machine. */
  #gather(): Pick<MonitorEvent, 'command'> {
    const [address] = this.host.addresses;
    return address === undefined ? {} : { command: `ssh core@${address} sudo agent-gather` };
  }

  #readLive(live: Observation<LiveStatus> | undefined): void {
    if (live === undefined) return;
    if (!live.ok) {
      if (live.status === undefined) this.#missLive();
      else this.#change('refusal', `${refusalText(live.status)} (${live.reason})`, 'warning');
      return;
    }
    this.#meetLive();
    const { stage, waitsFor, lines } = this.#live.read(live.value);
    for (const { level, message, fact } of lines) this.#say(level, message, fact && { fact });
    const hasChanged = stage !== this.#stage;
    this.#stageOf(stage, waitsFor);
    if (!hasChanged) return;
    if (stage === 'installing') this.#say('info', 'the machine installs itself');
    if (stage === 'failed') this.#say('warning', `the machine stopped: ${live.value.error}`);
  }

  /** Its live system answered. */
  #meetLive(): void {
    this.#misses = 0;
    this.#told.delete('refusal');
    if (this.#stage === 'expected') this.#enter('live', 'its checks', 'the live system answers');
    if (this.#stage === 'rebooting') this.#enter('live', 'its checks', 'the live system answers again');
  }

  #missLive(): void {
    if (!WITH_LIVE_SYSTEM.has(this.#stage)) return;
    this.#misses++;
    if (this.#misses < MISSES) return;
    this.#misses = 0;
    this.#enter('rebooting', 'its kubelet', 'the live system stopped answering: the host is rebooting or off');
  }

  #readKubelet(kubelet: KubeletObservation | undefined): void {
    if (kubelet?.isRunning !== true || !BEFORE_KUBELET.has(this.#stage)) return;
    this.#enter('kubelet', 'its certificate request', 'the kubelet runs');
  }

  #readRequests(verdicts: readonly ApprovalVerdict[] | undefined): void {
    if (verdicts === undefined || this.#nodeName === undefined) return;
    const own = verdicts.filter(({ node }) => node === this.#nodeName);
    for (const verdict of own) {
      if (this.#pending.get(verdict.request.name) !== objections(verdict)) this.#tellRequest(verdict);
    }
    this.#pending = new Map(own.map((verdict) => [verdict.request.name, objections(verdict)]));
    if (this.#stage === 'approval' && own.length === 0) this.#stageOf('kubelet', 'its node');
  }

  #tellRequest(verdict: ApprovalVerdict): void {
    const { request, kind, names } = verdict;
    const which = kind === 'client' ? 'first' : 'second';
    const title = `its ${which} certificate request ${request.name}`;
    if (!verdict.isApprovable) {
      this.#stageOf('approval', `you to look at its ${which} certificate request`);
      this.#say('warning', `${title} must not be approved: ${objections(verdict)}`);
      return;
    }
    this.#stageOf('approval', `approval of its ${which} certificate request`);
    this.#say('info', `${title} waits for approval`, {
      command: this.#approveCommand ?? `oc adm certificate approve ${shellWord(request.name)}`,
    });
    if (names.length === 0) return;
    this.#say(
      'info',
      `${request.name} asks for ${names.map(({ value, reason }) => `${value} (${reason})`).join(', ')}`,
    );
  }

  #readNode(node: KubeObject | undefined): void {
    if (node === undefined) return;
    const conditions = objectsOf(node, 'status', 'conditions');
    const ready = conditions.find((condition) => textOf(condition, 'type') === 'Ready');
    if (textOf(ready, 'status') === 'True') {
      const names = [...this.#pending].flatMap(([name, objection]) => (objection === '' ? name : [])).join(', ');
      if (names !== '') {
        this.#say('warning', `until ${names} is approved, the node may not be fully functional`);
      }
      this.#enter('ready', '', 'the node is ready');
      return;
    }
    if (this.#pending.size === 0) this.#stageOf('joined', 'the node to become ready');
    if (!this.#wasJoinTold) this.#say('info', 'the node joined');
    this.#wasJoinTold = true;
    const why = textOf(ready, 'message');
    this.#change('not ready', why === '' ? '' : `the node is not ready: ${why}`, 'info');
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

  /** Reports a text unless it is the last of its kind; changed figures are not news. */
  #change(kind: string, text: string, level: MonitorEvent['level']): void {
    const lasting = text.replace(/\d+/g, '#');
    if (text !== '' && this.#told.get(kind) !== lasting) this.#say(level, text);
    this.#told.set(kind, lasting);
  }

  #say(level: MonitorEvent['level'], message: string, more: Pick<MonitorEvent, 'command' | 'fact'> = {}): void {
    this.#events.push({ at: this.#now, host: this.host.name, stage: this.#stage, level, message, ...more });
  }
}

const WITH_LIVE_SYSTEM: ReadonlySet<HostStage> = new Set(['live', 'installing', 'failed']);
const BEFORE_KUBELET: ReadonlySet<HostStage> = new Set(['expected', 'live', 'installing', 'rebooting', 'failed']);

/** The service does not restart by itself. */
const WAY_OUT = 'collect its logs, fix the cause, and boot it from the image again';

/** Kubernetes allows any name for a request, and people paste commands. */
function shellWord(name: string): string {
  return /^[A-Za-z0-9][\w.-]*$/.test(name) ? name : `-- '${name.replaceAll("'", `'\\''`)}'`;
}

/** The failed checks of a request. */
function objections({ checks }: ApprovalVerdict): string {
  return checks
    .filter(({ passed }) => !passed)
    .map(({ what, found }) => (found === '' ? `not "${what}"` : `not "${what}": ${found}`))
    .join('; ');
}

function refusalText(status: number): string {
  return status === 404
    ? 'the live system refuses the token of the report: it may have booted another image'
    : 'another program answers at the port of the live system';
}
