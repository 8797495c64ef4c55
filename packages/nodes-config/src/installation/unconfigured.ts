// The input of an image that is not tied to a site: it gets its site from a config image when it boots.

import type { Outcome } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { Texts } from '../directory/cluster-directory.ts';
import { effectiveFiles } from '../directory/effective-files.ts';
import { FindingCollector } from '../directory/finding-collector.ts';
import { judgeUnconfigured } from '../directory/judge.ts';
import type { AgentConfig } from '../documents/types.ts';
import { judgeAgentConfig } from '../install-files/agent-config.ts';
import { type ReleaseImage, requireRelease } from '../manifests/release.ts';
import { type FileDiagnostic, isUpstream, type Mode } from '../text/config-findings.ts';
import { filesOf, mirrorsOf } from './image-files.ts';

/** The settings of machines before they know their site. */
export interface UnconfiguredSite {
  /** Undefined if a config image, or a person at the console, will set it. */
  readonly rendezvousAddress: string | undefined;
  readonly architecture: string;
  /** The key of user core; may be empty. */
  readonly sshKey: string;
  /** Secret: they include the pull secret. */
  readonly files: readonly { readonly path: string; readonly mode: number; readonly text: string }[];
  readonly mirrors: readonly { readonly source: string; readonly mirrors: readonly string[] }[];
  readonly hasTrustBundle: boolean;
  readonly hasStaticNetwork: boolean;
}

const AGENT_CONFIG = 'agent-config.yaml';

/**
 * Reads a directory (path to text) as the installer does before making an image for all sites: `infraenv.yaml` and
 * `pull-secret.yaml` of `cluster-manifests`, and, if they exist, networks, mirrors and a rendezvous address.
 *
 * @example readUnconfigured(files, { release: { version: '4.20.3', image: 'quay.example.test/ocp/release:4.20.3-x86_64' } })
 */
export function readUnconfigured(
  files: Texts,
  options: { readonly release: ReleaseImage; readonly mode?: Mode | undefined },
): Outcome<UnconfiguredSite, FileDiagnostic> {
  checkArgument('files', files, 'object');
  checkArgument('options', options, 'object');
  requireRelease(options.release);
  const { release, mode = 'strict' } = options;
  const collector = new FindingCollector();
  const agentConfig = readAgentConfig(files, mode, collector);
  // An agent config beside them does not cause new manifests: only in this mode does the installer read both.
  const manifests = Object.fromEntries(Object.entries(files).filter(([path]) => path.includes('/')));
  const effective = effectiveFiles(manifests, undefined, undefined, collector);
  const judged = judgeUnconfigured(effective, { mode, release }, collector);
  return collector.outcome(
    judged && {
      rendezvousAddress: agentConfig?.rendezvousAddress,
      architecture: judged.infraEnv.architecture,
      sshKey: judged.infraEnv.sshKey,
      files: filesOf({ ...judged, installFiles: undefined, extraManifests: {} }),
      mirrors: mirrorsOf(judged),
      hasTrustBundle: judged.caBundle !== '',
      hasStaticNetwork: judged.networks.length > 0,
    },
  );
}

function readAgentConfig(files: Texts, mode: Mode, collector: FindingCollector): AgentConfig | undefined {
  const text = files[AGENT_CONFIG];
  if (text === undefined) return undefined;
  const { outcome } = judgeAgentConfig(text, undefined, mode, 'optional');
  collector.take(outcome.diagnostics.map((one) => ({ ...one, upstream: isUpstream(one), file: AGENT_CONFIG })));
  if (!outcome.ok) return undefined;
  refuseSettings(outcome.value, collector);
  return outcome.value;
}

const START = 'agent-config.yaml for unconfigured-ignition workflow must not';

/** Reports the first setting that belongs to a site, in the installer's words. */
function refuseSettings(
  { hosts, additionalNTPSources, bootArtifactsBaseURL, minimalISO }: AgentConfig,
  collector: FindingCollector,
): void {
  const only = 'Only rendezvousIP is allowed';
  const found = [
    hosts.length > 0 && `${START} contain hosts. Hosts configuration should be provided via nmstateconfig.yaml`,
    additionalNTPSources.length > 0 && `${START} contain additionalNTPSources. ${only}`,
    bootArtifactsBaseURL !== '' && `${START} contain bootArtifactsBaseURL. ${only}`,
    minimalISO && `${START} set minimalISO. ${only}`,
  ].find((message) => message !== false);
  if (found === undefined) return;
  const help = 'Keep it in the agent config of the site: its config image brings it to the machines.';
  collector.fail({ file: AGENT_CONFIG, rule: 'unconfigured', message: found, help });
}
