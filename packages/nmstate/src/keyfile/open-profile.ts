// Builds profiles as nmstate does: with a fixed order of sections and sorted keys.

import { sortByBytes } from '@coreiso/peers/rust';
import { parse, v5 } from 'uuid';
import type { Profile, ProfileSetting } from './profile.ts';

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

/** A section under construction. */
export class OpenSection {
  readonly #values = new Map<string, string>();

  /** Sets a key. A value without text removes it, and the last value counts. */
  set(key: string, value: Scalar | undefined): this {
    if (value !== undefined) this.#values.set(key, String(value));
    return this;
  }

  setDigit(key: string, value: boolean | undefined): this {
    return this.set(key, value === undefined ? undefined : Number(value));
  }

  setList(key: string, values: readonly Scalar[] | undefined): this {
    return this.set(key, values?.join(';'));
  }

  /** The written settings, in nmstate's order. */
  settings(): ProfileSetting[] {
    return sortByBytes([...this.#values.keys()]).flatMap((key) => {
      const value = this.#values.get(key);
      return value === undefined || value === '' ? [] : [{ key, value }];
    });
  }
}

/** A profile under construction. A section that was requested is written even if it is empty. */
export class OpenProfile {
  readonly id: string;
  readonly #sections = new Map<SectionName, OpenSection>();

  constructor(id: string) {
    this.id = id;
  }

  section(name: SectionName): OpenSection {
    const known = this.#sections.get(name);
    if (known !== undefined) return known;
    const section = new OpenSection();
    this.#sections.set(name, section);
    return section;
  }

  close(): Profile {
    const sections = SECTIONS.flatMap((name) => {
      const section = this.#sections.get(name);
      return section === undefined ? [] : [{ name, settings: section.settings() }];
    });
    return { name: `${this.id}.nmconnection`, sections };
  }
}

const NAMESPACE = /* @__PURE__ */ parse(v5.URL);

/** A cache, because thousands of hosts have interfaces with the same few names. */
const known = new Map<string, string>();
const MOST_KNOWN = 1000;

/** The UUID of a profile: always the same for the same interface. `type` is nmstate's name, not NetworkManager's. */
export function profileUuid(type: string, name: string): string {
  const url = `${type}://${name}`;
  const found = known.get(url);
  if (found !== undefined) return found;
  const uuid = v5(url.replace(/\p{Cs}/gu, '\ufffd'), NAMESPACE);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(url, uuid);
  return uuid;
}
