import { stringifyConfig, validate } from '@coreiso/ignition';
import type { LanguageKind } from '@coreiso/language';
import { generateKeyfiles } from '@coreiso/nmstate';
import {
  type Host,
  hostData,
  parseAgentConfig,
  parseInfraEnv,
  parseInstallConfig,
  parseNMStateConfig,
  parseNodesConfig,
} from '@coreiso/nodes-config';

/** The order of members has no meaning. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint') return String(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** Replaces a host's network with the profiles that it becomes. */
function planOf(host: Host): unknown {
  const { networkConfig, ...rest } = hostData(host);
  const outcome = networkConfig === null ? undefined : generateKeyfiles(networkConfig);
  return { ...rest, keyfiles: outcome?.ok ? outcome.value : networkConfig };
}

/** The meaning of a text: its plan, not its words; undefined if it is refused. */
export function meaningOf(kind: LanguageKind, text: string): string | undefined {
  switch (kind) {
    case 'nodes-config': {
      const outcome = parseNodesConfig(text);
      if (!outcome.ok) return undefined;
      const { hosts, source: _, ...rest } = outcome.value;
      return shown([hosts.map(planOf), rest]);
    }
    case 'agent-config': {
      const outcome = parseAgentConfig(text);
      if (!outcome.ok) return undefined;
      const { hosts, source: _, ...rest } = outcome.value;
      return shown([hosts.map(planOf), rest]);
    }
    case 'install-config': {
      const outcome = parseInstallConfig(text);
      return outcome.ok ? outcome.value.effective : undefined;
    }
    case 'network-state': {
      const outcome = generateKeyfiles(text, { mode: 'strict' });
      return outcome.ok ? shown(outcome.value) : undefined;
    }
    case 'ignition': {
      const outcome = validate(text);
      return outcome.ok ? shown(JSON.parse(stringifyConfig(outcome.value))) : undefined;
    }
    case 'nmstateconfig': {
      const outcome = parseNMStateConfig(text);
      return outcome.ok ? shown(outcome.value) : undefined;
    }
    case 'infraenv': {
      const outcome = parseInfraEnv(text);
      return outcome.ok ? shown(outcome.value) : undefined;
    }
  }
}
