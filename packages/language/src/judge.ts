// Findings about one text, by the reader of its kind.
import { type Diagnostic, parseJson, parseYaml, type TextDocument } from '@coreiso/diagnostics';
import { validate } from '@coreiso/ignition';
import { generateKeyfiles } from '@coreiso/nmstate';
import {
  parseAgentConfig,
  parseInfraEnv,
  parseInstallConfig,
  parseNMStateConfig,
  parseNodesConfig,
} from '@coreiso/nodes-config';
import type { LanguageKind } from './kinds.ts';

/** A text, its kind and the context to check it in. */
export interface Source {
  readonly kind: LanguageKind;
  readonly text: string;
  /** The install config that belongs to an agent-config. */
  readonly installConfig?: string | undefined;
}

export function judge({ kind, text, installConfig }: Source): readonly Diagnostic[] {
  switch (kind) {
    case 'nodes-config':
      return parseNodesConfig(text).diagnostics;
    case 'agent-config':
      return parseAgentConfig(text, { installConfig }).diagnostics;
    case 'install-config':
      return parseInstallConfig(text).diagnostics;
    case 'nmstateconfig':
      return parseNMStateConfig(text).diagnostics;
    case 'infraenv':
      return parseInfraEnv(text).diagnostics;
    case 'network-state':
      return generateKeyfiles(text, { mode: 'strict' }).diagnostics;
    case 'ignition':
      return validate(text).diagnostics;
  }
}

/** The documents of a text as far as they can be read, and the first mistake. */
export interface Reading {
  readonly documents: readonly TextDocument[];
  /** The reason of the first mistake; undefined if there is none. */
  readonly failure: Diagnostic | undefined;
}

export function read(kind: LanguageKind, text: string): Reading {
  const outcomes =
    kind === 'ignition' ? [parseJson(text)] : parseYaml(text, { flavour: kind === 'network-state' ? 'libyaml' : 'go' });
  return {
    documents: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])),
    failure: outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.diagnostics))[0],
  };
}
