// The page in real browsers: playwright drives Chromium, puppeteer drives Firefox, behind one interface.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page as ChromiumPage, Download } from 'playwright-core';
import { scratchFolder } from '../../../test/support/scratch.ts';

export interface OpenOptions {
  /** A script that runs before those of the page. */
  readonly before?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** A file that pages of an origin may write to, as after a user's "Allow on every visit". */
  readonly writable?: { readonly origin: string; readonly path: string };
}

/** A page as tests use it. */
export interface BrowserPage extends AsyncDisposable {
  readonly browser: 'chromium' | 'firefox';
  /** The folder of downloads. */
  readonly downloads: string;
  /** Problems on the page: errors and warnings of the console, uncaught errors. */
  readonly complaints: string[];
  /** Addresses that the page and its workers requested. */
  readonly requests: string[];
  goto(url: string): Promise<void>;
  /** The value of an expression, awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses the visible button, tab, option or summary of this name, once it is there and enabled. */
  press(name: string): Promise<void>;
  /** Types into the focused element. */
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
/** A busy machine is slow, not wrong. */
const PATIENCE = 90_000;

/** The element with a name that can be pressed now. */
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
    while (!this.isDownloaded(name)) {
      if (Date.now() > end) throw new Error(`${name} was not downloaded: ${readdirSync(this.downloads).join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return readFileSync(join(this.downloads, name));
  }

  protected abstract isDownloaded(name: string): boolean;
}

/** The running browser, with the tested page. */
export async function openChromium(options: OpenOptions = {}): Promise<
  BrowserPage & {
    readonly page: ChromiumPage;
    /** Private memory of the processes that run pages, in megabytes. */
    memory(): Promise<number>;
  }
> {
  const { chromium } = await import('playwright-core');
  const launching = {
    executablePath: CHROMIUM,
    timeout: PATIENCE,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  };
  const looks = {
    viewport: { width: options.width ?? 1400, height: options.height ?? 1000 },
    colorScheme: options.colorScheme ?? 'light',
    acceptDownloads: true,
  };
  const profile = options.writable && profileThatMayWrite(options.writable);
  const browser = profile === undefined ? await chromium.launch(launching) : undefined;
  const context =
    (await browser?.newContext(looks)) ??
    (await chromium.launchPersistentContext(profile ?? '', { ...launching, ...looks }));
  if (options.before !== undefined) await context.addInitScript(options.before);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  return new (class extends Shared implements BrowserPage {
    readonly browser = 'chromium';
    readonly page = page;
    readonly #kept = new Set<string>();
    constructor() {
      super();
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
      });
      page.on('pageerror', (error) => this.complaints.push(String(error.stack)));
      context.on('request', (request) => this.requests.push(request.url()));
      page.on('download', (download) => void this.#keep(download));
    }
    async #keep(download: Download): Promise<void> {
      const name = download.suggestedFilename();
      await download.saveAs(join(this.downloads, name));
      this.#kept.add(name);
    }
    protected isDownloaded(name: string): boolean {
      return this.#kept.has(name);
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
      const system = await context.browser()?.newBrowserCDPSession();
      if (system === undefined) throw new Error('the browser is gone');
      const { processInfo } = await system.send('SystemInfo.getProcessInfo');
      const own = processInfo.map(({ id }) =>
        /^Pss_Anon: +(\d+) kB$/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')),
      );
      return Math.round(own.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0) / 1000);
    }
    async [Symbol.asyncDispose](): Promise<void> {
      await context.close();
      await browser?.close();
      if (profile !== undefined) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  })();
}

/** Chromium stores such answers in the preferences of a profile: a permission of the origin, and its file. */
function profileThatMayWrite({ origin, path }: NonNullable<OpenOptions['writable']>): string {
  const profile = join(scratchFolder(), 'profile');
  const chosen = { 'display-name': basename(path), 'is-directory': false, path, readable: true, writable: true };
  const exceptions = {
    file_system_access_extended_permission: { [`${origin},*`]: { setting: 1 } },
    file_system_access_chooser_data: { [`${origin},*`]: { setting: { 'chosen-objects': [chosen] } } },
  };
  mkdirSync(join(profile, 'Default'), { recursive: true });
  const preferences = { profile: { content_settings: { exceptions } } };
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
  return profile;
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
    timeout: PATIENCE,
    protocolTimeout: 10 * PATIENCE,
    userDataDir: profile,
    extraPrefsFirefox: {
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      'browser.download.useDownloadDir': true,
      'browser.helperApps.neverAsk.saveToDisk': 'application/octet-stream,text/plain,application/json,application/zip',
    },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
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
    /** Firefox reserves the name with an empty file, writes beside it and renames in the end. */
    protected isDownloaded(name: string): boolean {
      return (statSync(join(downloads, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
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
    /** In playwright's notation: `Shift+Tab`. */
    async key(name: string): Promise<void> {
      const keys = name.split('+') as 'Enter'[];
      const last = keys.pop() ?? 'Enter';
      for (const key of keys) await page.keyboard.down(key);
      await page.keyboard.press(last);
      for (const key of keys.reverse()) await page.keyboard.up(key);
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

/** Both browsers, for tests that must pass in each. */
export const BROWSERS: readonly (readonly [string, typeof openFirefox])[] = [
  ['Chromium', openChromium],
  ['Firefox', openFirefox],
];
