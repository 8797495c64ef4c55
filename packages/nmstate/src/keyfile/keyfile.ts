// Keyfiles as nmstate writes them: fixed order of sections, keys sorted, and no escaping whatsoever.

import { sortByBytes } from '@coreiso/peers/rust';
import { parse, v5 } from 'uuid';

const SECTIONS = [
  'connection',
  'bond',
  'bond-port',
  'bridge',
  'bridge-port',
  'ipv4',
  'ipv6',
  'ovs-bridge',
  'ovs-port',
  'ovs-interface',
  'ovs-patch',
  'ovs-dpdk',
  'ethernet',
  'vlan',
  'vxlan',
  'sriov',
  'macvlan',
  'macsec',
  'vrf',
  'veth',
  'user',
  '802-1x',
  'ethtool',
  'infiniband',
  'ovs-external-ids',
  'ovs-other-config',
  'vpn',
  'vpn-secrets',
  'match',
] as const;

type SectionName = (typeof SECTIONS)[number];

type Scalar = string | number | bigint | boolean;

/** One section while it is filled. */
export class KeyfileSection {
  readonly #lines = new Map<string, string>();

  /** A value without text leaves the key out; of two values the last counts. */
  set(key: string, value: Scalar | undefined): this {
    if (value !== undefined) this.#lines.set(key, String(value));
    return this;
  }

  setDigit(key: string, value: boolean | undefined): this {
    return this.set(key, value === undefined ? undefined : Number(value));
  }

  setList(key: string, values: readonly Scalar[] | undefined): this {
    return this.set(key, values?.join(';'));
  }

  /** Every line that is written; one with a line end in it is more than one. */
  lines(): string[] {
    const keys = sortByBytes([...this.#lines.keys()]);
    return keys.flatMap((key) => {
      const value = this.#lines.get(key);
      return value === '' ? [] : [`${key}=${value}`];
    });
  }

  toString(): string {
    return this.lines()
      .map((line) => `${line}\n`)
      .join('');
  }
}

/** A keyfile while it is filled; a section that was asked for is written even if it stays empty. */
export class KeyfileText {
  readonly #sections = new Map<SectionName, KeyfileSection>();

  section(name: SectionName): KeyfileSection {
    const known = this.#sections.get(name);
    if (known !== undefined) return known;
    const section = new KeyfileSection();
    this.#sections.set(name, section);
    return section;
  }

  lines(): string[] {
    return [...this.#sections.values()].flatMap((section) => section.lines());
  }

  toString(): string {
    const blocks: string[] = [];
    for (const name of SECTIONS) {
      const section = this.#sections.get(name);
      if (section !== undefined) blocks.push(`[${name}]\n${section}`);
    }
    return blocks.join('\n');
  }
}

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

  /** Every line that is written, but for the headers of sections. */
  lines(): string[] {
    return this.#text.lines();
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
