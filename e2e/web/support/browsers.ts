// The page in real browsers: playwright drives Chromium, puppeteer drives Firefox. What both can do is told in one way here.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page as ChromiumPage } from 'playwright-core';
import { scratchFolder } from '../../../test/support/scratch.ts';

export interface OpenOptions {
  /** A script that runs before those of the page. */
  readonly before?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** A page as tests use it. */
export interface BrowserPage extends AsyncDisposable {
  readonly browser: 'chromium' | 'firefox';
  /** Where downloads go. */
  readonly downloads: string;
  /** What went wrong on the page: errors and warnings of the console, uncaught errors. */
  readonly complaints: string[];
  /** Addresses that the page and its workers asked for. */
  readonly requests: string[];
  goto(url: string): Promise<void>;
  /** The value of an expression, awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses the visible button, tab, option or summary of this name, once it is there and enabled. */
  press(name: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  key(name: string): Promise<void>;
  /** The contents of a file that was downloaded under this name. */
  downloaded(name: string): Promise<Buffer>;
  screenshot(path: string): Promise<void>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
}

const CHROMIUM = '/usr/bin/chromium';
const FIREFOX = '/usr/bin/firefox-esr';
const PATIENCE = 30_000;

/** The element of a name that can be pressed now. */
const FIND = `(name) => {
  const usual = (text) => text.replace(/\\s+/g, ' ').trim();
  return [...document.querySelectorAll('button, [role=tab], summary, label, a')].find((one) => {
    const own = one.getAttribute('aria-label') ?? [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(' ');
    return usual(own) === name && !one.disabled && one.checkVisibility();
  });
}`;

abstract class Shared {
  readonly downloads: string = join(scratchFolder(), 'downloads');
  readonly complaints: string[] = [];
  readonly requests: string[] = [];

  constructor() {
    mkdirSync(this.downloads);
  }

  abstract evaluate<T>(expression: string): Promise<T>;

  async press(name: string): Promise<void> {
    await this.until(`(${FIND})(${JSON.stringify(name)}) !== undefined`, `there is no ${name} to press`);
    await this.evaluate(`(${FIND})(${JSON.stringify(name)}).click()`);
  }

  async until(expression: string, otherwise = `never true: ${expression}`): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > end)
        throw new Error(
          `${otherwise}\n${this.complaints.join('\n')}\n${await this.evaluate('document.body.innerText')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async downloaded(name: string): Promise<Buffer> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      try {
        const size = readFileSync(join(this.downloads, name)).length;
        await new Promise((resolve) => setTimeout(resolve, 150));
        const bytes = readFileSync(join(this.downloads, name));
        if (bytes.length === size && size > 0) return bytes;
      } catch (error) {
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

/** The one that runs, with the page that tests see. */
export async function openChromium(options: OpenOptions = {}): Promise<
  BrowserPage & {
    readonly page: ChromiumPage;
    /** Megabytes that the processes which run pages hold for themselves. */
    memory(): Promise<number>;
  }
> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  const system = await browser.newBrowserCDPSession();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1400, height: options.height ?? 1000 },
    colorScheme: options.colorScheme ?? 'light',
    acceptDownloads: true,
  });
  if (options.before !== undefined) await context.addInitScript(options.before);
  const page = await context.newPage();
  return new (class extends Shared implements BrowserPage {
    readonly browser = 'chromium';
    readonly page = page;
    constructor() {
      super();
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
      });
      page.on('pageerror', (error) => this.complaints.push(String(error.stack)));
      context.on('request', (request) => this.requests.push(request.url()));
      page.on('download', (download) => void download.saveAs(join(this.downloads, download.suggestedFilename())));
    }
    async goto(url: string): Promise<void> {
      await page.goto(url);
    }
    evaluate<T>(expression: string): Promise<T> {
      return page.evaluate(expression) as Promise<T>;
    }
    type(text: string): Promise<void> {
      return page.keyboard.type(text);
    }
    key(name: string): Promise<void> {
      return page.keyboard.press(name);
    }
    async screenshot(path: string): Promise<void> {
      await page.screenshot({ path, fullPage: true });
    }
    async memory(): Promise<number> {
      const { processInfo } = await system.send('SystemInfo.getProcessInfo');
      const own = processInfo.map(({ id }) =>
        /^Pss_Anon: +(\d+) kB$/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')),
      );
      return Math.round(own.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0) / 1000);
    }
    async [Symbol.asyncDispose](): Promise<void> {
      await browser.close();
    }
  })();
}

export async function openFirefox(options: OpenOptions = {}): Promise<BrowserPage> {
  const { launch } = await import('puppeteer-core');
  const profile = join(scratchFolder(), 'profile');
  mkdirSync(profile);
  const downloads = join(scratchFolder(), 'downloads');
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    userDataDir: profile,
    extraPrefsFirefox: {
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      'browser.download.useDownloadDir': true,
      'browser.helperApps.neverAsk.saveToDisk': 'application/octet-stream,text/plain,application/json,application/zip',
    },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: options.width ?? 1400, height: 1000 });
  if (options.before !== undefined) await page.evaluateOnNewDocument(options.before);
  return new (class extends Shared implements BrowserPage {
    readonly browser = 'firefox';
    override readonly downloads = downloads;
    constructor() {
      super();
      mkdirSync(downloads, { recursive: true });
      page.on('console', (message) => {
        if (['error', 'warn'].includes(message.type())) this.complaints.push(message.text());
      });
      page.on('pageerror', (error) => this.complaints.push(String(error)));
      page.on('request', (request) => this.requests.push(request.url()));
    }
    async goto(url: string): Promise<void> {
      await page.goto(url);
    }
    evaluate<T>(expression: string): Promise<T> {
      return page.evaluate(expression) as Promise<T>;
    }
    type(text: string): Promise<void> {
      return page.keyboard.type(text);
    }
    key(name: string): Promise<void> {
      return page.keyboard.press(name as 'Enter');
    }
    async screenshot(path: string): Promise<void> {
      await page.screenshot({ path: path as `${string}.png`, fullPage: true });
    }
    async [Symbol.asyncDispose](): Promise<void> {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  })();
}

/** Both, for tests that hold in each. */
export const BROWSERS: readonly (readonly [string, typeof openFirefox])[] = [
  ['Chromium', openChromium],
  ['Firefox', openFirefox],
];
