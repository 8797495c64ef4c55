// Parts of the page in another team's page: the README's editor, built as written there.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { root } from '../../test/support/sources.ts';
import { describeWith } from '../../test/support/tools.ts';
import { BROWSERS } from './support/browsers.ts';
import { Site } from './support/site.ts';

const EXAMPLE = join(root, 'examples/web');
const [, EDITOR = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(EXAMPLE, 'README.md'), 'utf8')) ?? [];
const INDEX = `<!doctype html><html lang="en"><title>Mine</title><link rel="icon" href="./icon.svg"><div id="editor"></div>
<script type="module" src="./mine.ts"></script></html>`;

/** A page of a UI team, with the sources of this one beside it. */
async function buildOther(): Promise<string> {
  const { build } = await import('vite');
  const folder = scratchFolder();
  mkdirSync(join(folder, 'page'));
  for (const name of ['src', 'node_modules'])
    symlinkSync(name === 'src' ? join(EXAMPLE, name) : join(root, name), join(folder, 'page', name));
  writeFileSync(join(folder, 'page/index.html'), INDEX);
  writeFileSync(join(folder, 'page/mine.ts'), EDITOR);
  await build({
    configFile: false,
    root: join(folder, 'page'),
    base: './',
    publicDir: join(EXAMPLE, 'public'),
    logLevel: 'error',
    resolve: { conditions: ['@coreiso/source', 'browser', 'module', 'import', 'default'] },
    worker: { format: 'es' },
    build: { outDir: join(folder, 'dist'), target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  return join(folder, 'dist');
}

describeWith(['chromium', 'firefox-esr'], 'the editor of the README', () => {
  test('underlines a mistake in another page, under the strict policy', async () => {
    const dist = await buildOther();
    for (const [, open] of BROWSERS) {
      await using site = await Site.start(dist);
      await using page = await open();
      await page.goto(site.url);
      const shadow = `document.querySelector('#editor')?.shadowRoot`;
      await page.until(`${shadow}?.querySelector('.cm-content') != null`);
      await page.evaluate(`${shadow}.querySelector('.cm-content').focus()`);
      await page.type('hosts: [{hostname: a, interfces: [{name: eno1, macAddress: 52:54:00:00:00:01}]}]');
      await page.until(`${shadow}.querySelector('.cm-lintRange') !== null`);
      expect(page.complaints).toEqual([]);
    }
  });
});
