// Merges mirrors of registries, and writes them for nodes.
import { checkArgument } from '@coreiso/peers/arguments';
import type { ImageMirror } from './facts.ts';

/**
 * Merges entries with the same source and policy; entries without mirrors are left out.
 *
 * @example mergedMirrors([{ source: 'a.test/ocp', mirrors: ['b.test'] }, { source: 'a.test/ocp', mirrors: ['c.test'] }])
 */
export function mergedMirrors(given: readonly ImageMirror[]): ImageMirror[] {
  checkArgument('given', given, 'array');
  const merged = new Map<string, ImageMirror>();
  for (const { mirrors = [], ...entry } of given) {
    if (mirrors.length === 0) continue;
    const key = JSON.stringify([entry.source, entry.sourcePolicy]);
    merged.set(key, { ...entry, mirrors: [...new Set([...(merged.get(key)?.mirrors ?? []), ...mirrors])] });
  }
  return [...merged.values()];
}

/**
 * The text of `/etc/containers/registries.conf`, as upstream writes it: images named by digest are pulled from the
 * mirrors first.
 *
 * @example registriesConf([{ source: 'a.test/ocp', mirrors: ['b.test/ocp'] }])
 */
export function registriesConf(mirrors: readonly ImageMirror[]): string {
  checkArgument('mirrors', mirrors, 'array');
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
