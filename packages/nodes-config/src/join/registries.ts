import type { ImageMirror } from '../cluster/facts.ts';
import { oneLine } from './live-files.ts';

/** The text of `/etc/containers/registries.conf`, as upstream writes it: mirrors count for images named by digest only. */
export function registriesConf(mirrors: readonly ImageMirror[]): string {
  if (mirrors.length === 0) return '# No mirrors are configured.\nunqualified-search-registries = []\n';
  const head = `additional-layer-store-auth-helper = ""
credential-helpers = []
short-name-mode = ""
unqualified-search-registries = []
`;
  return [head, ...mirrors.map(registryText)].join('\n');
}

function registryText({ source, mirrors = [] }: ImageMirror): string {
  const head = `[[registry]]
  location = ${tomlString(source)}
  mirror-by-digest-only = true
  prefix = ""
`;
  const places = mirrors.map((mirror) => `  [[registry.mirror]]\n    location = ${tomlString(mirror)}\n`);
  return [head, ...places].join('\n');
}

/** TOML's basic string has JSON's escapes. */
function tomlString(text: string): string {
  return JSON.stringify(oneLine(text, 'imageDigestMirrors'));
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
