import { copyFileSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { httpSource } from '@coreiso/iso/http';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Serving, startServing } from '../serving.ts';
import { coreiso, scratchFolder } from '../support.ts';

const host = (name: string, number: number): string => `- hostname: ${name}
  interfaces:
  - { name: eth0, macAddress: "52:54:00:ab:00:0${number}" }
  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.0.2.1${number}, prefix-length: 24 }] }
`;
const CONFIG = `hosts:\n${host('worker-0', 0)}${host('node', 1)}`;

const FACTS = {
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

let cwd: string;
beforeEach(async () => {
  cwd = scratchFolder();
  await writeCopy(await sampleIso({ size: 20_000_000 }), join(cwd, 'base.iso'));
  utimesSync(join(cwd, 'base.iso'), 1e9, 1e9);
  writeFileSync(join(cwd, 'nodes-config.yaml'), CONFIG);
  writeFileSync(join(cwd, 'cluster.json'), JSON.stringify(FACTS));
  writeFileSync(join(cwd, 'token'), 'a secret that nobody can guess\n');
});

/** Returns the first address of each file by name. */
function byName({ addresses }: Serving): Map<string, string> {
  return new Map(addresses.toReversed().map((address) => [address.slice(address.lastIndexOf('/') + 1), address]));
}

async function bytes(address: string | undefined): Promise<Buffer> {
  const response = await fetch(address ?? '');
  expect([address, response.status]).toEqual([address, 200]);
  return Buffer.from(await response.arrayBuffer());
}

const serve = (...argv: string[]): Promise<Serving> =>
  startServing(['nodes', 'serve', '--base', 'base.iso', ...argv], { cwd });

describe('coreiso nodes serve', () => {
  test.each([
    ['one image for all', [], ['node.iso'], ['node.x86_64.iso']],
    ['one per host', ['--per-host'], ['worker-0.iso', 'node.iso'], ['worker-0.x86_64.iso', 'node.x86_64.iso']],
  ])('serves %s with the same bytes as nodes image, and writes no file', async (_, argv, served, written) => {
    const before = readdirSync(cwd);
    const serving = await serve(...argv);
    const images = await Promise.all(served.map((name) => bytes(byName(serving).get(name))));
    expect(readdirSync(cwd)).toEqual(before);
    expect((await coreiso(['nodes', 'image', '--base', 'base.iso', ...argv], { cwd })).status).toBe(0);
    for (const [index, name] of written.entries()) {
      expect(Buffer.compare(readFileSync(join(cwd, name)), images[index] ?? Buffer.alloc(0))).toBe(0);
    }
  });

  test.each([
    ['all hosts', [], 'node'],
    ['a host', ['--per-host'], 'worker-0'],
    ['a host, with tokens', ['--per-host', '--token-file', 'token'], 'worker-0'],
    ['a host that is called as all are together', ['--per-host', '--token-file', 'token'], 'node'],
  ])('serves a minimal image and an iPXE script for %s with working addresses', async (_, argv, stem) => {
    const files = byName(await serve(...argv));
    const script = (await bytes(files.get(`${stem}.x86_64.ipxe`))).toString();
    const named = script.match(/http:\S+/g) ?? [];
    expect(named.map((address) => address.replace(/.*[.-]/, ''))).toEqual(['img', 'vmlinuz', 'img']);
    for (const address of named) expect((await bytes(address)).length).toBeGreaterThan(0);
    const minimal = await openLiveImage(await httpSource(files.get(`${stem}-minimal.iso`) ?? ''));
    const rootfs = minimal.kargs?.current.match(/coreos\.live\.rootfs_url=(\S+)/)?.[1];
    expect(rootfs).toBe(named[2]);
    expect(minimal.source.size).toBeLessThan(statSync(join(cwd, 'base.iso')).size);
  });

  test('serves the same files under the same paths and tags from every replica', async () => {
    const until = ['--cluster', 'cluster.json', '--valid-until', '2030-01-31T12:00:00Z'];
    const argv = [
      '--per-host',
      '--token-file',
      'token',
      '--public-url',
      'http://boot.example.test',
      '--json',
      ...until,
    ];
    const tags = async (): Promise<string[]> => {
      const { port, files } = JSON.parse((await serve(...argv)).addresses[0] ?? '');
      const answers = files.map(async ({ address }: { address: string }) => {
        const { pathname } = new URL(address);
        const { status, headers } = await fetch(`http://127.0.0.1:${port}${pathname}`, { method: 'HEAD' });
        return `${pathname} ${status} ${headers.get('etag')}`;
      });
      return Promise.all(answers);
    };
    const one = await tags();
    expect(one.length).toBeGreaterThan(8);
    for (const line of one) expect(line).toMatch(/^\/[a-z2-7]{26}\/\S+ 200 "[0-9a-f]{32}"$/);
    // The other replica has a copy of the base, with another time.
    copyFileSync(join(cwd, 'base.iso'), join(cwd, 'copy.iso'));
    renameSync(join(cwd, 'copy.iso'), join(cwd, 'base.iso'));
    utimesSync(join(cwd, 'base.iso'), 1e9, 1e9);
    expect(await tags()).toEqual(one);
  });

  test('gives each host its own token, which opens no other files', async () => {
    const files = byName(await serve('--per-host', '--token-file', 'token'));
    const stolen = (files.get('worker-0.iso') ?? '').replace('worker-0.iso', 'node.iso');
    expect((await fetch(stolen)).status).toBe(404);
  });

  test('leaves a base on its server', async () => {
    const origin = await startServing(['serve', 'base.iso'], { cwd });
    const serving = await startServing(['nodes', 'serve', '--base', origin.addresses[0] ?? ''], { cwd });
    const image = await openLiveImage(await httpSource(byName(serving).get('node.iso') ?? ''));
    expect((await image.initrd.read()).get('config.ign')).toBeDefined();
    const index = await (await fetch(new URL('/', origin.addresses[0]))).text();
    expect(Number(/ (\d+) % read/.exec(index)?.[1])).toBeLessThan(10);
  });

  test('reports until when images install machines, and how to start a replica', async () => {
    const { stderr } = await (await serve('--cluster', 'cluster.json')).stop();
    expect(stderr).toMatch(/^The images stop installing after (\S+Z)\. .*--valid-until \1$/m);
  });

  test.each([
    ['a config with mistakes', 'hosts: [{}]', [], 1, /nodes-config\.yaml:1:/],
    ['a time without a zone', CONFIG, ['--valid-until', '2030-01-31'], 2, /expected a time with its zone/],
  ])('refuses %s', async (_, config, argv, status, message) => {
    writeFileSync(join(cwd, 'nodes-config.yaml'), config);
    const result = await coreiso(['nodes', 'serve', '--base', 'base.iso', '--listen', '127.0.0.1:0', ...argv], { cwd });
    expect(result.stderr).toMatch(message);
    expect(result.status).toBe(status);
  });
});
