import { sampleState } from '@coreiso/nmstate';
import { samples } from '@coreiso/nodes-config';
import type { DocumentKind } from '../../project.ts';
import type { PlannerState } from '../state.ts';

const CONFIG = {
  ignition: { version: '3.4.0' },
  storage: {
    files: [{ path: '/etc/motd', mode: 0o644, contents: { source: 'data:,Customised%20in%20a%20browser%0A' } }],
  },
};

const TEMPLATES: Readonly<Record<DocumentKind, string>> = {
  'nodes-config': samples.nodesConfig,
  'cluster-facts': `${JSON.stringify(samples.facts, null, 2)}\n`,
  'install-config': samples.installConfig,
  'agent-config': samples.agentConfig,
  'network-state': sampleState,
  ignition: `${JSON.stringify(CONFIG, null, 2)}\n`,
};

/** A valid document to begin with. */
export function template(_: PlannerState, { kind }: { readonly kind: DocumentKind }): string {
  return TEMPLATES[kind];
}
