import { checkArgument } from '@coreiso/peers/arguments';

/** The release, which is built into an installer binary. */
export interface ReleaseImage {
  /** `4.20.3`, or `v4.20.3` as builds name it. */
  readonly version: string;
  /** The image to install from, with its digest. */
  readonly image: string;
}

/** Refuses a release without a version or an image. */
export function requireRelease(release: ReleaseImage): void {
  checkArgument('release', release, 'object');
  for (const name of ['version', 'image'] as const) {
    if (typeof release[name] !== 'string' || release[name] === '')
      throw new TypeError(`release.${name} must be a text that is not empty`);
  }
}

/**
 * The version in manifests, without a leading `v`. Builds of the installer's own sources have versions like `v1.5.2`,
 * which become `5.2`.
 *
 * @example shownVersion('v4.20.3') // '4.20.3'
 */
export function shownVersion(version: string): string {
  checkArgument('version', version, 'text');
  return version.replace(/^v(?:1\.)?/, '');
}
