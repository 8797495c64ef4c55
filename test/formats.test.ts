// Examples of docs/formats, read by our readers and by small readers that follow only the page.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { bytesOf, edit, openLiveImage, reset } from '@coreiso/iso';
import { fileSource } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { parseClusterFacts } from '@coreiso/nodes-config';
import { type BuildReport, readAgentState } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { DOCUMENTS, EMPTY, FILE_NAMES } from '../examples/web/src/project.ts';
import { isProjectText, parseProject, projectText } from '../examples/web/src/project-file.ts';
import { LiveSystem } from '../packages/cluster/src/service/live-system.ts';
import { encodeGrowthRecord } from '../packages/iso/src/live/growth/growth.ts';
import { nodeFileSystem } from '../packages/iso/src/node/file-system.ts';
import { journalPath, openJournal } from '../packages/iso/src/node/journal.ts';
import { scratchFolder } from './support/scratch.ts';
import { root } from './support/sources.ts';

const SECTOR = 2048;

/** The code block with this title on the page. */
function example(page: string, name: string): string {
  const text = readFileSync(join(root, 'docs/formats', `${page}.md`), 'utf8');
  const [, body] = new RegExp(`^\`\`\`\\w+ ${name.replace('.', '\\.')}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text) ?? [];
  if (body === undefined) throw new Error(`${page} has no ${name}`);
  return body;
}

const hexOf = (text: string): Buffer => Buffer.from(text.replace(/\s+/g, ''), 'hex');

/** The record in a sector, decoded as the page describes. */
function recordIn(sector: Buffer) {
  expect(sector.toString('latin1', 0, 14)).toBe('coreiso grown\n');
  const zeroed = Buffer.from(sector);
  zeroed.fill(0, 24, 28);
  expect(sector.readUInt32LE(24)).toBe(crc32(zeroed));
  const originals: { offset: number; bytes: Buffer }[] = [];
  let at = 28;
  for (let left = sector.readUInt16LE(14); left > 0; left--) {
    const length = sector.readUInt16LE(at + 8);
    originals.push({ offset: Number(sector.readBigUInt64LE(at)), bytes: sector.subarray(at + 10, at + 10 + length) });
    at += 10 + length;
  }
  return { originalSize: Number(sector.readBigUInt64LE(16)), originals };
}

describe('the growth record', () => {
  const { originalSize, originals } = JSON.parse(example('growth-record', 'record.json'));
  const runs = originals.map((run: { offset: number; bytes: string }) => ({ ...run, bytes: hexOf(run.bytes) }));
  const shown = Buffer.concat([hexOf(example('growth-record', 'record.hex')), Buffer.alloc(SECTOR)]).subarray(
    0,
    SECTOR,
  );

  test('of the page is the one that we write, and has the documented values', () => {
    expect(Buffer.from(encodeGrowthRecord({ originalSize, originals: runs }))).toEqual(shown);
    expect(recordIn(shown)).toEqual({ originalSize, originals: runs });
  });

  test('of a grown image is at the documented place, and restores the original', async () => {
    const before = await sampleIso();
    const noise = Array.from({ length: 6 }, (_, index) => ({
      path: `noise${index}`,
      content: crypto.getRandomValues(new Uint8Array(60_000)),
    }));
    const { overlay } = await edit(await openLiveImage(before), { files: noise }, { grow: true });
    const grown = Buffer.from(await bytesOf(overlay));

    const entries = grown.readUInt32LE(512 + 80) * grown.readUInt32LE(512 + 84);
    expect(grown.toString('latin1', 512, 520)).toBe('EFI PART');
    const reserved = Math.max(33, Math.ceil(entries / 512) + 1) * 512;
    const at = (Math.floor((grown.length - reserved) / SECTOR) - 1) * SECTOR;
    const record = recordIn(grown.subarray(at, at + SECTOR));

    const restored = Buffer.from(grown.subarray(0, record.originalSize));
    for (const { offset, bytes } of record.originals) bytes.copy(restored, offset);
    expect(restored.equals(Buffer.from(await bytesOf(before)))).toBe(true);
    const { overlay: undone } = await reset(await openLiveImage(overlay));
    expect(restored.equals(Buffer.from(await bytesOf(undone)))).toBe(true);
  });
});

describe('the journal', () => {
  const shown = hexOf(example('journal', 'journal.hex'));
  const index = JSON.parse(example('journal', 'journal.json'));

  test('of the page has the documented values', () => {
    const trailer = shown.subarray(-28);
    expect(trailer.toString('latin1', 12)).toBe('coreiso-journal2');
    expect(trailer.readUInt32BE(8)).toBe(crc32(shown.subarray(0, -28)));
    const start = shown.length - 28 - Number(trailer.readBigUInt64BE(0));
    expect(JSON.parse(shown.toString('utf8', start, shown.length - 28))).toEqual(index);
    expect(start).toBe(2 * index.entry.pieces[0].length);
  });

  test('of the page is read by our reader', async () => {
    const path = journalPath(join(scratchFolder(), 'live.iso'));
    writeFileSync(path, shown);
    const journal = await openJournal(nodeFileSystem, path);
    expect(journal).toMatchObject(index);
    for await (const piece of journal?.contents() ?? [])
      expect({ ...piece, before: piece.before.toString(), after: piece.after.toString() }).toEqual({
        offset: 32,
        before: 'OLD.',
        after: 'NEW!',
      });
    await journal?.close();
  });

  test('and its image stay unchanged if its writer cannot be checked', async () => {
    const image = join(scratchFolder(), 'live.iso');
    const halfway = Buffer.alloc(64, '-');
    halfway.write('NED.', 32);
    writeFileSync(image, halfway);
    const { dev, ino } = statSync(image, { bigint: true });
    const writer = { ...index.writer, pid: 2 ** 22 + 1, host: 'elsewhere', boot: '' };
    const text = Buffer.from(JSON.stringify({ ...index, writer, file: { dev: String(dev), ino: String(ino) } }));
    const body = Buffer.concat([shown.subarray(0, 8), text]);
    const trailer = Buffer.alloc(12);
    trailer.writeBigUInt64BE(BigInt(text.length), 0);
    trailer.writeUInt32BE(crc32(body), 8);
    writeFileSync(journalPath(image), Buffer.concat([body, trailer, Buffer.from('coreiso-journal2')]));
    await expect(fileSource(image)).rejects.toMatchObject({ code: 'ISO_NEEDS_ROLLBACK' });
    expect(readFileSync(image)).toEqual(halfway);
  });
});

describe('the status', () => {
  const text = example('status', 'status.json');
  const asked: Request[] = [];
  const answering = (body: string) =>
    new LiveSystem('192.0.2.33', {
      access: { port: 8090, token: 'a-token' },
      fetch: async (url, init) => {
        asked.push(new Request(url, init as RequestInit));
        return new Response(body);
      },
    });

  test('of the page is read from its address with its header by our reader', async () => {
    const status = JSON.parse(text);
    const seen = await answering(text).observe();
    expect(seen).toMatchObject({
      ok: true,
      value: { stage: status.stage, disk: status.disk, error: status.error, checks: status.checks },
    });
    expect(asked[0]?.url).toBe('http://192.0.2.33:8090/status');
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer a-token');
  });

  test.each([
    ['another version', { version: 2 }],
    ['an unknown stage', { stage: 'resting' }],
  ])('with %s is refused', async (_, change) => {
    const seen = await answering(JSON.stringify({ ...JSON.parse(text), ...change })).observe();
    expect(seen.ok).toBe(false);
  });

  test('drops checks with an unknown verdict', async () => {
    const checks = [{ check: 'disk', verdict: 'maybe', text: '' }];
    expect(await answering(JSON.stringify({ ...JSON.parse(text), checks })).observe()).toMatchObject({
      ok: true,
      value: { checks: [] },
    });
  });
});

test('the report of the page has all members of a report, and those that the page lists', () => {
  const report: BuildReport = JSON.parse(example('report', 'node.x86_64.report.json'));
  const page = readFileSync(join(root, 'docs/formats/report.md'), 'utf8');
  const names = [...Object.keys(report), ...report.stages.flatMap((stage) => Object.keys(stage))];
  for (const name of names) expect(page).toMatch(new RegExp(`^\\| .*\`(?:stages\\[\\]\\.)?${name}[\`.[]`, 'm'));
  for (const { result } of report.stages) if (result !== undefined) expect(() => JSON.parse(result)).not.toThrow();
  expect(report.id).toBe(`report-addnodes-${report.start_time.slice(0, 16).replace(/\D/g, '')}`);
});

describe('cluster facts', () => {
  const facts = JSON.parse(example('cluster-facts', 'cluster.json'));

  test('of the page are read by our reader, and refused as documented', () => {
    expect(parseClusterFacts(facts)).toMatchObject({ ok: true, value: facts });
    expect(parseClusterFacts({ ...facts, unknown: 1, version: null })).toMatchObject({ ok: true });
    expect(parseClusterFacts({ ...facts, version: 4 }).ok).toBe(false);
    expect(parseClusterFacts({ ...facts, nodes: [{ master: true }] }).ok).toBe(false);
    expect(parseClusterFacts({ ...facts, needs: 'coreiso 9.0' }).ok).toBe(false);
  });

  test('have all members of the code on the page', () => {
    const source = readFileSync(join(root, 'packages/nodes-config/src/facts/facts.ts'), 'utf8');
    const [, body = ''] = /^export interface ClusterFacts \{\n([\s\S]*?)^\}/m.exec(source) ?? [];
    const members = [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
    const page = readFileSync(join(root, 'docs/formats/cluster-facts.md'), 'utf8');
    const rows = page.match(/^\| `.*$/gm) ?? [];
    const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(listed.sort()).toEqual(members.sort());
  });
});

describe('the state file', () => {
  const state = JSON.parse(example('state-file', 'agent-state.json'));

  test('of the page is read by our reader', () => {
    expect(readAgentState(JSON.stringify({ ...state, unknown: 1 }))).toMatchObject({ ok: true, value: state });
  });

  test.each([
    ['a later version', { version: 2, needs: 'coreiso 9.0' }, /needs coreiso 9\.0/],
    ['an input of another name', { inputs: { '../secret': '00' } }, /\.\.\/secret/],
    ['an output that leads out of the directory', { outputs: { '../../etc/passwd': '00' } }, /passwd/],
    ['an output with a backslash', { outputs: { 'a\\b': '00' } }, /inside the directory/],
    ['a member of another type', { hosts: {} }, /damaged/],
  ])('with %s is refused', (_, change, message) => {
    const { ok, diagnostics } = readAgentState(JSON.stringify({ ...state, ...change }));
    expect(ok).toBe(false);
    expect(diagnostics[0]?.message).toMatch(message);
  });
});

describe('the project file', () => {
  const text = example('project-file', 'project.json');
  const { coreisoProject, ...project } = JSON.parse(text);
  const page = readFileSync(join(root, 'docs/formats/project-file.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|$/gm)];

  test('of the page is read and written back unchanged', () => {
    expect(coreisoProject).toBe(1);
    expect(isProjectText(text)).toBe(true);
    expect(parseProject(text, 'project.json')).toEqual(project);
    expect(JSON.parse(projectText(project))).toEqual(JSON.parse(text));
    expect(isProjectText(projectText(project))).toBe(true);
  });

  test('has all members of the code on the page', () => {
    const names = [...Object.keys(EMPTY), ...Object.keys(EMPTY.documents), ...Object.keys(EMPTY.choices)];
    expect(rows.map(([, name]) => name).sort()).toEqual(['coreisoProject', ...names].sort());
    for (const task of Object.keys(DOCUMENTS)) expect(page).toContain(`\`${task}\` (`);
    for (const [kind, file] of Object.entries(FILE_NAMES)) {
      expect(rows.find(([, name]) => name === kind)?.[2]).toBe(`\`${file}\``);
    }
  });

  test.each([
    ['a text that is not JSON', 'hosts: []'],
    ['JSON that is not an object', '[1]'],
    ['no version', '{}'],
    ['a version that is not a number', '{ "coreisoProject": "1" }'],
    ['a later version', '{ "coreisoProject": 2 }'],
  ])('with %s is refused', (_, wrong) => {
    expect(() => parseProject(wrong, 'project.json')).toThrow('project.json');
  });

  test('falls back to the defaults of the page', () => {
    const odd = {
      coreisoProject: 1,
      unknown: 1,
      task: 'x',
      documents: { ignition: 1 },
      choices: { form: 'x', images: 'x', ignitionFor: 'x', kargs: 1 },
      machines: [{ name: 'rack 1' }, { name: 'rack 1', nics: { eno1: 7 } }],
    };
    expect(parseProject(JSON.stringify(odd), 'project.json')).toEqual(EMPTY);
    expect(EMPTY).toMatchObject({ task: 'nodes', choices: { form: 'iso', images: 'all-hosts', ignitionFor: 'live' } });
  });
});
