import { inContext } from '../errors.ts';
import type { Iso } from '../iso9660/reader.ts';
import { findFile, hasAreaFile, readMetadata } from './live-iso.ts';
import { parseMetadata } from './metadata.ts';

/** The features that an OS build declares. */
export interface Features {
  /** Reads `/etc/coreos/installer.d`. */
  readonly installerConfig: boolean;
  /** Reads keyfiles from its initramfs. */
  readonly liveInitrdNetwork: boolean;
  /** Supported keys of the installer's configuration. */
  readonly installerConfigDirectives: Readonly<Record<string, boolean>>;
  /**
   * Only for an image without an embed area: alternatives for a config. `tail` is an archive after the end of an initramfs,
   * `menu` the kernel arguments in the boot loader's own file, `disc` a second disc.
   */
  readonly instead?: readonly { readonly kind: 'tail' | 'menu' | 'disc'; readonly path?: string }[];
}

const IN_ISO = 'COREOS/FEATURES.JSO';

/** The features of a live image; none if it has no list. */
export async function isoFeatures(iso: Iso, signal?: AbortSignal): Promise<Features> {
  const file = await inContext('looking up OS features', () => findFile(iso, IN_ISO, signal));
  const bytes = file && (await inContext('reading OS features', () => readMetadata(iso, file, signal)));
  const features = await parseFeatures(bytes);
  if (await hasAreaFile(iso, signal)) return features;
  const { alternativesOf } = await import('./instead.ts');
  return { ...features, instead: await alternativesOf(iso, signal) };
}

/** Reads `features.json`. */
export async function parseFeatures(bytes: Uint8Array | undefined): Promise<Features> {
  if (bytes === undefined) return { installerConfig: false, liveInitrdNetwork: false, installerConfigDirectives: {} };
  return inContext('parsing OS features', () => {
    const json = parseMetadata(bytes);
    return {
      installerConfig: json.flag('installer-config'),
      liveInitrdNetwork: json.flag('live-initrd-network'),
      installerConfigDirectives: json.flags('installer-config-directives'),
    };
  });
}
