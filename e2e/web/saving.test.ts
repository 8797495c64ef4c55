// Saving: into a picked file, into the image itself with undo, and a large image that never fits in memory.
import { createHash } from 'node:crypto';
import { closeSync, cpSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { describeWith } from '../../test/support/tools.ts';
import { openChromium } from './support/browsers.ts';
import { runLines } from './support/command-line.ts';
import { manyHosts } from './support/hosts.ts';
import { Site } from './support/site.ts';
import {
  type Chromium,
  COMMANDS,
  choose,
  drop,
  dropFile,
  press,
  saveDocuments,
  WITHOUT_PICKERS,
} from './support/steps.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Files with real handles in the browser's own file system, because headless browsers have no pickers. The base is
 * there, and pickers return it or a file of the given name.
 */
const PICKERS = (base: Buffer): string => `
  const files = navigator.storage.getDirectory();
  window.handleOf = async (name) => (await files).getFileHandle(name, { create: true });
  window.textOf = async (name) => (await (await window.handleOf(name)).getFile()).arrayBuffer();
  window.sha256Of = async (name) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', await window.textOf(name)))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');
  window.ready = (async () => {
    const writable = await (await window.handleOf('base.iso')).createWritable();
    await writable.write(Uint8Array.from(atob('${base.toString('base64')}'), (one) => one.charCodeAt(0)));
    await writable.close();
  })();
  window.namesKept = async () => (await Array.fromAsync((await files).keys())).sort();
  window.showOpenFilePicker = async () => (await window.ready, [await window.handleOf('base.iso')]);
  window.showSaveFilePicker = async ({ suggestedName }) => window.handleOf(suggestedName);
`;

const LARGE = 4 * 2 ** 30;

/** Makes the base of a folder a sparse file of 4 GiB. */
function largeImage(folder: string): string {
  const path = join(folder, 'base.iso');
  const file = openSync(path, 'r+');
  ftruncateSync(file, LARGE);
  writeSync(file, 'the end', LARGE - 7);
  closeSync(file);
  return path;
}

/** Presses Cancel after part of the work. */
async function cancelUnderWay(page: Chromium): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const work = document.querySelector('#save .work:not([hidden])');
      if (work?.querySelector('progress').value > 0) resolve(work.querySelector('button').click());
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

describeWith(['chromium'], 'saving', () => {
  test('streams into a picked file', async () => {
    const folder = scratchFolder();
    runLines('coreiso sample-iso base.iso', folder);
    const base = readFileSync(join(folder, 'base.iso'));
    await using site = await Site.start();
    await using page = await openChromium({ before: PICKERS(base) });
    await page.goto(site.url);
    await press(page, 'Choose a file…', 'Any live image', 'Network state', 'Start from a template', 'Build');
    await press(page, 'Save: base-customized.iso');
    await page.until(`document.body.innerText.includes('Saved base-customized.iso')`);
    const wanted = await page.evaluate<string>(`window.sha256Of('base-customized.iso')`);
    expect(wanted).not.toBe(sha256(base));
    await press(page, 'Save this file');
    await page.downloaded('network.yaml');
    runLines(`cp network.yaml ${folder}`, page.downloads);
    runLines(await page.evaluate(COMMANDS), folder);
    expect(sha256(readFileSync(join(folder, 'base-customized.iso')))).toBe(wanted);

    expect(page.complaints).toEqual([]);
  });

  test('writes into a file on disk that was dropped on the page, continues from it, and undoes the change', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'base.iso');
    runLines('coreiso sample-iso base.iso', folder);
    const base = sha256(readFileSync(path));
    await using site = await Site.start();
    await using page = await openChromium({
      before: WITHOUT_PICKERS,
      writable: { origin: new URL(site.url).origin, path },
    });
    await page.goto(site.url);
    await dropFile(page, path);
    await press(page, 'Any live image', 'Network state', 'Start from a template', 'Build');
    await page.until(`document.querySelector('.in-place') !== null`);
    expect(await page.evaluate(`document.querySelector('.in-place').innerText`)).toMatch(
      /copies the file aside first, so it needs 1 MiB of free/,
    );
    await press(page, 'Save this file');
    await page.downloaded('network.yaml');
    const wanted = join(scratchFolder(), 'wanted');
    cpSync(folder, wanted, { recursive: true });
    runLines(`cp network.yaml ${wanted}`, page.downloads);
    runLines(await page.evaluate(COMMANDS), wanted);

    // Only a user's action may request the permission.
    await page.page.click('.in-place-save');
    await page.until(`document.querySelector('#save').innerText.includes('Saved base.iso')`);
    expect(sha256(readFileSync(path))).toBe(sha256(readFileSync(join(wanted, 'base-customized.iso'))));
    await page.until(`document.querySelector('#image').innerText.includes('customised before')`);

    await press(page, 'Build', 'SHA-256: base-customized.iso');
    await page.until(`document.querySelector('.digest')?.textContent.length === 64`);
    await press(page, 'Undo');
    await page.until(`document.querySelector('#save').innerText.includes('base.iso is as it was before')`);
    expect(sha256(readFileSync(path))).toBe(base);
    await page.until(`document.querySelector('#image').innerText.includes('as released')`);
    expect(readdirSync(folder)).toEqual(['base.iso']);
    expect(page.complaints).toEqual([]);
  });

  test('reports a missing permission to write, and leaves the file alone', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'base.iso');
    runLines('coreiso sample-iso base.iso', folder);
    const base = sha256(readFileSync(path));
    await using site = await Site.start();
    await using page = await openChromium({
      before: `${WITHOUT_PICKERS} FileSystemHandle.prototype.requestPermission = async () => 'denied';`,
    });
    await page.goto(site.url);
    await dropFile(page, path);
    await press(
      page,
      'Any live image',
      'Network state',
      'Start from a template',
      'Build',
      'Write into base.iso itself',
    );
    await page.until(`document.querySelector('#save').innerText.includes('does not let this page write to base.iso')`);
    expect(sha256(readFileSync(path))).toBe(base);
  });

  test('leaves nothing behind when a save is cancelled, and continues', async () => {
    const folder = scratchFolder();
    runLines('coreiso sample-iso base.iso', folder);
    const base = readFileSync(join(folder, 'base.iso'));
    const large = largeImage(folder);
    await using site = await Site.start();
    await using page = await openChromium({ before: PICKERS(base) });
    await page.goto(site.url);
    await dropFile(page, large);
    await press(page, 'Any live image', 'Network state', 'Start from a template', 'Build');
    await press(page, 'Save: base-customized.iso');
    await cancelUnderWay(page);
    await page.until(`document.querySelector('#save').innerText.includes('Cancelled.')`);
    await page.until(`window.namesKept().then((names) => names.join() === 'base.iso')`);

    await press(page, 'SHA-256: base-customized.iso');
    await cancelUnderWay(page);
    await page.until(`document.querySelector('#save .work').hidden`);
    expect(await page.evaluate(`document.querySelector('.digest').hidden`)).toBe(true);

    await press(page, 'Another image', 'Choose a file…', 'Build', 'Save: base-customized.iso');
    await page.until(`document.querySelector('#save').innerText.includes('Saved base-customized.iso')`);
    expect(page.complaints).toEqual([]);
  });

  test('leaves nothing behind when a build is cancelled, and builds again', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await press(page, 'Try it with a sample image');
    await page.evaluate(drop('nodes-config.yaml', `[${JSON.stringify(manyHosts(100))}]`));
    await page.evaluate(choose('Images', 'per-host'));
    await press(page, 'Build');
    await cancelUnderWay(page);
    await page.until(`document.querySelector('#save').innerText.includes('Cancelled.')`);
    expect(await page.evaluate(`document.querySelectorAll('.output').length`)).toBe(0);
    await page.evaluate(choose('Images', 'all-hosts'));
    await press(page, 'Build', 'Save: node.x86_64.iso');
    await saveDocuments(page, 'nodes-config');
    const image = await page.downloaded('node.x86_64.iso');
    runLines(await page.evaluate(COMMANDS), page.downloads);
    expect(sha256(image)).toBe(sha256(readFileSync(join(page.downloads, 'node.iso'))));
    expect(page.complaints).toEqual([]);
  });

  test('costs under 100 MB for an image of 4 GiB', async () => {
    const folder = scratchFolder();
    runLines('coreiso sample-iso base.iso', folder);
    const large = largeImage(folder);
    await using site = await Site.start();
    await using page = await openChromium({
      before: `
        delete window.showSaveFilePicker;
        delete window.showOpenFilePicker;
        const createObjectURL = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.saved = blob; return createObjectURL.call(URL, new Blob(['the page saves a Blob'])); };
      `,
    });
    await page.goto(site.url);
    const before = await page.memory();
    const chosen = page.page.waitForEvent('filechooser');
    await press(page, 'Choose a file…');
    await (await chosen).setFiles(large);
    await press(page, 'Any live image', 'Network state', 'Start from a template', 'Build', 'Save: base-customized.iso');
    await page.until('window.saved !== undefined');
    expect(await page.evaluate('window.saved.size')).toBe(LARGE);
    expect(await page.evaluate('window.saved.slice(-7).text()')).toBe('the end');
    // Discarded memory counts until it is collected.
    await expect.poll(async () => (await page.memory()) - before, { timeout: 60_000, interval: 500 }).toBeLessThan(100);
    console.info(`4 GiB: ${before} MB before, ${await page.memory()} MB after`);
  });
});
