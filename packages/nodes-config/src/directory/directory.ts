// Reads a directory of the agent-based installer: an install config, ready-made manifests, or manifests that were
// written from an install config and perhaps edited since.

import type { Outcome } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import type { NMStateConfig } from '../documents/types.ts';
import type { InstallConfigOptions } from '../install-config/install-config.ts';
import { type InstallFiles, type InstallSources, judgeInstallFiles } from '../install-files/install-files.ts';
import type { ReleaseImage } from '../manifests/release.ts';
import { writeManifests } from '../manifests/render.ts';
import { readAddresses } from '../rules/network-view.ts';
import type { FileDiagnostic } from '../text/config-findings.ts';
import type { ClusterDirectory, Texts } from './cluster-directory.ts';
import { effectiveFiles, NETWORKS, reportDiscarded } from './effective-files.ts';
import { readExtraManifests } from './extra-manifests.ts';
import { FindingCollector } from './finding-collector.ts';
import { judgeManifests } from './judge.ts';

/** Options of reading a directory. */
export interface DirectoryOptions extends InstallConfigOptions {
  readonly release: ReleaseImage;
  /** The sources that the manifests in the directory were made from. */
  readonly previous?: InstallSources | undefined;
}

/** The files that `agent create cluster-manifests` writes. */
export interface MadeManifests {
  readonly installFiles: InstallFiles;
  /**
   * Path below the directory → text of every manifest and mirror file; they contain the pull secret and may contain
   * passwords.
   */
  readonly files: Texts;
  /** Paths of existing files with another text, because their sources have changed. */
  readonly replaced: readonly string[];
}

/**
 * Reads a directory (path to text) as the installer does before making an image.
 *
 * @example readDirectory({ 'cluster-manifests/infraenv.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function readDirectory(files: Texts, options: DirectoryOptions): Outcome<ClusterDirectory, FileDiagnostic> {
  requireGiven(files, options);
  const { release, previous, mode = 'strict' } = options;
  const collector = new FindingCollector();
  const installFiles = readInstallFiles(files, options, collector);
  if (installFiles === 'refused') return collector.outcome<ClusterDirectory>(undefined);
  const effective = effectiveFiles(files, installFiles && writeManifests(installFiles, release), previous, collector);
  const judged = judgeManifests(effective, { mode, release }, collector);
  const rendezvousAddress = rendezvous(installFiles, judged?.networks ?? [], collector);
  const extra = readExtraManifests(files, mode);
  collector.take(extra.diagnostics);
  return collector.outcome(judged && { ...judged, installFiles, rendezvousAddress, extraManifests: extra.value });
}

/**
 * Makes the manifests of a directory (path to text) from its install config and agent config. Manifests that were made from the
 * same files before are kept, with their edits.
 *
 * @example makeManifests({ 'install-config.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function makeManifests(files: Texts, options: DirectoryOptions): Outcome<MadeManifests, FileDiagnostic> {
  requireGiven(files, options);
  const { release, previous, mode = 'strict' } = options;
  const collector = new FindingCollector();
  const installFiles = readInstallFiles(files, options, collector);
  if (installFiles === undefined) {
    const help = 'Add an install-config.yaml; `coreiso agent validate` checks existing manifests.';
    const message = 'there is nothing to make manifests from';
    collector.refuse({ file: 'install-config.yaml', rule: 'missing', message, help });
  }
  if (installFiles === undefined || installFiles === 'refused') return collector.outcome<MadeManifests>(undefined);
  const rendered = writeManifests(installFiles, release);
  const effective = effectiveFiles(files, rendered, previous, collector);
  const { texts, replaced } = effective;
  const isEdited = Object.entries(texts).some(([path, text]) => text !== rendered.files[path]);
  if (isEdited) judgeManifests(effective, { mode, release }, collector);
  return collector.outcome({ installFiles, files: texts, replaced });
}

function requireGiven(files: Texts, options: DirectoryOptions): void {
  checkArgument('files', files, 'object');
  checkArgument('options', options, 'object');
  checkArgument('options.release', options.release, 'object');
}

/** Refuses an object that `readDirectory` did not return. */
export function requireDirectory(directory: ClusterDirectory): void {
  if (directory?.clusterInstall === undefined)
    throw new TypeError('directory must be what readDirectory returns as its value');
}

function readInstallFiles(
  files: Texts,
  options: DirectoryOptions,
  collector: FindingCollector,
): InstallFiles | undefined | 'refused' {
  const { previous } = options;
  const installConfig = files['install-config.yaml'] ?? previous?.installConfig;
  if (installConfig === undefined) {
    reportDiscarded(files, previous, collector);
    return undefined;
  }
  const agentConfig = files['agent-config.yaml'] ?? previous?.agentConfig;
  const { outcome, areRead } = judgeInstallFiles(
    { installConfig, agentConfig },
    { releaseImage: options.release.image, ...options },
  );
  // Findings about remembered files are not repeated.
  const isHere = (file: string): boolean => files[file] !== undefined;
  const isNews = ({ file, severity }: FileDiagnostic): boolean =>
    severity === 'error' || isHere(file) || isHere('install-config.yaml');
  const news = outcome.diagnostics.filter(isNews);
  collector.take(news.filter(({ severity }) => severity !== 'error'));
  // The installer checks the files that it reads before it makes others from them.
  if (areRead) reportDiscarded(files, previous, collector);
  collector.take(news.filter(({ severity }) => severity === 'error'));
  if (!outcome.ok) return 'refused';
  const isRemembered = previous?.agentConfig !== undefined && !isHere('agent-config.yaml');
  if (isRemembered && isHere('install-config.yaml')) checkRemembered(outcome.value, collector);
  return outcome.value;
}

/**
 * Between two steps the installer forgets that a host has no network: it stores an empty one, which nmstate refuses.
 */
function checkRemembered({ agentConfig: { hosts, source } }: InstallFiles, collector: FindingCollector): void {
  if (source.locate(['hosts', 0]) === undefined) return;
  const help = 'Put agent-config.yaml beside the new install-config.yaml again.';
  const finding = { severity: 'error', code: 'nodes-config/forgotten-network', path: [], help } as const;
  const found = hosts.flatMap(({ networkConfig }, index): FileDiagnostic[] => {
    const message = `failed to validate network yaml for host ${index}, failed to execute 'nmstatectl gc', error: invalid type: unit value, expected struct NetworkState`;
    return networkConfig === undefined ? [{ ...finding, message, upstream: true, file: 'agent-config.yaml' }] : [];
  });
  collector.take(found);
}

/** The address of the agent config if there is one, else the first address of the manifests. */
function rendezvous(
  installFiles: InstallFiles | undefined,
  networks: readonly NMStateConfig[],
  collector: FindingCollector,
): string {
  if (installFiles?.agentConfig.rendezvousAddress !== undefined) return installFiles.agentConfig.rendezvousAddress;
  for (const { config } of networks) {
    const reading = config && readAddresses(config.node, config.path);
    const [first] = reading?.ok ? reading.addresses : [];
    const address = first && canonicalAddressAsGo(first.text);
    if (address !== undefined) return address;
  }
  const message =
    'missing rendezvousIP in agent-config, at least one host networkConfig, or at least one NMStateConfig manifest: invalid NMState configurations provided, no interface IPs set';
  const help = 'Give one control-plane host a static address in nmstateconfig.yaml.';
  collector.fail({ file: NETWORKS, rule: 'rendezvous', message, help });
  return '';
}
