// Help while typing: underlined findings, fixes one click away, completion, explanations.
import { expect, test } from 'vitest';
import { describeWith } from '../../test/support/tools.ts';
import { BROWSERS, openChromium } from './support/browsers.ts';
import { Site } from './support/site.ts';
import { press } from './support/steps.ts';

const SHADOW = `document.querySelector('.editor').shadowRoot`;

/** The visible lines of the editor. */
const TEXT = `[...${SHADOW}.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`;

describeWith(['chromium', 'firefox-esr'], 'the editor', () => {
  test.each(BROWSERS)('underlines a mistake and repairs it by one click, in %s', async (_, open) => {
    await using site = await Site.start();
    await using page = await open();
    await page.goto(site.url);
    await press(page, 'Write it here');
    await page.until(`document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content') != null`);
    await page.evaluate(`${SHADOW}.querySelector('.cm-content').focus()`);
    // On one line: the indentation of a new line depends on how far the editor has read.
    await page.type('hosts: [{hostname: a, interfces: [{name: eno1, macAddress: 52:54:00:00:00:01}]}]');
    await page.until(`${SHADOW}.querySelector('.cm-lintRange') !== null`);
    await press(page, 'Rename `interfces` to `interfaces`');
    await page.until(`${TEXT}.includes('interfaces:')`);
    expect(await page.evaluate(TEXT)).not.toContain('interfces');
    expect(page.complaints).toEqual([]);
  });

  test('completes and explains keys', async () => {
    await using site = await Site.start();
    await using page = await openChromium();
    await page.goto(site.url);
    await press(page, 'Start from a template');
    await page.until(`document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content') != null`);
    await page.page.locator('.cm-line', { hasText: 'deviceName: /dev/sda' }).first().click();
    await page.key('End');
    await page.key('Enter');
    await page.type('rota');
    await page.until(
      `${SHADOW}.querySelector('.cm-tooltip-autocomplete li[aria-selected]')?.textContent === 'rotational'`,
    );
    // Completion ignores keys for a moment after it opens.
    await page.page.waitForTimeout(200);
    await page.key('Enter');
    await page.until(`${TEXT}.includes('    rotational: ')`);
    await page.key('Control+Space');
    await page.until(
      `[...${SHADOW}.querySelectorAll('.cm-tooltip-autocomplete li')].some((one) => one.textContent === 'true')`,
    );
    await page.key('Escape');
    await page.page
      .locator('.cm-line', { hasText: 'rootDeviceHints:' })
      .first()
      .locator('span', { hasText: 'rootDeviceHints' })
      .last()
      .hover();
    await page.until(`${SHADOW}.querySelector('.explanation')?.textContent.includes('rootDeviceHints')`);
    expect(page.complaints).toEqual([]);
  });
});
