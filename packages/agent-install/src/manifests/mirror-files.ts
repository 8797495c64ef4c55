// What machines need to know about mirrors: which, and whose certificates to trust.
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

/** The place that the installer looks up for a release image, and what follows it: at the first colon, be it that of a port. */
export function dividedImage(image: string): { readonly source: string; readonly version: string } {
  const [, source = image, digest = '', rest = ''] = /^(.+?)(@sha256)?:(.+)/.exec(image) ?? [];
  return { source, version: rest === '' ? '' : `${digest}:${rest}` };
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

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END CERTIFICATE-----/g;

/** The certificates of a bundle, with nothing between them and lines of 64 characters (RFC 7468 section 2). */
export function caBundleText(bundle: string): string {
  const bodies = [...bundle.matchAll(CERTIFICATE)].map(([, body = '']) => body.replace(/\s/g, ''));
  const blocks = bodies.map((body) => body.replace(/.{1,64}/g, '$&\n'));
  return blocks.map((block) => `-----BEGIN CERTIFICATE-----\n${block}-----END CERTIFICATE-----\n`).join('');
}
