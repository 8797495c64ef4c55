import { diagnostic } from '@coreiso/diagnostics';
import type { Site, SiteDiagnostic } from '../site/site.ts';
import { ClusterManifests } from './cluster-manifests.ts';
import { caBundleText, registriesConf, unmatchedRelease } from './mirror-files.ts';
import type { Release } from './release.ts';

export interface RenderedSite {
  /** Path below the directory → text; the pull secret and perhaps passwords are among them. */
  readonly files: Readonly<Record<string, string>>;
  readonly diagnostics: readonly SiteDiagnostic[];
}

/**
 * The files that `agent create cluster-manifests` writes for a site, the same text to the byte.
 *
 * @example renderManifests(site, { version: '4.20.3', image: 'quay.io/…@sha256:…' }).files['cluster-manifests/infraenv.yaml']
 */
export function renderManifests(site: Site, release: Release): RenderedSite {
  for (const name of ['version', 'image'] as const) {
    if (typeof release[name] !== 'string' || release[name] === '')
      throw new TypeError(`release.${name} must be a text that is not empty`);
  }
  const { values, source } = site.installConfig;
  const manifests = new ClusterManifests(site, release);
  const networks = manifests.nmStateConfigs();
  const unmatched = unmatchedRelease(values, release.image);
  const path = [values.imageDigestSources.length > 0 ? 'imageDigestSources' : 'imageContentSources'];
  const cure = 'Add an entry whose `source` is the release image without its digest.';
  const finding = { severity: 'warning' as const, code: 'agent-install/mirrors', path, cure };
  return {
    files: {
      'cluster-manifests/agent-cluster-install.yaml': manifests.agentClusterInstall(),
      'cluster-manifests/cluster-deployment.yaml': manifests.clusterDeployment(),
      'cluster-manifests/cluster-image-set.yaml': manifests.clusterImageSet(),
      'cluster-manifests/infraenv.yaml': manifests.infraEnv(),
      ...(networks === undefined ? {} : { 'cluster-manifests/nmstateconfig.yaml': networks }),
      'cluster-manifests/pull-secret.yaml': manifests.pullSecret(),
      'mirror/ca-bundle.crt': caBundleText(values.additionalTrustBundle),
      'mirror/registries.conf': registriesConf(values),
    },
    diagnostics:
      unmatched === undefined
        ? []
        : [
            {
              ...diagnostic({ ...finding, message: unmatched }, source.locate(path)),
              upstream: true,
              file: 'install-config.yaml',
            },
          ],
  };
}
