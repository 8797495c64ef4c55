import { checkArgument, checkWhole } from '@coreiso/peers/arguments';
import type { TextIndex } from '@coreiso/peers/text-index';
import { ownDiagnostic } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Limits of a parser; absent members keep their default. */
export interface Limits {
  /** Length of the text in UTF-16 units. */
  readonly length?: number | undefined;
  /** Nested collections, with aliases followed. */
  readonly depth?: number | undefined;
  /** Nodes of one text; each use of an alias counts with everything below it. */
  readonly nodes?: number | undefined;
}

/** The limits with every member set. */
export interface FullLimits {
  readonly length: number;
  readonly depth: number;
  readonly nodes: number;
}

export const YAML_LIMITS: FullLimits = { length: 64 * 1024 * 1024, depth: 128, nodes: 2_000_000 };

/** The depth limit of Go's decoder, whose texts we read. */
export const JSON_LIMITS: FullLimits = { length: 256 * 1024 * 1024, depth: 10_000, nodes: 2_000_000 };

export function fillLimits(limits: Limits, defaults: FullLimits): FullLimits {
  checkArgument('limits', limits, 'object');
  const full = {
    length: limits.length ?? defaults.length,
    depth: limits.depth ?? defaults.depth,
    nodes: limits.nodes ?? defaults.nodes,
  };
  for (const [name, value] of Object.entries(full)) checkWhole(`limits.${name}`, value);
  return full;
}

export function tooLong(text: string, limits: FullLimits): Diagnostic {
  return ownDiagnostic({
    code: 'diagnostics/too-long',
    message: `the text has ${text.length} characters; at most ${limits.length} are read`,
  });
}

export function tooDeep(index: TextIndex, offset: number, limits: FullLimits): Diagnostic {
  const place = index.position(offset);
  return ownDiagnostic(
    { code: 'diagnostics/too-deep', message: `collections are nested more than ${limits.depth} deep` },
    { start: place, end: place },
  );
}

export function tooManyNodes(index: TextIndex, offset: number, limits: FullLimits): Diagnostic {
  const place = index.position(offset);
  return ownDiagnostic(
    { code: 'diagnostics/too-many-nodes', message: `the text describes more than ${limits.nodes} values` },
    { start: place, end: place },
  );
}
