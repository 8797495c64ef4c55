import type { Outcome } from '@coreiso/diagnostics';
import {
  type AgentConfig,
  hostData,
  isUpstream,
  type NMStateConfigs,
  type NodesConfig,
  splitMessages,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

import { hidingAs } from '../hiding.ts';
import { type Golden, goldens, names, parseRecorded } from './recordings.ts';

/** Where the words of another program begin that ours has others for: readers of UTF-8, nmstate's parser, the types of Go. */
const BORROWED = [
  /^(failed to unmarshal [^:]+: error converting YAML to JSON: yaml: )(?:incomplete|invalid) UTF-8/,
  /^(failed to validate network yaml for host \d+, failed to execute 'nmstatectl gc', error: )(?:\[<time> [^\n]*\n)?(Provide file is not valid NetworkState or NetworkPolicy: )/,
  /^(error unmarshalling NMStateConfig: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal \w+ into )/,
];

function comparable(message: string): string {
  for (const pattern of BORROWED) {
    const match = pattern.exec(message);
    if (match !== null) return `${match.slice(1).join('')}…`;
  }
  return message;
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
    const outcome = parseRecorded(name, 'compatible');
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
