// Texts with mistakes: those whose results were recorded with the real tools, and those from the mistakes program.
import type { LanguageKind } from '@coreiso/language';
import { mistakes } from '../../packages/language/test/mistakes/generate.ts';
import { Goldens } from '../../test/support/goldens.ts';

export interface Case {
  readonly kind: LanguageKind;
  readonly text: string;
}

/** Recordings: package, file, names of the texts in it. */
const RECORDED: readonly (readonly [path: string, names: RegExp, kind: LanguageKind])[] = [
  ['ignition/test/goldens/validate.json', /\.ign$/, 'ignition'],
  ['nmstate/test/goldens/nmstate.json', /\.ya?ml$/, 'network-state'],
  ['nmstate/test/goldens/policies.json', /\.ya?ml$/, 'network-state'],
  ['nodes-config/test/goldens/nodes-config.json', /\.ya?ml$/, 'nodes-config'],
  ['nodes-config/test/goldens/agent-install-config.json', /install-config\.ya?ml$/, 'install-config'],
  ['nodes-config/test/goldens/agent-install-config.json', /agent-config\.ya?ml$/, 'agent-config'],
  ['nodes-config/test/goldens/agent-manifests.json', /install-config\.ya?ml$/, 'install-config'],
  ['nodes-config/test/goldens/agent-manifests.json', /agent-config\.ya?ml$/, 'agent-config'],
];

const MADE = 600;
const SEED = 5;

export function* cases(): Generator<Case> {
  for (const [path, names, kind] of RECORDED) {
    const goldens = new Goldens(new URL(`../../packages/${path}`, import.meta.url));
    for (const name of goldens.paths(names)) yield { kind, text: goldens.text(name) };
  }
  for (const { kind, broken } of mistakes(MADE, SEED)) yield { kind, text: broken };
}
