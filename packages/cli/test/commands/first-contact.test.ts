import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeEach, describe, expect, test } from 'vitest';
import { everyCommand } from '../../../../e2e/packed/commands.ts';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;
beforeEach(async () => {
  cwd = scratchFolder();
  await writeCopy(await sampleIso(), join(cwd, 'live.iso'));
  mkdirSync(join(cwd, 'folder'));
  const files = {
    'empty.iso': '',
    'text.iso': 'no image\n',
    'long.iso': Buffer.alloc(400_000, 'x'),
    'a.ign': '{"ignition":{"version":"3.4.0"}}',
    'eth0.yaml': 'interfaces:\n- { name: eth0, type: ethernet, state: up }\n',
    'nodes-config.yaml': 'hosts:\n- hostname: w\n  interfaces:\n  - { name: e, macAddress: "52:54:00:e7:05:72" }\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
});

const words = (line: string): string[] => line.split(' ');

describe('an unreadable file', () => {
  test.each([
    ['nmstate check FILE'],
    ['ignition show FILE'],
    ['ignition translate --to 3.4.0 FILE'],
    ['ignition merge a.ign FILE'],
    ['ignition merge FILE a.ign'],
    ['nodes validate FILE'],
    ['nodes plan FILE'],
    ['nodes plan --machines FILE'],
    ['nodes plan --cluster FILE'],
    ['nodes facts FILE'],
    ['nodes simulate --mac 52:54:00:e7:05:72 FILE'],
    ['nodes image --base FILE'],
    ['nodes image --base live.iso FILE'],
    ['nodes image --base live.iso -m 52:54:00:e7:05:72 --network-config-path FILE'],
    ['iso inspect FILE'],
    ['iso ls FILE'],
    ['iso cat FILE /x'],
  ])('is named in the error: %s', async (line) => {
    const missing = await coreiso(words(line.replace('FILE', 'gone.x')), { cwd });
    expect(missing.status).toBe(1);
    expect(missing.stderr).toMatch(/^error: cannot (?:read|open) gone\.x: no such file or directory\n$/m);
  });

  test.each([
    ['nmstate check --output a.ign/x eth0.yaml'],
    ['nodes image --base live.iso -o a.ign/x/'],
    ['sample-iso a.ign/x'],
  ])('is named in the error of a write, too: %s', async (line) => {
    const { status, stderr } = await coreiso(words(line), { cwd });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('a.ign/x') });
    expect(stderr).not.toContain(cwd);
  });
});

describe('a file that is not text', () => {
  beforeEach(() => writeFileSync(join(cwd, 'latin1'), Buffer.from('caf\xe9 caf\xe9 caf\xe9 caf\xe9', 'latin1')));

  test.each([
    ['serve --token-file FILE live.iso'],
    ['nodes image --base live.iso --password-hash-file FILE'],
    ['nodes image --base live.iso -m 52:54:00:e7:05:72 --ssh-key-path FILE'],
    ['base list --registry-config FILE release:127.0.0.1:1/a:1'],
    ['base list --registries-conf FILE release:127.0.0.1:1/a:1'],
    ['base list --registry-ca FILE release:127.0.0.1:1/a:1'],
  ])('is named in the error: %s', async (line) => {
    const { status, stderr } = await coreiso(words(line.replace('FILE', 'latin1')), { cwd });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('latin1 is not text: invalid UTF-8 at byte offset 3'),
    });
  });

  test.each([
    ['nodes image --base live.iso --password-hash-file a.ign', 'expected a crypt(5) hash in a.ign'],
    ['base list --registry-ca a.ign release:127.0.0.1:1/a:1', 'a.ign has no PEM certificate'],
  ])('is refused, as is text of the wrong kind: %s', async (line, complaint) => {
    const { status, stderr } = await coreiso(words(line), { cwd });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(complaint) });
  });
});

test.each([
  ['colour: red', '1 error, 0 warnings'],
  ['colour: red, color: red', '2 errors, 0 warnings'],
])('prints the number of findings: %s', async (members, count) => {
  const input = `interfaces:\n- {name: eth0, type: ethernet, state: up, ${members}}\n`;
  const { stderr } = await coreiso(['nmstate', 'check', '-'], { input });
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(count);
});

describe('a file that is not an image', () => {
  test.each([['iso inspect FILE'], ['iso ls FILE'], ['iso cat FILE /x'], ['nodes image --base FILE']])(
    'is called that: %s',
    async (line) => {
      for (const file of ['text.iso', 'long.iso', 'eth0.yaml']) {
        const { status, stderr } = await coreiso(words(line.replace('FILE', file)), { cwd });
        expect({ status, stderr }).toEqual({ status: 1, stderr: `error: ${file} is not an ISO image\n` });
      }
      const { stderr } = await coreiso(words(line.replace('FILE', 'empty.iso')), { cwd });
      expect(stderr).toBe('error: empty.iso is not an ISO image: the file is empty\n');
    },
  );

  test.each([['iso ls live.iso /nope'], ['iso cat live.iso /nope']])('names a missing path: %s', async (line) => {
    expect(await coreiso(words(line), { cwd })).toMatchObject({ status: 1, stderr: 'error: live.iso has no /nope\n' });
  });
});

describe('binary data', () => {
  test.each([
    ['sample-iso -'],
    ['nodes image --base live.iso -o -'],
    ['iso cat live.iso /images/ignition.img'],
    ['iso kargs modify -a x -o - live.iso'],
    ['iso extract minimal-iso live.iso'],
    ['pxe ignition wrap -i a.ign'],
  ])('is not written to a terminal: %s', async (line) => {
    const { status, stdout, stderr } = await coreiso(words(line), { cwd, terminal: true });
    expect({ status, printed: stdout.length }).toEqual({ status: 1, printed: 0 });
    expect(stderr).toMatch(/^[Ee]rror: Refusing to write binary data to terminal\n/m);
  });

  test('is told apart from text', async () => {
    const { status, stdout, stderr } = await coreiso(words('iso cat live.iso /coreos/kargs.json'), {
      cwd,
      terminal: true,
    });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: expect.stringContaining('"default"') });
    // No progress bar overwrites the text.
    expect(stderr).toBe('');
  });
});

describe('a closed pipe', () => {
  const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });

  test.each([
    ['--help'],
    ['sample-iso -'],
    ['nodes image --base live.iso -o -'],
    ['nodes image --base live.iso'],
    ['nodes facts --sample'],
    ['nodes validate'],
    ['nmstate gc eth0.yaml'],
    ['ignition show a.ign'],
    ['iso cat live.iso /images/ignition.img'],
    ['iso ls live.iso'],
    ['iso inspect live.iso'],
    ['iso kargs show live.iso'],
    ['iso kargs modify -a x -o - live.iso'],
    ['iso extract minimal-iso live.iso'],
    ['iso extract pxe -o pxe live.iso'],
    ['pxe ignition wrap -i a.ign'],
    ['dev show iso live.iso'],
  ])('ends the command silently with 141: %s', async (line) => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(error) });
    const { status, stderr } = await coreiso(words(line), { cwd, stdout });
    expect({ status, stderr: stderr.replace(/^(?:.|\n)*WARNING.*$/im, '') }).toMatchObject({ status: 141 });
    expect(stderr).not.toContain('Broken pipe');
  });
});

describe('nodes image --minimal', () => {
  const minimal = (...argv: string[]) =>
    coreiso(['nodes', 'image', '--base', 'live.iso', '--minimal', '--artifacts-url', 'http://boot.test', ...argv], {
      cwd,
    });

  test('uses a file name for the image, and writes the root file system beside it', async () => {
    expect((await minimal('-o', 'min.iso')).status).toBe(0);
    expect(readFileSync(join(cwd, 'min.iso')).subarray(32769, 32774).toString()).toBe('CD001');
    expect(readdirSync(join(cwd, 'boot-artifacts'))).toEqual(['node.x86_64-rootfs.img']);
  });

  test('writes both into a directory', async () => {
    expect((await minimal('-o', 'out/')).status).toBe(0);
    const files = readdirSync(join(cwd, 'out'), { recursive: true }).sort();
    expect(files).toEqual(['boot-artifacts', join('boot-artifacts', 'node.x86_64-rootfs.img'), 'node.x86_64.iso']);
  });

  test('writes nothing if one of both exists', async () => {
    mkdirSync(join(cwd, 'out', 'boot-artifacts'), { recursive: true });
    writeFileSync(join(cwd, 'out', 'boot-artifacts', 'node.x86_64-rootfs.img'), 'old');
    const { status, stderr } = await minimal('-o', 'out/');
    const path = 'out/boot-artifacts/node.x86_64-rootfs.img';
    expect([status, stderr]).toEqual([1, expect.stringContaining(`error: ${path} exists`)]);
    expect(readFileSync(join(cwd, path), 'utf8')).toBe('old');
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['boot-artifacts', 'report.json']);
    expect((await minimal('-o', 'out/', '--force')).status).toBe(0);
    expect(readFileSync(join(cwd, path), 'utf8')).not.toBe('old');
  });

  test('refuses one name for several images', async () => {
    writeFileSync(
      join(cwd, 'nodes-config.yaml'),
      'hosts:\n- hostname: a\n  interfaces: [{ name: e, macAddress: "52:54:00:e7:05:72" }]\n- hostname: b\n  interfaces: [{ name: e, macAddress: "52:54:00:e7:05:73" }]\n',
    );
    const { status, stderr } = await minimal('--per-host', '-o', 'min.iso');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('names one ISO image, but there would be 2 ISO images'),
    });
    expect(readdirSync(cwd)).not.toContain('min.iso');
  });
});

describe('help for new users', () => {
  test('lists every cluster object, the base image and the approval in nodes image --help-all', async () => {
    const help = (await coreiso(['nodes', 'image', '--help-all'])).stdout.toString();
    const named = [
      ...['clusterversion/version', 'infrastructure/cluster', 'proxy/cluster', 'yaml nodes', 'secret/pull-secret'],
      ...['secret/worker-user-data-managed', 'configmap/user-ca-bundle', 'imagedigestmirrorsets'],
      ...['imagecontentsourcepolicies', '99-worker-ssh', '99-worker-fips', '50-workers-chrony-configuration'],
      ...['configmap/coreos-bootimages', '--base release:', 'facts/pools.yaml', 'oc adm certificate approve'],
    ];
    const words = help.replace(/\s+/g, ' ');
    expect(named.filter((text) => !words.includes(text))).toEqual([]);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('prints facts that every command accepts with nodes facts --sample', async () => {
    const { stdout } = await coreiso(['nodes', 'facts', '--sample'], { cwd });
    writeFileSync(join(cwd, 'cluster.json'), stdout);
    for (const line of ['nodes validate', 'nodes plan', 'nodes image --base live.iso']) {
      const { status, stderr } = await coreiso([...words(line), '--cluster', 'cluster.json'], { cwd });
      // Advice about the hosts is fine; the facts must be complete.
      const complaints = stderr.split('\n').filter((text) => /error:|cluster\.json|no one can log in/.test(text));
      expect({ line, status, complaints }).toEqual({ line, status: 0, complaints: [] });
    }
    const again = await coreiso(['nodes', 'facts', 'cluster.json'], { cwd });
    expect(JSON.parse(again.stdout.toString())).toEqual(JSON.parse(stdout.toString()));
  });

  test.each(everyCommand)('fits %s --help on a terminal, and sends no one to coreos-installer', async (name) => {
    const help = (await coreiso([...words(name), '--help'])).stdout.toString();
    expect(help).toContain(`Usage: coreiso ${name}`);
    expect(help).not.toMatch(/(?:use|needs?|run) coreos-installer/i);
    const wide = help.split('\n').filter((line) => line.length > 80);
    expect(wide.filter((line) => !line.startsWith('Usage: '))).toEqual([]);
  });
});

test.each([
  ['iso ignition embed -i a.ign -o out.iso live.iso'],
  ['iso kargs modify -a x -o out.iso live.iso'],
  ['iso extract minimal-iso live.iso out.iso'],
  ['nodes image --base live.iso -o out.iso'],
])('changes only the duration with --sync: %s', async (line) => {
  await coreiso(words(line), { cwd });
  const bytes = readFileSync(join(cwd, 'out.iso'));
  const { status } = await coreiso(words(`${line.replace('out.iso', 'synced.iso')} --sync`), { cwd });
  expect(status).toBe(0);
  expect(readFileSync(join(cwd, 'synced.iso')).equals(bytes)).toBe(true);
});
