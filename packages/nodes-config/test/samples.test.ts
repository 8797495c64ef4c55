import { describe, expect, test } from 'vitest';
import { adviseNodes } from '../src/advice/advise.ts';
import { parseNodesConfig } from '../src/documents/nodes-config.ts';
import { parseClusterFacts } from '../src/facts/parse-facts.ts';
import { planHosts } from '../src/hosts/plan-hosts.ts';
import { parseInstallFiles } from '../src/install-files/install-files.ts';
import { samples } from '../src/samples/samples.ts';
import { parseZtpSite } from '../src/ztp/site.ts';

const { nodesConfig, installConfig, agentConfig, site, facts } = samples;

/** The installer logs harmless names of ports; a beginner would stumble over any other finding. */
const remarks = (diagnostics: readonly { severity: string; message: string }[]): string[] =>
  diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message);

describe('samples have no findings', () => {
  test.each(['without the facts', 'with the facts'])('a nodes-config %s', (how) => {
    const outcome = parseNodesConfig(nodesConfig, how === 'with the facts' ? { cluster: facts } : {});
    expect([outcome.ok, remarks(outcome.diagnostics)]).toEqual([true, []]);
    if (!outcome.ok) return;
    expect(outcome.value.hosts.map(({ hostname }) => hostname)).toEqual(['worker-0', 'worker-1', 'worker-2']);
    expect(adviseNodes(planHosts(outcome.value), facts)).toEqual([]);
  });

  test('the two files of a new cluster', () => {
    const outcome = parseInstallFiles({ installConfig, agentConfig }, { version: '4.20.3' });
    expect([outcome.ok, outcome.diagnostics]).toEqual([true, []]);
  });

  test('a site, and cluster facts', () => {
    const read = parseZtpSite(site);
    expect([read.ok, read.diagnostics]).toEqual([true, []]);
    expect(parseClusterFacts(JSON.stringify(facts))).toMatchObject({ ok: true, value: facts });
  });
});

test('samples use names and addresses that are reserved for documentation, and name the values to change', () => {
  for (const text of [nodesConfig, installConfig, agentConfig, site]) {
    const addresses = text.match(/\b\d+\.\d+\.\d+\.\d+\b/g) ?? [];
    const strange = addresses.filter(
      (one) => !/^(?:192\.0\.2|198\.51\.100|203\.0\.113|10\.128|172\.30|0\.0)\./.test(one),
    );
    expect(strange).toEqual([]);
    expect(text.split('\n').filter((line) => /^\s*#/.test(line)).length).toBeGreaterThan(3);
    expect(text).toContain('Every value is an example');
  }
});
