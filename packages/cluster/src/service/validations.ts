// Validations of a cluster and its hosts: which are reported, and at which level.
import { sortByBytes } from '@coreiso/peers/go';
import { isObject, type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import type { Line } from '../transcript.ts';
import type { StatusLine } from './facts.ts';
import { inline, meaning, withHostNames } from './texts.ts';

/** One validation of the service. */
export interface Validation {
  readonly id: string;
  /** `success`, `failure`, `pending`, `error`, `disabled`. */
  readonly status: string;
  readonly message: string;
}

/** Parses `validations_info`: a JSON text, categories by name, each a list. Undefined if it has another form. */
export function readValidations(text: string): readonly Validation[] | undefined {
  if (text === '') return [];
  let categories: unknown;
  try {
    categories = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (categories === null) return [];
  if (!isObject(categories)) return undefined;
  const validations: Validation[] = [];
  for (const category of sortByBytes(Object.keys(categories))) {
    const list = categories[category] ?? [];
    if (!Array.isArray(list)) return undefined;
    for (const entry of list) {
      const fields = ['id', 'status', 'message'].map((name) => memberOf(entry, name) ?? '');
      const [id, status, message] = fields;
      if ((entry !== null && !isObject(entry)) || !isText(id) || !isText(status) || !isText(message)) return undefined;
      validations.push({ id, status, message });
    }
  }
  return validations;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a validation blocks the installation. */
export function isFailing({ status }: Validation): boolean {
  return status === 'failure' || status === 'error';
}

/** The last report of each validation, by its id and its host: the host's id, or its name, which openshift-install uses. */
export class ValidationHistory {
  readonly #isCompatible: boolean;
  readonly #told = new Map<string, Validation>();

  constructor(mode: 'strict' | 'compatible') {
    this.#isCompatible = mode === 'compatible';
  }

  /** Adds the new lines, with hosts under these names instead of ids; returns a text if validations cannot be parsed. */
  read(cluster: KubeObject, names: ReadonlyMap<string, string>, lines: StatusLine[]): string | undefined {
    let isWhole = this.#readOne(undefined, cluster, names, lines);
    for (const host of objectsOf(cluster, 'hosts')) {
      if (!isWhole && this.#isCompatible) break;
      const own = textOf(host, 'requested_hostname');
      const name = this.#isCompatible ? own : (names.get(textOf(host, 'id')) ?? own);
      isWhole = this.#readOne(name, host, names, lines) && isWhole;
    }
    return isWhole ? undefined : UNREADABLE;
  }

  #readOne(
    name: string | undefined,
    holder: KubeObject,
    names: ReadonlyMap<string, string>,
    lines: StatusLine[],
  ): boolean {
    const validations = readValidations(textOf(holder, 'validations_info'));
    const prefix = name === undefined ? 'Cluster validation: ' : `Host ${name} validation: `;
    const owner = this.#isCompatible ? prefix : `${textOf(holder, 'id')} `;
    for (const validation of validations ?? []) {
      const { id, status } = validation;
      const text = this.#isCompatible ? validation.message : withHostNames(inline(validation.message), names);
      const before = this.#told.get(`${owner}${id}`);
      this.#told.set(`${owner}${id}`, validation);
      if (before !== undefined && this.#isSame(before, validation)) continue;
      const level = levelOf(validation, before) ?? (this.#isCompatible ? undefined : 'debug');
      const fact = { kind: 'validation', ...(name === undefined ? {} : { host: name }), id, status, text } as const;
      if (level !== undefined) lines.push({ level, message: `${prefix}${text}`, fact });
    }
    return validations !== undefined;
  }

  #isSame(before: Validation, now: Validation): boolean {
    if (this.#isCompatible) return before.message === now.message;
    if (before.status !== now.status) return false;
    return before.message === now.message || meaning(before.message) === meaning(now.message);
  }
}

const UNREADABLE = 'unable to verify validations: not the JSON of validations';

/** A success is reported if it ends a failure; a first success only at debug level. */
function levelOf(now: Validation, before: Validation | undefined): Line['level'] | undefined {
  if (isFailing(now)) return 'warning';
  if (now.status !== 'success') return 'trace';
  if (before === undefined) return 'debug';
  return isFailing(before) ? 'info' : undefined;
}
