// Cluster facts come from outside: their values must not become additional settings of a node.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, decodeDataUrl } from '@coreiso/ignition';
import { describe, expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import type { ClusterFacts } from '../../../nodes-config/src/facts/facts.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';

const HOSTS = parseNodesConfigOrThrow('hosts:\n- interfaces:\n  - name: a\n    macAddress: 52:54:00:00:00:01\n');
const WORKER: ClusterFacts = {
  workerUserData: {
    ignition: { version: '3.2.0', config: { merge: [{ source: 'https://api.test:22623/config/worker' }] } },
  },
};
const DIGEST = `sha256:${'a'.repeat(64)}`;

function configFor(cluster: ClusterFacts): Config {
  return liveConfig(planNodes(HOSTS, { cluster: { ...WORKER, ...cluster } }));
}

function textOf(config: Config, path: string): string | undefined {
  const source = config.storage?.files?.find((file) => file.path === path)?.contents?.source;
  return source == null ? undefined : new TextDecoder().decode(decodeDataUrl(source));
}

const ENVIRONMENT = '/etc/systemd/system.conf.d/10-default-env.conf';

describe('a line end in a cluster fact is refused, and not shown:', () => {
  test.each<[string, string, ClusterFacts]>([
    ['httpProxy', 'proxy', { proxy: { httpProxy: 'http://u:hunter2@p\nLogLevel=debug' } }],
    ['httpsProxy', 'proxy', { proxy: { httpsProxy: 'http://u:hunter2@p\r' } }],
    ['noProxy', 'proxy', { proxy: { httpProxy: 'http://p', noProxy: 'a,hunter2\nb' } }],
    ['a source of mirrors', 'imageDigestMirrors', { imageDigestMirrors: [{ source: 'hunter2\n[x]', mirrors: [] }] }],
    ['a mirror', 'imageDigestMirrors', { imageDigestMirrors: [{ source: 'a', mirrors: ['hunter2\u007f'] }] }],
    [
      'the version of the worker config',
      'workerUserData',
      { workerUserData: { ignition: { ...WORKER.workerUserData?.ignition, version: '3.2.0\nhunter2 x' } } },
    ],
  ])('%s', (_, fact, cluster) => {
    const build = (): Config => configFor(cluster);
    expect(build).toThrow(expect.objectContaining({ code: 'OPENSHIFT_UNUSABLE_FACTS' }));
    expect(build).toThrow(`the cluster fact ${fact} has a line end`);
    expect(build).not.toThrow('hunter2');
  });
});

test('keeps quotes, backslashes and percent signs of a proxy inside their quotes', () => {
  const proxy = { httpProxy: 'http://u:a"b\\c%d@p', noProxy: 'x%y' };
  expect(textOf(configFor({ proxy }), ENVIRONMENT)).toBe(
    '[Manager]\nDefaultEnvironment=HTTP_PROXY="http://u:a\\"b\\\\c%%d@p"\nDefaultEnvironment=NO_PROXY="x%%y"\n',
  );
});

test.each<[string, ClusterFacts, string[]]>([
  ['the host of the release', { releaseImage: `r.test:5000/a/b@${DIGEST}` }, ['registry r.test:5000']],
  ['an address', { releaseImage: `[2001:db8::1]:5000/a@${DIGEST}` }, ['registry [2001:db8::1]:5000']],
  ['no words', { releaseImage: `r.test -o x/a@${DIGEST}` }, []],
  ['no second line', { releaseImage: `r.test\nendpoint http://evil/a@${DIGEST}` }, []],
  ['no option', { releaseImage: `-x/a@${DIGEST}` }, []],
  [
    'those that the cluster does not check, as such',
    { releaseImage: `r.lab.test:5000/a@${DIGEST}`, insecureRegistries: ['*.lab.test'] },
    ['insecure-registry r.lab.test:5000'],
  ],
])('writes only registries into the settings: %s', (_, cluster, lines) => {
  const settings = textOf(configFor(cluster), '/etc/coreiso/join') ?? '';
  expect(settings.match(/^.*registry .*$/gm) ?? []).toEqual(lines);
  expect(settings.match(/^endpoint .*$/gm)).toEqual(['endpoint https://api.test:22623/config/worker']);
});

test('writes certificates of registries only where the cluster has them', () => {
  const registryTrust = { 'r.test:5000': 'PEM\n', '../../root/.ssh': 'PEM\n', 'a/b': 'PEM\n', '..': 'PEM\n' };
  const files = configFor({ registryTrust }).storage?.files ?? [];
  const paths = files.map(({ path }) => path).filter((path) => path.startsWith('/etc/docker'));
  expect(paths).toEqual(['/etc/docker/certs.d/r.test:5000/ca.crt']);
});

describeWith(['systemd-analyze'], 'systemd', () => {
  test('reads the same proxy back', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coreiso-conf-'));
    try {
      const proxy = { httpProxy: 'http://u:a"b\\c%d@p' };
      // A unit is read by the same rules, and its errors are reported.
      const line = textOf(configFor({ proxy }), ENVIRONMENT)?.match(/DefaultEnvironment=(.*)/)?.[1];
      const unit = join(folder, 'coreiso-proxy.service');
      writeFileSync(unit, `[Service]\nType=oneshot\nExecStart=/bin/true\nEnvironment=${line}\n`);
      const { status, stderr } = run('systemd-analyze', ['verify', '--man=no', unit]);
      expect([status, stderr.split('\n').filter((text) => text.includes(folder))]).toEqual([0, []]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
