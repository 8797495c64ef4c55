// New hosts against the nodes that the cluster has.

import { canonicalAddressAsGo } from '@coreiso/diagnostics/ip';
import type { HostValues } from '../rules/host-fields.ts';
import { type Mention, readAddresses } from '../rules/network-view.ts';
import type { Findings } from '../text/findings.ts';
import type { ClusterFacts } from './facts.ts';

/** Upstream's comparison, text by text, and what it misses: other spellings of the same. */
export function checkConflicts(
  hosts: readonly HostValues[],
  cluster: ClusterFacts,
  findings: Findings<'conflicts'>,
): void {
  const taken = new TakenNames(cluster);
  for (const [index, { hostname, networkConfig }] of hosts.entries()) {
    const reading = networkConfig && readAddresses(networkConfig.node, networkConfig.path);
    if (reading?.ok === false) {
      const { text, path } = reading.misfit;
      const inner = path.slice(networkConfig?.path.length).filter((step) => typeof step === 'string');
      const target =
        inner.length === 0 ? 'Go value of type agent.nmStateConfig' : `Go struct field .${inner.join('.')}`;
      findings.upstream('conflicts', {
        code: 'nodes-config/network-shape',
        message: `error unmarshalling NMStateConfig: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${text} into ${target}`,
        path,
        cure: 'Write the network state as a map with a list of `interfaces`.',
      });
    }
    for (const address of reading?.ok ? reading.addresses : []) checkAddress(address, taken, findings);
    if (hostname !== '') checkHostname({ text: hostname, path: ['hosts', index, 'hostname'] }, taken, findings);
  }
}

function checkAddress({ text, path }: Mention, taken: TakenNames, findings: Findings<'conflicts'>): void {
  const cure = 'Choose an address that no node has.';
  const node = taken.exact.get(text);
  if (node !== undefined) {
    const message = `address conflict found. The configured address ${text} is already used by the cluster node ${node}`;
    findings.upstream('conflicts', { code: 'nodes-config/address-in-cluster', message, path, cure });
    return;
  }
  const canonical = canonicalAddressAsGo(text);
  const other = canonical === undefined ? undefined : taken.addresses.get(canonical);
  if (other === undefined) return;
  const message = `${text} is another spelling of an address of the cluster node ${other}`;
  findings.own({ code: 'nodes-config/address-in-cluster', message, path, cure });
}

function checkHostname({ text, path }: Mention, taken: TakenNames, findings: Findings<'conflicts'>): void {
  const cure = 'Choose a name that no node has.';
  if (taken.exact.has(text)) {
    const message = `hostname conflict found. The configured hostname ${text} is already used in the cluster`;
    findings.upstream('conflicts', { code: 'nodes-config/hostname-in-cluster', message, path, cure });
    return;
  }
  const node = taken.names.get(text.toLowerCase());
  if (node === undefined) return;
  const message = `the cluster node ${node} already has the name ${text}, letter case aside`;
  findings.own({ code: 'nodes-config/hostname-in-cluster', message, path, cure });
}

class TakenNames {
  /** Every entry of every node's addresses, whatever its type. */
  readonly exact = new Map<string, string>();
  readonly addresses = new Map<string, string>();
  readonly names = new Map<string, string>();

  constructor({ nodes = [] }: ClusterFacts) {
    for (const { name, addresses = [] } of nodes) {
      this.names.set(name.toLowerCase(), name);
      for (const { address } of addresses) {
        if (!this.exact.has(address)) this.exact.set(address, name);
        const canonical = canonicalAddressAsGo(address);
        (canonical === undefined ? this.names : this.addresses).set(canonical ?? address.toLowerCase(), name);
      }
    }
  }
}
