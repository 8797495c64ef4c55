// Exported Kubernetes objects in any form: one, many, lists of them, as text or parsed.
import { fail, type Outcome, succeed } from '@coreiso/diagnostics';
import { isObject, type Members, memberOf, textOf } from '@coreiso/peers/members';
import { Findings } from '../text/config-findings.ts';
import { plainValues } from '../text/numbers.ts';
import { type ConfigText, readAll } from '../text/read-text.ts';

/** A part of an object: members by name, values of any kind. */
export type KubeObject = Members;

/** Kubernetes objects by kind and name. */
export class ObjectStore {
  readonly #objects: readonly KubeObject[];

  constructor(objects: readonly KubeObject[]) {
    this.#objects = objects;
  }

  /** The object of that name; the namespace counts if both sides name one. */
  find(kind: string, name: string, namespace?: string): KubeObject | undefined {
    return this.#objects.find((object) => {
      const metadata = memberOf(object, 'metadata');
      const stands = textOf(metadata, 'namespace');
      return (
        textOf(object, 'kind') === kind &&
        textOf(metadata, 'name') === name &&
        (stands === '' || namespace === undefined || stands === namespace)
      );
    });
  }

  all(kind: string): KubeObject[] {
    return this.#objects.filter((object) => textOf(object, 'kind') === kind);
  }

  /**
   * The cluster's message if it forbade reading a resource: from a `Status` object about this one, or about all of
   * the kind.
   */
  refusal(resource: string, name: string): string | undefined {
    const status = this.all('Status').find((one) => {
      const isRefusal = textOf(one, 'reason') === 'Forbidden' || memberOf(one, 'code') === 403;
      const about = textOf(one, 'details', 'name');
      return isRefusal && textOf(one, 'details', 'kind') === resource && (about === '' || about === name);
    });
    return status && textOf(status, 'message');
  }
}

/**
 * Opens lists and texts; values that are not objects are left out. Messages about unreadable texts begin with
 * `context`.
 */
export function collectObjects(input: unknown, context = 'cannot read the exported objects: '): Outcome<KubeObject[]> {
  if (Array.isArray(input) && input.some(isText)) return collectEach(input);
  if (!isText(input)) return { ok: true, value: flatten(input, ''), diagnostics: [] };
  const read = readAll(input, context, 'strict');
  if (!read.ok) return { ok: false, diagnostics: read.findings.diagnostics() };
  const roots = read.documents.map(({ root }) => (root === undefined ? null : plainValues(root)));
  return new Findings({ mode: 'strict' }).outcome(roots.flatMap((root) => flatten(root, '')));
}

function isText(value: unknown): value is ConfigText {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** A list may contain texts beside objects: one for each file that `oc get` wrote. */
function collectEach(inputs: readonly unknown[]): Outcome<KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const [index, input] of inputs.entries()) {
    const collected = collectObjects(input);
    if (!collected.ok) {
      return fail(...collected.diagnostics.map((found) => ({ ...found, path: [index, ...found.path] })));
    }
    objects.push(...collected.value);
  }
  return succeed(objects);
}

function flatten(value: unknown, listKind: string): KubeObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => flatten(item, listKind));
  if (!isObject(value)) return [];
  const kind = textOf(value, 'kind');
  if (Array.isArray(value['items'])) return flatten(value['items'], kind.replace(/List$/, ''));
  // Items of a typed list do not repeat their kind.
  return [kind === '' && listKind !== '' ? { ...value, kind: listKind } : value];
}
