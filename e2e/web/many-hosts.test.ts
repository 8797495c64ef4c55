// With 500 hosts in the editor: counts repeated work at each key stroke, so that slow and fast machines give the same result.
import { expect, test } from 'vitest';
import { describeWith } from '../../test/support/tools.ts';
import { type BrowserPage, openChromium } from './support/browsers.ts';
import { manyHosts } from './support/hosts.ts';
import { showEachView } from './support/screens.ts';
import { Site } from './support/site.ts';
import { drop } from './support/steps.ts';

const KEYS = 12;

/** Views that show most of a document, or write into it. */
const COSTLY = ['Form', 'Network', 'Ignition'];

/** Counts messages to workers, and new elements outside the editor. */
const COUNTERS = `
  window.counted = { sent: {}, made: 0 };
  const lengthOf = (value, depth = 0) => typeof value === 'string' ? value.length
    : typeof value === 'object' && value !== null && depth < 5 ? Object.values(value).reduce((sum, one) => sum + lengthOf(one, depth + 1), 0) : 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const { sent } = window.counted;
    const name = (message.method ?? 'abort') + (lengthOf(message) > 10000 ? ' with the text' : '');
    sent[name] = (sent[name] ?? 0) + 1;
    return post.call(this, message, ...rest);
  };
  const count = (nodes) => { for (const node of nodes) if (node.nodeType === 1) window.counted.made += 1 + node.querySelectorAll('*').length; };
  addEventListener('DOMContentLoaded', () => new MutationObserver((records) => { for (const { addedNodes } of records) count(addedNodes); }).observe(document.body, { childList: true, subtree: true }));
`;

interface Counted {
  readonly sent: Readonly<Record<string, number>>;
  readonly made: number;
}

const EDITOR = `document.querySelector('#documents [id^=editor]').shadowRoot.querySelector('.cm-content')`;

/** Types twelve keys beside each of those views, until everything is quiet again. */
async function countTyping(page: BrowserPage, hosts: number): Promise<Readonly<Record<string, Counted>>> {
  await page.evaluate(drop('nodes-config.yaml', `[${JSON.stringify(manyHosts(hosts))}]`));
  await page.until(`document.querySelectorAll('.host-picker option').length === ${hosts}`);
  const counted: Record<string, Counted> = {};
  for await (const view of showEachView(page)) {
    if (!COSTLY.includes(view)) continue;
    await page.evaluate(`${EDITOR}.focus()`);
    await quiet(page);
    await page.evaluate('window.counted = { sent: {}, made: 0 }');
    for (let key = 0; key < KEYS; key += 1) await page.key(key % 2 === 0 ? 'a' : 'Backspace');
    await quiet(page);
    counted[view] = await page.evaluate<Counted>('window.counted');
  }
  return counted;
}

/** Waits until there are no messages and no changes for longer than any pause. */
async function quiet(page: BrowserPage): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let last = '';
    let since = performance.now();
    const look = () => {
      const now = JSON.stringify(window.counted);
      if (now !== last) [last, since] = [now, performance.now()];
      if (performance.now() - since > 900) resolve();
      else setTimeout(look, 50);
    };
    look();
  })`);
}

describeWith(['chromium'], 'a document of 500 hosts', () => {
  test('is read once per key stroke, and planned when typing pauses, beside the largest views', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: COUNTERS });
    await page.goto(site.url);
    await page.press('Try it with a sample image');
    for (const [view, { sent, made }] of Object.entries(await countTyping(page, 500))) {
      const { 'open with the text': opened, ...others } = sent;
      expect(opened, view).toBe(KEYS);
      const said = `${view}: ${JSON.stringify({ sent, made })}`;
      // A slow machine pauses more often, but never more often than once per key stroke.
      for (const [name, count] of Object.entries(others))
        if (name.endsWith(' with the text')) expect(count, said).toBeLessThanOrEqual(KEYS);
      // Each answer may show a list of findings again, and a view; the number of hosts adds nothing.
      const answers = (sent['findings'] ?? 0) + (sent['fixes'] ?? 0) + (sent['plan with the text'] ?? 0);
      expect(made, said).toBeLessThanOrEqual(500 * (answers + 1));
    }
    expect(page.complaints).toEqual([]);
  });
});
