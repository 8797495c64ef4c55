// The files of a config on a machine, as texts by path, and their differences with hostile documents.
import { isCoreisoError } from '@coreiso/diagnostics';
import { type Config, decodeDataUrl } from '@coreiso/ignition';
import { type Choice, type Variant, variantsOf } from './hostile.ts';
import type { Files, Pair } from './judge.ts';

/** Files and units of a config; units by name. */
export function filesOf({ storage, systemd }: Config): Files {
  const text = (source: string | null | undefined): string => {
    const bytes = source == null ? undefined : decodeDataUrl(source);
    return bytes === undefined ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  };
  return Object.fromEntries([
    ...(storage?.files ?? []).map(({ path, contents, append = [] }) => [
      path,
      text(contents?.source ?? append[0]?.source),
    ]),
    ...(systemd?.units ?? []).map(({ name, contents }) => [name, contents ?? '']),
  ]);
}

/** The results of all variants of a document. */
export interface Tried {
  readonly pairs: readonly Pair[];
  /** Number of variants that were refused with a code. */
  readonly refused: number;
  readonly accepted: number;
  /** Errors that are not coreiso's, and files that appeared or disappeared. */
  readonly faults: readonly string[];
}

/** Makes the files of every variant, and keeps those that differ. Undefined if the document is refused. */
export function tried<T>(document: T, make: (document: T) => Files | undefined, choice?: Choice): Tried {
  const before = make(document);
  if (before === undefined) throw new Error('the document itself is refused');
  const pairs: Pair[] = [];
  const faults: string[] = [];
  let [refused, accepted] = [0, 0];
  for (const variant of variantsOf(document, choice)) {
    const label = `${variant.place} with ${JSON.stringify(variant.hostile.slice(0, 80)).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`)}`;
    try {
      const after = make(variant.document);
      if (after === undefined) refused++;
      else {
        accepted++;
        const compared = comparedFiles(before, after, variant, label);
        pairs.push(...compared.pairs);
        faults.push(...compared.faults);
      }
    } catch (error) {
      refused++;
      if (!isCoreisoError(error)) faults.push(`${label} throws ${error}`);
    }
  }
  return { pairs, refused, accepted, faults };
}

function comparedFiles<T>(
  before: Files,
  after: Files,
  { was, value, hostile }: Variant<T>,
  label: string,
): Pick<Tried, 'pairs' | 'faults'> {
  const pairs: Pair[] = [];
  const faults: string[] = [];
  const left = new Set(Object.keys(before));
  for (const [path, text] of Object.entries(after)) {
    const old = path in before ? path : (renamed(path, value, was).find((one) => left.has(one)) ?? path);
    if (!left.delete(old)) faults.push(`${label} makes ${path}`);
    else if (before[old] !== text) pairs.push({ label, path, value: hostile, before: before[old] ?? '', after: text });
  }
  for (const path of left) faults.push(`${label} loses ${path}`);
  return { pairs, faults };
}

/** The former path, if a text in it was replaced. */
function renamed(path: string, value: string, was: string): string[] {
  const starts = value === '' ? [] : [...path].map((_, at) => at).filter((at) => path.startsWith(value, at));
  return starts
    .map((at) => `${path.slice(0, at)}${was}${path.slice(at + value.length)}`)
    .concat(path.replaceAll(value, was));
}

/** JSON that is also valid YAML in every version. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
