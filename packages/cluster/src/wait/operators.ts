// Cluster operators: their problems, and whether they have settled.
import { ClusterError, reasonOf } from '../errors.ts';
import { type KubeObject, nameOf, objectsOf, textOf } from '../objects.ts';
import type { ClusterReader } from '../reader/port.ts';
import type { Line } from '../transcript.ts';

export const OPERATORS = '/apis/config.openshift.io/v1/clusteroperators';
/** An operator has settled once it has not progressed for longer than this. */
const SETTLING = 30_000;

/** A line per condition with an unexpected status; a failed list is a line too. */
export async function operatorLines(cluster: ClusterReader, failure: string, signal?: AbortSignal): Promise<Line[]> {
  try {
    const { items } = await cluster.list(OPERATORS, { signal });
    return items.flatMap(conditionLines);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ClusterError)) throw error;
    return [{ level: 'error', message: `${failure}: listing ClusterOperator objects: ${reasonOf(error)}` }];
  }
}

function conditionLines(operator: KubeObject): Line[] {
  return objectsOf(operator, 'status', 'conditions').flatMap((condition) => {
    const [type, status, reason, message] = ['type', 'status', 'reason', 'message'].map((name) =>
      textOf(condition, name),
    );
    const isExpected =
      type === 'Upgradeable' || (type === 'Available' && status === 'True') || (isSilent(type) && status === 'False');
    if (isExpected) return [];
    const level = type === 'Available' || type === 'Degraded' ? 'error' : 'info';
    return [{ level, message: `Cluster operator ${nameOf(operator)} ${type} is ${status} with ${reason}: ${message}` }];
  });
}

function isSilent(type: string | undefined): boolean {
  return type === 'Degraded' || type === 'Progressing';
}

/** The settled operators, poll by poll. */
export class OperatorStability {
  readonly #isCompatible: boolean;
  readonly #told = new Map<string, string>();
  #stable: readonly string[] = [];
  #unstable: readonly string[] = [];

  constructor(mode: 'strict' | 'compatible') {
    this.#isCompatible = mode === 'compatible';
  }

  /** Takes a poll of all operators; its lines first name those that have not settled, then changes. */
  look(operators: readonly KubeObject[], now: number): Line[] {
    const lines: Line[] = [];
    const debug = (message: string) => lines.push({ level: 'debug', message: `Cluster Operator ${message}` });
    const [stable, unstable]: [string[], string[]] = [[], []];
    for (const operator of operators) {
      const name = nameOf(operator);
      const detail = unsettledReason(operator, now);
      const isNews = this.#isCompatible || detail?.replace(SINCE, '') !== this.#told.get(name)?.replace(SINCE, '');
      if (detail !== undefined && isNews) debug(`${name} ${detail}`);
      this.#told.set(name, detail ?? '');
      (detail === undefined ? stable : unstable).push(name);
    }
    for (const name of stable) if (!this.#stable.includes(name)) debug(`${name} is stable`);
    for (const name of this.#stable) if (!stable.includes(name)) debug(`${name} became unstable`);
    this.#stable = stable;
    this.#unstable = unstable;
    return lines;
  }

  /** The settled operators, by name. */
  get stable(): readonly string[] {
    return this.#stable;
  }

  get unstable(): readonly string[] {
    return this.#unstable;
  }
}

/** The part of a detail that changes with every poll. */
const SINCE = /DurationSinceTransition=\S+/;

/** Why an operator has not settled; undefined if it has. */
function unsettledReason(operator: KubeObject, now: number): string | undefined {
  const progressing = objectsOf(operator, 'status', 'conditions').find((one) => textOf(one, 'type') === 'Progressing');
  if (progressing === undefined) return 'progressing == nil';
  const since = Date.parse(textOf(progressing, 'lastTransitionTime')) || BEGINNING;
  const status = textOf(progressing, 'status');
  if (status === 'False' && now - since > SETTLING) return undefined;
  const [reason, message] = ['reason', 'message'].map((name) => textOf(progressing, name));
  const seconds = Math.min(roundedToEven((now - since) / 1000), LONGEST_DURATION);
  const duration = `DurationSinceTransition=${seconds}s`;
  return `is Progressing=${status} LastTransitionTime=${goTime(since)} ${duration} Reason=${reason} Message=${message}`;
}

/** A number without its fraction, as Go prints it. */
function roundedToEven(number: number): number {
  const whole = Math.round(number);
  return whole - number === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
}

/** Go's zero time, the value of a missing time. */
const BEGINNING = Date.parse('0001-01-01T00:00:00Z');
/** Go's longest duration, in seconds. */
const LONGEST_DURATION = 9_223_372_037;

/** A time in UTC, as Go prints it. */
function goTime(milliseconds: number): string {
  return `${new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')} +0000 UTC`;
}
