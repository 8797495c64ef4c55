// Flags that scripts for `oc adm node-image` use.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeEach, describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const config = (macAddress: string) => `hosts:
- hostname: extra-worker-1
  interfaces: [{ name: eth0, macAddress: "${macAddress}" }]
`;

let cwd: string;
beforeEach(async () => {
  cwd = scratchFolder();
  await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site/nodes-config.yaml'), config('52:54:00:e7:05:72'));
});

const image = (...argv: string[]) => coreiso(['nodes', 'image', '--base', 'base.iso', ...argv], { cwd });

describe('--dir', () => {
  test.each([
    [[], 'node.x86_64.iso'],
    [['--output-name', 'far.iso'], 'far.iso'],
    [['-o', 'far.iso'], 'far.iso'],
    [['--skip-verification', '--insecure', '-o', 'far.iso'], 'far.iso'],
  ])('finds the config and writes the image there with %j', async (argv, name) => {
    const { status, stderr } = await image('--dir', 'site', ...argv);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(readdirSync(join(cwd, 'site')).sort()).toEqual([name, 'nodes-config.yaml'].sort());
  });

  test('leaves an absolute path unchanged', async () => {
    const path = join(cwd, 'far.iso');
    expect((await image('--dir', 'site', '-o', path)).status).toBe(0);
    expect(existsSync(path)).toBe(true);
  });
});

describe('--certificate-authority and -a', () => {
  test('mean the same as --registry-ca and --registry-config', async () => {
    writeFileSync(join(cwd, 'ca.pem'), 'no certificate');
    writeFileSync(join(cwd, 'auth.json'), '{"auths":');
    const base = ['--dir', 'site', '--base', 'release:127.0.0.1:1/ocp/release:4.20.3-x86_64'];
    const said = async (...argv: string[]) => (await coreiso(['nodes', 'image', ...base, ...argv], { cwd })).stderr;
    expect(await said('--certificate-authority', 'ca.pem')).toContain('ca.pem has no PEM certificate');
    expect(await said('-a', 'auth.json')).toBe(await said('--registry-config', 'auth.json'));
    expect(await said('-a', 'nothing.json')).toContain('nothing.json');
    expect(await said('--certificate-authority', 'ca.pem', '--registry-ca', 'ca.pem')).toContain('cannot be used with');
  });
});

describe('--output-name', () => {
  test.each(['far', '../far.iso', 'a/far.iso', ''])('refuses %j', async (name) => {
    const { status, stderr } = await image('--dir', 'site', '--output-name', name);
    expect([status, stderr]).toEqual([2, expect.stringContaining('expected the name of an ISO image')]);
  });

  test('names only one image', async () => {
    for (const flag of ['--pxe', '--per-host', '--output=x.iso'])
      expect((await image('--dir', 'site', '--output-name', 'a.iso', flag)).stderr).toContain('cannot be used with');
  });
});

describe('an all-zero MAC address, as in the sample of oc', () => {
  const file = ['zero.yaml'] as const;
  beforeEach(() => writeFileSync(join(cwd, 'zero.yaml'), config('00:00:00:00:00:00')));

  test.each([
    ['validate', [...file]],
    ['image', ['--base', 'base.iso', '-o', 'far.iso', ...file]],
  ])('is a warning with nodes %s --compatible, otherwise an error', async (command, argv) => {
    const said = async (...more: string[]) => {
      const { status, stderr } = await coreiso(['nodes', command, ...more, ...argv], { cwd });
      return [status, /(\w+): the all-zero MAC address/.exec(stderr)?.[1]];
    };
    expect(await said()).toEqual([1, 'error']);
    expect(await said('--compatible')).toEqual([0, 'warning']);
  });

  test('prevents nodes ignition only without --compatible', async () => {
    const { stdout } = await coreiso(['nodes', 'facts', '--sample'], { cwd });
    writeFileSync(join(cwd, 'cluster.json'), stdout);
    const argv = ['nodes', 'ignition', '--cluster', 'cluster.json', '--host', 'extra-worker-1'];
    expect((await coreiso([...argv, ...file], { cwd })).status).toBe(1);
    const made = await coreiso([...argv, '--compatible', ...file], { cwd });
    expect(made.status).toBe(0);
    expect(JSON.parse(made.stdout.toString())).toHaveProperty('ignition.version');
  });
});

describe('a minimal image', () => {
  const stream = (rootfs: object) => {
    const formats = { iso: { disk: { location: 'http://127.0.0.1:1/live.iso', sha256: 'a'.repeat(64) } }, pxe: rootfs };
    const metal = { release: '1', formats };
    return JSON.stringify({ stream: 'lab', architectures: { x86_64: { artifacts: { metal } } } });
  };

  test('fetches its root file system from --rootfs-url', async () => {
    const url = 'http://boot.example.test/rootfs.img';
    const { status, stderr } = await image('--dir', 'site', '--minimal', '--rootfs-url', url);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const live = await openLiveImage(await fileSource(join(cwd, 'site/node.x86_64.iso')));
    expect(live.kargs?.current).toContain(`coreos.live.rootfs_url=${url}`);
    expect(readdirSync(join(cwd, 'site'))).not.toContain('node.x86_64-rootfs.img');
  });

  test("of a stream uses the stream's root file system", async () => {
    const { Bases } = await import('../../src/frame/base.ts');
    const { rootfsUrlOf } = await import('../../src/commands/base/rootfs-url.ts');
    const { Terminal } = await import('../../src/frame/terminal.ts');
    const location = 'https://mirror.example.test/rootfs.img';
    writeFileSync(join(cwd, 'lab.json'), stream({ rootfs: { location, sha256: 'b'.repeat(64) } }));
    writeFileSync(join(cwd, 'none.json'), stream({}));
    const bases = new Bases(new Terminal({ cwd, env: {}, signal: new AbortController().signal } as never));
    const image = { volumeId: 'rhcos-1' };
    expect(await rootfsUrlOf(bases, { base: 'stream:./lab.json', image })).toBe(location);
    await expect(rootfsUrlOf(bases, { base: 'stream:./none.json', image })).rejects.toThrow(/rhcos-1$/);
  });

  describe('of a cluster', () => {
    const rootfs = 'https://mirror.example.test/of-the-cluster.img';
    const facts = (build: string, architecture = 'x86_64') => {
      const named = { architecture, location: 'http://127.0.0.1:1/live.iso', sha256: 'a'.repeat(64), build, rootfs };
      const others = [{ ...named, build: 'other', rootfs: 'https://mirror.example.test/other.img' }];
      writeFileSync(join(cwd, 'facts.json'), JSON.stringify({ platform: 'None', bootImages: [...others, named] }));
      return image('--dir', 'site', '--minimal', '--cluster', 'facts.json');
    };

    test("fetches the root file system that the cluster's boot images name", async () => {
      const { volumeId } = await openLiveImage(await fileSource(join(cwd, 'base.iso')));
      const { status, stderr } = await facts(volumeId.replace('coreiso-sample-', ''));
      expect([status, stderr]).toEqual([0, expect.any(String)]);
      const live = await openLiveImage(await fileSource(join(cwd, 'site/node.x86_64.iso')));
      expect(live.kargs?.current).toContain(`coreos.live.rootfs_url=${rootfs}`);
    });

    test.each([
      ['another build', '9.6.20250523-0', undefined],
      ['a part of the build', 'x86_64', undefined],
      ['another machine', '', 'aarch64'],
    ])('needs an address if the boot images are of %s', async (_, build, architecture) => {
      const { volumeId } = await openLiveImage(await fileSource(join(cwd, 'base.iso')));
      const own = volumeId.replace('coreiso-sample-', '');
      const { status, stderr } = await facts(build || own, architecture);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`root file system of ${volumeId}`)]);
      expect(stderr).toContain('help: pass its address with --rootfs-url');
      expect(readdirSync(join(cwd, 'site')).sort()).toEqual(['nodes-config.yaml', 'report.json']);
    });
  });

  test('tells once which file to upload', async () => {
    const { stdout } = await image('--dir', 'site', '--minimal', '--artifacts-url', 'http://boot.example.test');
    const hint = 'Upload node.x86_64-rootfs.img to http://boot.example.test before machines boot.';
    expect(stdout.toString().split(hint)).toHaveLength(2);
  });
});
