import type { Path } from '@coreiso/diagnostics';

/** A path as a linked list, so that a walk through a large config makes no arrays; the root is undefined. */
export type Place = { readonly above: Place; readonly step: string | number } | undefined;

export function below(above: Place, ...steps: readonly (string | number)[]): Place {
  let place = above;
  for (const step of steps) place = { above: place, step };
  return place;
}

export function pathOf(place: Place): Path {
  const path: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.above) path.push(at.step);
  return path.reverse();
}

/** A path as reports print it: `$`, then each element after a dot. */
export function printPath(path: Path): string {
  return ['$', ...path].join('.');
}
