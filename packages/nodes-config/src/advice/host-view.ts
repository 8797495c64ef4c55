// A host of a plan as its surroundings see it.
import type { Path } from '@coreiso/diagnostics';
import { cidrContains, type IpAddress, parseCidr } from '@coreiso/peers/ip';
import type { HostPlan } from '../hosts/plan-hosts.ts';
import { type Family, type HostNetworkView, viewNetwork } from '../rules/host-network.ts';

/** The part of a host plan that advice needs. */
export interface AdvisedHost extends Pick<HostPlan, 'name' | 'path' | 'role'> {
  readonly network: Pick<NonNullable<HostPlan['network']>, 'state'> | undefined;
}

/** The properties of a host that rules of advice use. */
export interface HostView extends HostNetworkView {
  readonly name: string;
  readonly path: Path;
  readonly role: string | undefined;
  /** The path of its network, or of the host itself if it has none. */
  readonly networkPath: Path;
}

/** Without a state the host gets everything from the site. */
const BY_DHCP: HostNetworkView = {
  addresses: [],
  dynamic: new Set<Family>([4, 6]),
  dnsServers: [],
  isToldServers: true,
  hasDefaultRoute: true,
  gateways: [],
};

export function viewHost({ name, path, role, network }: AdvisedHost): HostView {
  const state = network?.state;
  const view = state === undefined ? BY_DHCP : viewNetwork(state);
  return { name, path, role, networkPath: state?.path ?? path, ...view };
}

/** Whether an address is in one of the networks. */
export function isInside(address: IpAddress, networks: readonly string[]): boolean {
  return networks.some((text) => {
    const network = parseCidr(text);
    return network !== undefined && cidrContains(network, address);
  });
}
