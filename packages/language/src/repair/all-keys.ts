import type { LanguageKind } from '../kinds.ts';
import { membersOf, type Schema, schemaOf } from '../schema.ts';

const knownKeys = new Map<LanguageKind, ReadonlySet<string>>();

/** The names of all members anywhere in a kind of document. */
export function allKeys(kind: LanguageKind): ReadonlySet<string> {
  let keys = knownKeys.get(kind);
  if (keys === undefined) {
    const found = new Set<string>();
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const name of membersOf([part as Schema]).keys()) found.add(name);
      for (const inner of Object.values(part)) visit(inner);
    };
    visit(schemaOf(kind));
    keys = found;
    knownKeys.set(kind, keys);
  }
  return keys;
}
