// Profiles as nmstate fills them: fixed order of sections, keys sorted.

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

/** One section while it is filled. */
export class OpenSection {
  readonly #values = new Map<string, string>();

  /** A value without text leaves the key out; of two values the last counts. */
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

  /** What is written of it, in nmstate's order. */
  settings(): ProfileSetting[] {
    return sortByBytes([...this.#values.keys()]).flatMap((key) => {
      const value = this.#values.get(key);
      return value === undefined || value === '' ? [] : [{ key, value }];
    });
  }
}

/** A profile while it is filled; a section that was requested is written even if it stays empty. */
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

/** Thousands of hosts have interfaces of the same few names. */
const known = new Map<string, string>();
const MOST_KNOWN = 1000;

/** The same for the same interface on every run; `type` is nmstate's word, not NetworkManager's. */
export function profileUuid(type: string, name: string): string {
  const url = `${type}://${name}`;
  const found = known.get(url);
  if (found !== undefined) return found;
  const uuid = v5(url.replace(/\p{Cs}/gu, '\ufffd'), NAMESPACE);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(url, uuid);
  return uuid;
}
