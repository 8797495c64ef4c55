// Ways out of the tab: into a picked file, into the image itself and back, and a large image that memory never holds.
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { describeWith } from '../../test/support/tools.ts';
import { openChromium } from './support/browsers.ts';
import { runLines } from './support/command-line.ts';
import { Site } from './support/site.ts';
import { COMMANDS, press } from './support/steps.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Files with real handles, in the browser's own file system: the prompt that lets a page write to a file elsewhere is shown by
 * no browser without a window. The base is there, and pickers choose it or `saved.iso`.
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
  window.showOpenFilePicker = async () => (await window.ready, [await window.handleOf('base.iso')]);
  window.showSaveFilePicker = async ({ suggestedName }) => window.handleOf(suggestedName);
`;

describeWith(['chromium'], 'saving', () => {
  test('streams into a picked file, and writes into the image itself and back', async () => {
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

    expect(await page.evaluate(`document.querySelector('.in-place').innerText`)).toMatch(
      /copies the file aside first, so 1 MiB/,
    );
    await press(page, 'Write into base.iso itself');
    await page.until(`document.body.innerText.includes('Saved base.iso')`);
    expect(await page.evaluate(`window.sha256Of('base.iso')`)).toBe(wanted);
    await press(page, 'Undo');
    await page.until(`document.body.innerText.includes('as it was before')`);
    expect(await page.evaluate(`window.sha256Of('base.iso')`)).toBe(sha256(base));
    expect(page.complaints).toEqual([]);
  });

  test('costs under 100 MB for an image of 4 GiB', async () => {
    const folder = scratchFolder();
    runLines('coreiso sample-iso base.iso', folder);
    const size = 4 * 2 ** 30;
    const file = openSync(join(folder, 'base.iso'), 'r+');
    ftruncateSync(file, size);
    writeSync(file, 'the end', size - 7);
    closeSync(file);
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
    await (await chosen).setFiles(join(folder, 'base.iso'));
    await press(page, 'Any live image', 'Network state', 'Start from a template', 'Build', 'Save: base-customized.iso');
    await page.until('window.saved !== undefined');
    expect(await page.evaluate('window.saved.size')).toBe(size);
    expect(await page.evaluate('window.saved.slice(-7).text()')).toBe('the end');
    const after = await page.memory();
    console.info(`4 GiB: ${before} MB before, ${after} MB after`);
    expect(after - before).toBeLessThan(100);
  });
});
