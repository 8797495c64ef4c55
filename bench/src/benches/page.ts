import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import type { Bench } from '../frame.ts';

/** Built by `npm run build`. */
const PAGE = fileURLToPath(new URL('../../examples/web/dist', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

const host = (number: number): string => `- hostname: worker-${number}
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:${hex(number >> 8)}:${hex(number & 255)}
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4:
        enabled: true
        address:
        - ip: 10.0.${Math.floor(number / 200)}.${(number % 200) + 10}
          prefix-length: 16
`;

/** The script that opens a config with this many hosts. */
const OPEN = (hosts: number): string => `(() => {
  const data = new DataTransfer();
  data.items.add(new File([${JSON.stringify(`hosts:\n${Array.from({ length: hosts }, (_, number) => host(number)).join('')}`)}], 'nodes-config.yaml'));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
})()`;

const JUDGED = `document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content') != null
  && document.querySelector('.findings-summary')?.textContent !== ''`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Milliseconds of processor time of the page's longest task, from opening the config to the end of the work after
 * typing.
 */
async function longestTask(browser: Browser, url: string, hosts: number): Promise<number> {
  // The strict policy refuses expressions to wait for.
  const page = await browser.newPage({ bypassCSP: true });
  await page.goto(url);
  await browser.startTracing(page, { categories: ['toplevel'] });
  await page.evaluate(OPEN(hosts));
  await page.waitForFunction(JUDGED, undefined, { timeout: 120_000 });
  await page.waitForTimeout(2000);
  await page.locator('.cm-line').first().click();
  await page.keyboard.type('# typed', { delay: 120 });
  await page.waitForTimeout(2000);
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(String(await browser.stopTracing()));
  await page.close();
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf));
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && mains.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no tasks');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

async function servePage(): Promise<{ url: string; end(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    try {
      const bytes = await readFile(join(PAGE, path));
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async end() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The page of examples/web. */
export const pageBenches: readonly Bench[] = [
  {
    name: 'page-typing',
    about: 'processor time of the longest task of the page, opening and typing among 500 hosts, against 5 hosts',
    unit: 'ms',
    limits: { ours: 100 },
    needs: ['chromium'],
    async setUp() {
      const { url, end } = await servePage();
      const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
      return {
        ours: () => longestTask(browser, url, 500),
        peer: () => longestTask(browser, url, 5),
        async end() {
          await browser.close();
          await end();
        },
      };
    },
  },
];
