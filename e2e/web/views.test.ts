// Views and forms, by mouse and by keyboard alone.
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../test/support/tools.ts';
import { BROWSERS, type BrowserPage } from './support/browsers.ts';
import { Site } from './support/site.ts';
import { begin, press, WITHOUT_PICKERS } from './support/steps.ts';

const LOOK = `document.querySelector('#look .view')`;

/** Fills a form field by its name, as a person would. */
async function fillIn(page: BrowserPage, name: string, value: string | boolean): Promise<void> {
  const field = `${LOOK}.querySelector('[name=' + CSS.escape(${JSON.stringify(name)}) + ']')`;
  await page.until(`${field} !== null`);
  await page.evaluate(`(() => {
    const field = ${field};
    field.focus();
    if (field.type === 'checkbox') field.checked = ${JSON.stringify(value)};
    else field.value = ${JSON.stringify(value)};
    field.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
}

/** The text of the open document, as the editor has it. */
const TEXT = `[...document.querySelectorAll('#documents [id^=editor]')].map((host) => host.shadowRoot.querySelector('.cm-content').innerText).join('')`;

const marks = (page: BrowserPage): Promise<string[]> =>
  page.evaluate(`[...${LOOK}.querySelectorAll('.marked th, .marked dd')].map((one) => one.textContent)`);

/**
 * Moves the focus to the element with this name, with the tab key alone, forwards or backwards. Never past the end:
 * there the browser takes the keys, and an automated Firefox does not return the focus to the page.
 */
async function tabTo(page: BrowserPage, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab', what = '*'): Promise<void> {
  const found = `(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const label = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.childNodes[0]?.textContent ?? at?.textContent ?? '';
    return at?.matches(${JSON.stringify(what)}) && label.replace(/\\s+/g, ' ').trim() === ${JSON.stringify(name)};
  })()`;
  for (let steps = 0; steps < 120; steps += 1) {
    if (await page.evaluate<boolean>(found)) return;
    // Inside the editor the tab key indents.
    if (await page.evaluate<boolean>(`document.activeElement?.shadowRoot?.activeElement != null`))
      await page.key('Escape');
    await page.key(key);
    if (!(await page.evaluate<boolean>('document.hasFocus()'))) break;
  }
  throw new Error(`no way to ${name} by the tab key`);
}

async function saveByKeyboard(page: BrowserPage): Promise<void> {
  await page.until(
    `[...document.querySelectorAll('#save button')].some((one) => one.textContent === 'Build' && !one.disabled)`,
  );
  await tabTo(page, 'Build');
  await page.key('Enter');
  await page.until(`document.querySelector('#save [aria-label^="Save: "]') !== null`);
  await tabTo(page, 'Save: node.x86_64.iso');
  await page.key('Enter');
  expect((await page.downloaded('node.x86_64.iso')).includes('CD001')).toBe(true);
}

describeWith(['chromium', 'firefox-esr'], 'the views', () => {
  describe.each(BROWSERS)('in %s', (_, open) => {
    test('a form bonds two cards and puts a VLAN with an address on top, and changes are marked', async () => {
      await using site = await Site.start();
      await using page = await open();
      await page.goto(site.url);
      await begin(page, 'nodes-config');
      await press(page, 'Network');
      await page.until(`${LOOK}.querySelector('svg.coreiso-network') !== null`);
      expect(await marks(page)).toEqual([]);
      await press(page, 'Form');
      await fillIn(page, 'add.kind', 'bond');
      await fillIn(page, 'add.name', 'bond7');
      await fillIn(page, 'add.ports.eno1', false);
      await fillIn(page, 'add.ports.eno1', true);
      await press(page, 'Add');
      await page.until(`${TEXT}.includes('name: bond7')`);
      await fillIn(page, 'add.kind', 'vlan');
      await fillIn(page, 'add.base', 'bond7');
      await fillIn(page, 'add.id', '4095');
      await press(page, 'Add');
      await page.until(`${LOOK}.innerText.includes('VLAN ID 4095 is out of range')`);
      expect(await page.evaluate(`${TEXT}.includes('bond7.4095')`)).toBe(false);
      const [vlan] = await page.evaluate<string[]>(
        `[...${LOOK}.querySelectorAll('[aria-invalid=true]')].map((field) => field.name)`,
      );
      expect(vlan).toMatch(/^network\.interfaces\.\d+\.id$/);
      await fillIn(page, vlan ?? '', '20');
      await fillIn(page, (vlan ?? '').replace('.id', '.name'), 'bond7.20');
      await fillIn(page, (vlan ?? '').replace('.id', '.ipv4'), 'static');
      await fillIn(page, (vlan ?? '').replace('.id', '.ipv4.addresses'), '198.51.100.20/24');
      await press(page, 'Network');
      await page.until(`${LOOK}.innerText.includes('198.51.100.20/24')`);
      await page.until(`${LOOK}.querySelectorAll('svg .marked').length > 1`);
      expect(await marks(page)).toEqual(expect.arrayContaining(['bond7 new', 'bond7.20 new']));
      await press(page, 'Mark all as seen');
      expect(await marks(page)).toEqual([]);
      expect(page.complaints).toEqual([]);
    });

    test('secrets of a config are shown only on request', async () => {
      await using site = await Site.start();
      await using page = await open();
      await page.goto(site.url);
      await begin(page, 'nodes-config', 'Cluster facts');
      await press(page, 'Ignition', 'Unfold all');
      await page.until(`${LOOK}.innerText.includes('/etc/coreiso/worker.ign')`);
      // The plan of the cluster facts may come later and fold its branches.
      await page.until(
        `([...document.querySelectorAll('#look button')].find((one) => one.textContent === 'Unfold all')?.click(), ${LOOK}.textContent.includes('<redacted>'))`,
      );
      await press(page, 'Show secrets');
      await page.until(`!${LOOK}.textContent.includes('<redacted>')`);
      await press(page, 'Hide secrets');
      await page.until(`${LOOK}.textContent.includes('<redacted>')`);
      expect(page.complaints).toEqual([]);
    });

    test('the keyboard alone leads from the empty page to the saved image', async () => {
      await using site = await Site.start();
      await using page = await open({ before: WITHOUT_PICKERS });
      await page.goto(site.url);
      for (const step of ['Try it with a sample image', 'Start from a template']) {
        await tabTo(page, step);
        await page.key('Enter');
      }
      await page.until(`document.querySelector('#image.done') !== null && ${LOOK}.querySelector('input') !== null`);
      await tabTo(page, 'Host name');
      await page.key('End');
      await page.type('-by-keyboard');
      await page.key('Tab');
      await page.until(`${TEXT}.includes('hostname: worker-0-by-keyboard')`);
      await tabTo(page, 'Form', 'Shift+Tab', '[role=tab]');
      await page.key('ArrowRight');
      await page.until(`${LOOK}.innerText.includes('Interfaces') && ${LOOK}.querySelector('svg') !== null`);
      expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Network');
      await saveByKeyboard(page);
      expect(page.complaints).toEqual([]);
    });
  });
});
