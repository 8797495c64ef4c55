import { randomFillSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Compression,
  composeArchive,
  type EditOptions,
  edit,
  gzip,
  type LiveChanges,
  openLiveImage,
  overlay,
} from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServing } from '../packages/cli/test/serving.ts';
import { describeWith } from '../test/support/tools.ts';
import { BOND_LINES, bondKeyfiles, PORTS, SHOW_NETWORK } from './network.ts';
import { expectedFile } from './support/expectation.ts';
import { bootGuest, type Guest } from './support/guest.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import type { Machine } from './support/qemu.ts';

const CONFIG = Buffer.from(`${JSON.stringify({ ignition: { version: '3.4.0' } })}\n`);
const NETWORK = 'etc/coreos-firstboot-network';
const KARGS = { append: ['marker=here'] };

/** The peer that writes xz is optional: without it that boot uses gzip, and the title names it. */
const peer: { readonly name: string; readonly compression: Compression } = await import('@coreiso/iso/xz')
  .then(async ({ xz }) => {
    await xz();
    return { name: 'xz', compression: xz };
  })
  .catch(() => ({ name: 'gzip, for want of node-liblzma', compression: gzip }));

/** QEMU's driver for HTTP is in a separate package; without it that boot reads a file, unless all programs are required. */
const driver = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/qemu/block-curl.so`;
const server: Pick<Boot, 'from'> =
  existsSync(driver) || process.env['COREISO_REQUIRE_TOOLS'] === '1' ? { from: 'server' } : {};

interface Boot extends Machine {
  readonly maker: 'xorriso' | 'coreiso';
  readonly options: EditOptions;
  /** Noise, so that the archive is about as large as its contents. */
  readonly payload: number;
  /** The source of the image for QEMU: a file, or ranges from `coreiso serve`, through its curl block driver. */
  readonly from?: 'server';
}

const BOOTS: Readonly<Record<string, Boot>> = {
  'BIOS from CD, gzip in the area, by HTTP from coreiso serve': {
    firmware: 'bios',
    media: 'cd',
    maker: 'xorriso',
    payload: 1_000,
    options: {},
    ...server,
  },
  [`UEFI from CD, ${peer.name} in the area`]: {
    firmware: 'uefi',
    media: 'cd',
    maker: 'coreiso',
    payload: 1_000,
    options: { compression: peer.compression },
  },
  'BIOS from USB, grown and compressed': {
    firmware: 'bios',
    media: 'usb',
    maker: 'coreiso',
    payload: 600_000,
    options: { grow: true },
  },
  'UEFI from USB, grown and uncompressed': {
    firmware: 'uefi',
    media: 'usb',
    maker: 'xorriso',
    payload: 9_000_000,
    options: { grow: true },
  },
};

describeWith(BOOT_PROGRAMS, 'an embedded config arrives in a booted machine', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-boot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each(Object.entries(BOOTS))('%s', async (name, { maker, options, payload, from, ...machine }) => {
    const base = join(folder, 'base.iso');
    const iso = join(folder, 'edited.iso');
    const noise = randomFillSync(new Uint8Array(payload));
    const keyfiles = bondKeyfiles();
    const changes: LiveChanges = {
      ignition: CONFIG,
      keyfiles,
      files: [{ path: 'opt/noise', content: noise }],
      kargs: KARGS,
    };
    await makeLiveIso(base, maker);
    await using source = await fileSource(base);
    const { overlay: edited, summary } = await edit(await openLiveImage(source), changes, options);
    expect(summary.grown).toBe(options.grow === true);
    await writeCopy(edited, iso);

    const serving = from === 'server' ? await startServing(['serve', 'edited.iso'], { cwd: folder }) : undefined;
    const image = serving?.addresses[0] ?? iso;
    await using guest = await bootGuest(name.replaceAll(/\W+/g, '-'), image, { ...machine, nics: PORTS });
    await guest.says(/startup complete/);
    expect(await guest.output('cat /proc/cmdline')).toContain(' marker=here');
    expect(await guest.output('dmesg')).not.toMatch(/initramfs unpacking|invalid magic|junk/i);
    expect(await embeddedFiles(guest)).toEqual({
      '/config.ign': expectedFile(CONFIG),
      '/opt/noise': expectedFile(noise),
      ...Object.fromEntries(keyfiles.map((keyfile) => [`/${NETWORK}/${keyfile.name}`, expectedFile(keyfile.content)])),
    });
    expect(complaints(guest)).toEqual([]);
    const network = (await guest.output(SHOW_NETWORK)).split('\n');
    for (const line of BOND_LINES) {
      expect(network).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    }
    if (serving !== undefined) expect((await serving.stop()).stderr).toMatch(/edited\.iso: bytes \d+-\d+ of \d+/);
  });

  test('keyfiles that others can read arrive, and NetworkManager refuses them', async () => {
    const base = join(folder, 'base.iso');
    const iso = join(folder, 'edited.iso');
    const keyfiles = bondKeyfiles();
    await makeLiveIso(base, 'xorriso');
    await using source = await fileSource(base);
    const image = await openLiveImage((await edit(await openLiveImage(source), { kargs: KARGS })).overlay);
    const files = keyfiles.map(({ name, content }) => ({
      path: `${NETWORK}/${name}`,
      content: Buffer.from(content),
      mode: 0o644,
    }));
    const { offset } = image.initrd;
    await writeCopy(overlay(image.source, [{ offset, bytes: composeArchive(files) }]), iso);

    await using guest = await bootGuest('readable-keyfiles', iso, { firmware: 'bios', media: 'cd', nics: PORTS });
    await guest.says(/startup complete/);
    expect(await embeddedFiles(guest)).toEqual(
      Object.fromEntries(keyfiles.map(({ name, content }) => [`/${NETWORK}/${name}`, expectedFile(content, '644')])),
    );
    expect(complaints(guest)).toContainEqual(expect.stringMatching(/permissions \(100644\) are insecure/));
    expect(await guest.output(SHOW_NETWORK)).not.toContain('ADDRESS bond0 ');
  });
});

/** Files from the embedded archive: path → mode, size and SHA-256. */
async function embeddedFiles(guest: Guest): Promise<Record<string, ReturnType<typeof expectedFile>>> {
  const lines = (await guest.output('cat /run/guest/embedded-files')).trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [mode = '', size = '', sha256 = '', ...path] = line.split(' ');
      return [path.join(' '), { mode, size: Number(size), sha256 }];
    }),
  );
}

/** Without messages about a DNS manager that waited for a busy machine. */
function complaints(guest: Guest): string[] {
  const lines = guest.said('NetworkManager.service').split('\n');
  return lines.filter((line) => /<warn>|<error>/.test(line) && !/dns-mgr: update-pending/.test(line));
}
