// What goes wrong on machines although the config is right, said before anything is built.
import type { Diagnostic } from '@coreiso/diagnostics';
import { rpmName } from '@coreiso/peers/go';
import type { NodesConfig } from '../documents/types.ts';
import { clusterArchitecture } from '../facts/check-facts.ts';
import type { ClusterFacts } from '../facts/facts.ts';
import type { Host } from '../rules/host.ts';
import { readLinks } from '../rules/network-view.ts';
import { configDiagnostic, type Rule } from '../text/codes.ts';
import type { JoinName } from './joining.ts';

interface Intention {
  readonly config: NodesConfig;
  readonly cluster: ClusterFacts;
  readonly join: JoinName;
  readonly passwordHash: string | undefined;
}

export function planWarnings(intention: Intention): Diagnostic[] {
  return [
    ...withoutLogin(intention),
    ...withoutHints(intention),
    ...otherArchitecture(intention),
    ...intention.config.hosts.flatMap(virtualIdentity),
  ];
}

function withoutLogin({ config, passwordHash }: Intention): Diagnostic[] {
  if (config.imageSshKey !== '' || passwordHash !== undefined) return [];
  return [
    warning(
      'no-login',
      'no one can log in to the live system: it has neither an SSH key nor a password',
      [],
      'Set `sshKey`, or give the hash of a password for the console.',
    ),
  ];
}

function withoutHints({ config, join }: Intention): Diagnostic[] {
  const hosts = config.hosts.filter(({ rootDeviceHints }) => Object.keys(rootDeviceHints).length === 0);
  const [first] = hosts;
  if (join !== 'direct' || first === undefined) return [];
  const count = hosts.length === 1 ? '1 host has' : `${hosts.length} hosts have`;
  return [
    warning(
      'no-disk-hints',
      `${count} no root device hints: a machine with more than one disk is not installed`,
      first.path,
      'Add `rootDeviceHints`, for example deviceName, wwn or minSizeGigabytes.',
    ),
  ];
}

function otherArchitecture({ config, cluster, join }: Intention): Diagnostic[] {
  const clusters = clusterArchitecture(cluster);
  const ours = config.imageArchitecture;
  const isFitting = clusters === undefined || ours === undefined || rpmName(clusters) === ours;
  if (join !== 'direct' || isFitting || cluster.multiArchitecture === true) return [];
  return [
    warning(
      'other-architecture',
      `the hosts are ${ours} machines, and the release of the cluster may have images for ${rpmName(clusters)} only`,
      ['cpuArchitecture'],
      'Migrate the cluster to a multi-architecture release, and set the cluster fact multiArchitecture.',
    ),
  ];
}

/** Bonds and VLANs exist only once the network is set up, when it is known already which host a machine is. */
function virtualIdentity({ interfaces, networkConfig, path }: Host): Diagnostic[] {
  if (networkConfig === undefined || interfaces.length === 0) return [];
  const links = new Map(readLinks(networkConfig).map((link) => [link.name, link]));
  if (!interfaces.every(({ name }) => links.get(name)?.isVirtual)) return [];
  const names = interfaces.map(({ name }) => `${name} (${links.get(name)?.type})`).join(', ');
  return [
    warning(
      'virtual-identity',
      `machines are known by the addresses of their network cards, and this host has only ${names}`,
      [...path, 'interfaces'],
      'Add the network cards below with their own MAC addresses.',
    ),
  ];
}

function warning(code: Rule, message: string, path: Diagnostic['path'], help: string): Diagnostic {
  return configDiagnostic({ severity: 'warning', code: `nodes-config/${code}`, message, path, help });
}
