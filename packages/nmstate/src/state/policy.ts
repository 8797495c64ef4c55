// Policies: a state under `desired` that may refer to captures of a host's current state. A policy without captures is its
// desired state. With captures, `evaluatePolicy` fills it first.
import { type MappingEntry, type MappingNode, member, type Node, type Path } from '@coreiso/diagnostics';
import { checkJson } from '../table/json-limits.ts';
import { Reader } from '../table/reader.ts';
import type { TableMismatch } from '../table/state-findings.ts';
import { ignored, type Section } from '../table/table.ts';
import { readState, type StateReading } from './read-state.ts';

const policy: Section = {
  name: 'NetworkPolicy',
  doc: 'A policy.',
  unknownKeys: 'refused',
  fields: {
    /** Parts of the current state, by name. */
    capture: { type: ignored, nullable: false },
    /** The state, with references to captures. */
    desired: { type: ignored, aliases: ['desiredState'], nullable: false },
    /** The state that captures look at. */
    current: { type: ignored },
  },
};

/** Whether a document that is not a state looks like a policy. */
export function isPolicy(root: Node): root is MappingNode {
  return (
    root.kind === 'mapping' && ['capture', 'desired', 'desiredState'].some((name) => member(root, name) !== undefined)
  );
}

/** The parts of a policy as written. */
export interface PolicyShape {
  readonly captures: readonly MappingEntry[];
  readonly desired: Node | undefined;
  /** The path of `desired`. */
  readonly path: Path;
  readonly current: Node | undefined;
  /** Mistakes in the policy's own keys. */
  readonly mismatches: readonly TableMismatch[];
}

export function readShape(root: Node): PolicyShape {
  const reader = new Reader('yaml', []);
  reader.section(policy, root);
  const entryOf = (name: string): MappingEntry | undefined =>
    root.kind === 'mapping' ? member(root, name) : undefined;
  const desired = entryOf('desired') ?? entryOf('desiredState');
  if (desired !== undefined) reader.within('desired', () => checkJson(desired.value, reader));
  const capture = entryOf('capture')?.value;
  const isNothing = capture?.kind === 'scalar' && capture.style === 'plain' && capture.text === '';
  if (capture !== undefined && capture.kind !== 'mapping' && !isNothing) reader.wrongType(capture, 'a map', 'a map');
  return {
    captures: capture?.kind === 'mapping' ? capture.entries : [],
    desired: desired?.value,
    path: desired?.key.kind === 'scalar' ? [desired.key.text] : [],
    current: entryOf('current')?.value,
    mismatches: reader.mismatches,
  };
}

/** A policy without captures. */
export interface PolicyReading {
  /** Mistakes in the policy outside the state. */
  readonly shape: readonly TableMismatch[];
  readonly reading: StateReading;
  /** The path of the state. */
  readonly path: Path;
}

export function readPolicy(root: MappingNode): PolicyReading {
  const { captures, desired, path, mismatches } = readShape(root);
  const [first] = captures;
  const refused = first === undefined || mismatches.length > 0 ? mismatches : [captureRefused(first.key)];
  return { shape: refused, reading: readState(refused.length > 0 ? undefined : desired, 'json', path), path };
}

function captureRefused(place: Node): TableMismatch {
  return {
    place,
    path: ['capture'],
    code: 'nmstate/capture',
    message: 'captures need the state of a host, and keyfiles are made without one',
    upstream: 'capture',
    help: 'Fill the policy with `evaluatePolicy` first.',
  };
}
