// The complete story from the README, from the empty page to the saved image.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeWith } from '../../test/support/tools.ts';
import { BROWSERS, openChromium } from './support/browsers.ts';
import { runLines } from './support/command-line.ts';
import { showEachView, TASKS } from './support/screens.ts';
import { Site } from './support/site.ts';
import { begin, COMMANDS, choose, nameRelease, press, saveDocuments, saved, WITHOUT_PICKERS } from './support/steps.ts';

const readme = readFileSync(fileURLToPath(new URL('../../examples/web/README.md', import.meta.url)), 'utf8');

/** The buttons that the README names, in order. */
const STEPS = [...(/^## Your first image\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '').matchAll(/^\d+\. .*$/gm)].map(
  ([line]) => [...line.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name),
);

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describeWith(['chromium', 'firefox-esr'], 'the page', () => {
  test.each(BROWSERS)('makes the same image as the command line when following the README, in %s', async (_, open) => {
    expect(STEPS.length).toBeGreaterThan(4);
    await using site = await Site.start();
    await using page = await open({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    for (const step of STEPS) await press(page, ...step);
    const image = await page.downloaded('node.x86_64.iso');
    await saveDocuments(page, 'nodes-config', 'Cluster facts');
    runLines(await page.evaluate<string>(COMMANDS), page.downloads);
    expect(sha256(image)).toBe(sha256(readFileSync(join(page.downloads, 'node.iso'))));
    await page.press('SHA-256: node.x86_64.iso');
    await page.until(`document.querySelector('.digest')?.textContent === '${sha256(image)}'`);
    runLines(
      await page.evaluate<string>(`document.querySelector('#documents .command code').textContent`),
      page.downloads,
    );
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('blob:'))).toEqual([]);
  });

  test.each([
    ['one image per host', [choose('Images', 'per-host')], ['worker-0.x86_64.iso', 'worker-1.x86_64.iso']],
    ['files for network boot', [choose('Form', 'pxe')], ['node.x86_64-initrd.img', 'node.x86_64-vmlinuz']],
    ['images that only get their network', [choose('How hosts join', 'network-only')], ['node.x86_64.iso']],
  ])('builds %s as the command line does', async (_, choices, names) => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    for (const choice of choices) await page.evaluate(choice);
    await press(page, 'Build');
    const images: Buffer[] = [];
    for (const name of names) images.push(await saved(page, `Save: ${name}`, name));
    await saveDocuments(page, 'nodes-config', 'Cluster facts');
    runLines(await page.evaluate<string>(COMMANDS), page.downloads);
    const made = (name: string): Buffer =>
      readFileSync(join(page.downloads, names.length === 1 ? 'node.iso' : join('images', name)));
    expect(names.map((name) => sha256(made(name)))).toEqual(images.map(sha256));
    expect(page.complaints).toEqual([]);
  });

  test.each(TASKS)('shows lines that work in a shell on each screen, task $task', async ({ task, documents }) => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await press(page, task);
    await begin(page, ...documents);
    if (task === 'New cluster') await nameRelease(page);
    await press(page, 'Build');
    await page.until(`document.querySelector('.output') !== null`);
    await saveDocuments(page, ...documents);
    const lines = [await page.evaluate<string>(COMMANDS)];
    lines.push(await page.evaluate<string>(`document.querySelector('#documents .command code').textContent`));
    const without: string[] = [];
    for await (const view of showEachView(page)) {
      const shown = await page.evaluate<string | null>(
        `document.querySelector('#look .foot:not([hidden]) code')?.textContent ?? null`,
      );
      if (shown === null) without.push(view);
      else lines.push(shown);
    }
    // The form writes into a document; the line of section 2 checks that document.
    expect(without).toEqual(['Form']);
    expect(runLines(lines.join('\n'), page.downloads)).not.toBe('');
    expect(page.complaints).toEqual([]);
  });
});
