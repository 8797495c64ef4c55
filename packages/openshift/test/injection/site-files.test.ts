// Every text of an install-config and an agent-config, put into the image of a new cluster and read back by the programs that read it
// there.
import { goYaml, parseYaml, toPlain } from '@coreiso/diagnostics';
import { samples } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { describeWithPython } from '../../../../test/support/tools.ts';
import { agentConfigOf } from '../../src/install/agent-config.ts';
import { readSite } from '../../src/install/agent-site.ts';
import { SAMPLE_CREDENTIALS } from '../join/sample-credentials.ts';
import { asciiJson, filesOf, tried } from './files.ts';
import { breakouts, type Files } from './judge.ts';

function plain(text: string): Record<string, unknown> {
  const [outcome] = parseYaml(text);
  if (!outcome.ok || outcome.value.root === undefined) throw new Error('the sample is no YAML');
  const value = toPlain(outcome.value.root, goYaml);
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
}

const SITE = {
  install: {
    ...plain(samples.installConfig),
    proxy: { httpProxy: 'http://user:word@proxy.example.test:3128', noProxy: '.example.test' },
    imageDigestSources: [{ source: 'quay.example.test/ocp/art', mirrors: ['mirror.example.test:5000/ocp/art'] }],
  },
  agent: { ...plain(samples.agentConfig), additionalNTPSources: ['ntp.example.test'] },
};

function filesOfSite({ install, agent }: typeof SITE): Files | undefined {
  const site = readSite({
    installConfig: asciiJson(install),
    agentConfig: asciiJson(agent),
    releaseImage: `quay.example.test/ocp/release@sha256:${'1'.repeat(64)}`,
    version: '4.20.3',
  });
  return site.ok ? filesOf(agentConfigOf(site.value, SAMPLE_CREDENTIALS)) : undefined;
}

describeWithPython(['yaml', 'tomllib'], 'what is put into the image of a new cluster', () => {
  test('keeps each text in its place', () => {
    const { pairs, refused, accepted, faults } = tried(SITE, filesOfSite, { without: /networkType$/ });
    expect(Math.min(refused, accepted, pairs.length)).toBeGreaterThan(3);
    expect([...faults, ...breakouts(pairs)]).toEqual([]);
  });
});
