// Keys that are valid in another place. Upstream drops them silently where it does not read strictly.
import type { Path } from '@coreiso/diagnostics';
import type { Advice } from '../text/decode.ts';
import type { DocumentKind } from './types.ts';

type Place = 'top' | 'host' | 'interface' | 'hints' | 'other';

/** Returns help for a key that is in the wrong place, or has another name; undefined if there is no special help. */
export function adviceFor(kind: DocumentKind): (parent: Path, key: string) => Advice | undefined {
  return (parent, key) => {
    const place = placeOf(parent);
    const found = ADVICE.find((one) => one.kinds.includes(kind) && one.place === place && one.keys.test(key));
    return found && { help: found.help(key), misplaced: found.misplaced ?? true };
  };
}

function placeOf(parent: Path): Place {
  if (parent.length === 0) return 'top';
  const names = parent.filter((step) => typeof step === 'string').join('.');
  switch (names) {
    case 'hosts':
      return 'host';
    case 'hosts.interfaces':
    case 'spec.interfaces':
      return 'interface';
    case 'hosts.rootDeviceHints':
      return 'hints';
    default:
      return 'other';
  }
}

interface Rule {
  readonly kinds: readonly DocumentKind[];
  readonly place: Place;
  readonly keys: RegExp;
  readonly help: (key: string) => string;
  readonly misplaced?: boolean;
}

const HOSTS: readonly DocumentKind[] = ['nodes-config', 'agent-config'];
const ALL: readonly DocumentKind[] = [...HOSTS, 'nmstateconfig', 'infraenv'];

const ADVICE: readonly Rule[] = [
  {
    kinds: HOSTS,
    place: 'top',
    keys: /^spec$/i,
    help: () => 'Move the keys below `spec` up one level, and remove `spec`.',
  },
  {
    kinds: ['nodes-config'],
    place: 'host',
    keys: /^(cpuArchitecture|sshKey|bootArtifactsBaseURL)$/i,
    help: (key) => `Move \`${key}\` to the top of the file: it holds for all hosts of an image.`,
  },
  {
    kinds: ['agent-config'],
    place: 'host',
    keys: /^(rendezvousIP|additionalNTPSources|bootArtifactsBaseURL|minimalISO)$/i,
    help: (key) => `Move \`${key}\` to the top of the file: it holds for all hosts.`,
  },
  {
    kinds: ['nodes-config'],
    place: 'top',
    keys: /^additionalNTPSources$/i,
    help: () => 'Remove it: new nodes get the time servers of the cluster. The key belongs to agent-config.yaml.',
  },
  {
    kinds: ['nodes-config'],
    place: 'top',
    keys: /^(rendezvousIP|minimalISO)$/i,
    help: (key) => `Remove \`${key}\`: it belongs to agent-config.yaml and has no meaning when nodes are added.`,
  },
  {
    kinds: ['agent-config'],
    place: 'top',
    keys: /^(sshKey|cpuArchitecture|pullSecret|proxy|imageDigestSources|additionalTrustBundle)$/i,
    help: (key) =>
      `Move \`${key}\` to install-config.yaml${/arch/i.test(key) ? ', as `controlPlane.architecture`' : ''}.`,
  },
  {
    kinds: HOSTS,
    place: 'top',
    keys: /^(hostname|role|rootDeviceHints|interfaces|networkConfig)$/i,
    help: (key) => `Move \`${key}\` into an entry of \`hosts\`.`,
  },
  {
    kinds: HOSTS,
    place: 'host',
    keys: /^(deviceName|hctl|model|vendor|serialNumber|minSizeGigabytes|wwn|rotational)$/i,
    help: (key) => `Move \`${key}\` into \`rootDeviceHints\`.`,
  },
  {
    kinds: HOSTS,
    place: 'host',
    keys: /^(mac|macAddress|mac-address|bootMACAddress)$/i,
    help: () => 'Write it as `macAddress` of an entry of `interfaces`.',
  },
  {
    kinds: HOSTS,
    place: 'host',
    keys: /^(routes|dns-resolver|route-rules|ovs-db)$/i,
    help: (key) => `Move \`${key}\` into \`networkConfig\`.`,
  },
  { kinds: HOSTS, place: 'host', keys: /^name$/i, help: () => 'Did you mean `hostname`?', misplaced: false },
  {
    kinds: HOSTS,
    place: 'interface',
    keys: /^(ipv4|ipv6|state|type|mtu)$/i,
    help: (key) => `Move \`${key}\` into an entry of \`networkConfig.interfaces\`.`,
  },
  {
    kinds: ALL,
    place: 'interface',
    keys: /^(mac|mac[-_]?addr(ess)?)$/i,
    help: () => 'Did you mean `macAddress`?',
    misplaced: false,
  },
  {
    kinds: HOSTS,
    place: 'hints',
    keys: /^(size|minSize|sizeGigabytes)$/i,
    help: () => 'Did you mean `minSizeGigabytes`?',
    misplaced: false,
  },
  { kinds: HOSTS, place: 'hints', keys: /^serial$/i, help: () => 'Did you mean `serialNumber`?', misplaced: false },
];
