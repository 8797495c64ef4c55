import type * as FileSystem from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

/** New files: their paths, and their modes before any content was written. */
const made = vi.hoisted(() => [] as { readonly path: string; readonly mode: number }[]);

/** With a umask that removes no permission. */
const AS_COMES = 0o666;
const note = vi.hoisted(() => (path: unknown, flags: unknown, mode: unknown): void => {
  if (/[wa]/.test(String(flags))) made.push({ path: String(path), mode: typeof mode === 'number' ? mode : 0o666 });
});

type WriteOptions = { readonly flag?: string; readonly mode?: number } | undefined;

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    openSync: (path: string, flags = 'r', mode?: number) => {
      note(path, flags, mode);
      return real.openSync(path, flags, mode);
    },
    writeFileSync: (path: string, data: string, options?: WriteOptions) => {
      note(path, options?.flag ?? 'w', options?.mode);
      real.writeFileSync(path, data, options);
    },
  };
});

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  return {
    ...real,
    open: (path: string, flags = 'r', mode?: number) => {
      note(path, flags, mode);
      return real.open(path, flags, mode);
    },
    writeFile: (path: string, data: string, options?: WriteOptions) => {
      note(path, options?.flag ?? 'w', options?.mode);
      return real.writeFile(path, data, options);
    },
  };
});

const PULL_SECRET = '{"auths":{"a.test":{"auth":"dTpodW50ZXIy"}}}';
const RELEASE = ['--release-image', `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}`];
const VERSION = ['--openshift-version', '4.20.3'];

let cwd: string;
beforeEach(async () => {
  cwd = scratchFolder();
  expect((await coreiso(['sample-iso', 'base.iso'], { cwd })).status).toBe(0);
  mkdirSync(join(cwd, 'site'));
  writeFileSync(
    join(cwd, 'site/install-config.yaml'),
    `apiVersion: v1\nbaseDomain: example.test\nmetadata: {name: reef}\nnetworking: {networkType: OVNKubernetes, machineNetwork: [{cidr: 10.0.0.0/24}]}\ncontrolPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 0}]\nplatform: {none: {}}\npullSecret: '${PULL_SECRET}'\n`,
  );
  writeFileSync(
    join(cwd, 'site/agent-config.yaml'),
    'apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\nhosts: [{hostname: a, interfaces: [{name: eno1, macAddress: "52:54:00:e7:05:00"}]}]\n',
  );
  writeFileSync(
    join(cwd, 'nodes-config.yaml'),
    'hosts: [{interfaces: [{name: a, macAddress: "52:54:00:ab:00:01"}]}]\n',
  );
  writeFileSync(
    join(cwd, 'cluster.json'),
    JSON.stringify({
      name: 'harbor',
      clusterId: '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11',
      version: '4.20.3',
      releaseImage: RELEASE[1],
      platform: 'None',
      apiServerUrl: 'https://api.harbor.example.test:6443',
      pullSecret: PULL_SECRET,
      workerUserData: {
        ignition: {
          version: '3.2.0',
          config: { merge: [{ source: 'https://api-int.harbor.example.test:22623/config/worker' }] },
        },
      },
      nodes: [{ name: 'cp-0', architecture: 'amd64', master: true }],
    }),
  );
  made.length = 0;
});

test.each([
  ['agent create image', ['--dir', 'site', '--base', 'base.iso', ...RELEASE, ...VERSION], 5],
  ['agent create pxe-files', ['--dir', 'site', '--base', 'base.iso', ...RELEASE, ...VERSION], 7],
  ['agent create cluster-manifests', ['--dir', 'site', ...RELEASE, ...VERSION], 6],
  ['agent create config-image', ['--dir', 'site', ...RELEASE, ...VERSION], 4],
  ['agent create certificates', ['--dir', 'site'], 12],
  ['nodes ignition', ['--cluster', 'cluster.json', '-o', 'node.ign'], 1],
  ['nodes facts', ['cluster.json', '-o', 'facts.json'], 1],
  ['nodes image', ['--join', 'service', '--cluster', 'cluster.json', '--base', 'base.iso', '-o', 'node.iso'], 2],
])('%s makes files that are readable only by their owner from the first byte', async (command, argv, count) => {
  const { status, stderr } = await coreiso([...command.split(' '), ...argv], { cwd });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error:')]);
  expect(made.filter(({ mode }) => mode !== 0o600)).toEqual([]);
  expect(made.length).toBeGreaterThanOrEqual(count);
});

test('the check detects a forgotten mode', () => {
  writeFileSync(join(cwd, 'careless'), '');
  expect(made).toEqual([{ path: join(cwd, 'careless'), mode: AS_COMES }]);
});
