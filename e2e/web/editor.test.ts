// What helps while one writes: findings underlined, fixes one click away, completion, explanations.
import { expect, test } from 'vitest';
import { describeWith } from '../../test/support/tools.ts';
import { BROWSERS, openChromium } from './support/browsers.ts';
import { runLines } from './support/command-line.ts';
import { Site } from './support/site.ts';
import { begin, COMMANDS, press, WITHOUT_PICKERS } from './support/steps.ts';

const SHADOW = `document.querySelector('.editor').shadowRoot`;

/** The lines of the editor that are drawn. */
const TEXT = `[...${SHADOW}.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`;

describeWith(['chromium', 'firefox-esr'], 'the editor', () => {
  test.each(BROWSERS)('underlines a mistake and mends it by one click, in %s', async (_, open) => {
    await using site = await Site.start();
    await using page = await open();
    await page.goto(site.url);
    await press(page, 'Write it here');
    await page.until(`document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content') != null`);
    await page.evaluate(`${SHADOW}.querySelector('.cm-content').focus()`);
    await page.type('hosts:\n- hostname: a\ninterfces:\n- name: eno1\nmacAddress: 52:54:00:00:00:01\n');
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
    await page.page.locator('.cm-line', { hasText: 'hostname: worker-0' }).first().click();
    await page.key('End');
    await page.key('Enter');
    await page.type('rol');
    await page.until(`${SHADOW}.querySelector('.cm-tooltip-autocomplete li[aria-selected]')?.textContent === 'role'`);
    // It takes no key for the first moment, so that none is meant for the text.
    await page.page.waitForTimeout(200);
    await page.key('Enter');
    await page.until(`${TEXT}.includes('  role: ')`);
    await page.key('Control+Space');
    await page.until(
      `[...${SHADOW}.querySelectorAll('.cm-tooltip-autocomplete li')].some((one) => one.textContent === 'worker')`,
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

  test('shows lines for a new cluster that the command line takes', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ before: WITHOUT_PICKERS });
    await page.goto(site.url);
    await press(page, 'New cluster');
    await begin(page, 'install-config', 'agent-config');
    await page.page.getByLabel('Release image').fill('quay.example.test/ocp:4.20.3-x86_64');
    await page.page.getByLabel('Version of the release').fill('4.20.3');
    await page.key('Tab');
    await press(page, 'Build');
    await page.until(`document.querySelector('.output strong')?.textContent === 'agent.x86_64.iso'`);
    await press(page, 'install-config', 'Save this file', 'agent-config', 'Save this file');
    await Promise.all([page.downloaded('install-config.yaml'), page.downloaded('agent-config.yaml')]);
    const check = await page.evaluate<string>(`document.querySelector('#documents .command code').textContent`);
    const said = runLines(`${check}\n${await page.evaluate<string>(COMMANDS)}`, page.downloads);
    expect(said).toContain('agent.x86_64.iso');
    expect(page.complaints).toEqual([]);
  });
});
