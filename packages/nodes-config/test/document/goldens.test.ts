import type { Outcome } from '@coreiso/diagnostics';
import {
  type AgentConfig,
  type ClusterFacts,
  hostData,
  isUpstream,
  type NMStateConfigs,
  type NodesConfig,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
  splitMessages,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { hidingAs } from '../hiding.ts';

interface Golden {
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

const goldens = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
const names = goldens.paths(/^[^_].*\.json$/).map((path) => path.slice(0, -'.json'.length));

/** Where the text of another program's parser begins: Go's decoders, nmstate, the readers of SSH keys and URLs. */
const BORROWED = [
  /^(failed to unmarshal [^:]+: )/,
  /^(could not decode YAML for [^:]+: )/,
  /^(failed to validate network yaml for host \d+, failed to execute 'nmstatectl gc', error: )/,
  /^(error unmarshalling NMStateConfig: )/,
  /^(hosts\[\d+\]: Invalid value: )/,
];

function comparable(message: string): string {
  for (const pattern of BORROWED) {
    const match = pattern.exec(message);
    if (match !== null) return `${match[1]}…`;
  }
  return message;
}

function parse(name: string, golden: Golden): Outcome<unknown> {
  const source = goldens.bytes(`${name}.yaml`);
  const mode = 'compatible';
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

function understood(outcome: Outcome<unknown>): NodesConfig | AgentConfig | NMStateConfigs {
  if (!outcome.ok) throw new Error(`refused: ${outcome.diagnostics[0]?.message}`);
  return outcome.value as NodesConfig | AgentConfig | NMStateConfigs;
}

function settingsOf(config: NodesConfig | AgentConfig): Record<string, unknown> {
  const { kind: _kind, source: _source, hosts: _hosts, ...settings } = config;
  const { rendezvousAddress: _address, ...rest } = { rendezvousAddress: undefined, ...settings };
  const given = Object.entries(rest).filter(
    ([, value]) =>
      value !== '' && value !== false && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given);
}

describe('what the real installer says about a file', () => {
  test('393 recordings are there', () => {
    expect(names).toHaveLength(393);
  });

  test.each(names)('%s', (name) => {
    const golden = goldens.json<Golden>(`${name}.json`);
    const outcome = parse(name, golden);
    if (golden.crash !== undefined) {
      expect(outcome.ok).toBe(false);
      return;
    }
    const { upstream } = splitMessages(outcome.diagnostics);
    const recorded = golden.errors.map((error, index) => hidingAs(upstream[index], error));
    expect(upstream.map(comparable)).toEqual(recorded.map(comparable));
    expect(outcome.ok).toBe(golden.errors.length === 0);
    const warnings = outcome.diagnostics.filter((one) => one.severity !== 'error' && isUpstream(one));
    expect(new Set(warnings.map(({ message }) => message))).toEqual(new Set(golden.warnings));
    if (golden.errors.length > 0) return;
    const config = understood(outcome);
    if (config.kind === 'nmstateconfig') {
      const items = config.items.map((item) => ({
        name: item.name,
        labels: item.labels,
        interfaces: item.interfaces.map(({ name: iface, macAddress }) => ({ name: iface, macAddress })),
        networkYaml: item.config?.text ?? '',
      }));
      expect(items).toEqual(golden.nmstateConfigs ?? []);
    } else if (config.kind === 'nodes-config' || config.kind === 'agent-config') {
      expect(config.hosts.map(hostData)).toEqual(golden.hosts);
      expect(settingsOf(config)).toEqual(golden.settings);
    }
    if (config.kind === 'agent-config') {
      expect(config.rendezvousAddress).toBe(golden.rendezvousIP);
      const missing = outcome.diagnostics.filter(({ code }) => code === 'nodes-config/no-rendezvous-ip');
      expect(missing.map(({ message }) => message)).toEqual(
        golden.rendezvousError === undefined ? [] : [golden.rendezvousError],
      );
    }
  });
});
