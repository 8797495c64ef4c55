// The picture of the page in README.md and docs/. To take it again:
//   COREISO_PICTURE=1 npx vitest run --project web e2e/web/picture.test.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { root } from '../../test/support/sources.ts';
import { describeWith } from '../../test/support/tools.ts';
import { openChromium } from './support/browsers.ts';
import { palettePng } from './support/palette-png.ts';
import { Site } from './support/site.ts';
import { drop, press } from './support/steps.ts';

const PICTURE = join(root, 'docs/public/page.png');
const WIDTH = 1400;
const MOST_BYTES = 150_000;

const CONFIG = `hosts:
- hostname: worker-0
  rootDeviceHints:
    deviceName: /dev/nvme0n1
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:20
  - name: eno2
    macAddress: 52:54:00:00:00:21
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
    - name: eno2
      type: ethernet
      state: up
    - name: bond0
      type: bond
      state: up
      link-aggregation:
        mode: 802.3ad
        port: [eno1, eno2]
    - name: bond0.20
      type: vlan
      state: up
      vlan:
        base-iface: bond0
        id: 20
      ipv4:
        enabled: true
        address:
        - ip: 192.0.2.20
          prefix-length: 24
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: 192.0.2.1
        next-hop-interface: bond0.20
    dns-resolver:
      config:
        server: [192.0.2.53]
`;

/** The pixels of the window, four bytes each. */
async function pixelsOf(page: Page): Promise<Uint8Array> {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  const blank = await page.context().newPage();
  const pixels = await blank.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let text = '';
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return btoa(text);
  })()`);
  return Buffer.from(pixels, 'base64');
}

describeWith(['chromium'], 'the picture of the page', () => {
  test('shows an image, a host, its network and the command, and is small', async () => {
    await using site = await Site.start();
    await using page = await openChromium({ width: WIDTH, height: 1150 });
    await page.goto(site.url);
    await press(page, 'Try it with a sample image', 'Cluster facts', 'Start from a template');
    await page.evaluate(drop('nodes-config.yaml', `[${JSON.stringify(CONFIG)}]`));
    await press(page, 'nodes-config', 'Network');
    await page.until(`document.querySelector('#look svg')?.textContent.includes('bond0.20')`);
    await page.until(`!document.querySelector('#build').disabled`);
    await page.until(`document.querySelector('.findings-summary')?.textContent === 'No problems found.'`);
    if (process.env['COREISO_PICTURE'] !== undefined) {
      // The installed fonts determine its height.
      const below = await page.evaluate<string[]>(
        `['#image', '.editor', '#look svg', '#build', '#save .command'].filter((one) => document.querySelector(one).getBoundingClientRect().bottom > innerHeight)`,
      );
      expect(below).toEqual([]);
      writeFileSync(PICTURE, palettePng(await pixelsOf(page.page), WIDTH));
    }
    const picture = readFileSync(PICTURE);
    // PNG 11.2.2: the width is the first field of the first chunk.
    expect(picture.readUInt32BE(16)).toBe(WIDTH);
    expect(picture.length).toBeLessThan(MOST_BYTES);
    expect(page.complaints).toEqual([]);
  });
});
