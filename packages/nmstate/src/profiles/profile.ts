import { parse, v5 } from 'uuid';
import { type KeyfileSection, KeyfileText, type SectionName } from '../keyfile/keyfile.ts';

/** One connection profile while it is filled. */
export class Profile {
  readonly id: string;
  readonly #text = new KeyfileText();

  constructor(id: string) {
    this.id = id;
  }

  section(name: SectionName): KeyfileSection {
    return this.#text.section(name);
  }

  toString(): string {
    return this.#text.toString();
  }
}

const NAMESPACE = /* @__PURE__ */ parse(v5.URL);

/** Thousands of hosts have interfaces of the same few names. */
const known = new Map<string, string>();
const MOST_KNOWN = 1000;

/** The same for the same interface on every run; `type` is nmstate's word, not NetworkManager's. */
export function profileUuid(type: string, name: string): string {
  const url = `${type}://${name}`;
  const found = known.get(url);
  if (found !== undefined) return found;
  const uuid = v5(url, NAMESPACE);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(url, uuid);
  return uuid;
}
