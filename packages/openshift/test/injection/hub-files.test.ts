// Every text of a site, put into the objects of a hub and read back by a YAML reader; server names in a load balancer, read by HAProxy.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goYaml, isCoreisoError, parseYaml, toPlain } from '@coreiso/diagnostics';
import { haproxySketch, parseZtpSite, renderZtpSite, samples } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, describeWithPython, run } from '../../../../test/support/tools.ts';
import { asciiJson, tried } from './files.ts';
import { variantsOf } from './hostile.ts';
import { breakouts } from './judge.ts';

function sampleSite(): object {
  const [outcome] = parseYaml(samples.site);
  if (!outcome.ok || outcome.value.root === undefined) throw new Error('the sample is no YAML');
  const value = toPlain(outcome.value.root, goYaml);
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
}

describeWithPython(['yaml'], 'what is put into the objects of a hub', () => {
  test('keeps each text in its place', () => {
    const make = (document: object) => {
      const site = parseZtpSite(asciiJson(document));
      return site.ok ? renderZtpSite(site.value) : undefined;
    };
    const { pairs, refused, accepted, faults } = tried(sampleSite(), make, { without: /^platform$/ });
    expect(Math.min(refused, accepted, pairs.length)).toBeGreaterThan(3);
    expect([...faults, ...breakouts(pairs)]).toEqual([]);
  });
});

const BALANCER = { domain: 'apps.example.test', name: 'far-0', address: '198.51.100.7' };

describeWith(['haproxy'], 'HAProxy', () => {
  test('reads one server per node and port, unless the name was refused', () => {
    const file = join(scratchFolder(), 'haproxy.cfg');
    const faults: string[] = [];
    let accepted = 0;
    for (const { document, place, value } of variantsOf(BALANCER, { share: 10 })) {
      const { domain, name, address } = document;
      try {
        writeFileSync(file, haproxySketch(domain, [{ name, address }]));
      } catch (error) {
        if (!(error instanceof RangeError) && !isCoreisoError(error)) faults.push(`${place} ${value}: ${error}`);
        continue;
      }
      accepted++;
      const { status, stderr } = run('haproxy', ['-c', '-V', '-f', file]);
      if (status !== 0) faults.push(`${place} ${JSON.stringify(value)}: ${stderr.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
    expect(accepted).toBeGreaterThan(0);
  });
});
