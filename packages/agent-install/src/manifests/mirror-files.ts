// What machines need to know about mirrors: which, and whose certificates to trust.
import { DER, derElements, objectIdText, pemBlocks, pemText } from '@coreiso/diagnostics/der';
import { hex } from '@coreiso/diagnostics/go';
import { dividedImage } from '@coreiso/nodes-config/document';
import type { InstallConfigValues } from '../install-config/table.ts';

/** Without mirrors a file that searches nowhere. */
const NO_MIRRORS = `# No mirrors are configured.
unqualified-search-registries = []
`;

const HEAD = `additional-layer-store-auth-helper = ""
credential-helpers = []
short-name-mode = ""
unqualified-search-registries = []
`;

interface Registry {
  readonly source: string;
  readonly isBlocked: boolean;
  readonly mirrors: ReadonlySet<string>;
}

/** The text of `registries.conf`: images named by digest are looked for in the mirrors first. */
export function registriesConf(values: InstallConfigValues): string {
  const { imageDigestSources, imageContentSources } = values;
  if (imageDigestSources.length + imageContentSources.length === 0) return NO_MIRRORS;
  return [HEAD, ...mergedSources(values).map(registryText)].join('\n');
}

/** Whether a `registries.conf` is what is written where nobody asks for mirrors: ours, or the installer's with its warning ahead. */
export function isDefaultRegistriesConf(text: string): boolean {
  if (text === NO_MIRRORS) return true;
  const effective = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const isUpstreams = text.startsWith('\n# NOTE: RISK OF USING UNQUALIFIED IMAGE NAMES\n');
  return isUpstreams && effective.join('\n') === 'unqualified-search-registries = []';
}

/** Entries of one source and policy are one; whoever has no mirrors is left out. */
function mergedSources({ imageDigestSources, imageContentSources }: InstallConfigValues): Registry[] {
  const merged = new Map<string, { source: string; isBlocked: boolean; mirrors: Set<string> }>();
  const written = imageDigestSources.length > 0 ? imageDigestSources : imageContentSources;
  for (const { source, mirrors, sourcePolicy } of written) {
    if (mirrors.length === 0) continue;
    const key = JSON.stringify([source, sourcePolicy]);
    const isBlocked = sourcePolicy === 'NeverContactSource';
    const entry = merged.get(key) ?? { source, isBlocked, mirrors: new Set() };
    for (const mirror of mirrors) entry.mirrors.add(mirror);
    merged.set(key, entry);
  }
  return [...merged.values()];
}

/** TOML's basic string has JSON's escapes; rules have refused everything else before. */
function registryText({ source, isBlocked, mirrors }: Registry): string {
  const head = `[[registry]]
${isBlocked ? '  blocked = true\n' : ''}  location = ${JSON.stringify(source)}
  mirror-by-digest-only = true
  prefix = ""
`;
  const places = [...mirrors].map((mirror) => `  [[registry.mirror]]\n    location = ${JSON.stringify(mirror)}\n`);
  return [head, ...places].join('\n');
}

/** Upstream's warning where mirrors are given, but none for the release image. */
export function unmatchedRelease(values: InstallConfigValues, image: string): string | undefined {
  const { imageDigestSources, imageContentSources } = values;
  const { source: place } = dividedImage(image);
  const isAsked = imageDigestSources.length + imageContentSources.length > 0;
  if (!isAsked || mergedSources(values).some(({ source }) => source === place)) return undefined;
  return `The imageDigestSources configuration in install-config.yaml should have at least one source field matching the releaseImage value ${image}`;
}

/** The certificates of a bundle, with nothing between them. */
export function caBundleText(bundle: string): string {
  const texts = pemBlocks(bundle).map(({ label, content }) => (content === undefined ? '' : pemText(label, content)));
  return texts.join('');
}

/** What upstream says about certificates that nobody can be trusted by: one for each that is old, or no authority. */
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
