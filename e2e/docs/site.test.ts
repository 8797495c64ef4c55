// The site from `npm run docs:build` in a browser: axe-core finds nothing, no other server gets a request, the search works.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../test/support/sources.ts';
import { describeWith } from '../../test/support/tools.ts';
import { openChromium } from '../web/support/browsers.ts';
import { Site } from '../web/support/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const dist = join(root, 'docs/.vitepress/dist');

/** One page of each kind. */
const PAGES = [
  '',
  'start/five-minutes.html',
  'guides/from-coreos-installer.html',
  'how/image.html',
  'formats/journal.html',
  'reference/commands/iso.html',
  'reference/findings/cluster.html',
  'reference/api/language.html',
  'reference/packages/iso.html',
  'developers/add-a-command.html',
];

describeWith(['chromium'], 'the site', () => {
  test('was built', () => {
    expect(existsSync(join(dist, 'index.html')), 'npm run docs:build').toBe(true);
  });

  test.each(['light', 'dark'] as const)('has no findings of axe-core, in %s colours', async (colorScheme) => {
    await using site = await Site.start(dist, '');
    await using page = await openChromium({ colorScheme });
    const found: Record<string, string[]> = {};
    for (const path of PAGES) {
      await page.goto(site.url + path);
      await page.evaluate(`(() => { ${AXE} })()`);
      found[path] = await page.evaluate<string[]>(`axe
        .run({ resultTypes: ['violations'], preload: false })
        .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
    }
    const faults = Object.entries(found).filter(([, list]) => list.length > 0);
    expect(Object.fromEntries(faults)).toEqual({});
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
  });

  test('searches without a server', async () => {
    await using site = await Site.start(dist, '');
    await using page = await openChromium();
    await page.goto(`${site.url}start/five-minutes.html`);
    await page.key('Control+k');
    await page.until("document.querySelector('#localsearch-input') !== null");
    await page.type('growth record');
    await page.until('document.querySelector(\'a.result[href*="formats/growth-record"]\') !== null');
    expect(page.requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
  });
});
