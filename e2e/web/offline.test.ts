// After its first use, the page needs no server; a new version waits for the next visit and is announced.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { describeWith } from '../../test/support/tools.ts';
import { openChromium } from './support/browsers.ts';
import { Site } from './support/site.ts';
import { begin, press } from './support/steps.ts';

const dist = fileURLToPath(new URL('../../examples/web/dist', import.meta.url));

const KEPT = `(async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.active?.state === 'activated';
})()`;

describeWith(['chromium'], 'offline', () => {
  test('builds without a server, announces a new version, and has it at the next visit', async () => {
    const folder = join(scratchFolder(), 'dist');
    cpSync(dist, folder, { recursive: true });
    await using site = await Site.start(folder);
    await using page = await openChromium();
    await page.goto(site.url);
    await press(page, 'Try it with a sample image');
    for (let patience = 200; !(await page.evaluate<boolean>(KEPT)); patience--) {
      if (patience === 0) throw new Error('the service worker never became active');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await page.page.context().setOffline(true);
    await page.goto(site.url);
    await begin(page, 'nodes-config', 'Cluster facts');
    await press(page, 'Build');
    await page.until(`document.querySelector('.output') !== null`);
    expect(page.complaints).toEqual([]);

    await page.page.context().setOffline(false);
    const worker = join(folder, 'offline.js');
    writeFileSync(worker, readFileSync(worker, 'utf8').replace(/'coreiso-\w+'/, "'coreiso-newer'"));
    await page.goto(site.url);
    await page.until(`document.querySelector('#new-version') !== null`);
    expect(await page.evaluate('caches.keys()')).toHaveLength(2);
    expect(await page.evaluate(`document.querySelector('#new-version').innerText`)).toContain('next visit');

    await page.goto('about:blank');
    await page.goto(site.url);
    await page.until(`caches.keys().then((names) => names.join() === 'coreiso-newer')`);
    await page.until(`navigator.serviceWorker.controller?.state === 'activated'`);
    expect(await page.evaluate(`document.querySelector('#new-version')`)).toBe(null);
    expect(page.complaints).toEqual([]);
  });
});
