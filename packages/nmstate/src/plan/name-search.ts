import { isUp, type PlannedInterface } from './planned-interface.ts';

/** Finds kernel interfaces by any of their names: kernel name, alternative name, profile name, in this order. */
export class NameSearch {
  readonly #kernelNames = new Set<string>();
  readonly #alternatives = new Map<string, string>();
  readonly #profiles = new Map<string, string[]>();

  constructor(interfaces: readonly PlannedInterface[]) {
    for (const { current, desired, merged } of interfaces) {
      const isNamed = desired !== undefined && desired.identifier !== 'mac-address' && isUp(desired);
      if (current !== undefined || isNamed) this.#kernelNames.add(merged.name);
      if (isUp(merged)) {
        for (const { name, state } of merged['alt-names'] ?? []) {
          if (state !== 'absent') this.#alternatives.set(name, merged.name);
        }
      }
      const profile = merged['profile-name'];
      if (profile !== undefined) this.#addProfile(profile, merged.name);
    }
  }

  #addProfile(profile: string, name: string): void {
    const names = this.#profiles.get(profile);
    if (names === undefined) this.#profiles.set(profile, [name]);
    else names.push(name);
  }

  /** Several only where a profile name is shared. */
  find(name: string): readonly string[] {
    if (this.#kernelNames.has(name)) return [name];
    const alternative = this.#alternatives.get(name);
    return alternative === undefined ? (this.#profiles.get(name) ?? []) : [alternative];
  }
}
