// Ready-made manifests instead of an install config, each judged as the installer judges it when its turn comes.
import { HIDDEN, type Path, writeGoYaml } from '@coreiso/diagnostics';
import { compareBytes } from '@coreiso/diagnostics/go';
import { parseCidr } from '@coreiso/diagnostics/ip';
import {
  type ConfigDiagnostic,
  isUpstream,
  type Mode,
  type NMStateConfig,
  parseNMStateConfig,
} from '@coreiso/nodes-config';
import {
  architectureProblem,
  decodeDocument,
  Findings,
  forbidden,
  invalid,
  noteIgnoredDocuments,
  pullSecretFault,
  readFirst,
  required,
  rpmName,
  type Section,
  sourceOf,
  unsupported,
} from '@coreiso/nodes-config/document';
import { encodeSection } from '../install-config/encode.ts';
import { goJson } from '../manifests/go-json.ts';
import { clusterNetworkFaults } from '../rules/cluster-networks.ts';
import { AGENT_CLUSTER_INSTALL, CLUSTER_DEPLOYMENT, CLUSTER_IMAGE_SET, INFRA_ENV, SECRET } from './tables.ts';

/** A finding with the path of the file that it stands in. */
export interface ManifestDiagnostic extends ConfigDiagnostic {
  readonly file: string;
}

type Judge = Findings<'rules'>;

/** Reads one manifest; undefined where nothing can be made of it. */
function read<T extends object>(
  file: string,
  source: string,
  table: Section<T>,
  mode: Mode,
  judge: (values: T, findings: Judge) => void,
): { values: T | undefined; diagnostics: ManifestDiagnostic[] } {
  const prefix = `failed to unmarshal ${file}: `;
  const text = readFirst(source, prefix, mode);
  const told = (findings: readonly ConfigDiagnostic[]): ManifestDiagnostic[] =>
    findings.map((one) => ({ ...one, file }));
  if (!text.ok) return { values: undefined, diagnostics: told(text.findings.diagnostics()) };
  const [document] = text.documents;
  const findings = new Findings({ mode, locate: sourceOf(document).locate, steps: [{ name: 'rules' }] as const });
  const values = decodeDocument(document, table, findings, { prefix, strict: true });
  noteIgnoredDocuments(text, findings);
  judge(values, findings);
  const diagnostics = told(findings.diagnostics());
  return { values: diagnostics.some(({ severity }) => severity === 'error') ? undefined : values, diagnostics };
}

type Reading<T> = { readonly value: T | undefined; readonly diagnostics: readonly ManifestDiagnostic[] };

function add(findings: Judge, rule: string, message: string, path: Path, cure: string): void {
  findings.upstream('rules', { code: `agent-install/${rule}`, message, path, cure });
}

const DOCKER_CONFIG = '.dockerconfigjson';

/** The manifest as it is written anew, and the secret. */
export function readPullSecret(file: string, source: string, mode: Mode): Reading<{ text: string; secret: string }> {
  const { values, diagnostics } = read(file, source, SECRET, mode, ({ stringData }, findings) => {
    const path = ['stringData'];
    const cure = `Put the JSON of the pull secret below \`stringData\`, as \`${DOCKER_CONFIG}\`.`;
    const secret = stringData[DOCKER_CONFIG];
    const missing =
      Object.keys(stringData).length === 0
        ? 'the pull secret is empty'
        : secret === undefined
          ? `the pull secret key '${DOCKER_CONFIG}' is not defined`
          : secret === ''
            ? 'the pull secret does not contain any data'
            : undefined;
    if (missing !== undefined) add(findings, 'pull-secret', required(path, missing), path, cure);
    const fault = missing === undefined ? pullSecretFault(secret ?? '') : undefined;
    if (fault !== undefined) add(findings, 'pull-secret', invalid(path, HIDDEN, fault.message), path, fault.cure);
  });
  if (values === undefined) return { value: undefined, diagnostics };
  const secret = goJson(JSON.parse(values.stringData[DOCKER_CONFIG] ?? '{}'), 2);
  const text = writeGoYaml(
    encodeSection(SECRET, { ...values, stringData: { ...values.stringData, [DOCKER_CONFIG]: secret } }),
  );
  return { value: { text, secret }, diagnostics };
}

export interface InfraEnvReading {
  readonly text: string;
  readonly architecture: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly sshKey: string;
  readonly ntpSources: readonly string[];
  readonly proxy: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string } | undefined;
}

const INFRA_ENV_STATUS = {
  agentLabelSelector: {},
  bootArtifacts: { discoveryIgnitionURL: '', initrd: '', ipxeScript: '', kernel: '', rootfs: '' },
  debugInfo: { eventsURL: '' },
};

export function readInfraEnv(file: string, source: string, mode: Mode): Reading<InfraEnvReading> {
  const { values, diagnostics } = read(file, source, INFRA_ENV, mode, ({ spec }, findings) => {
    const problem = architectureProblem(spec.cpuArchitecture);
    const path = ['spec', 'cpuArchitecture'];
    if (problem !== undefined) add(findings, 'architecture', problem, path, 'Write x86_64, aarch64, ppc64le or s390x.');
  });
  if (values === undefined) return { value: undefined, diagnostics };
  const { spec } = values;
  const architecture = rpmName(spec.cpuArchitecture);
  const written = { ...values, spec: { ...spec, cpuArchitecture: architecture } };
  return {
    value: {
      text: writeGoYaml({ ...encodeSection(INFRA_ENV, written), status: INFRA_ENV_STATUS }),
      architecture: architecture || 'x86_64',
      labels: spec.nmStateConfigLabelSelector.matchLabels,
      sshKey: spec.sshAuthorizedKey,
      ntpSources: spec.additionalNTPSources,
      proxy: spec.proxy,
    },
    diagnostics,
  };
}

export interface ClusterInstallReading {
  readonly text: string;
  readonly platformType: string;
  readonly externalName: string;
  readonly counts: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
  /** What the annotation says; empty where it is no JSON. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

const PLATFORM_TYPES = ['BareMetal', 'VSphere', 'Nutanix', 'None', 'External'];
const OVERRIDES = 'agent-install.openshift.io/install-config-overrides';
const CLUSTER_INSTALL_STATUS = { debugInfo: { eventsURL: '', logsURL: '' }, progress: { totalPercentage: 0 } };

type ClusterInstall = typeof AGENT_CLUSTER_INSTALL extends Section<infer Values> ? Values : never;

export function readClusterInstall(file: string, source: string, mode: Mode): Reading<ClusterInstallReading> {
  let completed: ClusterInstall | undefined;
  const { values, diagnostics } = read(file, source, AGENT_CLUSTER_INSTALL, mode, (decoded, findings) => {
    completed = withDefaults(decoded);
    checkClusterInstall(completed, findings);
  });
  if (values === undefined || completed === undefined) return { value: undefined, diagnostics };
  const { spec, metadata } = completed;
  const { controlPlaneAgents, arbiterAgents, workerAgents } = spec.provisionRequirements;
  return {
    value: {
      text: writeGoYaml({ ...encodeSection(AGENT_CLUSTER_INSTALL, completed), status: CLUSTER_INSTALL_STATUS }),
      platformType: spec.platformType,
      externalName: spec.external?.platformName ?? '',
      counts: { controlPlane: controlPlaneAgents, arbiter: arbiterAgents, worker: workerAgents },
      overrides: parsedOverrides(metadata.annotations[OVERRIDES] ?? ''),
    },
    diagnostics,
  };
}

function parsedOverrides(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** What the installer fills in when it loads the manifest. */
function withDefaults(values: ClusterInstall): ClusterInstall {
  const { spec } = values;
  const { networking, platformType } = spec;
  const proper = PLATFORM_TYPES.find((type) => type.toLowerCase() === platformType) ?? platformType;
  return {
    ...values,
    spec: {
      ...spec,
      platformType: proper,
      networking: {
        ...networking,
        networkType: networking.networkType || 'OVNKubernetes',
        userManagedNetworking: networking.userManagedNetworking ?? (proper === 'None' || proper === 'External'),
      },
    },
  };
}

function checkClusterInstall({ spec }: ClusterInstall, findings: Judge): void {
  const { networking, platformType, diskEncryption, provisionRequirements } = spec;
  const networkPath = ['spec', 'networking'];
  if (networking.networkType === 'OpenShiftSDN') checkSdn(networking, findings);
  if (networking.networkType === 'OVNKubernetes') {
    const machines = provisionRequirements.controlPlaneAgents + provisionRequirements.workerAgents;
    checkClusterNetworks(networking.clusterNetwork, machines, findings);
  }
  if (platformType !== '' && !PLATFORM_TYPES.includes(platformType)) {
    const path = ['spec', 'platformType'];
    add(
      findings,
      'platform',
      unsupported(path, platformType, PLATFORM_TYPES),
      path,
      `Write one of ${PLATFORM_TYPES.join(', ')}.`,
    );
  }
  if ((platformType === 'None' || platformType === 'External') && networking.userManagedNetworking === false) {
    const path = [...networkPath, 'userManagedNetworking'];
    const message = forbidden(path, `${platformType} platform requires user-managed networking`);
    add(findings, 'platform', message, path, 'Remove it.');
  }
  if (diskEncryption === undefined) return;
  const choices = [
    { name: 'enableOn', value: diskEncryption.enableOn, known: ['none', 'all', 'masters', 'workers'] },
    { name: 'mode', value: diskEncryption.mode, known: ['tpmv2', 'tang'] },
  ];
  for (const { name, value, known } of choices) {
    if (value === '' || known.includes(value)) continue;
    const path = ['spec', 'diskEncryption', name];
    add(findings, 'disk-encryption', unsupported(path, value, known), path, `Write one of ${known.join(', ')}.`);
  }
}

type Networking = ClusterInstall['spec']['networking'];

function checkSdn({ clusterNetwork, serviceNetwork }: Networking, findings: Judge): void {
  const lists = [
    { name: 'clusterNetwork', networks: clusterNetwork.map(({ cidr }) => cidr) },
    { name: 'serviceNetwork', networks: serviceNetwork },
  ];
  const path = ['spec', 'networking', 'networkType'];
  for (const { name, networks } of lists) {
    if (!networks.some((network) => parseCidr(network)?.address.version === 6)) continue;
    const detail = `${name} CIDR is IPv6 and is not compatible with networkType OpenShiftSDN`;
    add(findings, 'network', required(path, detail), path, 'Write OVNKubernetes.');
  }
}

function checkClusterNetworks(networks: Networking['clusterNetwork'], machines: number, findings: Judge): void {
  for (const [index, { cidr, hostPrefix }] of networks.entries()) {
    const path = ['spec', 'networking', 'clusterNetwork', index];
    const network = parseCidr(cidr);
    if (network === undefined) {
      const where = [...path, 'cidr'];
      const cure = 'Write an address and a prefix length, such as 10.128.0.0/14.';
      add(findings, 'network', required(where, 'error parsing the clusterNetwork CIDR'), where, cure);
      continue;
    }
    for (const { message, field, cure } of clusterNetworkFaults({ network, hostPrefix, index }, machines))
      add(findings, 'network', message, [...path, field], cure);
  }
}

export function readClusterDeployment(file: string, source: string, mode: Mode): Reading<{ domain: string }> {
  const { values, diagnostics } = read(file, source, CLUSTER_DEPLOYMENT, mode, () => undefined);
  return { value: values && { domain: `${values.spec.clusterName}.${values.spec.baseDomain}` }, diagnostics };
}

export function readClusterImageSet(file: string, source: string, image: string, mode: Mode): Reading<true> {
  const { values, diagnostics } = read(file, source, CLUSTER_IMAGE_SET, mode, ({ spec }, findings) => {
    const path = ['spec', 'releaseImage'];
    if (spec.releaseImage === image) return;
    const message = invalid(path, spec.releaseImage, `value must be equal to ${image}`);
    add(findings, 'release-image', message, path, 'Write that image, or install with another release.');
  });
  return { value: values && true, diagnostics };
}

export function readNetworks(file: string, source: string, mode: Mode): Reading<readonly NMStateConfig[]> {
  const outcome = parseNMStateConfig(source, { mode });
  const diagnostics = outcome.diagnostics.map((one) => ({ ...one, upstream: isUpstream(one), file }));
  return { value: outcome.ok ? outcome.value.items : undefined, diagnostics };
}

/** Labels as Go prints a map. */
function goMap(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).sort(([a], [b]) => compareBytes(a, b));
  return `map[${entries.map(([name, value]) => `${name}:${value}`).join(' ')}]`;
}

/** Whether every network belongs to the InfraEnv: its labels are exactly those that are selected. */
export function checkLabels(
  file: string,
  labels: Readonly<Record<string, string>>,
  networks: readonly NMStateConfig[],
): ManifestDiagnostic[] {
  const expected = goMap(labels);
  return networks.flatMap((network): ManifestDiagnostic[] => {
    const found = goMap(network.labels);
    if (found === expected) return [];
    const path = ['spec', 'nmStateConfigLabelSelector', 'matchLabels'];
    const detail = `infraEnv and ${network.name} NMState Config labels do not match. Expected: ${expected} Found: ${found}`;
    const cure = 'Give the NMStateConfig exactly the labels that the InfraEnv selects.';
    const message = required(path, detail);
    return [{ severity: 'error', code: 'agent-install/labels', message, path, cure, upstream: true, file }];
  });
}
