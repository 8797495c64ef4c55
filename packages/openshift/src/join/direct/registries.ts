// Registries that an image may be pulled from.
import type { ImageMirror } from '@coreiso/nodes-config';

/** The registries that may hold an image: its mirrors, then its own unless the policy excludes that. */
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

/** Whether a registry is in a list, in which `*.example.com` matches subdomains. */
export function isListed(registry: string, list: readonly string[]): boolean {
  const host = registry.replace(/:\d+$/, '');
  return list.some((entry) => {
    return entry === registry || entry === host || (entry.startsWith('*.') && host.endsWith(entry.slice(1)));
  });
}
