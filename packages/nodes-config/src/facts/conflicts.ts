// Compares new hosts with the nodes of the cluster.

import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import type { HostValues } from '../rules/host-fields.ts';
import { type Mention, readAddresses } from '../rules/network-view.ts';
import type { ConfigFinding } from '../text/codes.ts';
import type { Findings } from '../text/config-findings.ts';
import type { ClusterFacts } from './facts.ts';

/** Upstream's comparison of texts, and the conflicts that it misses: other spellings of the same address. */
export function checkConflicts(
  hosts: readonly HostValues[],
  cluster: ClusterFacts,
  findings: Findings<'conflicts'>,
): void {
  const taken = new TakenNames(cluster);
  for (const [index, { hostname, networkConfig }] of hosts.entries()) {
    const reading = networkConfig && readAddresses(networkConfig.node, networkConfig.path);
    if (reading?.ok === false) {
      const { text, path } = reading.mismatch;
      const inner = path.slice(networkConfig?.path.length).filter((step) => typeof step === 'string');
      const target =
        inner.length === 0 ? 'Go value of type agent.nmStateConfig' : `Go struct field .${inner.join('.')}`;
      findings.upstream('conflicts', {
        code: 'nodes-config/network-shape',
        message: `error unmarshalling NMStateConfig: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${text} into ${target}`,
        path,
        help: 'Write the network state as a map with a list of `interfaces`.',
      });
    }
    const found = (reading?.ok ? reading.addresses : []).map((address) => addressConflict(address, taken));
    if (hostname !== '') found.push(hostnameConflict({ text: hostname, path: ['hosts', index, 'hostname'] }, taken));
    report(found, findings);
  }
}

/** An address or name that is in use. It has the rank of the entry if upstream would find it. */
interface Conflict extends Omit<ConfigFinding, 'severity'> {
  readonly rank: number | undefined;
}

/** Upstream goes through the addresses of the nodes and stops at the first that the host also uses. */
function report(found: readonly (Conflict | undefined)[], findings: Findings<'conflicts'>): void {
  const conflicts = found.filter((one) => one !== undefined);
  conflicts.sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY));
  for (const { rank, ...finding } of conflicts) {
    if (rank === undefined) findings.own(finding);
    else findings.upstream('conflicts', finding);
  }
}

function addressConflict({ text, path }: Mention, taken: TakenNames): Conflict | undefined {
  const help = 'Choose an address that no node has.';
  const finding = { code: 'nodes-config/address-in-cluster', path, help } as const;
  const exact = taken.exact.get(text);
  if (exact !== undefined) {
    const message = `address conflict found. The configured address ${text} is already used by the cluster node ${exact.node}`;
    return { ...finding, message, rank: exact.rank };
  }
  const canonical = canonicalAddressAsGo(text);
  const other = canonical === undefined ? undefined : taken.addresses.get(canonical);
  if (other === undefined) return undefined;
  return {
    ...finding,
    message: `${text} is another spelling of an address of the cluster node ${other}`,
    rank: undefined,
  };
}

function hostnameConflict({ text, path }: Mention, taken: TakenNames): Conflict | undefined {
  const replacing = `oc adm drain ${text} --ignore-daemonsets --delete-emptydir-data && oc delete node ${text}`;
  const help = `Choose a name that no node has. To replace that node: ${replacing}, and delete its old certificate requests.`;
  const finding = { code: 'nodes-config/hostname-in-cluster', path, help } as const;
  const exact = taken.exact.get(text);
  if (exact !== undefined) {
    const message = `hostname conflict found. The configured hostname ${text} is already used in the cluster`;
    return { ...finding, message, rank: exact.rank };
  }
  const node = taken.names.get(text.toLowerCase());
  if (node === undefined) return undefined;
  return {
    ...finding,
    message: `the cluster node ${node} already has the name ${text}, letter case aside`,
    rank: undefined,
  };
}

class TakenNames {
  /** Every entry of every node's addresses, of any type, with its rank. */
  readonly exact = new Map<string, { readonly node: string; readonly rank: number }>();
  readonly addresses = new Map<string, string>();
  readonly names = new Map<string, string>();

  constructor({ nodes = [] }: ClusterFacts) {
    for (const { name, addresses = [] } of nodes) {
      this.names.set(name.toLowerCase(), name);
      for (const { address } of addresses) {
        if (!this.exact.has(address)) this.exact.set(address, { node: name, rank: this.exact.size });
        const canonical = canonicalAddressAsGo(address);
        (canonical === undefined ? this.names : this.addresses).set(canonical ?? address.toLowerCase(), name);
      }
    }
  }
}
