// The page in browsers: typed fields become YAML, and the picture is readable on the narrowest screen.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sampleState } from '@coreiso/nmstate';
import { drawNetworks, linksOf } from '@coreiso/nmstate/forms';
import { beforeAll, expect, test } from 'vitest';
import { FirefoxPage } from '../../../bench/src/firefox.ts';
import { Page } from '../../../e2e/support/chromium.ts';
import { STATES } from '../../../packages/nmstate/test/policy/cases.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { describeWith } from '../../../test/support/tools.ts';
import { hostConfig } from '../src/static-network.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = new URL('../index.html', import.meta.url);

/** Fills fields as a person would, and returns the shown text. */
function fill(fields: Readonly<Record<string, string>>): string {
  return `(() => {
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const input = document.querySelector('[name=' + name + ']');
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const text = (id) => document.getElementById(id).textContent;
    return JSON.stringify({ yaml: text('yaml'), error: text('error'), picture: document.querySelectorAll('svg .card').length });
  })()`;
}

/** Texts that overlap, leave their drawing or are too small to read. */
const UNREADABLE = `(() => {
  const faults = [];
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    if (boxes.length === 0) faults.push('no text');
    for (const { text, box } of boxes) {
      if (box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom) faults.push(text + ' leaves the drawing');
      if (box.height < 9) faults.push(text + ' is ' + box.height + ' high');
    }
    boxes.forEach(({ text, box }, index) => {
      for (const other of boxes.slice(index + 1)) {
        const isApart = box.right <= other.box.left || other.box.right <= box.left || box.bottom <= other.box.top || other.box.bottom <= box.top;
        if (!isApart) faults.push(text + ' overlaps ' + other.text);
      }
    });
  }
  return JSON.stringify(faults);
})()`;

const WIDE = Array.from(
  { length: 12 },
  (_, n) =>
    `- {name: averylongname${n}, type: vlan, state: down, mtu: 9000, vlan: {base-iface: enp130s0f${n}np0, id: ${n + 1}}, ipv4: {enabled: true, address: [{ip: 198.51.100.1${n}, prefix-length: 24}]}}\n`,
);
const MANY = `interfaces:\n${WIDE.join('')}- {name: br-everything, type: linux-bridge, bridge: {port: [${WIDE.map((_, n) => `{name: averylongname${11 - n}}`).join(', ')}]}}\n`;

describeWith(['chromium', 'firefox-esr'], 'the page', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs', 'examples/forms'], { cwd: root });
    expect(existsSync(new URL('../dist/page.js', import.meta.url))).toBe(true);
  });

  test.each([
    ['Chromium', Page.open],
    ['Firefox', FirefoxPage.open],
  ])('works in %s', async (_, open) => {
    await using shown = await open(page.href);
    const wide = { dns: '192.0.2.53', vlanId: 22, ipv4: { machineNetwork: '192.0.2.0/24', gateway: '192.0.2.1' } };
    const bond = { mode: '802.3ad', macAddress: '52:54:00:00:00:02' } as const;
    const expected = hostConfig(wide, { macAddress: '52:54:00:00:00:01', ipv4: '192.0.2.11', bond }).networkYaml;
    const fields = { vlanId: '22', ipv4: '192.0.2.11', mac2: bond.macAddress, bondMode: bond.mode };
    const filled = JSON.parse(String(await shown.evaluate(fill(fields))));
    expect(filled).toEqual({ yaml: expected, error: '', picture: 4 });
    expect(JSON.parse(String(await shown.evaluate(UNREADABLE)))).toEqual([]);
    const wrong = JSON.parse(String(await shown.evaluate(fill({ ipv4: '192.0.2' }))));
    expect(wrong).toMatchObject({ yaml: expected, error: expect.stringContaining("found '192.0.2/24'") });
  });

  test.each([
    ['Chromium', Page.open],
    ['Firefox', FirefoxPage.open],
  ])('pictures of all kinds of states are readable at 320 pixels in %s', async (_, open) => {
    const file = join(scratchFolder(), 'pictures.html');
    const states = [
      sampleState,
      MANY,
      ...Object.values(STATES),
      'interfaces: [{name: "网络接口名字很长很长很长", type: "<b>&"}]',
    ];
    const pictures = states.map((state) =>
      drawNetworks([{ title: 'a host with quite a long name.example.test', links: linksOf(state) }]),
    );
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><body style="margin:0;width:320px">${pictures.join('\n')}`,
    );
    await using shown = await open(pathToFileURL(file).href);
    expect(JSON.parse(String(await shown.evaluate(UNREADABLE)))).toEqual([]);
    expect(await shown.evaluate('document.documentElement.scrollWidth <= Math.max(320, innerWidth)')).toBe(true);
    expect(
      await shown.evaluate(
        '[...document.querySelectorAll("svg")].every((svg) => svg.getBoundingClientRect().width <= 320)',
      ),
    ).toBe(true);
  });
});

test('the page sends no requests to other servers', () => {
  expect(readFileSync(page, 'utf8')).not.toMatch(/https?:/);
});
