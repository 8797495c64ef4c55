// Incoming files of all kinds, and outgoing zips, opened by other programs.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource } from '@coreiso/iso/node';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { DEBIAN_PYTHON, describeWith } from '../../test/support/tools.ts';
import { BROWSERS, openChromium } from './support/browsers.ts';
import { runLines } from './support/command-line.ts';
import { POLICY, Site } from './support/site.ts';
import { begin, drop, dropFile, nameRelease, press, saveDocuments, WITHOUT_PICKERS } from './support/steps.ts';

/** A folder with a sample and files that people mistake for one, made by the programs that make such files. */
function filesTakenForImages(): string {
  const folder = scratchFolder();
  runLines('coreiso sample-iso live.iso', folder);
  const shell = `
    gzip -k live.iso
    head -c 400000 live.iso > half.iso
    qemu-img create -q -f qcow2 cloud.qcow2 1G
    qemu-img create -q -f vmdk cloud.vmdk 1G
    mkdir files && touch files/a && xorriso -as mkisofs -quiet -o other.iso files 2>/dev/null
    printf '<!DOCTYPE html><title>404</title>' > page.iso
    : > empty.iso
    dd if=/dev/zero of=disk.raw bs=1M count=8 status=none && sgdisk -n 1 disk.raw >/dev/null
  `;
  execFileSync('bash', ['-e', '-c', shell], { cwd: folder });
  return folder;
}

/** One sentence about each. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  'live.iso.gz': /^live\.iso\.gz: This is gzip-compressed: unpack it first \(gunzip\), then drop the ISO\.$/,
  'half.iso': /^half\.iso: This is the beginning of an ISO: 391 KiB of \d+ KiB; download the rest\.$/,
  'cloud.qcow2': /^cloud\.qcow2: This is a cloud image \(qcow2\) .* download the live ISO instead\.$/,
  'cloud.vmdk': /^cloud\.vmdk: This is a VMware disk .* download the live ISO instead\.$/,
  'disk.raw': /^disk\.raw: This is a raw disk or cloud image .* download the live ISO instead\.$/,
  'other.iso': /^other\.iso: This ISO is not a CoreOS live image: .*\.$/,
  'page.iso': /^page\.iso: This is a web page, .* download the ISO again\.$/,
  'empty.iso': /^empty\.iso: This file is empty\.$/,
};

describeWith(['chromium', 'qemu-img', 'xorriso', 'sgdisk'], 'a file', () => {
  test('that is no live image is explained in one sentence, and the next one opens', async () => {
    const folder = filesTakenForImages();
    await using site = await Site.start();
    await using page = await openChromium();
    await page.goto(site.url);
    const note = `document.querySelector('#image .note.bad')?.textContent`;
    for (const [name, sentence] of Object.entries(SENTENCES)) {
      await dropFile(page, join(folder, name));
      await page.until(`${note}?.startsWith(${JSON.stringify(`${name}: `)})`);
      expect(await page.evaluate(note)).toMatch(sentence);
    }
    await dropFile(page, join(folder, 'live.iso'));
    await page.until(`document.querySelector('#image.done') !== null`);
    expect(await page.evaluate(note)).toBe(undefined);
    expect(page.complaints).toEqual([]);
  });
});

/** A sample whose area GNU cpio and xz made from a config. */
async function xzImage(): Promise<Buffer> {
  const folder = scratchFolder();
  const path = join(folder, 'live.iso');
  runLines('coreiso sample-iso live.iso', folder);
  await using file = await fileSource(path);
  const { initrd } = await openLiveImage(file);
  writeFileSync(join(folder, 'config.ign'), '{"ignition":{"version":"3.4.0"}}');
  const shell = 'echo config.ign | cpio --quiet -o -H newc | xz --check=crc32';
  const packed = execFileSync('bash', ['-e', '-o', 'pipefail', '-c', shell], { cwd: folder });
  const image = openSync(path, 'r+');
  writeSync(image, packed, 0, packed.length, initrd.offset);
  closeSync(image);
  return readFileSync(path);
}

describeWith(['chromium', 'firefox-esr', 'cpio', 'xz'], 'an image with an xz area', () => {
  test.each(BROWSERS)('is read under the strict policy, in %s', async (_, open) => {
    const image = (await xzImage()).toString('base64');
    const parts = `[Uint8Array.from(atob('${image}'), (one) => one.charCodeAt(0))]`;
    await using site = await Site.start();
    await using page = await open();
    await page.goto(site.url);
    await page.evaluate(drop('live.iso', parts));
    await press(page, 'Initramfs');
    await page.until(`document.querySelector('#look .view').innerText.includes('config.ign')`);
    expect(await page.evaluate(`document.querySelector('#image').innerText`)).toContain('customised before');
    expect(page.complaints).toEqual([]);
  });

  test('is the only one that needs wasm-unsafe-eval', async () => {
    const image = (await xzImage()).toString('base64');
    const parts = `[Uint8Array.from(atob('${image}'), (one) => one.charCodeAt(0))]`;
    await using site = await Site.start(undefined, POLICY.replace(" 'wasm-unsafe-eval'", ''));
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    await press(page, 'Build');
    await page.until(`document.querySelector('.output') !== null`);
    expect(page.complaints).toEqual([]);
    await page.evaluate(drop('live.iso', parts));
    await press(page, 'Initramfs');
    await page.until(`document.querySelector('#look .view').innerText.includes("needs 'wasm-unsafe-eval'")`);
  });
});

/** Path → content, as Python's zipfile unpacks it. */
function unzipped(path: string): Readonly<Record<string, string>> {
  const folder = scratchFolder();
  execFileSync(DEBIAN_PYTHON, ['-m', 'zipfile', '-t', path]);
  execFileSync(DEBIAN_PYTHON, ['-m', 'zipfile', '-e', path, folder]);
  return contentsOf(folder);
}

function contentsOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

describeWith(['chromium', 'python3'], 'a zip', () => {
  test("of keyfiles has the same files as the command line's", async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await press(page, 'Any live image');
    await begin(page, 'Network state');
    await press(page, 'Keyfiles as a zip');
    await page.downloaded('keyfiles.zip');
    await saveDocuments(page, 'Network state');
    runLines('coreiso nmstate check -o written network.yaml', page.downloads);
    const found = unzipped(join(page.downloads, 'keyfiles.zip'));
    expect(Object.keys(found)).toContain('eno1.nmconnection');
    expect(found).toEqual(contentsOf(join(page.downloads, 'written')));
    expect(page.complaints).toEqual([]);
  });

  test('of keyfiles has a folder for each host, as in the image', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await begin(page, 'nodes-config');
    await press(page, 'Keyfiles as a zip');
    await page.downloaded('keyfiles.zip');
    await saveDocuments(page, 'nodes-config');
    const plan = JSON.parse(runLines('coreiso nodes plan --json nodes-config.yaml', page.downloads));
    const planned = plan.files.flatMap(({ path, contents }: { path: string; contents: string }) => {
      const [, host, name] = /host(\d+)\/([^/]+\.nmconnection)$/.exec(path) ?? [];
      return host === undefined ? [] : [[`${plan.hosts[Number(host)].name}/${name}`, contents]];
    });
    expect(planned.length).toBeGreaterThan(2);
    expect(unzipped(join(page.downloads, 'keyfiles.zip'))).toEqual(Object.fromEntries(planned));
    expect(page.complaints).toEqual([]);
  });

  test("of manifests has the same files as the command line's", async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await press(page, 'New cluster');
    await begin(page, 'install-config', 'agent-config');
    await nameRelease(page);
    await press(page, 'Manifests as a zip');
    await page.downloaded('manifests.zip');
    await saveDocuments(page, 'install-config', 'agent-config');
    const folder = join(page.downloads, 'site');
    mkdirSync(folder);
    runLines(
      `cp install-config.yaml agent-config.yaml site
      coreiso agent create cluster-manifests --dir site --release-image quay.example.test/ocp:4.20.3-x86_64 --openshift-version 4.20.3`,
      page.downloads,
    );
    const found = unzipped(join(page.downloads, 'manifests.zip'));
    expect(Object.keys(found).length).toBeGreaterThan(4);
    expect(contentsOf(folder)).toMatchObject(found);
    expect(page.complaints).toEqual([]);
  });
});
