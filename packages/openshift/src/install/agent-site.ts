import { decodeText, type Outcome } from '@coreiso/diagnostics';
import type { InstallConfigOptions, ReleaseImage } from '@coreiso/nodes-config';
import { type ClusterDirectory, type FileDiagnostic, readDirectory } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';

/** A new cluster and its release: all inputs of an image except generated secrets. */
export interface AgentSite {
  readonly directory: ClusterDirectory;
  readonly release: ReleaseImage;
}

/**
 * Reads and checks the files of a new cluster, as before making an image.
 *
 * @example const site = readSite({ installConfig, agentConfig, releaseImage: 'quay.example.test/ocp/release:4.20.3-x86_64', version: '4.20.3' })
 */
export function readSite(
  sources: Omit<InstallConfigOptions, 'version'> & {
    readonly installConfig: string | Uint8Array;
    readonly agentConfig?: string | Uint8Array | undefined;
    /** Manifests for the new cluster, `openshift/NAME.yaml` → text. */
    readonly extraManifests?: Readonly<Record<string, string>> | undefined;
    /** With its digest. */
    readonly releaseImage: string;
    /** Version of the release, `4.20.3`. */
    readonly version: string;
  },
): Outcome<AgentSite, FileDiagnostic> {
  checkArgument('sources', sources, 'object');
  const { installConfig, agentConfig, extraManifests = {}, releaseImage, version, ...options } = sources;
  const release = { image: releaseImage, version };
  const files = {
    ...extraManifests,
    'install-config.yaml': textOf(installConfig, 'installConfig'),
    ...(agentConfig === undefined ? {} : { 'agent-config.yaml': textOf(agentConfig, 'agentConfig') }),
  };
  const outcome = readDirectory(files, { ...options, version, release });
  return outcome.ok ? { ...outcome, value: { directory: outcome.value, release } } : outcome;
}

/** Refuses sites that `readSite` did not read. */
export function requireSite(site: AgentSite): void {
  if (site?.directory === undefined) throw new TypeError('site must be what readSite returns as its value');
}

function textOf(given: string | Uint8Array, name: string): string {
  checkArgument(name, given, 'document');
  if (typeof given === 'string') return given;
  const decoded = decodeText(given);
  if (!decoded.ok) throw new TypeError(`${name} must be text`);
  return decoded.value.text;
}
