// The hosts of a new cluster, called by the names of the plan: who has registered, how far each is, and whether there is any hope.
import { type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import { isFailing, readValidations } from '../service/validations.ts';
import type { WaitLine } from './events.ts';

/** A host that the image was made for. */
export interface PlannedAgent {
  /** As messages call it. */
  readonly name: string;
  /** MAC addresses of its interfaces, by which it is known before it has its name. */
  readonly macs?: readonly string[] | undefined;
}

/** How long a host may take to register after the service came up before its absence is worth a word. */
const REGISTRATION = 5 * 60_000;
/** Checks of clocks and networks fail for a while as hosts come up; a verdict counts once it has stood for so long. */
const SETTLING = 5 * 60_000;
/** The states of a cluster that waits for its hosts to pass. */
const WAITING: ReadonlySet<string> = new Set(['insufficient', 'pending-for-input']);
/** Hosts in these states have not been judged. */
const UNJUDGED: ReadonlySet<string> = new Set(['', 'discovering', 'binding']);

/** Follows the hosts of one cluster, look by look. Each thing is told once. */
export class Agents {
  readonly #planned: readonly PlannedAgent[];
  readonly #count: number;
  readonly #names = new Map<string, string>();
  readonly #progress = new Map<string, string>();
  #since: number | undefined;
  #wereCalled = false;
  #verdict = '';
  #verdictSince = 0;

  /** `count` is how many hosts there will be, named or not. */
  constructor(planned: readonly PlannedAgent[], count: number) {
    this.#planned = planned;
    this.#count = count;
  }

  /** Planned hosts of which nothing was heard. */
  get missing(): readonly string[] {
    const registered = new Set(this.#names.values());
    return this.#planned.map(({ name }) => name).filter((name) => !registered.has(name));
  }

  /** Adds what a look at the cluster shows. The text, where there is one, is why waiting on is no use. */
  read(cluster: KubeObject, now: number, lines: WaitLine[]): string | undefined {
    this.#since ??= now;
    const hosts = objectsOf(cluster, 'hosts');
    for (const host of hosts) this.#register(host, lines);
    if (now - this.#since >= REGISTRATION) this.#callMissing(lines);
    this.#readProgress('', cluster, lines);
    for (const host of hosts) this.#readProgress(this.#nameOf(host), host, lines);
    return this.#judge(cluster, hosts, now);
  }

  #register(host: KubeObject, lines: WaitLine[]): void {
    const id = textOf(host, 'id');
    if (this.#names.has(id)) return;
    const planned = this.#planned.find((one) => isSame(one, host));
    const name = planned?.name ?? textOf(host, 'requested_hostname');
    // A host that sends its inventory later is looked at again.
    if (name === '' || (planned === undefined && textOf(host, 'inventory') === '' && this.missing.length > 0)) return;
    this.#names.set(id, name);
    lines.push({
      level: 'info',
      message: `Host ${name} registered`,
      fact: { kind: 'host', host: name, isRegistered: true, isPlanned: planned !== undefined },
    });
  }

  #callMissing(lines: WaitLine[]): void {
    if (this.#wereCalled) return;
    this.#wereCalled = true;
    for (const host of this.missing) {
      lines.push({
        level: 'warning',
        message: `Host ${host} has not registered; is it booted from the image, and does it reach the rendezvous host?`,
        fact: { kind: 'host', host, isRegistered: false, isPlanned: true },
      });
    }
  }

  #readProgress(host: string, holder: KubeObject, lines: WaitLine[]): void {
    const stage = textOf(holder, 'progress', 'current_stage');
    const percentage =
      memberOf(holder, 'progress', host === '' ? 'total_percentage' : 'installation_percentage') ?? undefined;
    if (stage === '' && typeof percentage !== 'number') return;
    const text = `${stage}${typeof percentage === 'number' ? `${stage === '' ? '' : ', '}${percentage} %` : ''}`;
    const before = this.#progress.get(host);
    if (before === text || (host === '' && percentage === 0)) return;
    this.#progress.set(host, text);
    lines.push({
      level: stage !== '' && before?.startsWith(stage) !== true ? 'info' : 'debug',
      message: host === '' ? `Installation is at ${text}` : `Host ${host}: ${text}`,
      fact: {
        kind: 'progress',
        ...(host === '' ? {} : { host }),
        ...(stage === '' ? {} : { stage }),
        ...(typeof percentage === 'number' ? { percentage } : {}),
      },
    });
  }

  /** Why no host can bring the installation further: all are there, all are judged, and the same checks fail for minutes. */
  #judge(cluster: KubeObject, hosts: readonly KubeObject[], now: number): string | undefined {
    const isJudged =
      hosts.length > 0 &&
      hosts.length >= this.#count &&
      this.#count > 0 &&
      this.missing.length === 0 &&
      WAITING.has(textOf(cluster, 'status')) &&
      hosts.every((host) => !UNJUDGED.has(textOf(host, 'status')));
    const verdict = isJudged
      ? [
          ...hosts.flatMap((host) => failuresOf(host).map((text) => `${this.#nameOf(host)}: ${text}`)),
          ...failuresOf(cluster),
        ].join('; ')
      : '';
    if (verdict !== this.#verdict) this.#verdictSince = now;
    this.#verdict = verdict;
    return verdict !== '' && now - this.#verdictSince >= SETTLING ? verdict : undefined;
  }

  #nameOf(host: KubeObject): string {
    return this.#names.get(textOf(host, 'id')) ?? (textOf(host, 'requested_hostname') || textOf(host, 'id'));
  }
}

function failuresOf(holder: KubeObject): string[] {
  return (readValidations(textOf(holder, 'validations_info')) ?? [])
    .filter(isFailing)
    .map(({ id, message }) => message || id);
}

/** By its name, or by one of its addresses in the inventory that it sent. */
function isSame({ name, macs = [] }: PlannedAgent, host: KubeObject): boolean {
  if (name === textOf(host, 'requested_hostname')) return true;
  if (macs.length === 0) return false;
  const own = new Set(macs.map((mac) => mac.toLowerCase()));
  return objectsOf(parsed(textOf(host, 'inventory')), 'interfaces').some((one) =>
    own.has(textOf(one, 'mac_address').toLowerCase()),
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
