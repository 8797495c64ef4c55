import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compression, type EditOptions, edit, gzip, type LiveChanges, openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith } from '../test/support/tools.ts';
import { BOND_FACTS, bondKeyfiles, PORTS } from './network.ts';
import { arrived } from './support/expectation.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import { boot, type Machine, type Report } from './support/qemu.ts';

const CONFIG = `${JSON.stringify({ ignition: { version: '3.4.0' } })}\n`;
const NETWORK = 'etc/coreos-firstboot-network';

describeWith(BOOT_PROGRAMS, 'what an edit embeds arrives in a booted machine', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-boot-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Makes an image, edits it, boots it, and returns what the guest says. */
  async function bootEdited(
    name: string,
    maker: 'xorriso' | 'coreiso',
    changes: LiveChanges,
    options: EditOptions,
    machine: Machine,
  ): Promise<Report> {
    const base = join(folder, `${name}-base.iso`);
    const iso = join(folder, `${name}.iso`);
    await makeLiveIso(base, maker);
    await using source = await fileSource(base);
    const { overlay } = await edit(await openLiveImage(source), changes, options);
    await writeCopy(overlay, iso);
    return await boot(name, iso, machine);
  }

  function expectNetwork(report: Report): void {
    expect(report.facts('COMPLAINT')).toEqual([]);
    expect(report.facts('NETWORK')).toEqual(['complete']);
    for (const [word, facts] of Object.entries(BOND_FACTS))
      expect(report.facts(word)).toEqual(expect.arrayContaining([...facts]));
    expect(report.facts('ROUTE')).toContainEqual(expect.stringMatching(/^default via 198\.51\.100\.1 dev bond0 /));
    expect(report.facts('ROUTE')).toContainEqual(
      expect.stringMatching(/^10\.0\.0\.0\/8 via 203\.0\.113\.1 dev bond0\.100 .*metric 50/),
    );
    expect(report.facts('VLAN')).toContainEqual(expect.stringMatching(/^bond0\.100 +\| 100 +\| bond0/));
  }

  test.each([
    ['bios-cd-area', 'xorriso', { firmware: 'bios', media: 'cd' }],
    ['uefi-cd-area', 'coreiso', { firmware: 'uefi', media: 'cd' }],
  ] as const)('%s, on an image by %s', async (name, maker, boots) => {
    const compression: Compression = gzip;
    const keyfiles = bondKeyfiles();
    const changes = { ignition: Buffer.from(CONFIG), keyfiles, kargs: { append: ['guest.network', 'marker=here'] } };
    const report = await bootEdited(name, maker, changes, { compression }, { ...boots, nics: PORTS });
    expect(report.facts('KERNEL')).toEqual([]);
    expect(report.facts('CMDLINE')[0]).toContain(' marker=here');
    expect(Object.fromEntries(report.files())).toEqual({
      '/config.ign': arrived(CONFIG),
      ...Object.fromEntries(keyfiles.map(({ name, content }) => [`/${NETWORK}/${name}`, arrived(content)])),
    });
    expectNetwork(report);
  });
});
