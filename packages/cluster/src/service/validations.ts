// Validations of a cluster and its hosts: which of them are told, and how loudly.
import { isObject, type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import type { Level, Line } from '../transcript.ts';

/** One validation of the service. */
export interface Validation {
  readonly id: string;
  /** `success`, `failure`, `pending`, `error`, `disabled`. */
  readonly status: string;
  readonly message: string;
}

/** Reads `validations_info`: a JSON text, categories by name, each a list. Undefined where it is not of that form. */
function readValidations(text: string): readonly Validation[] | undefined {
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
  for (const category of Object.keys(categories).sort()) {
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

/** Whether a validation stands in the way. */
function isFailing({ status }: Validation): boolean {
  return status === 'failure' || status === 'error';
}

/** What was told of each validation; kept by its id and, for hosts, by the host's name, as the peer does. */
export class ValidationHistory {
  readonly #told = new Map<string, Validation>();

  /** Adds the lines that are new; a text where validations cannot be read. */
  read(cluster: KubeObject, lines: Line[]): string | undefined {
    if (!this.#readOne('Cluster validation: ', cluster, lines)) return UNREADABLE;
    for (const host of objectsOf(cluster, 'hosts')) {
      if (!this.#readOne(`Host ${textOf(host, 'requested_hostname')} validation: `, host, lines)) return UNREADABLE;
    }
    return undefined;
  }

  #readOne(prefix: string, holder: KubeObject, lines: Line[]): boolean {
    const validations = readValidations(textOf(holder, 'validations_info'));
    for (const validation of validations ?? []) {
      const key = `${prefix}${validation.id}`;
      const before = this.#told.get(key);
      this.#told.set(key, validation);
      if (before?.message === validation.message) continue;
      const level = levelOf(validation, before);
      if (level !== undefined) lines.push({ level, message: `${prefix}${validation.message}` });
    }
    return validations !== undefined;
  }
}

const UNREADABLE = 'unable to verify validations: not the JSON of validations';

/** A success is worth a word where it ends a failure; a first success only to those who debug. */
function levelOf(now: Validation, before: Validation | undefined): Level | undefined {
  if (isFailing(now)) return 'warning';
  if (now.status !== 'success') return 'trace';
  if (before === undefined) return 'debug';
  return isFailing(before) ? 'info' : undefined;
}
