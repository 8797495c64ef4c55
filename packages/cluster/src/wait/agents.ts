// Progress of the hosts of a new cluster, and whether they can still succeed.
import { type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import { SteadyTimer } from '../service/steady-timer.ts';
import { inline, meaning } from '../service/texts.ts';
import { isFailing, readValidations } from '../service/validations.ts';
import type { WaitLine } from './events.ts';
import { type PlannedAgent, Roster } from './roster.ts';

/** How long a host may take to register after the service starts before its absence is reported. */
const REGISTRATION = 5 * 60_000;
/** Checks of clocks and networks fail for a while as hosts boot; a verdict counts once it has lasted this long. */
const SETTLING = 5 * 60_000;
/** The states of a cluster that waits until its hosts pass. */
const WAITING: ReadonlySet<string> = new Set(['insufficient', 'pending-for-input']);
/** Hosts in these states have not been judged. */
const UNJUDGED: ReadonlySet<string> = new Set(['', 'discovering', 'binding']);

/** Follows the hosts of one cluster, poll by poll. Each fact is reported once. */
export class Agents {
  readonly #roster: Roster;
  readonly #count: number;
  /** The last seen progress of hosts, by id. */
  readonly #told = new Set<string>();
  readonly #verdict = new SteadyTimer();
  #hosts: readonly KubeObject[] = [];
  #since: number | undefined;
  #wereCalled = false;

  /** `count` is the number of hosts, named or not. */
  constructor(planned: readonly PlannedAgent[], count: number) {
    this.#roster = new Roster(planned);
    this.#count = count;
  }

  /** Planned hosts that never registered. */
  get missing(): readonly string[] {
    return this.#roster.missing;
  }

  readonly nameOf = (host: KubeObject): string => this.#roster.nameOf(host);

  /** Records the hosts of a cluster: from here on they have their current names. */
  meet(cluster: KubeObject, lines: WaitLine[]): void {
    this.#hosts = objectsOf(cluster, 'hosts');
    for (const host of this.#hosts) this.#roster.meet(host, lines);
  }

  /** Adds the result of a poll of the cluster. Returns a text if further waiting is useless. */
  read(cluster: KubeObject, now: number, lines: WaitLine[]): string | undefined {
    this.#since ??= now;
    if (now - this.#since >= REGISTRATION) this.#callMissing(lines);
    this.#readProgress(cluster, undefined, lines);
    for (const host of this.#hosts) this.#readProgress(host, this.nameOf(host), lines);
    return this.#judge(cluster, this.#hosts, now);
  }

  /** The last seen reasons why hosts do not progress. */
  get troubles(): readonly string[] {
    return this.#hosts.flatMap((host) => {
      const mismatch = this.#roster.mismatchOf(host);
      const reasons = mismatch === undefined ? failuresOf(host) : [...failuresOf(host), mismatch];
      return reasons.map((text) => `${this.nameOf(host)}: ${text}`);
    });
  }

  #callMissing(lines: WaitLine[]): void {
    if (this.#wereCalled) return;
    this.#wereCalled = true;
    for (const host of this.#roster.missing) {
      lines.push({
        level: 'warning',
        message: `Host ${host} has not registered; check that it booted the image and can reach the rendezvous host`,
        fact: { kind: 'host', host, isRegistered: false, isPlanned: true },
      });
    }
  }

  #readProgress(holder: KubeObject, host: string | undefined, lines: WaitLine[]): void {
    const stage = textOf(holder, 'progress', 'current_stage');
    const member = host === undefined ? 'total_percentage' : 'installation_percentage';
    const percentage = memberOf(holder, 'progress', member);
    const share = typeof percentage === 'number' ? percentage : undefined;
    if ((stage === '' && share === undefined) || (host === undefined && share === 0)) return;
    const text = [stage, ...(share === undefined ? [] : [`${share} %`])].filter((part) => part !== '').join(', ');
    const id = textOf(holder, 'id');
    const [key, stageKey] = [`${id} ${text}`, `${id} at ${stage}`];
    if (this.#told.has(key)) return;
    const isNewStage = stage !== '' && !this.#told.has(stageKey);
    this.#told.add(key).add(stageKey);
    lines.push({
      level: isNewStage ? 'info' : 'debug',
      message: host === undefined ? `Installation is at ${text}` : `Host ${host}: ${text}`,
      fact: {
        kind: 'progress',
        ...(host !== undefined && { host }),
        ...(stage !== '' && { stage }),
        ...(share !== undefined && { percentage: share }),
      },
    });
  }

  /** Why no host can advance the installation: all are present, all are judged, and the same checks have failed for minutes. */
  #judge(cluster: KubeObject, hosts: readonly KubeObject[], now: number): string | undefined {
    const isJudged =
      hosts.length > 0 &&
      hosts.length >= this.#count &&
      this.#count > 0 &&
      this.#roster.missing.length === 0 &&
      WAITING.has(textOf(cluster, 'status')) &&
      hosts.every((host) => !UNJUDGED.has(textOf(host, 'status')));
    const verdict = isJudged ? [...this.troubles, ...failuresOf(cluster)].join('; ') : '';
    return this.#verdict.see(meaning(verdict), now) >= SETTLING ? verdict : undefined;
  }
}

function failuresOf(holder: KubeObject): string[] {
  return (readValidations(textOf(holder, 'validations_info')) ?? [])
    .filter(isFailing)
    .map(({ id, message }) => inline(message) || id);
}
