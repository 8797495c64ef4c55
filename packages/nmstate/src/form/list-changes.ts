import type { Change, Path, Plain } from '@coreiso/diagnostics';

/** Two states of one list. */
interface Lists<T> {
  readonly path: Path;
  readonly before: readonly T[];
  readonly after: readonly T[];
  /** The key that identifies an item. */
  keyOf(item: T): string;
  /** Whether an item is changed into another one instead of being replaced. */
  canBecome(before: T, after: T): boolean;
  /** The value of a new item in the text. */
  toValue(item: T): Plain;
  /** The changes that turn an item into another one at its place. */
  changes(path: Path, before: T, after: T): Iterable<Change>;
}

/** Removes, moves, changes and inserts items from the first to the last, so that remaining items keep their text. */
export function* listChanges<T>(lists: Lists<T>): Generator<Change> {
  const { path, before, after, keyOf, canBecome, toValue, changes } = lists;
  if (before.length === 0) {
    if (after.length > 0) yield { do: 'set', path, value: after.map(toValue) };
    return;
  }
  const current = [...before];
  for (const [index, wanted] of after.entries()) {
    const count = (items: readonly T[], item: T): number =>
      items.filter((other) => keyOf(other) === keyOf(item)).length;
    // Surplus items with an equal key are not needed.
    const isNeeded = (item: T): boolean => count(after.slice(index), item) >= count(current.slice(index), item);
    const from = current.findIndex((item, place) => place >= index && keyOf(item) === keyOf(wanted));
    // Removes items that are not needed before others are moved over them.
    for (let end = from; end > index; end -= 1) {
      const here = current[end - 1];
      if (here === undefined || isNeeded(here)) continue;
      current.splice(end - 1, 1);
      yield { do: 'remove', path: [...path, end - 1] };
    }
    const place = current.findIndex((item, at) => at >= index && keyOf(item) === keyOf(wanted));
    const here = current[index];
    if (place > index) {
      yield { do: 'move', path: [...path, place], to: [...path, index] };
      current.splice(index, 0, ...current.splice(place, 1));
    } else if (place === -1 && (here === undefined || isNeeded(here) || !canBecome(here, wanted))) {
      current.splice(index, 0, wanted);
      yield { do: 'insert', path: [...path, index], value: toValue(wanted) };
      continue;
    }
    const old = current[index];
    if (old !== undefined) yield* changes([...path, index], old, wanted);
    current[index] = wanted;
  }
  for (let last = current.length - 1; last >= after.length; last -= 1) yield { do: 'remove', path: [...path, last] };
}
