// The installation status of the service on a node, reported as the peer does: openshift-install's agent package, which serves both
// `wait-for` and the monitor of added nodes. A pure reader of observations.
import { type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import { type Observation, only, type ServiceIdentity, type ServiceObservation } from './client.ts';
import type { ServiceFact, StatusLine } from './facts.ts';
import { SteadyTimer } from './steady-timer.ts';
import { inline, withHostNames } from './texts.ts';
import { ValidationHistory } from './validations.ts';

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  'adding-hosts': 'Cluster is adding hosts',
  cancelled: 'Cluster installation cancelled',
  error: 'Cluster has hosts in error',
  finalizing: 'Finalizing cluster installation',
  installing: 'Cluster installation in progress',
  'installing-pending-user-action': 'Cluster has hosts requiring user input',
  insufficient: 'Cluster is not ready for install. Check validations',
  'pending-for-input': 'User input is required to continue cluster installation',
  'preparing-for-installation': 'Preparing cluster for installation',
  ready: 'Cluster is ready for install',
};

/** How long a cluster may be ready without progress. */
const READY_LIMIT = 60_000;

/** The lines of one poll of the service, and the cause if it ended early. */
export interface StatusReport {
  readonly lines: readonly StatusLine[];
  readonly cause?: string;
  /** Whether the installation cannot continue. */
  readonly isFatal?: boolean;
}

export interface ServiceStatusOptions {
  /** What is being installed, as messages call it. */
  readonly subject: 'host' | 'cluster';
  /** Prefix of a status text. */
  readonly statusPrefix?: string | undefined;
  /**
   * `compatible` reports the same as the peer: only the last event, some facts at every poll, and hosts with one name share their
   * validations. `strict`, the default, reports everything once.
   */
  readonly mode?: 'strict' | 'compatible' | undefined;
  /** The name of a host (default: its own). */
  readonly nameOf?: ((host: KubeObject) => string) | undefined;
}

/** The story of one service, poll by poll. */
export class ServiceStatus {
  readonly #subject: 'host' | 'cluster';
  readonly #statusPrefix: string;
  readonly #isCompatible: boolean;
  readonly #nameOf: (host: KubeObject) => string;
  readonly #validations: ValidationHistory;
  readonly #ready = new SteadyTimer();
  #wasSeen = false;
  #identity: ServiceIdentity = {};
  #status = '';
  /** When it last had another status than ready. */
  #notReadyAt = 0;
  #isRetrying = false;
  #lastEvent = '';
  #events: readonly KubeObject[] = [];
  readonly #toldEvents = new Set<string>();

  constructor({ subject, statusPrefix = '', mode = 'strict', nameOf = requestedName }: ServiceStatusOptions) {
    this.#subject = subject;
    this.#statusPrefix = statusPrefix;
    this.#isCompatible = mode === 'compatible';
    this.#nameOf = nameOf;
    this.#validations = new ValidationHistory(mode);
  }

  /** The learned ids; an observer needs them for its next poll. */
  get identity(): ServiceIdentity {
    return this.#identity;
  }

  /** The last reported status. */
  get status(): string {
    return this.#status;
  }

  /** The last non-empty list of events; the peer does not read the list of a poll that ends early. */
  get events(): readonly KubeObject[] {
    return this.#events;
  }

  /** Takes a poll of a service that answered. */
  read(seen: ServiceObservation, now: number): StatusReport {
    const lines: StatusLine[] = [];
    if (!this.#wasSeen) {
      lines.push({ level: 'debug', message: 'Agent Rest API Initialized' });
      this.#wasSeen = true;
      this.#notReadyAt = now;
    }
    this.#learn(seen, lines);
    if (this.#identity.clusterId === undefined) {
      if (seen.clusters?.ok === false) return { lines, cause: `${NO_CLUSTER_ID}: ${seen.clusters.reason}` };
      return { lines, cause: `${NO_CLUSTER}: no clusterID known for the cluster` };
    }
    if (seen.cluster === undefined) return { lines };
    if (!seen.cluster.ok) {
      // The image booted again: earlier data is outdated. The peer keeps polling for it.
      if (seen.cluster.status === 404 && !this.#isCompatible) this.#identity = {};
      return { lines, cause: `${NO_CLUSTER}: ${seen.cluster.reason}` };
    }
    const cluster = seen.cluster.value;
    const problem = this.#readStatus(cluster, now, lines);
    if (problem !== undefined && this.#isCompatible) return { lines, ...problem };
    const names = new Map(objectsOf(cluster, 'hosts').map((host) => [textOf(host, 'id'), this.#nameOf(host)]));
    const unreadable = this.#validations.read(cluster, names, lines);
    const doubt = unreadable === undefined ? undefined : { cause: `host validations failed: ${unreadable}` };
    if (doubt !== undefined && this.#isCompatible) return { lines, ...doubt };
    const events = this.#readEvents(seen.events, names, lines);
    return { lines, ...(problem ?? doubt ?? events) };
  }

  #learn({ clusters, infraEnvs }: ServiceObservation, lines: StatusLine[]): void {
    if (this.#identity.clusterId === undefined && clusters?.ok === false) return;
    const { clusterId = count(clusters, 'cluster', lines), infraEnvId = count(infraEnvs, 'infraenv', lines) } =
      this.#identity;
    this.#identity = { ...(clusterId && { clusterId }), ...(infraEnvId && { infraEnvId }) };
  }

  #readStatus(cluster: KubeObject, now: number, lines: StatusLine[]): Omit<StatusReport, 'lines'> | undefined {
    const status = textOf(cluster, 'status');
    const before = this.#status;
    if (status !== before) {
      const text = STATUS_TEXTS[status] ?? (this.#isCompatible ? '' : `Cluster status is ${status}`);
      lines.push({ level: 'info', message: `${this.#statusPrefix}${text}`, fact: { kind: 'status', status } });
      const isRetrying = status === 'ready' && before === 'preparing-for-installation';
      if (isRetrying && this.#isCompatible) return { cause: RETRYING };
      this.#isRetrying = isRetrying;
      if (status === 'installing-pending-user-action') lines.push(...this.#hostsAsking(cluster, status));
      this.#status = status;
    }
    if (status !== 'ready') {
      this.#notReadyAt = now;
      this.#ready.see('', now);
    }
    if (status === 'ready' && this.#readyFor(cluster, before, now) > READY_LIMIT) {
      return { cause: NO_PROGRESS, isFatal: true };
    }
    if (this.#isRetrying) return { cause: RETRYING };
    if (status === 'error' && !this.#isCompatible) return { cause: this.#errorOf(cluster), isFatal: true };
    if (status === 'error' || status === 'installing-pending-user-action') {
      return { cause: `${this.#subject} has stopped installing... working to recover installation` };
    }
    if (status === 'cancelled') return { cause: `${this.#subject} installation was cancelled`, isFatal: true };
    return undefined;
  }

  /** An installation that is ordered repeatedly is ready at many polls, each time since another moment. */
  #readyFor(cluster: KubeObject, before: string, now: number): number {
    const seen = this.#ready.see(`since ${textOf(cluster, 'status_updated_at')}`, now);
    if (!this.#isCompatible) return seen;
    return before === 'ready' ? now - this.#notReadyAt : 0;
  }

  /** The original failure; hosts that fail only because of others have a fixed text. */
  #errorOf(cluster: KubeObject): string {
    const failed = objectsOf(cluster, 'hosts').filter((host) => textOf(host, 'status') === 'error');
    const own = failed.filter((host) => textOf(host, 'status_info') !== SHARED_FATE);
    const reasons = (own.length > 0 ? own : failed).map(
      (host) => `${this.#nameOf(host)}: ${inline(textOf(host, 'status_info'))}`,
    );
    return `${this.#subject} installation failed: ${reasons.join('; ') || inline(textOf(cluster, 'status_info'))}`;
  }

  #hostsAsking(cluster: KubeObject, status: string): StatusLine[] {
    return objectsOf(cluster, 'hosts')
      .filter((host) => memberOf(host, 'status') === status)
      .map((host) => {
        const info = textOf(host, 'status_info');
        return { level: 'warning', message: `Host ${this.#nameOf(host)} ${this.#isCompatible ? info : inline(info)}` };
      });
  }

  #readEvents(
    events: Observation<readonly KubeObject[]> | undefined,
    names: ReadonlyMap<string, string>,
    lines: StatusLine[],
  ): { cause?: string } {
    if (events === undefined) return {};
    if (!events.ok) {
      return {
        cause: `Unable to retrieve events about the ${this.#subject} from the Agent Rest API: ${events.reason}`,
      };
    }
    const last = events.value.at(-1);
    if (last === undefined) return {};
    if (!this.#isCompatible) this.#tellNewEvents(events.value, names, lines);
    else if (textOf(last, 'message') !== this.#lastEvent) lines.push(eventLine(last));
    this.#lastEvent = textOf(last, 'message');
    this.#events = events.value;
    return {};
  }

  /** The service keeps all events; a delayed answer may have fewer than an earlier one. */
  #tellNewEvents(events: readonly KubeObject[], names: ReadonlyMap<string, string>, lines: StatusLine[]): void {
    for (const event of events) {
      const key = ['event_time', 'host_id', 'message'].map((name) => textOf(event, name)).join(' ');
      if (this.#toldEvents.has(key)) continue;
      this.#toldEvents.add(key);
      const { fact, ...line } = eventLine(event);
      const message = withHostNames(inline(line.message), names);
      lines.push({ ...line, message, ...(fact && { fact: { ...fact, text: message } }) });
    }
  }
}

function eventLine(event: KubeObject): StatusLine & { readonly fact?: ServiceFact & { readonly kind: 'event' } } {
  const [severity = '', text = '', time] = ['severity', 'message', 'event_time'].map((name) => textOf(event, name));
  return {
    level: severity === 'info' ? 'info' : 'warning',
    message: text,
    fact: { kind: 'event', severity, text, ...(time && { time }) },
  };
}

function requestedName(host: KubeObject): string {
  return textOf(host, 'requested_hostname');
}

const NO_PROGRESS = 'failed to progress after all hosts available';
/** The service's own text for a host whose cluster has failed. */
const SHARED_FATE = 'Host is part of a cluster that failed to install';
const RETRYING = 'failed to prepare cluster installation, retrying';

const NO_CLUSTER_ID = 'Unable to retrieve clusterID from Agent Rest API';
const NO_CLUSTER = 'Unable to retrieve cluster metadata from Agent Rest API';

/** The id, if there is exactly one; else a line about their number. */
function count(
  answer: Observation<readonly string[]> | undefined,
  what: string,
  lines: StatusLine[],
): string | undefined {
  if (!answer?.ok) return undefined;
  const { length } = answer.value;
  if (length === 0) lines.push({ level: 'debug', message: `${what} is not registered in rest API`, bare: true });
  if (length > 1) {
    lines.push({ level: 'info', message: `found too many ${what}s. number of ${what}s found: ${length}`, bare: true });
  }
  return only(answer);
}
