// Files that tell machines about mirrors: their addresses, and the certificates to trust.

import { DER, derElements, objectIdText, pemBlocks, pemText } from '@coreiso/peers/der';
import { hex } from '@coreiso/peers/go';
import type { ImageMirror } from '../facts/facts.ts';
import { mergedMirrors, registriesConf } from '../facts/mirrors.ts';
import { dividedImage } from '../facts/release.ts';
import type { InstallConfigValues } from '../generated/values.ts';

/** The mirrors of an install config, from the new or the old field. */
export function mirrorsOf({ imageDigestSources, imageContentSources }: InstallConfigValues): readonly ImageMirror[] {
  return imageDigestSources.length > 0 ? imageDigestSources : imageContentSources;
}

/**
 * Whether a `registries.conf` is the default text without mirrors: coreiso's, or the installer's, which begins with a
 * warning.
 */
export function isDefaultRegistriesConf(text: string): boolean {
  if (text === registriesConf([])) return true;
  const effective = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const isUpstreams = text.startsWith('\n# NOTE: RISK OF USING UNQUALIFIED IMAGE NAMES\n');
  return isUpstreams && effective.join('\n') === 'unqualified-search-registries = []';
}

/** Upstream's warning if mirrors are given, but none for the release image. */
export function unmatchedRelease(values: InstallConfigValues, image: string): string | undefined {
  const { source: place } = dividedImage(image);
  const mirrors = mirrorsOf(values);
  if (mirrors.length === 0 || mergedMirrors(mirrors).some(({ source }) => source === place)) return undefined;
  return `The imageDigestSources configuration in install-config.yaml should have at least one source field matching the releaseImage value ${image}`;
}

/** The certificates of a bundle, with nothing between them. */
export function caBundleText(bundle: string): string {
  const texts = pemBlocks(bundle).map(({ label, content }) => (content === undefined ? '' : pemText(label, content)));
  return texts.join('');
}

/**
 * Upstream's messages about certificates that cannot establish trust: one for each that has an old version, or is not
 * an authority.
 */
export function weakCertificates(bundle: string): string[] {
  return pemBlocks(bundle).flatMap(({ content }) => {
    const certificate = certificateFacts(content ?? new Uint8Array());
    if (certificate === undefined || (certificate.version >= 3 && certificate.isAuthority)) return [];
    const { serial, version } = certificate;
    const tail = version < 3 ? '' : ' but not a certificate authority';
    return [`Certificate ${serial} from additionalTrustBundle is x509 v${version}${tail}`];
  });
}

/** Tags of RFC 5280 section 4.1: version and extensions of a certificate. */
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const BASIC_CONSTRAINTS = '2.5.29.19';

interface CertificateFacts {
  /** In hexadecimal, as Go writes a number. */
  readonly serial: string;
  readonly version: number;
  readonly isAuthority: boolean;
}

function certificateFacts(bytes: Uint8Array): CertificateFacts | undefined {
  const inside = (content: Uint8Array | undefined) => derElements(content ?? new Uint8Array()) ?? [];
  const [certificate] = inside(bytes);
  const fields = inside(inside(certificate?.content)[0]?.content);
  const serial = fields.find(({ tag }) => tag === DER.integer);
  if (serial === undefined) return undefined;
  const version = inside(fields.find(({ tag }) => tag === VERSION)?.content)[0]?.content[0] ?? 0;
  const [list] = inside(fields.find(({ tag }) => tag === EXTENSIONS)?.content);
  const extensions = inside(list?.content).map(({ content }) => inside(content));
  const constraints = extensions
    .find(([id]) => id !== undefined && objectIdText(id.content) === BASIC_CONSTRAINTS)
    ?.at(-1);
  const [sequence] = inside(constraints?.content);
  const [authority] = inside(sequence?.content);
  return {
    serial: numberText(serial.content),
    version: version + 1,
    isAuthority: authority?.tag === DER.boolean && authority.content[0] !== 0,
  };
}

function numberText(content: Uint8Array): string {
  return hex(content)
    .replace(/^0+(?=.)/, '')
    .toUpperCase();
}
