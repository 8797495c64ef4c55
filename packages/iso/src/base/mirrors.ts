import { type ImageReference, parseReference, placeOf } from './reference.ts';

/** Mirrors of a registry or repository, as in ImageDigestMirrorSet, ImageContentSourcePolicy and `registries.conf`. */
export interface RegistryMirror {
  /** A registry, or a part of its repositories; `*.example.com` stands for all registries below that name. */
  readonly source: string;
  /** Tried in this order, before the source. */
  readonly mirrors?: readonly string[];
  /** `NeverContactSource` uses only the mirrors. */
  readonly sourcePolicy?: string;
  /** Location of the source, if it differs from its name. */
  readonly location?: string;
  /** Whether mirrors are also used for images named by tag, not only by digest. */
  readonly tags?: boolean;
}

/**
 * The places that may have an image, in the order of trying. Of several matching sources, the longest counts, as in
 * `registries.conf`.
 */
export function placesFor(reference: ImageReference, mirrors: readonly RegistryMirror[]): ImageReference[] {
  const place = placeOf(reference);
  const length = Math.max(
    -1,
    ...mirrors.filter(({ source }) => covers(source, reference)).map(({ source }) => source.length),
  );
  const rules = mirrors.filter(({ source }) => source.length === length && covers(source, reference));
  const places: string[] = [];
  for (const { source, mirrors: others = [], tags = false } of rules) {
    if (reference.digest !== undefined || tags)
      places.push(...others.map((other) => replacePrefix(place, source, other)));
  }
  if (!rules.some(({ sourcePolicy }) => sourcePolicy === 'NeverContactSource')) {
    const [rule] = rules.filter(({ location }) => location !== undefined);
    places.push(rule?.location === undefined ? place : replacePrefix(place, rule.source, rule.location));
  }
  const { tag, digest } = reference;
  return [...new Set(places)].map((each) => ({ ...parseReference(each), tag, digest }));
}

function covers(source: string, reference: ImageReference): boolean {
  const place = placeOf(reference);
  if (source.startsWith('*.')) return reference.registry.replace(/:\d+$/, '').endsWith(source.slice(1));
  return place === source || place.startsWith(`${source}/`);
}

/** The place with its prefix replaced. */
function replacePrefix(place: string, source: string, target: string): string {
  const rest = source.startsWith('*.') ? place.slice(place.indexOf('/')) : place.slice(source.length);
  return `${target.replace(/\/+$/, '')}${rest}`;
}
