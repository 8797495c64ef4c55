// Mirrors of registries: what a node is told of them, and who is asked for an image.
import type { ImageMirror } from './facts.ts';

/**
 * Entries of one source and policy become one; whoever has no mirrors is left out.
 *
 * @example mergedMirrors([{ source: 'a.test/ocp', mirrors: ['b.test'] }, { source: 'a.test/ocp', mirrors: ['c.test'] }])
 */
export function mergedMirrors(given: readonly ImageMirror[]): ImageMirror[] {
  const merged = new Map<string, ImageMirror>();
  for (const { mirrors = [], ...entry } of given) {
    if (mirrors.length === 0) continue;
    const key = JSON.stringify([entry.source, entry.sourcePolicy]);
    merged.set(key, { ...entry, mirrors: [...new Set([...(merged.get(key)?.mirrors ?? []), ...mirrors])] });
  }
  return [...merged.values()];
}

/**
 * The text of `/etc/containers/registries.conf`, as upstream writes it: images named by digest are looked for in the mirrors first.
 *
 * @example registriesConf([{ source: 'a.test/ocp', mirrors: ['b.test/ocp'] }])
 */
export function registriesConf(mirrors: readonly ImageMirror[]): string {
  if (mirrors.length === 0) return '# No mirrors are configured.\nunqualified-search-registries = []\n';
  const head = `additional-layer-store-auth-helper = ""
credential-helpers = []
short-name-mode = ""
unqualified-search-registries = []
`;
  return [head, ...mergedMirrors(mirrors).map(registryText)].join('\n');
}

/** TOML's basic string has JSON's escapes. */
function registryText({ source, mirrors = [], sourcePolicy }: ImageMirror): string {
  const isBlocked = sourcePolicy === 'NeverContactSource';
  const head = `[[registry]]
${isBlocked ? '  blocked = true\n' : ''}  location = ${JSON.stringify(source)}
  mirror-by-digest-only = true
  prefix = ""
`;
  const places = mirrors.map((mirror) => `  [[registry.mirror]]\n    location = ${JSON.stringify(mirror)}\n`);
  return [head, ...places].join('\n');
}

/** The registries that may hold an image: those of its mirrors, then its own unless it must not be asked. */
export function registriesOf(image: string, mirrors: readonly ImageMirror[]): string[] {
  const repository = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
  const applying = mirrors.filter(({ source }) => repository === source || repository.startsWith(`${source}/`));
  const isForbidden = applying.some(({ sourcePolicy }) => sourcePolicy === 'NeverContactSource');
  const places = [...applying.flatMap((mirror) => mirror.mirrors ?? []), ...(isForbidden ? [] : [repository])];
  return [...new Set(places.map((place) => place.replace(/\/.*$/, '')))].filter(isRegistry);
}

/** A host, by name or address, and perhaps a port. */
export function isRegistry(text: string): boolean {
  return /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/.test(text);
}

/** Whether a registry is one of those, of which `*.example.com` may stand for many. */
export function isListed(registry: string, list: readonly string[]): boolean {
  const host = registry.replace(/:\d+$/, '');
  return list.some((entry) => {
    return entry === registry || entry === host || (entry.startsWith('*.') && host.endsWith(entry.slice(1)));
  });
}
