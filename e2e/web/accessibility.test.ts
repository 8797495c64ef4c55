// axe-core on every screen, in both colour schemes; and no element is wider than a narrow screen.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../test/support/tools.ts';
import { type BrowserPage, openChromium, openFirefox } from './support/browsers.ts';
import { SCREENS, showEachView, TASKS } from './support/screens.ts';
import { Site } from './support/site.ts';
import { begin } from './support/steps.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The findings of axe, one per line. The policy of the page applies to its own scripts; this one comes from the test.
 */
async function judge(page: BrowserPage, part = 'body'): Promise<string[]> {
  await page.evaluate(`window.axe === undefined && (() => { ${AXE} })()`);
  return await page.evaluate<string[]>(`axe
    .run(${JSON.stringify(part)}, { resultTypes: ['violations'], preload: false })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))`);
}

const faultsOf = (found: Readonly<Record<string, readonly string[]>>): object =>
  Object.fromEntries(Object.entries(found).filter(([, faults]) => faults.length > 0));

describeWith(['chromium', 'firefox-esr'], 'every screen', () => {
  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test.each(TASKS)('has no findings of axe-core, task $task', async ({ task, documents }) => {
      await using site = await Site.start();
      await using page = await openChromium({ colorScheme });
      await page.goto(site.url);
      await page.press(task);
      const found = { empty: await judge(page) };
      await begin(page, ...documents);
      for await (const view of showEachView(page, `${task}-${colorScheme}`))
        Object.assign(found, { [view]: await judge(page, '#look') });
      Object.assign(found, { filled: await judge(page) });
      expect(faultsOf(found)).toEqual({});
      expect(page.complaints).toEqual([]);
    });
  });

  test('has no findings of axe-core in Firefox', async () => {
    await using site = await Site.start();
    await using page = await openFirefox();
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    const found = { filled: await judge(page) };
    for await (const view of showEachView(page)) Object.assign(found, { [view]: await judge(page, '#look') });
    expect(faultsOf(found)).toEqual({});
  });

  test.each(SCREENS)('fits %s pixels', async (width) => {
    await using site = await Site.start();
    await using page = await openChromium({ width });
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    for await (const view of showEachView(page, `${width}`)) {
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(width);
    }
  });
});
