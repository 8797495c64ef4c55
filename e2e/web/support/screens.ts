// All screens of the page, one after the other.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserPage } from './browsers.ts';
import type { FILES } from './steps.ts';

/** Tasks by their names on the page, and the documents of each. */
export const TASKS: readonly { readonly task: string; readonly documents: readonly (keyof typeof FILES)[] }[] = [
  { task: 'Add nodes', documents: ['nodes-config', 'Cluster facts'] },
  { task: 'New cluster', documents: ['install-config', 'agent-config'] },
  { task: 'Any live image', documents: ['Network state', 'Ignition config'] },
];

/** A telephone, a tablet, a desktop. */
export const SCREENS: readonly number[] = [360, 800, 1400];

const VIEWS = `[...document.querySelectorAll('#look [role=tab]')].map((tab) => tab.textContent)`;

/** Shows each view of the task, expanded; COREISO_SHOTS names a folder for a picture of each. */
export async function* showEachView(page: BrowserPage, name = ''): AsyncGenerator<string> {
  const folder = process.env['COREISO_SHOTS'] ?? '';
  for (const view of await page.evaluate<string[]>(VIEWS)) {
    await page.evaluate(
      `[...document.querySelectorAll('#look [role=tab]')].find((tab) => tab.textContent === ${JSON.stringify(view)}).click()`,
    );
    await page.until(
      `document.querySelector('#look .view .stack > *') !== null && !document.querySelector('#look .view').textContent.includes('Working…') && !document.querySelector('#look .view').textContent.includes('Loading…')`,
    );
    if (await page.evaluate<boolean>(`document.querySelector('#look .view').textContent.includes('cannot be shown')`))
      throw new Error(await page.evaluate<string>(`document.querySelector('#look .view').textContent`));
    await page.evaluate(`[...document.querySelectorAll('#look details')].forEach((one) => { one.open = true; })`);
    if (folder !== '') {
      mkdirSync(folder, { recursive: true });
      await page.screenshot(join(folder, `${[name, view].filter(Boolean).join('-').replaceAll(' ', '-')}.png`));
    }
    yield view;
  }
}
