import { type Path, parseJson, parseYaml } from '@coreiso/diagnostics';
import type { LanguageKind } from '@coreiso/language';
import type { Subject } from '../../src/repair/tree-repairs.ts';

/** A document, a place in it, the proposals for it, and the name that a finding suggests. */
export type Row = [kind: LanguageKind, text: string, path: Path, proposals: string[], near?: string];

/** Values written at the § of `text`, each with its proposals and the name that a finding suggests. */
export interface Place {
  readonly kind: LanguageKind;
  readonly path: Path;
  readonly text: string;
  readonly rows: readonly (readonly [written: string, proposals: readonly string[], near?: string])[];
}

/** The beginning of a network state; tests append the last member. */
export const INTERFACE = 'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n  mac-address: 52:54:00:00:00:01\n';

/** The beginning of a nodes-config; tests append the last member. */
export const HOST = 'hosts:\n- hostname: a\n  interfaces:\n  - name: eno1\n    macAddress: 52:54:00:00:00:01\n';

export function ignition(members: string): string {
  return `{"ignition": {"version": "3.4.0"}, ${members}}`;
}

export function subjectOf(kind: LanguageKind, text: string): Subject {
  const [outcome] = kind === 'ignition' ? [parseJson(text)] : parseYaml(text);
  if (outcome?.ok !== true) throw new Error(`cannot be read: ${text}`);
  return { kind, document: outcome.value };
}
