// Checks machine pools: their size, their architecture, and how pairs fence each other.

import { goName, parseGoUrl } from '@coreiso/peers/go';
import { HIDDEN, hideUsers } from '@coreiso/peers/hidden';
import type { InstallConfigValues } from '../../generated/values.ts';
import { macProblem } from '../../rules/mac.ts';
import { duplicate, forbidden, invalid, required, unsupported } from '../../text/field-errors.ts';
import { encodeSection } from '../encode.ts';
import { activePlatform, type PlatformValues, type PoolValues } from '../install-config-table.ts';
import { POOL_PLATFORM } from '../platforms.ts';
import type { RuleFindings } from './rule-findings.ts';

type Path = readonly (string | number)[];

export const ARCHITECTURES: readonly string[] = ['amd64', 'arm64', 'ppc64le', 's390x'];
const HYPERTHREADING = ['Disabled', 'Enabled'];
const WITH_PAIRS = ['baremetal', 'external', 'none'] as const;

const FEWER = 'Write a number of machines.';

export function checkPools(config: InstallConfigValues, findings: RuleFindings): void {
  const { controlPlane, arbiter, compute, platform } = config;
  if (controlPlane === undefined) return;
  const active = activePlatform(platform);
  const allowsPairs = WITH_PAIRS.some((name) => platform[name] !== undefined);
  const masters = controlPlane.replicas ?? 0;
  if (masters === 0) {
    const path = ['controlPlane', 'replicas'];
    findings.error(
      'replicas',
      invalid(path, 0, 'number of control plane replicas must be positive'),
      path,
      'Write 1, 3, 4 or 5.',
    );
  }
  checkPool(controlPlane, ['controlPlane'], active, findings);
  checkFencing(config, findings);
  if (
    config.bootstrapInPlace !== undefined &&
    masters === 1 &&
    ['baremetal', 'vsphere', 'nutanix', 'openstack', 'ovirt'].includes(active)
  ) {
    const path = ['bootstrapInPlace'];
    const detail = `Single Node OpenShift is not supported on the ${active} platform`;
    findings.error('single-node', invalid(path, '', detail), path, 'Remove `bootstrapInPlace`.');
  }
  if (arbiter !== undefined) checkArbiter(arbiter, { masters, active, allowsPairs }, findings);
  const names = new Set<string>();
  for (const [index, pool] of compute.entries()) {
    const path = ['compute', index];
    checkComputeName(pool.name, path, active, findings);
    if (names.has(pool.name)) {
      const where = [...path, 'name'];
      findings.error('pool-name', duplicate(where, pool.name), where, 'Put the machines into one pool.');
    }
    names.add(pool.name);
    if (pool.architecture !== controlPlane.architecture) checkMixed(pool, controlPlane, path, platform, findings);
    checkPool(pool, path, active, findings);
    if (pool.fencing !== undefined) {
      const where = [...path, 'fencing'];
      const message = invalid(where, hiddenFencing(pool), 'fencing is only valid for control plane');
      findings.error('fencing', message, where, 'Move it to `controlPlane`.');
    }
  }
  if (compute.some(({ architecture }) => architecture !== controlPlane.architecture)) {
    const message =
      'Could not determine release architecture for multi arch cluster configuration. Make sure the release is a multi architecture payload.';
    findings.warning('architecture', message, ['compute'], 'Take a release image whose name ends in `-multi`.');
  }
}

/** Hides the credentials and keeps only their form. */
function hiddenFencing({ fencing }: PoolValues): object {
  const credentials = (fencing?.credentials ?? []).map((credential) => ({
    ...(credential.hostName === '' ? {} : { hostName: credential.hostName }),
    ...(credential.macAddress === '' ? {} : { macAddress: credential.macAddress }),
    username: HIDDEN,
    password: HIDDEN,
    address: hideUsers(credential.address),
    ...(credential.certificateVerification === ''
      ? {}
      : { certificateVerification: credential.certificateVerification }),
  }));
  return { credentials };
}

function checkComputeName(name: string, path: Path, active: string, findings: RuleFindings): void {
  const where = [...path, 'name'];
  const help = 'Write worker.';
  if (name === 'worker') return;
  if (name !== 'edge') findings.error('pool-name', unsupported(where, name, ['worker', 'edge']), where, help);
  else if (active !== 'aws') findings.error('pool-name', unsupported(where, name, ['worker']), where, help);
}

/** Only bare metal may mix architectures, and only in one way. */
function checkMixed(
  pool: PoolValues,
  control: PoolValues,
  path: Path,
  platform: PlatformValues,
  findings: RuleFindings,
): void {
  const where = [...path, 'architecture'];
  const add = (value: string, detail: string): void =>
    findings.error(
      'architecture',
      invalid(where, value, detail),
      where,
      `Write ${control.architecture}, as for the control plane.`,
    );
  if (platform.baremetal !== undefined) {
    if (control.architecture !== 'amd64')
      add(control.architecture, 'on multi-arch baremetal, the control plane must be amd64');
    if (pool.architecture !== 'arm64')
      add(pool.architecture, 'on baremetal with amd64 control plane, compute must be amd64 or arm64');
  } else if (platform.aws === undefined && platform.gcp === undefined) {
    add(
      pool.architecture,
      'heteregeneous multi-arch is not supported; compute pool architecture must match control plane',
    );
  }
}

function checkPool(pool: PoolValues, path: Path, active: string, findings: RuleFindings): void {
  const { replicas = 0, hyperthreading, architecture } = pool;
  if (replicas < 0) {
    const where = [...path, 'replicas'];
    findings.error('replicas', invalid(where, replicas, 'number of replicas must not be negative'), where, FEWER);
  }
  if (!HYPERTHREADING.includes(hyperthreading)) {
    const where = [...path, 'hyperthreading'];
    findings.error('hyperthreading', unsupported(where, hyperthreading, HYPERTHREADING), where, 'Remove it.');
  }
  if (!ARCHITECTURES.includes(architecture)) {
    const where = [...path, 'architecture'];
    findings.error(
      'architecture',
      unsupported(where, architecture, ARCHITECTURES),
      where,
      architectureHelp(architecture),
    );
  }
  const written = encodeSection(POOL_PLATFORM, pool.platform);
  for (const [name, values] of Object.entries(written)) {
    if (name === active) continue;
    const where = [...path, 'platform', name];
    const detail = `cannot specify "${name}" for machine pool when cluster is using "${active}"`;
    findings.error('pool-platform', invalid(where, Object(values), detail), where, 'Remove it.');
  }
  if (active === 'vsphere' && pool.platform.vsphere) checkVSphereSizes(pool.platform.vsphere, path, findings);
}

function checkVSphereSizes(
  { cpus, coresPerSocket, memoryMB, osDisk }: NonNullable<PoolValues['platform']['vsphere']>,
  path: Path,
  findings: RuleFindings,
): void {
  const sizes = [
    { name: 'diskSizeGB', size: osDisk.diskSizeGB, title: 'storage disk size' },
    { name: 'memoryMB', size: memoryMB, title: 'memory size' },
    { name: 'cpus', size: cpus, title: 'number of CPUs' },
    { name: 'coresPerSocket', size: coresPerSocket, title: 'cores per socket' },
  ];
  for (const { name, size, title } of sizes) {
    if (size >= 0) continue;
    const where = [...path, 'platform', 'vsphere', name];
    findings.error('pool-platform', invalid(where, size, `${title} must be positive`), where, 'Remove it.');
  }
}

export function architectureHelp(architecture: string): string {
  const go = goName(architecture);
  return go === architecture ? 'Write amd64, arm64, ppc64le or s390x.' : `Write ${go}: this file takes Go's names.`;
}

interface ClusterTerms {
  readonly masters: number;
  readonly active: string;
  readonly allowsPairs: boolean;
}

function checkArbiter(
  arbiter: PoolValues,
  { masters, active, allowsPairs }: ClusterTerms,
  findings: RuleFindings,
): void {
  const replicas = ['arbiter', 'replicas'];
  if (!allowsPairs) {
    const path = ['arbiter', 'platform'];
    findings.error('arbiter', unsupported(path, active, WITH_PAIRS), ['arbiter'], 'Remove `arbiter`.');
  }
  if (arbiter.replicas === 0) {
    const message = invalid(replicas, 0, 'number of arbiter replicas must be positive');
    findings.error('arbiter', message, replicas, 'Write 1, or remove `arbiter`.');
  }
  if (masters < 2) {
    const detail = 'number of controlPlane replicas must be at least 2 for arbiter deployments';
    findings.error(
      'arbiter',
      invalid(replicas, masters, detail),
      replicas,
      'Remove `arbiter`, or add a control-plane machine.',
    );
  }
  checkPool(arbiter, ['arbiter'], active, findings);
}

function checkFencing({ controlPlane, arbiter, platform }: InstallConfigValues, findings: RuleFindings): void {
  const credentials = controlPlane?.fencing?.credentials ?? [];
  const base = ['controlPlane', 'fencing', 'credentials'];
  const seen = { hostName: new Set<string>(), address: new Set<string>(), macAddress: new Set<string>() };
  for (const [index, credential] of credentials.entries()) {
    const path = [...base, index];
    for (const name of ['username', 'password', 'address'] as const) {
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const where = [...path, name];
      if (credential[name] === '')
        findings.error('fencing', required(where, `missing ${title}`), where, `Add \`${name}\`.`);
    }
    for (const name of ['hostName', 'address', 'macAddress'] as const) {
      const value = credential[name];
      if (value === '') continue;
      const where = [...path, name];
      if (seen[name].has(value))
        findings.error('fencing', duplicate(where, hideUsers(value)), where, 'Give every machine its own.');
      seen[name].add(value);
    }
    checkCredential(credential, path, findings);
  }
  const active = activePlatform(platform);
  const found = `instead ${credentials.length} credentials were found`;
  if (controlPlane?.fencing !== undefined && !WITH_PAIRS.some((name) => platform[name] !== undefined)) {
    const path = ['controlPlane', 'fencing'];
    const detail = `fencing is only supported on baremetal, external or none platforms, instead ${active} platform was found`;
    findings.error('fencing', forbidden(path, detail), path, 'Remove `fencing`.');
  }
  if ((arbiter?.replicas ?? 0) > 0) return;
  const isPair = controlPlane?.replicas === 2;
  if (isPair && credentials.length !== 2) {
    const detail = `there should be exactly two fencing credentials to support the two node cluster, ${found}`;
    findings.error('fencing', forbidden(base, detail), base, 'Give both machines credentials, or add an arbiter.');
  } else if (!isPair && credentials.length > 0) {
    const detail = `there should not be any fencing credentials configured for a non dual replica control plane (Two Nodes Fencing) cluster, ${found}`;
    findings.error('fencing', forbidden(base, detail), base, 'Remove `fencing`.');
  }
}

/** Machines can be fenced only by Redfish. */
function addressFaults(address: string): string[] {
  if (address === '') return [];
  const reading = parseGoUrl(address);
  if (!reading.ok) return [`invalid URL format: ${hideUsers(reading.message)}`];
  const { scheme } = reading.url;
  const hasPort = /^[^/?#]*:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*):\d/.test(address);
  const isKnown = /https?|redfish/.test(scheme);
  return [
    ...(address.includes('redfish')
      ? []
      : ['fencing only supports redfish-compatible BMC addresses, IPMI is not supported']),
    ...(hasPort || isKnown ? [] : ['failed to parse redfish address, no port number found']),
  ];
}

type Credential = NonNullable<PoolValues['fencing']>['credentials'][number];

function checkCredential(credential: Credential, path: Path, findings: RuleFindings): void {
  const { hostName, macAddress, address, certificateVerification } = credential;
  if (hostName === '' && macAddress === '') {
    const message = required(path, 'at least one of hostname or macaddress must be provided');
    findings.error('fencing', message, path, 'Add `hostName`.');
  }
  const problem = macAddress === '' ? undefined : macProblem(macAddress);
  if (problem !== undefined) {
    const where = [...path, 'macAddress'];
    findings.error('fencing', invalid(where, macAddress, problem.message), where, problem.help);
  }
  const where = [...path, 'address'];
  for (const detail of addressFaults(address)) {
    const help = 'Write redfish+https://HOST:PORT/redfish/v1/Systems/ID.';
    findings.error('fencing', invalid(where, hideUsers(address), detail), where, help);
  }
  if (!['', 'Enabled', 'Disabled'].includes(certificateVerification)) {
    const verification = [...path, 'CertificateVerification'];
    const detail = `invalid certificate verification; "${certificateVerification}" should set to one of the following: ['Enabled' (default), 'Disabled']`;
    const text = invalid(verification, certificateVerification, detail);
    // Upstream prints this field as a key in brackets.
    const message = text.replace('.CertificateVerification:', '[CertificateVerification]:');
    findings.error('fencing', message, [...path, 'certificateVerification'], 'Write Enabled or Disabled.');
  }
}
