import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesOf, bytesSource, extractMinimal, openLiveImage, readFiles, reset, verifyImage } from '@coreiso/iso';
import { fileSource } from '@coreiso/iso/node';
import { parseClusterFacts } from '@coreiso/nodes-config';
import { readAgentState } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { journalPath } from '../packages/iso/src/node/journal.ts';
import { scratchFolder } from './support/scratch.ts';
import { CONFIG, digest, leaveInterrupted, unpacked, type Written, withIndex } from './support/written.ts';

const folder = fileURLToPath(new URL('goldens/formats/', import.meta.url));
const recordings: Written[] = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

test('the files of this version of the command line are recorded', () => {
  const { version } = JSON.parse(readFileSync(new URL('../packages/cli/package.json', import.meta.url), 'utf8'));
  expect(recordings.map((each) => each.version)).toContain(version);
});

describe.each(recordings)('written by $version', (written) => {
  test.each(['edited', 'grown'] as const)('an image that was %s is read, verified and restored', async (kind) => {
    const source = bytesSource(unpacked(written[kind]));
    const image = await openLiveImage(source);
    const files = await image.initrd.read();
    expect(Buffer.from(files.get('config.ign')?.content ?? []).toString()).toBe(CONFIG);
    expect(image.kargs?.current).toMatch(/ console=ttyS0$/);
    expect((await verifyImage(source)).checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(digest(await bytesOf((await reset(image)).overlay))).toBe(written.digests.base);
  });

  test('this version makes the same minimal image of its base, to the byte', async () => {
    const image = await openLiveImage(bytesSource(unpacked(written.base)));
    const minimal = await extractMinimal(image, { rootfsUrl: 'https://files.example.test/rootfs.img' });
    expect(digest(await bytesOf(minimal))).toBe(written.digests.minimal);
  });

  test('an archive for network boot is read', async () => {
    const files = await readFiles(bytesSource(unpacked(written.archive)));
    expect([...files.keys()]).toEqual(['config.ign']);
  });

  test('an interrupted edit is undone by its journal', async () => {
    const path = leaveInterrupted(written, scratchFolder());
    await using source = await fileSource(path);
    expect(source.rolledBack).toBe(true);
    expect(digest(await bytesOf(source))).toBe(written.digests.base);
  });

  test('its state file is read to the same data', () => {
    const read = readAgentState(written.state);
    expect(read.diagnostics).toEqual([]);
    expect(read.ok && read.value).toEqual(JSON.parse(written.state));
  });

  test('its cluster facts are read without findings', () => {
    const read = parseClusterFacts(written.facts);
    expect(read).toMatchObject({ ok: true, diagnostics: [] });
  });
});

describe('files of a later version are refused with the version that they need', () => {
  const [written] = recordings as [Written];

  test.each([
    [{ needs: 'coreiso 0.4' }, 'needs coreiso 0.4', 'recover the image with coreiso 0.4'],
    [{}, 'needs a newer version of coreiso', 'recover the image with a newer version of coreiso'],
    [{ needs: 'a\u001b[2J' }, 'needs a newer version of coreiso', 'recover the image with a newer version of coreiso'],
  ])('a journal with %j', async (members, reason, cure) => {
    const path = leaveInterrupted(written, scratchFolder());
    const journal = journalPath(path);
    const before = readFileSync(path);
    writeFileSync(
      journal,
      withIndex(readFileSync(journal), (index) => ({ ...index, ...members }), 'coreiso-journal3'),
    );
    const error: unknown = await fileSource(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: `writing was interrupted, and its journal ${reason}: ${journal}; ${cure}`,
    });
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
  });

  test('a journal of an earlier format is damaged', async () => {
    const path = leaveInterrupted(written, scratchFolder());
    const journal = journalPath(path);
    writeFileSync(
      journal,
      withIndex(readFileSync(journal), (index) => index, 'coreiso-journal1'),
    );
    await expect(fileSource(path)).rejects.toThrow('its journal is damaged');
  });

  test.each([
    [{ version: 2, needs: 'coreiso 0.4' }, 'coreiso 0.4'],
    [{ version: 2 }, 'a newer version of coreiso'],
  ])('a state file with %j', (members, needs) => {
    const read = readAgentState(JSON.stringify({ ...JSON.parse(written.state), ...members }));
    expect(read).toMatchObject({
      ok: false,
      diagnostics: [{ message: `the state file needs ${needs}`, help: `Use ${needs}, which wrote it.` }],
    });
  });

  test('cluster facts', () => {
    const read = parseClusterFacts(JSON.stringify({ needs: 'coreiso 0.4', nodes: 'in another form' }));
    expect(read).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'nodes-config/api-version', message: 'the cluster facts need coreiso 0.4' }],
    });
  });

  test('cluster facts with an unknown member are read with a warning', () => {
    const read = parseClusterFacts(JSON.stringify({ ...JSON.parse(written.facts), moonPhase: 'full' }));
    expect(read).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning', path: ['moonPhase'] }] });
  });
});
