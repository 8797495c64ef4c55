// Names of ethtool features on the command line, in the kernel and in NetworkManager.

import type { EthtoolConfig, EthtoolFecConfig } from '../generated/types.ts';
import { coalesce, ring } from '../interfaces/ethtool.ts';
import type { OpenProfile } from '../keyfile/open-profile.ts';
import { writeFields } from '../keyfile/write-fields.ts';
import type { Findings } from '../table/state-findings.ts';

/** Names on the command line and in the kernel; the later one of two equivalent names wins. */
const KERNEL_NAMES: readonly (readonly [alias: string, kernel: string])[] = [
  ['rx', 'rx-checksum'],
  ['rx-checksumming', 'rx-checksum'],
  ['ufo', 'tx-udp-fragmentation'],
  ['tso', 'tx-tcp-segmentation'],
  ['tcp-segmentation-offload', 'tx-tcp-segmentation'],
  ['gso', 'tx-generic-segmentation'],
  ['generic-segmentation-offload', 'tx-generic-segmentation'],
  ['gro', 'rx-gro'],
  ['generic-receive-offload', 'rx-gro'],
  ['lro', 'rx-lro'],
  ['large-receive-offload', 'rx-lro'],
  ['rxvlan', 'rx-vlan-hw-parse'],
  ['rx-vlan-offload', 'rx-vlan-hw-parse'],
  ['txvlan', 'tx-vlan-hw-insert'],
  ['tx-vlan-offload', 'tx-vlan-hw-insert'],
  ['ntuple', 'rx-ntuple-filter'],
  ['ntuple-filters', 'rx-ntuple-filter'],
  ['rxhash', 'rx-hashing'],
  ['receive-hashing', 'rx-hashing'],
];

/** Features with another name in NetworkManager. */
const NM_NAMES: ReadonlyMap<string, string> = new Map([
  ['rx-checksum', 'rx'],
  ['tx-scatter-gather', 'sg'],
  ['tx-tcp-segmentation', 'tso'],
  ['rx-gro', 'gro'],
  ['tx-generic-segmentation', 'gso'],
  ['rx-hashing', 'rxhash'],
  ['rx-lro', 'lro'],
  ['rx-ntuple-filter', 'ntuple'],
  ['rx-vlan-hw-parse', 'rxvlan'],
  ['tx-vlan-hw-insert', 'txvlan'],
]);

const SUPPORTED: ReadonlySet<string> = new Set(
  (
    'esp-hw-offload esp-tx-csum-hw-offload fcoe-mtu gro gso highdma hw-tc-offload l2-fwd-offload loopback lro macsec-hw-offload ntuple ' +
    'rx rxhash rxvlan rx-all rx-fcs rx-gro-hw rx-gro-list rx-udp-gro-forwarding rx-udp_tunnel-port-offload rx-vlan-filter ' +
    'rx-vlan-stag-filter rx-vlan-stag-hw-parse sg tls-hw-record tls-hw-rx-offload tls-hw-tx-offload tso tx txvlan tx-checksum-fcoe-crc ' +
    'tx-checksum-ipv4 tx-checksum-ipv6 tx-checksum-ip-generic tx-checksum-sctp tx-esp-segmentation tx-fcoe-segmentation ' +
    'tx-gre-csum-segmentation tx-gre-segmentation tx-gso-list tx-gso-partial tx-gso-robust tx-ipxip4-segmentation ' +
    'tx-ipxip6-segmentation tx-nocache-copy tx-scatter-gather tx-scatter-gather-fraglist tx-sctp-segmentation tx-tcp6-segmentation ' +
    'tx-tcp-ecn-segmentation tx-tcp-mangleid-segmentation tx-tcp-segmentation tx-tunnel-remcsum-segmentation tx-udp-segmentation ' +
    'tx-udp_tnl-csum-segmentation tx-udp_tnl-segmentation tx-vlan-stag-hw-insert'
  ).split(' '),
);

/** The numbers of NetworkManager's `fec-mode`. */
const FEC_MODES = { auto: 2, off: 4, rs: 8, baser: 16, llrs: 32 } as const;

export function writeEthtool(profile: OpenProfile, config: EthtoolConfig | undefined, findings: Findings): void {
  if (config === undefined) return;
  const section = profile.section('ethtool');
  const { pause, fec } = config;
  section.set('pause-autoneg', pause?.autoneg);
  if (pause?.autoneg === false) section.set('pause-rx', pause.rx).set('pause-tx', pause.tx);
  if (config.coalesce !== undefined) writeFields(section, coalesce, config.coalesce);
  if (config.ring !== undefined) writeFields(section, ring, config.ring);
  section.set('fec-mode', fecMode(fec));
  for (const [name, { on, written }] of features(config.feature ?? {})) {
    if (SUPPORTED.has(name)) section.set(`feature-${name}`, on);
    else
      findings.at('ethtool', 'feature', written).invalid(`InvalidArgument:Unsupported ethtool feature feature-${name}`);
  }
}

/** Maps NetworkManager's name to the value and the name in the state. */
function features(written: Readonly<Record<string, boolean>>): Map<string, { on: boolean; written: string }> {
  const byKernelName = new Map(Object.entries(written).map(([name, on]) => [name, { on, written: name }]));
  for (const [alias, kernelName] of KERNEL_NAMES) {
    const feature = byKernelName.get(alias);
    if (feature === undefined) continue;
    byKernelName.delete(alias);
    byKernelName.set(kernelName, feature);
  }
  return new Map([...byKernelName].map(([name, feature]) => [NM_NAMES.get(name) ?? name, feature]));
}

function fecMode(fec: EthtoolFecConfig | undefined): number | undefined {
  if (fec?.auto === true) return FEC_MODES.auto;
  if (fec?.mode !== undefined) return FEC_MODES[fec.mode];
  return fec?.auto === false ? FEC_MODES.off : undefined;
}
