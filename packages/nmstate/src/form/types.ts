// The types of forms: plain objects for the fields of a page. Other parts of the text stay in it.
import type { InterfaceType } from '../generated/types.ts';

/** One family of addresses. */
export interface AddressForm {
  enabled?: boolean | undefined;
  /** Addresses come from DHCP. */
  dhcp?: boolean | undefined;
  /** Addresses come from routers; IPv6 only. */
  autoconf?: boolean | undefined;
  /** Static addresses, each with its prefix length: `192.0.2.10/24`. */
  addresses?: string[] | undefined;
}

/** The mode of a bond. */
export type BondMode =
  | 'balance-rr'
  | 'active-backup'
  | 'balance-xor'
  | 'broadcast'
  | '802.3ad'
  | 'balance-tlb'
  | 'balance-alb';

/** An interface of a form: common fields, and those of its type. */
export type InterfaceForm = {
  name: string;
  /** The state (default: `up`). */
  state?: string | undefined;
  mac?: string | undefined;
  mtu?: number | undefined;
  ipv4?: AddressForm | undefined;
  ipv6?: AddressForm | undefined;
} & (
  | {
      type: 'bond';
      mode?: BondMode | undefined;
      ports?: string[] | undefined;
      /** The preferred port, which is used while it works. */
      primary?: string | undefined;
      /** Milliseconds between checks of the ports. */
      miimon?: number | undefined;
    }
  | {
      type: 'vlan';
      /** The base interface. */
      base?: string | undefined;
      id?: number | undefined;
    }
  | {
      type: 'linux-bridge';
      ports?: string[] | undefined;
      /** Whether it uses the spanning tree protocol. */
      stp?: boolean | undefined;
    }
  | { type: 'ovs-bridge'; ports?: string[] | undefined }
  /** Empty if the interface has no type. */
  | { type: Exclude<InterfaceType, 'bond' | 'vlan' | 'linux-bridge' | 'ovs-bridge'> | 'veth' | '' }
);

/** A static route. */
export interface RouteForm {
  /** A network such as `198.51.100.0/24`; a default route has `0.0.0.0/0` or `::/0`. */
  destination?: string | undefined;
  gateway?: string | undefined;
  /** The interface that packets leave through. */
  interface?: string | undefined;
  metric?: number | undefined;
  table?: number | undefined;
}

/** A rule that chooses a route table. */
export interface RuleForm {
  from?: string | undefined;
  to?: string | undefined;
  priority?: number | undefined;
  table?: number | undefined;
}

/** The network of a host as fields of a form. */
export interface NetworkForm {
  interfaces: InterfaceForm[];
  routes: RouteForm[];
  rules: RuleForm[];
  dns: { servers: string[]; search: string[] };
}
