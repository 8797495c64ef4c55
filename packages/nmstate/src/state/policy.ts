// Policies: a state under `desired`, for nmstate's other commands with parts taken from the running host.
import { type MappingNode, member, type Node } from '@coreiso/diagnostics';
import { readState, type StateReading } from './read-state.ts';
import { type Misfit, Reader } from './reader.ts';
import { ignored, type Section } from './table.ts';

const policy: Section = {
  name: 'NetworkPolicy',
  doc: 'A policy.',
  unknownKeys: 'refused',
  fields: {
    capture: { type: ignored, nullable: false, doc: 'Parts of the current state, by name.' },
    desired: {
      type: ignored,
      aliases: ['desiredState'],
      nullable: false,
      doc: 'The state, with references to captures.',
    },
    current: { type: ignored, doc: 'The state that captures look at.' },
  },
};

export interface PolicyReading {
  /** What is wrong with the policy around the state. */
  readonly shape: readonly Misfit[];
  readonly reading: StateReading;
}

/** Whether a document that is no state is meant as a policy. */
export function isPolicy(root: Node): root is MappingNode {
  return (
    root.kind === 'mapping' && ['capture', 'desired', 'desiredState'].some((name) => member(root, name) !== undefined)
  );
}

export function readPolicy(root: MappingNode): PolicyReading {
  const reader = new Reader('yaml', []);
  reader.section(policy, root);
  const desired = member(root, 'desired') ?? member(root, 'desiredState');
  const path = desired?.key.kind === 'scalar' ? [desired.key.text] : [];
  return { shape: reader.misfits, reading: readState(desired?.value, 'json', path) };
}
