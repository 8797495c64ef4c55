// The live system of a machine that does not know its site yet: a config image provides it, or the person at the console.

import { buildConfig, type Config, directory, user } from '@coreiso/ignition';
import type { ServiceCredentials, UnconfiguredSite } from '@coreiso/nodes-config';
import { compareBytes } from '@coreiso/peers/go';
import type { LiveFile } from '../live-files.ts';
import { CONFIG_IMAGE_FILES, CONFIG_IMAGE_OPTIONAL } from './config-image-files.ts';
import { rendezvousHostEnv, rendezvousHostTemplate } from './environment.ts';
import {
  commonFiles,
  hidden,
  MACHINE_BUNDLE,
  networkScript,
  RENDEZVOUS_HOST,
  SPEC_VERSION,
  toFile,
} from './service-config.ts';
import type { CommonSettings } from './service-settings.ts';
import { serviceUnits } from './units/all.ts';

/** The source of the site's settings. */
export type ConfiguredBy = 'config-image' | 'person';

/** The Ignition config of such a live system. Equal settings and credentials give equal configs. */
export function unconfiguredConfig(
  site: UnconfiguredSite,
  release: Pick<CommonSettings, 'releaseImage' | 'version'>,
  credentials: Pick<ServiceCredentials, 'tokens' | 'infraEnvId'>,
  configuredBy: ConfiguredBy,
): Config {
  const settings: CommonSettings = {
    workflow: 'install',
    ...release,
    architecture: site.architecture,
    required: { controlPlane: 0, arbiter: 0, worker: 0 },
    mirrors: site.mirrors,
    files: site.files.map(({ path, mode, text }) => ({ path, mode, contents: text })),
    credentials,
    authentication: configuredBy === 'person' ? 'none' : 'tokens',
  };
  const files = [
    ...commonFiles(settings),
    networkScript(),
    ...rendezvousFiles(site, settings),
    ...markers(configuredBy),
  ];
  const units = serviceUnits('install', {
    // Undefined, because it is in the settings of the service, which a config image may replace.
    releaseImageMirror: undefined,
    caBundle: MACHINE_BUNDLE,
    hasMirrors: true,
    imageType: 'full-iso',
    hasStaticNetwork: site.hasStaticNetwork,
    configImage:
      configuredBy === 'person' ? undefined : { expected: CONFIG_IMAGE_FILES, optional: CONFIG_IMAGE_OPTIONAL },
  });
  const folders = ['/etc/assisted/extra-manifests', '/opt/agent/tls'];
  return buildConfig({
    version: SPEC_VERSION,
    users: site.sshKey === '' ? [] : [user('core', { sshAuthorizedKeys: site.sshKey })],
    directories: folders.map((path) => directory(path, { mode: 0o644, overwrite: true, user: 'root' })),
    files: files.map(toFile).sort((a, b) => compareBytes(a.path, b.path)),
    units: units.sort((a, b) => compareBytes(a.name, b.name)),
  });
}

function rendezvousFiles({ rendezvousAddress }: UnconfiguredSite, settings: CommonSettings): LiveFile[] {
  const template = hidden(`${RENDEZVOUS_HOST}.template`, rendezvousHostTemplate(settings));
  if (rendezvousAddress === undefined) return [template];
  return [template, hidden(RENDEZVOUS_HOST, rendezvousHostEnv({ ...settings, rendezvousAddress }))];
}

/** Marker files: with them the service shows its pages, and config images are ignored. */
function markers(configuredBy: ConfiguredBy): LiveFile[] {
  if (configuredBy === 'config-image') return [];
  return ['interactive-ui', 'no-config-image'].map((name) => ({
    path: `/etc/assisted/${name}`,
    mode: 0o644,
    contents: '',
  }));
}
