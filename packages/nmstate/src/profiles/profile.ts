import { v5 } from 'uuid';
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

/** The same for the same interface on every run; `type` is nmstate's word, not NetworkManager's. */
export function profileUuid(type: string, name: string): string {
  return v5(`${type}://${name}`, v5.URL);
}
