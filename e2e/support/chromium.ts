import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A sandbox needs rights that containers lack. */
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe'];

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** A page of a headless Chromium, closed at the end of its scope. */
export class Page implements AsyncDisposable {
  readonly #browser: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #session: string | undefined;
  #calls = 0;
  #onLoad: (() => void) | undefined;

  private constructor(browser: ChildProcess, profile: string) {
    this.#browser = browser;
    this.#profile = profile;
    let text = '';
    (browser.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (text + chunk).split('\0');
      text = messages.pop() ?? '';
      for (const one of messages) this.#take(JSON.parse(one));
    });
    browser.once('exit', () => {
      for (const answer of this.#waiting.values()) answer({ error: { message: 'chromium is gone' } });
    });
  }

  /** Opens an address. */
  static async open(url: string): Promise<Page> {
    const profile = mkdtempSync(join(tmpdir(), 'coreiso-chromium-'));
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
    const page = new Page(
      spawn('chromium', [...FLAGS, `--user-data-dir=${profile}`], {
        stdio: [...stdio],
        env: { ...process.env, TMPDIR: profile },
      }),
      profile,
    );
    try {
      const { targetId } = await page.#call('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await page.#call('Target.attachToTarget', { targetId, flatten: true });
      page.#session = String(sessionId);
      await page.#call('Page.enable');
      const loaded = new Promise<void>((resolve) => {
        page.#onLoad = resolve;
      });
      await page.#call('Page.navigate', { url });
      await loaded;
      return page;
    } catch (error) {
      await page[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The value of an expression, awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#call('Runtime.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(`in the page: ${JSON.stringify(exceptionDetails)}`);
    return (result as { readonly value?: unknown }).value;
  }

  /** Chooses a file in the file input that a selector finds, as a person would. */
  async pick(selector: string, path: string): Promise<void> {
    const { root } = await this.#call('DOM.getDocument');
    const { nodeId } = await this.#call('DOM.querySelector', { nodeId: (root as { nodeId: number }).nodeId, selector });
    await this.#call('DOM.setFileInputFiles', { nodeId, files: [path] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.#browser.once('close', resolve));
    if (this.#browser.exitCode === null && this.#browser.kill('SIGKILL')) await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #call(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#calls;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    (this.#browser.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
    const { result, error } = await answered;
    if (error !== undefined || result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  }

  #take(message: Message): void {
    if (message.method === 'Page.loadEventFired') this.#onLoad?.();
    const id = message.id ?? 0;
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }
}
