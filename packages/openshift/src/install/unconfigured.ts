import type { Config } from '@coreiso/ignition';
import { type ReleaseImage, shownVersion, type UnconfiguredSite } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { type Credentials, requireCredentials } from '../credentials/credentials.ts';
import { unconfiguredConfig } from '../join/service/unconfigured-config.ts';

/**
 * The Ignition config of machines that do not know their site when they boot: each takes it from a config image
 * (`buildConfigImage`), or with `configuredBy: 'person'` from a person at its console. It contains only the tokens of the
 * credentials.
 *
 * @example unconfiguredConfigOf(site, { version: '4.20.3', image: 'quay.example.test/ocp/release:4.20.3-x86_64' }, credentials)
 */
export function unconfiguredConfigOf(
  site: UnconfiguredSite,
  release: ReleaseImage,
  credentials: Credentials,
  options: { readonly configuredBy?: 'config-image' | 'person' | undefined } = {},
): Config {
  checkArgument('site', site, 'object');
  checkArgument('site.files', site.files, 'array');
  checkArgument('release', release, 'object');
  requireCredentials(credentials);
  checkArgument('options', options, 'object');
  const { configuredBy = 'config-image' } = options;
  if (configuredBy !== 'config-image' && configuredBy !== 'person')
    throw new RangeError(`configuredBy must be config-image or person, not ${String(configuredBy)}`);
  const named = { releaseImage: release.image, version: shownVersion(release.version) };
  return unconfiguredConfig(site, named, credentials, configuredBy);
}
