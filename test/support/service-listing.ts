// Compares a listing of coreiso with one that was recorded from the real installer.
import type { ServiceListing } from '@coreiso/openshift';
import { compareLines } from './replay.ts';

/** The part of a recording that both workflows have; only recorded parts are compared. */
export interface RecordedListing {
  readonly ignitionVersion?: string;
  readonly topLevelKeys?: readonly string[];
  readonly users?: readonly object[];
  readonly directories?: readonly object[];
  readonly files?: readonly { readonly path: string; readonly data?: string }[];
  readonly units?: readonly { readonly name: string }[];
}

/** Values that only the installer's build has, and their replacements in these images. */
const BUILT_IN: Readonly<Record<string, RegExp>> = {
  '<the built-in default registry, see 04-cluster-info.md section 3>': /^quay\.io$/,
  '<ISO address from the stream metadata built into the installer>': /^file:\/\/\/coreos\/coreos-\w+\.iso$/,
  '<CoreOS build from the same metadata>': /^unknown$/,
};

export function compareListings(ours: ServiceListing, recorded: RecordedListing): string[] {
  const differences: string[] = [];
  for (const key of ['ignitionVersion', 'topLevelKeys', 'users', 'directories'] as const) {
    if (recorded[key] !== undefined) differences.push(...compareValues(key, ours[key], recorded[key]));
  }
  const { files, units } = recorded;
  return [
    ...differences,
    ...(files === undefined ? [] : compareNamed(ours.files, files, ({ path }) => path)),
    ...(units === undefined ? [] : compareNamed(ours.units, units, ({ name }) => name)),
  ];
}

function compareNamed<T extends object, R extends object>(
  ours: readonly T[],
  recorded: readonly R[],
  nameOf: (entry: T | R) => string,
): string[] {
  const mine = new Map(ours.map((entry) => [nameOf(entry), entry]));
  const real = new Map(recorded.map((entry) => [nameOf(entry), entry]));
  return [...new Set([...mine.keys(), ...real.keys()])].flatMap((name) => {
    const [left, right] = [mine.get(name), real.get(name)];
    if (left === undefined || right === undefined) return [`${name}: ${left === undefined ? 'missing' : 'ours alone'}`];
    return compareValues(name, left, right);
  });
}

function compareValues(name: string, ours: unknown, recorded: unknown): string[] {
  const real = ordered(recorded);
  const mine = withBuiltIn(ordered(ours), real);
  const lines = (value: unknown): string[] => JSON.stringify(value, null, 1).replaceAll('\\n', '\n').split('\n');
  return compareLines(lines(mine), lines(real)).map((line) => `${name} ${line}`);
}

/** Keys in alphabetical order: recordings do not keep the order of members. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, ordered(member)]));
}

/** Our listing, with the recording's words for the expected differences. */
function withBuiltIn(ours: unknown, recorded: unknown): unknown {
  if (typeof ours === 'string' && typeof recorded === 'string') return BUILT_IN[recorded]?.test(ours) ? recorded : ours;
  if (Array.isArray(ours) && Array.isArray(recorded))
    return ours.map((member, at) => withBuiltIn(member, recorded[at]));
  if (typeof ours !== 'object' || ours === null || typeof recorded !== 'object' || recorded === null) return ours;
  return Object.fromEntries(
    Object.entries(ours).map(([key, member]) => [key, withBuiltIn(member, (recorded as Record<string, unknown>)[key])]),
  );
}
