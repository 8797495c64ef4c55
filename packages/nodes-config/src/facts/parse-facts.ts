// Parses stored facts: a JSON or YAML file in coreiso's short form, or the exported objects themselves.
import { closest, formatPath, type Outcome, type Path, valueOrThrow } from '@coreiso/diagnostics';
import { isObject } from '@coreiso/peers/members';
import { Findings } from '../text/config-findings.ts';
import { sourceOf } from '../text/lookup.ts';
import { plainValues } from '../text/numbers.ts';
import { type ConfigSource, readAll } from '../text/read-text.ts';
import { warnOfExpired } from './check-facts.ts';
import type { ClusterFacts } from './facts.ts';
import { factsFromObjects } from './facts-from-objects.ts';
import type { KubeObject } from './objects.ts';

type Shape =
  | 'text'
  | 'boolean'
  | 'number'
  | { readonly list: Shape }
  /** A map with any keys. */
  | { readonly values: Shape }
  | { readonly members: Readonly<Record<string, Shape>>; readonly required?: readonly string[] }
  /** Any map. */
  | 'map';

const MIRRORS: Shape = {
  list: { members: { source: 'text', mirrors: { list: 'text' }, sourcePolicy: 'text' }, required: ['source'] },
};

const ADDRESSES: Shape = { list: { members: { type: 'text', address: 'text' }, required: ['address'] } };

const TEXTS: Shape = { list: 'text' };
const LABELS: Shape = { values: 'text' };

/** The surroundings of new nodes. */
const SURROUNDINGS = {
  controlPlaneTopology: 'text',
  infrastructureTopology: 'text',
  apiServerInternalUrl: 'text',
  apiVIPs: TEXTS,
  ingressVIPs: TEXTS,
  loadBalancer: 'text',
  machineNetworks: TEXTS,
  serviceNetworks: TEXTS,
  networkType: 'text',
  clusterNetworkMtu: 'number',
  ingress: { members: { domain: 'text', defaultPlacement: 'text' } },
  ingressControllers: {
    list: {
      members: {
        name: 'text',
        domain: 'text',
        replicas: 'number',
        nodeLabels: LABELS,
        nodeExpressions: {
          list: { members: { key: 'text', operator: 'text', values: TEXTS }, required: ['key', 'operator'] },
        },
        isShard: 'boolean',
        publishing: 'text',
        dnsManaged: 'boolean',
      },
      required: ['name'],
    },
  },
  egressIPs: {
    list: { members: { name: 'text', addresses: TEXTS, assigned: LABELS }, required: ['name', 'addresses'] },
  },
  machineConfigPools: {
    list: { members: { name: 'text', nodeLabels: LABELS, sources: TEXTS, osStream: 'text' }, required: ['name'] },
  },
  osStream: 'text',
  bootImages: {
    list: {
      members: {
        stream: 'text',
        architecture: 'text',
        location: 'text',
        sha256: 'text',
        build: 'text',
        rootfs: 'text',
      },
      required: ['architecture', 'location', 'sha256'],
    },
  },
  bareMetalHosts: { list: { members: { name: 'text', namespace: 'text' }, required: ['name', 'namespace'] } },
  watchAllNamespaces: 'boolean',
  controlPlaneDnsmasq: 'boolean',
  dnsRecords: { values: TEXTS },
} satisfies Readonly<Record<string, Shape>>;

const FACTS: Shape = {
  members: {
    name: 'text',
    clusterId: 'text',
    version: 'text',
    releaseImage: 'text',
    platform: 'text',
    apiServerUrl: 'text',
    pullSecret: 'text',
    nodes: {
      list: {
        members: {
          name: 'text',
          architecture: 'text',
          master: 'boolean',
          addresses: ADDRESSES,
          labels: LABELS,
          networks: { list: { members: { address: 'text', mtu: 'number', vlan: 'number' }, required: ['address'] } },
        },
        required: ['name'],
      },
    },
    proxy: { members: { httpProxy: 'text', httpsProxy: 'text', noProxy: 'text' } },
    imageDigestMirrors: MIRRORS,
    repositoryDigestMirrors: MIRRORS,
    trustBundle: 'text',
    workerUserData: {
      members: { ignition: 'map', storage: 'map', systemd: 'map', passwd: 'map' },
      required: ['ignition'],
    },
    sshKey: 'text',
    fips: 'boolean',
    chronyConf: 'text',
    registryTrust: { values: 'text' },
    insecureRegistries: { list: 'text' },
    internalRegistry: 'text',
    multiArchitecture: 'boolean',
    machineConfigAuthority: 'text',
    ...SURROUNDINGS,
  },
};

/**
 * Reads cluster facts from text or parsed data, and reports wrong types. Also accepts exported Kubernetes objects, by
 * `factsFromObjects`.
 *
 * @example parseClusterFacts(await readFile('cluster.json'))
 */
export function parseClusterFacts(source: ConfigSource): Outcome<ClusterFacts> {
  if (typeof source === 'object' && source !== null && !(source instanceof Uint8Array))
    return judge(source, new Findings({ mode: 'strict' }));
  const read = readAll(source, 'cannot read the cluster facts: ', 'strict');
  if (!read.ok) return { ok: false, diagnostics: read.findings.diagnostics() };
  const [document, ...more] = read.documents;
  if (more.length > 0) return factsFromObjects(source);
  const value = document.root === undefined ? null : plainValues(document.root);
  return judge(value, new Findings({ mode: 'strict', locate: sourceOf(document).locate }));
}

/**
 * Like `parseClusterFacts`, but throws a `DiagnosticsError` if the facts cannot be used.
 *
 * @example parseClusterFactsOrThrow({ platform: 'None', nodes: [] })
 */
export function parseClusterFactsOrThrow(source: ConfigSource): ClusterFacts {
  return valueOrThrow(parseClusterFacts(source));
}

function judge(value: unknown, findings: Findings): Outcome<ClusterFacts> {
  if (Array.isArray(value) || (isObject(value) && ('kind' in value || 'items' in value)))
    return factsFromObjects(value);
  // Older versions ignore members that they do not know. Facts that need a newer version say so in `needs`.
  if (isObject(value) && typeof value['needs'] === 'string') {
    const message = `the cluster facts need ${value['needs']}`;
    const help = `Read them with ${value['needs']}, or export them again.`;
    findings.note('error', { code: 'nodes-config/api-version', message, path: ['needs'], help });
    return findings.outcome(value as ClusterFacts);
  }
  const facts = read(value, FACTS, [], findings) as ClusterFacts;
  if (isObject(facts) && typeof facts['trustBundle'] === 'string') warnOfExpired(facts, findings);
  // Values of another type have been reported.
  return findings.outcome(facts);
}

/** The value without members that are null: code that uses facts only checks whether a member exists. */
function read(value: unknown, shape: Shape, path: Path, findings: Findings): unknown {
  if (typeof shape === 'string') {
    if (!isOfKind(value, shape)) reportMismatch(NOUNS[shape], path, findings);
    return value;
  }
  if ('list' in shape) {
    if (Array.isArray(value)) return value.map((item, index) => read(item, shape.list, [...path, index], findings));
    reportMismatch('a list', path, findings);
    return value;
  }
  if (!isObject(value)) {
    reportMismatch('a map', path, findings);
    return value;
  }
  const entries = Object.entries(value);
  if ('values' in shape)
    return Object.fromEntries(
      entries.map(([name, item]) => [name, read(item, shape.values, [...path, name], findings)]),
    );
  const present = entries.filter(([, member]) => member !== undefined && member !== null);
  const members = present.map(([name, member]) => [name, readMember(name, member, shape.members, path, findings)]);
  const found: KubeObject = Object.fromEntries(members);
  for (const name of shape.required ?? []) {
    if (!Object.hasOwn(found, name)) reportMismatch(`a map with \`${name}\``, path, findings);
  }
  return found;
}

const NOUNS = { text: 'text', boolean: 'true or false', number: 'a number', map: 'a map' } as const;

function isOfKind(value: unknown, kind: keyof typeof NOUNS): boolean {
  return kind === 'map' ? isObject(value) : typeof value === (kind === 'text' ? 'string' : kind);
}

function readMember(
  name: string,
  member: unknown,
  members: Readonly<Record<string, Shape>>,
  path: Path,
  findings: Findings,
): unknown {
  const shape = Object.hasOwn(members, name) ? members[name] : undefined;
  if (shape !== undefined) return read(member, shape, [...path, name], findings);
  const near = closest(name, Object.keys(members));
  const help = near === undefined ? 'Remove it.' : `Did you mean \`${near}\`?`;
  const message = `unknown key \`${name}\` is ignored`;
  findings.note('warning', { code: 'nodes-config/unknown-key', message, path: [...path, name], help });
  return member;
}

function reportMismatch(wanted: string, path: Path, findings: Findings): void {
  const where = path.length === 0 ? 'the cluster facts' : `${formatPath(path)} of the cluster facts`;
  findings.note('error', { code: 'nodes-config/wrong-type', message: `${where} must be ${wanted}`, path });
}
