// Rules that the agent-based installer adds to those for every install config, and the fields that it ignores.
import { formatPath, goYaml, type Node, type Path, toPlain } from '@coreiso/diagnostics';
import { listOf } from '@coreiso/peers/members';
import type { InstallConfigValues } from '../../generated/values.ts';
import { forbidden, invalid, required, unsupported } from '../../text/field-errors.ts';
import {
  activePlatform,
  type BareMetalValues,
  type NutanixValues,
  type PoolValues,
  type VSphereValues,
} from '../install-config-table.ts';
import { writtenDomains, writtenPool } from './go-text.ts';
import { ARCHITECTURES, architectureHelp } from './pools.ts';
import { checkProvisioning } from './provisioning.ts';
import type { RuleFindings } from './rule-findings.ts';
import { allowsPairs } from './services.ts';

const SUPPORTED = ['baremetal', 'vsphere', 'nutanix', 'none', 'external'];
const PLATFORM_CURE = 'Take baremetal, vsphere, nutanix, none or external.';

export function checkAgentPlatform(config: InstallConfigValues, findings: RuleFindings): void {
  const { platform, controlPlane, networking } = config;
  const active = activePlatform(platform);
  const path = ['platform'];
  const architecture = controlPlane?.architecture ?? '';
  if (active !== '' && !SUPPORTED.includes(active))
    findings.error('platform', unsupported(path, active, SUPPORTED), path, PLATFORM_CURE);
  if (active !== 'none' && (architecture === 'ppc64le' || architecture === 's390x')) {
    const detail = `CPU architecture "${architecture}" only supports platform "none".`;
    findings.error('platform', invalid(path, active, detail), path, 'Write `platform: {none: {}}`.');
  }
  if (active === 'external' && platform.external?.platformName === 'oci') {
    const manager = platform.external.cloudControllerManager;
    const where = ['platform', 'external', 'cloudControllerManager'];
    const detail = `When using external oci platform, ${formatPath(where)} must be set to External`;
    if (manager !== 'External') findings.error('platform', invalid(where, manager, detail), where, 'Write External.');
  }
  if (active === 'vsphere' && platform.vsphere) checkCredentials(platform.vsphere, findings);
  if (active === 'baremetal' && platform.baremetal) {
    const machines = networking?.machineNetwork.flatMap(({ cidr }) => cidr ?? []) ?? [];
    checkProvisioning(platform.baremetal, machines, findings);
  }
}

/** A vCenter needs all of its credentials, or none. */
function checkCredentials(values: VSphereValues, findings: RuleFindings): void {
  const { vcenters, failureDomains, vCenter, password, datacenter } = values;
  let hasCredentials = false;
  for (const [index, center] of vcenters.entries()) {
    const given = { ...center, datacenter: center.datacenters.length > 0 ? 'given' : '' };
    const names = ['server', 'user', 'password', 'datacenter'] as const;
    if (names.every((name) => given[name] === '')) continue;
    hasCredentials = true;
    for (const name of names) {
      if (given[name] !== '') continue;
      const isOld = name === 'user' && (vCenter !== '' || password !== '' || datacenter !== '');
      const path = isOld ? ['platform', 'vsphere', 'username'] : ['platform', 'vsphere', 'vcenters', index, name];
      const message = required(path, 'All credential fields are required if any one is specified');
      findings.error('vcenter', message, path, 'Give all of server, user, password and datacenters, or none.');
    }
  }
  for (const [index, { topology }] of failureDomains.entries()) {
    if (topology.folder !== '' || !hasCredentials) continue;
    const path = ['platform', 'vsphere', 'failureDomains', index, 'topology', 'folder'];
    const message = required(path, 'must specify a folder for agent-based installs');
    findings.error('vcenter', message, path, 'Add the path of a folder, /DATACENTER/vm/FOLDER.');
  }
}

/** `release` is the architecture of the release image, if known. */
export function checkArchitectures(
  { controlPlane, compute }: InstallConfigValues,
  release: string | undefined,
  findings: RuleFindings,
): void {
  const architecture = controlPlane?.architecture ?? '';
  const pools = [
    { path: ['controlPlane', 'architecture'], name: architecture },
    ...compute.map((pool, index) => ({ path: ['compute', index, 'architecture'], name: pool.architecture })),
  ];
  for (const { path, name } of pools) {
    if (!ARCHITECTURES.includes(name))
      findings.error('architecture', unsupported(path, name, ARCHITECTURES), path, architectureHelp(name));
  }
  if (release === undefined || release === 'multi' || release === architecture) return;
  const path = ['controlPlane', 'architecture'];
  const detail = `unsupported release image architecture. ControlPlane Arch: ${architecture} doesn't match Release Image Arch: ${release}`;
  findings.error(
    'architecture',
    forbidden(path, detail),
    path,
    `Take a release image for ${architecture}, or a multi one.`,
  );
}

export function checkCounts(config: InstallConfigValues, findings: RuleFindings): void {
  const { controlPlane, arbiter, compute } = config;
  const masters = controlPlane?.replicas ?? 0;
  const workers = compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  if (masters < 1 || masters > 5) {
    const path = ['controlPlane', 'replicas'];
    const counts = ['3', '1', '4', '5', '2 (with arbiter)', ...(allowsPairs(config) ? ['2 (with fencing)'] : [])];
    findings.error('replicas', unsupported(path, masters, counts), path, 'Write 1, 3, 4 or 5.');
  }
  if (masters === 1) checkSingleNode(config, workers, findings);
  if (masters !== 2) return;
  if (arbiter !== undefined && arbiter.replicas !== 1) {
    const path = ['arbiter', 'replicas'];
    const detail = 'TNA (Two Node with Arbiter) configuration requires exactly 1 arbiter replica';
    findings.error('arbiter', invalid(path, arbiter.replicas ?? 0, detail), path, 'Write 1.');
  }
  const credentials = controlPlane?.fencing?.credentials.length ?? 0;
  if (credentials === 0) return;
  const path = ['controlPlane', 'fencing'];
  if (!allowsPairs(config)) {
    const detail = 'fencing configuration requires FeatureGateDualReplica to be enabled';
    findings.error(
      'fencing',
      invalid(path, 'configured', detail),
      path,
      'Remove DualReplica=false from `featureGates`.',
    );
  }
  if (credentials !== 2) {
    const where = [...path, 'credentials'];
    const detail = 'must provide exactly 2 fencing credentials for 2 control plane replicas';
    findings.error('fencing', invalid(where, credentials, detail), where, 'Give both machines credentials.');
  }
}

function checkSingleNode(
  { platform, networking, arbiter }: InstallConfigValues,
  workers: number,
  findings: RuleFindings,
): void {
  const active = activePlatform(platform);
  const isBare = active === 'none' || active === 'external';
  const networkType = networking?.networkType ?? '';
  if (workers !== 0) {
    const path = ['compute', 'replicas'];
    const detail = `Total number of compute replicas must be 0 when controlPlane.replicas is 1 for platform none or external. Found ${workers}`;
    const help = 'Write `compute: [{name: worker, replicas: 0}]`: the default is three workers.';
    findings.error('single-node', forbidden(path, detail), ['compute'], help);
  } else if (!isBare) {
    const detail = 'Only platform none and external supports 1 ControlPlane and 0 Compute nodes';
    findings.error('single-node', invalid(['platform'], active, detail), ['platform'], 'Write `platform: {none: {}}`.');
  } else if (networkType !== 'OVNKubernetes') {
    const path = ['networking', 'networkType'];
    const detail = 'Only OVNKubernetes network type is allowed for Single Node OpenShift (SNO) cluster';
    findings.error('single-node', invalid(path, networkType, detail), path, 'Write OVNKubernetes.');
  }
  const arbiters = arbiter?.replicas ?? 0;
  if (arbiters === 0) return;
  const path = ['arbiter', 'replicas'];
  const detail = `Total number of arbiter replicas must be 0 when controlPlane.replicas is 1 for Single Node Openshift (SNO) cluster. Found ${arbiters}`;
  findings.error('arbiter', forbidden(path, detail), path, 'Remove `arbiter`.');
}

/** Notes fields that are valid but that nothing reads. */
export function noteIgnored(config: InstallConfigValues, findings: RuleFindings): void {
  const note = (path: Path, value?: string): void => {
    const message = `${formatPath(path)}${value === undefined ? '' : `: ${value}`} is ignored`;
    findings.warning('ignored', message, path, 'Remove it.');
  };
  for (const [index, pool] of config.compute.entries()) noteIgnoredPool(pool, ['compute', index], note);
  if (config.controlPlane) noteIgnoredPool(config.controlPlane, ['controlPlane'], note);
  const { platform, publish, credentialsMode, bootstrapInPlace } = config;
  const active = activePlatform(platform);
  if (active === 'baremetal' && platform.baremetal) noteIgnoredBareMetal(platform.baremetal, note);
  if (active === 'vsphere' && platform.vsphere) {
    noteIgnoredVSphere(platform.vsphere, note);
  }
  if (active === 'nutanix' && platform.nutanix) noteIgnoredNutanix(platform.nutanix, findings);
  if (publish !== 'External') note(['publish'], publish);
  if (credentialsMode !== '') note(['credentialsMode'], credentialsMode);
  if (bootstrapInPlace?.installationDisk)
    note(['bootstrapInPlace', 'installationDisk'], bootstrapInPlace.installationDisk);
}

type Note = (path: Path, value?: string) => void;

function noteIgnoredPool({ hyperthreading, platform }: PoolValues, path: Path, note: Note): void {
  if (hyperthreading !== 'Enabled') note([...path, 'hyperthreading'], hyperthreading);
  if (Object.values(platform).some((values) => values !== undefined)) note([...path, 'platform']);
}

function noteIgnoredBareMetal(values: BareMetalValues, note: Note): void {
  const path = ['platform', 'baremetal'];
  if (values.externalBridge !== 'baremetal') note([...path, 'externalBridge'], values.externalBridge);
  if (values.provisioningBridge !== 'provisioning') note([...path, 'provisioningBridge'], values.provisioningBridge);
  for (const [index, { bootMode }] of values.hosts.entries()) {
    if (bootMode !== 'UEFI') note([...path, 'hosts', index, 'bootMode'], bootMode);
  }
  // Go prints a pointer to an empty struct.
  if (values.defaultMachinePlatform !== undefined) note([...path, 'defaultMachinePlatform'], '&{}');
}

function noteIgnoredVSphere(values: VSphereValues, note: Note): void {
  const { clusterOSImage, defaultMachinePlatform: pool, diskType, loadBalancer, hosts } = values;
  const path = ['platform', 'vsphere'];
  if (clusterOSImage !== '') note([...path, 'clusterOSImage'], clusterOSImage);
  if (pool !== undefined) {
    const { cpus, coresPerSocket, memoryMB, osDisk, zones } = pool;
    const written = `&{${cpus} ${coresPerSocket} ${memoryMB} {${osDisk.diskSizeGB}} [${zones.join(' ')}] []}`;
    if (written !== '&{0 0 0 {0} [] []}') note([...path, 'defaultMachinePlatform'], written);
  }
  if (diskType !== '') note([...path, 'diskType'], diskType);
  if (loadBalancer !== undefined && loadBalancer.type !== '')
    note([...path, 'loadBalancer'], `&{${loadBalancer.type}}`);
  const pointers = hosts ? listOf(plainOf(hosts)).map((host) => (host === null ? '<nil>' : '<pointer>')) : [];
  if (pointers.length > 1) note([...path, 'hosts'], `[${pointers.join(' ')}]`);
}

/** Upstream uses the field names of its own code, and prints values as Go does. */
function noteIgnoredNutanix(values: NutanixValues, findings: RuleFindings): void {
  const { clusterOSImage, preloadedOSImageName, loadBalancer, prismAPICallTimeout } = values;
  const { defaultMachinePlatform, failureDomains } = values;
  const given = {
    clusterOSImage,
    preloadedOSImageName,
    defaultMachinePlatform: defaultMachinePlatform && writtenPool(plainOf(defaultMachinePlatform)),
    loadBalancer: loadBalancer?.type ? `{${loadBalancer.type}}` : '',
    prismAPICallTimeout: prismAPICallTimeout === undefined ? '' : String(prismAPICallTimeout),
    failureDomains: failureDomains && writtenDomains(plainOf(failureDomains)),
  };
  for (const [name, value = ''] of Object.entries(given)) {
    if (value === '') continue;
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const path = ['platform', 'nutanix', name];
    findings.warning('ignored', `Platform.Nutanix.${title}: ${value} is ignored`, path, 'Remove it.');
  }
}

function plainOf(node: Node): unknown {
  return toPlain(node, goYaml);
}

const UNREAD_OF_BARE_METAL = [
  ...(['libvirtURI', 'bootstrapProvisioningIP', 'bootstrapOSImage', 'clusterOSImage'] as const),
  ...(['bootstrapExternalStaticIP', 'bootstrapExternalStaticGateway', 'bootstrapExternalStaticDNS'] as const),
  ...(['externalMACAddress', 'provisioningMACAddress'] as const),
] as const;

/** Notes fields of the text that the installer reads and silently ignores. */
export function noteUnread(
  { controlPlane, arbiter, compute, platform }: InstallConfigValues,
  findings: RuleFindings,
): void {
  const note = (path: Path, value: unknown): void => {
    if (value !== undefined && value !== '')
      findings.note('unread', `nothing uses ${formatPath(path)}`, path, 'Remove it.');
  };
  const pools: [Path, PoolValues | undefined][] = [
    [['controlPlane'], controlPlane],
    [['arbiter'], arbiter],
    ...compute.map((pool, index): [Path, PoolValues] => [['compute', index], pool]),
  ];
  for (const [path, pool] of pools) {
    note([...path, 'diskSetup'], pool?.diskSetup);
    note([...path, 'management'], pool?.management);
  }
  const { baremetal, vsphere } = platform;
  for (const name of UNREAD_OF_BARE_METAL) note(['platform', 'baremetal', name], baremetal?.[name]);
  for (const [index, { hardwareProfile }] of baremetal?.hosts.entries() ?? [])
    note(['platform', 'baremetal', 'hosts', index, 'hardwareProfile'], hardwareProfile);
  if (vsphere?.hosts && listOf(plainOf(vsphere.hosts)).length < 2)
    note(['platform', 'vsphere', 'hosts'], vsphere.hosts);
}
