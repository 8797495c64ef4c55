import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { run } from '../src/run.ts';

const CONFIG = '{"ignition":{"version":"3.4.0"}}';

const NODES = `hosts:
- hostname: worker-3
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:e7:05:72
`;

const CLUSTER = {
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  nodes: [{ name: 'control-0', architecture: 'amd64', master: true, addresses: [] }],
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = scratchFolder();
  await writeCopy(await sampleIso(), at('live.iso'));
  writeFileSync(at('worker.ign'), CONFIG);
  writeFileSync(at('nodes.yaml'), NODES);
  writeFileSync(at('cluster.json'), JSON.stringify(CLUSTER));
});

async function tool(...argv: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const printer = { log: (text: string) => stdout.push(text), error: (text: string) => stderr.push(text) };
  const status = await run(argv, printer);
  return { status, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

async function embedded(path: string): Promise<string> {
  await using source = await fileSource(path);
  const files = await (await openLiveImage(source)).initrd.read();
  return new TextDecoder().decode(files.get('config.ign')?.content);
}

test('embed writes a copy that boots with the config, and show prints the config', async () => {
  const { status, stdout } = await tool('embed', at('live.iso'), at('worker.ign'), at('worker.iso'));
  expect(status).toBe(0);
  expect(stdout).toMatch(/worker\.iso: \d+ bytes embedded$/);
  expect(await embedded(at('worker.iso'))).toBe(CONFIG);
  expect((await tool('show', at('live.iso'))).stdout).toMatch(/^State +pristine$/m);
  expect((await tool('show', at('worker.iso'))).stdout).toMatch(/^State +customised/m);
});

test('nodes image writes the image that adds the nodes', async () => {
  const { status, stdout } = await tool('nodes', 'image', at('live.iso'), at('nodes.yaml'), at('cluster.json'), folder);
  expect(status).toBe(0);
  expect(stdout).toBe(at('node.x86_64.iso'));
  expect(await embedded(stdout)).toContain('/usr/local/bin/coreiso-join');
});

test('refuses an invalid text with its line, and writes nothing', async () => {
  writeFileSync(at('nodes.yaml'), NODES.replace('hostname', 'hostnme'));
  writeFileSync(at('worker.ign'), CONFIG.replace('3.4.0', '9.9.9'));
  const before = readdirSync(folder);
  const nodes = await tool('nodes', 'image', at('live.iso'), at('nodes.yaml'), at('cluster.json'), folder);
  expect(nodes.stderr).toMatch(/nodes\.yaml:2:3: error: .*\n {2}2 \| - hostnme: worker-3\n {4}\| {3}\^/);
  const config = await tool('embed', at('live.iso'), at('worker.ign'), at('worker.iso'));
  expect(config.stderr).toMatch(/worker\.ign:.*error: /);
  expect([nodes.status, config.status]).toEqual([1, 1]);
  expect(readdirSync(folder)).toEqual(before);
});

test('prints a failure with its cause', async () => {
  const { status, stderr } = await tool('show', at('absent.iso'));
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: /);
  expect(stderr).toContain('absent.iso');
});

test.each([[[]], [['embed', 'live.iso']], [['nodes', 'picture', 'a', 'b', 'c', 'd']], [['shown', 'live.iso']]])(
  '%j prints the usage',
  async (argv) => {
    const { status, stderr } = await tool(...argv);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage:\n {2}embed LIVE CONFIG TARGET/);
  },
);

test('is small enough to read at once', () => {
  const src = new URL('../src/', import.meta.url);
  const lines = readdirSync(src).flatMap((name) => readFileSync(new URL(name, src), 'utf8').trimEnd().split('\n'));
  expect(lines.length).toBeLessThan(120);
});
