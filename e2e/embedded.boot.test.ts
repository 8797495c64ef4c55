import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith } from '../test/support/tools.ts';
import { BOND_FACTS, bondKeyfiles, PORTS } from './network.ts';
import { arrived } from './support/expectation.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import { boot, type Machine, type Report } from './support/qemu.ts';

const CONFIG = Buffer.from(`${JSON.stringify({ ignition: { version: '3.4.0' } })}\n`);
const NETWORK = 'etc/coreos-firstboot-network';
const KARGS = { append: ['guest.network', 'marker=here'] };

/** The peer that writes xz is optional: without it that boot uses gzip and says so. */
const peer: { readonly name: string; readonly compression: Compression } = await import('@coreiso/iso/xz')
  .then(async ({ xz }) => {
    await xz();
    return { name: 'xz', compression: xz };
  })
  .catch(() => ({ name: 'gzip, for want of node-liblzma', compression: gzip }));

interface Boot extends Machine {
  readonly maker: 'xorriso' | 'coreiso';
  readonly options: EditOptions;
  /** Noise, so that the archive is about as big as its contents. */
  readonly payload: number;
}

const BOOTS: Readonly<Record<string, Boot>> = {
  'BIOS from CD, gzip in the area': { firmware: 'bios', media: 'cd', maker: 'xorriso', payload: 1_000, options: {} },
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

describeWith(BOOT_PROGRAMS, 'what an edit embeds arrives in a booted machine', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-boot-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(Object.entries(BOOTS))('%s', async (name, { maker, options, payload, ...machine }) => {
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
    await writeCopy(edited, iso, { replace: true });

    const report = await boot(name.replaceAll(/\W+/g, '-'), iso, { ...machine, nics: PORTS });
    expect(report.facts('KERNEL')).toEqual([]);
    expect(report.facts('CMDLINE')[0]).toContain(' marker=here');
    expect(Object.fromEntries(report.files())).toEqual({
      '/config.ign': arrived(CONFIG),
      '/opt/noise': arrived(noise),
      ...Object.fromEntries(keyfiles.map((keyfile) => [`/${NETWORK}/${keyfile.name}`, arrived(keyfile.content)])),
    });
    expectBond(report);
    rmSync(base);
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
    await writeCopy(overlay(image.source, [{ offset, bytes: composeArchive(files) }]), iso, { replace: true });

    const report = await boot('readable-keyfiles', iso, { firmware: 'bios', media: 'cd', nics: PORTS });
    expect(Object.fromEntries(report.files())).toEqual(
      Object.fromEntries(keyfiles.map(({ name, content }) => [`/${NETWORK}/${name}`, arrived(content, '644')])),
    );
    expect(report.facts('COMPLAINT')).toContainEqual(expect.stringMatching(/permissions \(100644\) are insecure/));
    expect(report.facts('ADDRESS')).not.toContainEqual(expect.stringMatching(/^bond0 /));
  });
});

function expectBond(report: Report): void {
  expect(report.facts('COMPLAINT')).toEqual([]);
  expect(report.facts('NETWORK')).toEqual(['complete']);
  for (const [word, facts] of Object.entries(BOND_FACTS)) {
    expect(report.facts(word)).toEqual(expect.arrayContaining([...facts]));
  }
  const routes = report.facts('ROUTE');
  expect(routes).toContainEqual(expect.stringMatching(/^default via 198\.51\.100\.1 dev bond0 /));
  expect(routes).toContainEqual(expect.stringMatching(/^10\.0\.0\.0\/8 via 203\.0\.113\.1 dev bond0\.100 .*metric 50/));
  expect(report.facts('VLAN')).toContainEqual(expect.stringMatching(/^bond0\.100 +\| 100 +\| bond0/));
}
