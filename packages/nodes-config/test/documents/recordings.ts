// The recorded files of the installer, and what we say about each.
import type { Outcome } from '@coreiso/diagnostics';
import {
  type ClusterFacts,
  type Mode,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
} from '@coreiso/nodes-config';
import { Goldens } from '../../../../test/support/goldens.ts';

export interface Golden {
  readonly kind: 'nodes-config' | 'agent-config' | 'nmstateconfig' | 'infraenv';
  readonly errors: readonly string[];
  readonly warnings?: readonly string[];
  readonly crash?: string;
  readonly cluster?: string;
  readonly installConfig?: string;
  readonly hosts?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly rendezvousIP?: string;
  readonly rendezvousError?: string;
  readonly nmstateConfigs?: unknown;
}

export const goldens = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
export const names = goldens.paths(/^[^_].*\.json$/).map((path) => path.slice(0, -'.json'.length));

export function parseRecorded(name: string, mode: Mode): Outcome<unknown> {
  const golden = goldens.json<Golden>(`${name}.json`);
  const source = goldens.bytes(`${name}.yaml`);
  switch (golden.kind) {
    case 'nodes-config':
      return parseNodesConfig(source, {
        mode,
        ...(golden.cluster === undefined ? {} : { cluster: goldens.json<ClusterFacts>(golden.cluster) }),
      });
    case 'agent-config':
      return parseAgentConfig(source, {
        mode,
        ...(golden.installConfig === undefined ? {} : { installConfig: goldens.bytes(golden.installConfig) }),
      });
    case 'nmstateconfig':
      return parseNMStateConfig(source, { mode });
    case 'infraenv':
      return parseInfraEnv(source, { mode });
  }
}
