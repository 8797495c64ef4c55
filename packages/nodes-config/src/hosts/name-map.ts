import type { ProfileSection, ProfileSetting } from '@coreiso/nmstate';
import { holdsInterface } from '../rules/own/keyfile-rules.ts';

/** Linux, IFNAMSIZ: an interface name has at most 15 characters. */
const LONGEST_NAME = 15;
const SUFFIX = '.nmconnection';

/**
 * Maps the names in a host's profiles to the names of a machine's interfaces. Mirrors `map_name` of the boot script.
 */
export class NameMap {
  readonly #realNames: ReadonlyMap<string, string>;

  /** Logical name → real name of the machine's interfaces. */
  constructor(realNames: ReadonlyMap<string, string>) {
    this.#realNames = realNames;
  }

  /**
   * Maps all names at once, so that swapped names are correct; undefined if the name is not one of these interfaces.
   */
  map(name: string): string | undefined {
    for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
      const real = this.#realNames.get(name.slice(0, end));
      if (real !== undefined) return end === name.length ? real : withSuffix(real, name.slice(end + 1));
    }
    return undefined;
  }

  /** A profile's file that is named after an interface gets the interface's real name. */
  mapFile(file: string): string | undefined {
    const mapped = this.map(file.slice(0, -SUFFIX.length));
    return mapped === undefined ? undefined : mapped + SUFFIX;
  }

  /**
   * Maps the names of interfaces inside a profile. Values of other settings stay, even if an interface has the same
   * name.
   */
  mapSections(sections: readonly ProfileSection[]): ProfileSection[] {
    return sections.map((section) => ({
      ...section,
      settings: section.settings.map((setting) => ({ ...setting, value: this.#mapValue(section.name, setting) })),
    }));
  }

  #mapValue(section: string, { key, value }: ProfileSetting): string {
    if (holdsInterface(section, key)) return this.map(value) ?? value;
    return isRule(section, key) ? this.#mapRule(value) : value;
  }

  #mapRule(rule: string): string {
    const words = rule.split(' ');
    return words
      .map((word, position) => (/^[io]if$/.test(words[position - 1] ?? '') ? (this.map(word) ?? word) : word))
      .join(' ');
  }
}

function isRule(section: string, key: string): boolean {
  return /^ipv[46]$/.test(section) && key.startsWith('routing-rule');
}

/** `enp94s0f0np0` and `2507` make `enp94s0f0n.2507`: a name that is too long loses characters before the dot. */
function withSuffix(real: string, rest: string): string {
  const suffix = rest.replace(/\..*/, '');
  const room = LONGEST_NAME - 1 - suffix.length;
  const isShort = room < 1 || !/^[A-Za-z0-9_-]+$/.test(suffix);
  return `${isShort ? real : real.slice(0, room)}.${rest}`;
}
