import type { Outcome } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { AgentConfig } from '../documents/types.ts';
import { type InstallConfig, type InstallConfigOptions, judgeInstallConfig } from '../install-config/install-config.ts';
import { readInstallConfig } from '../install-config/read.ts';
import { clusterNetworkFaults } from '../install-config/rules/cluster-networks.ts';
import { configDiagnostic } from '../text/codes.ts';
import { type FileDiagnostic, isUpstream } from '../text/config-findings.ts';
import type { ConfigSource } from '../text/read-text.ts';
import { judgeAgentConfig } from './agent-config.ts';
import { installHosts } from './install-hosts.ts';

/** The two files of a new cluster, as text, bytes or objects. */
export interface InstallSources {
  readonly installConfig: ConfigSource;
  /** May be absent; then hosts come from the install config, or use DHCP. */
  readonly agentConfig?: ConfigSource | undefined;
}

/** A new cluster, as its two files describe it. */
export interface InstallFiles {
  readonly installConfig: InstallConfig;
  /** If that file is absent, the values of an empty one with the hosts of the install config. */
  readonly agentConfig: AgentConfig;
}

/**
 * Reads and checks the two files of a new cluster together. Findings about a file that the installer never reaches are marked as
 * coreiso's own.
 *
 * @example parseInstallFiles({ installConfig: '…', agentConfig: '…' }, { version: '4.20.3' })
 */
export function parseInstallFiles(
  sources: InstallSources,
  options: InstallConfigOptions = {},
): Outcome<InstallFiles, FileDiagnostic> {
  return judgeInstallFiles(sources, options).outcome;
}

/** Two files that were checked. */
interface JudgedInstallFiles {
  readonly outcome: Outcome<InstallFiles, FileDiagnostic>;
  /**
   * Whether upstream reads both before it fails, if it fails. If so, it has also checked the other files of the
   * directory.
   */
  readonly areRead: boolean;
}

/** Like `parseInstallFiles`, and returns how far upstream gets. */
export function judgeInstallFiles(sources: InstallSources, options: InstallConfigOptions): JudgedInstallFiles {
  checkArgument('sources', sources, 'object');
  checkArgument('options', options, 'object');
  const { environment = {}, mode = 'strict' } = options;
  const reading = readInstallConfig(sources.installConfig, { environment, mode });
  const install = judgeInstallConfig(reading, options);
  const hosts = reading.ok ? installHosts(reading.values) : undefined;
  const { outcome: agent, failsAtHosts } = judgeAgentConfig(
    sources.agentConfig ?? { apiVersion: 'v1beta1' },
    hosts,
    mode,
  );
  const hasError = (findings: readonly { severity: string }[]): boolean =>
    findings.some(({ severity }) => severity === 'error');
  const installHasError = hasError(install.diagnostics);
  // Addresses of hosts cannot be checked while the hosts have other errors.
  const isFollowed = ({ code }: { readonly code: string }): boolean =>
    code !== 'nodes-config/no-rendezvous-ip' || sources.agentConfig !== undefined || !installHasError;
  const diagnostics: FileDiagnostic[] = [
    ...install.diagnostics.map((one) => ({ ...one, upstream: isUpstream(one), file: 'install-config.yaml' as const })),
    ...agent.diagnostics.filter(isFollowed).map((one) => ({
      ...one,
      upstream: isUpstream(one) && !installHasError,
      file: 'agent-config.yaml' as const,
    })),
  ];
  if (install.ok) {
    const upstream = !hasError(diagnostics);
    for (const { message, help, path } of faultsOf(install.value)) {
      const finding = { code: 'nodes-config/cluster-network', message, help, path } as const;
      const range = install.value.source.locate(path);
      diagnostics.push({ ...configDiagnostic(finding, range), upstream, file: 'install-config.yaml' });
    }
  }
  const areRead = install.ok && (agent.ok || failsAtHosts);
  return install.ok && agent.ok && !hasError(diagnostics)
    ? { outcome: { ok: true, value: { installConfig: install.value, agentConfig: agent.value }, diagnostics }, areRead }
    : { outcome: { ok: false, diagnostics }, areRead };
}

/** Refuses an object that `parseInstallFiles` did not return. */
export function requireInstallFiles(name: string, files: InstallFiles): void {
  if (files?.installConfig?.values === undefined || files.agentConfig === undefined)
    throw new TypeError(`${name} must be what parseInstallFiles returns as its value`);
}

/** Upstream checks the manifests again when it makes them. */
function faultsOf({ values }: InstallConfig): { message: string; help: string; path: (string | number)[] }[] {
  const { networking, controlPlane, compute } = values;
  // In that check, unknown plugins count as OVN-Kubernetes.
  if (networking === undefined || networking.networkType === 'OpenShiftSDN') return [];
  const machines = (controlPlane?.replicas ?? 0) + compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return networking.clusterNetwork.flatMap(({ cidr, hostPrefix }, index) => {
    const faults = cidr === undefined ? [] : clusterNetworkFaults({ network: cidr, hostPrefix, index }, machines);
    return faults.map(({ message, help, field }) => ({
      message,
      help,
      path: ['networking', 'clusterNetwork', index, field],
    }));
  });
}
