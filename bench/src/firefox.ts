import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'undici';

type Result = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly result?: Result;
  readonly message?: string;
}

/** A page of a headless Firefox, driven by WebDriver BiDi, and closed at the end of its scope. */
export class FirefoxPage implements AsyncDisposable {
  readonly #browser: ChildProcess;
  readonly #profile = mkdtempSync(join(tmpdir(), 'coreiso-firefox-'));
  readonly #waiting = new Map<number, (message: Message) => void>();
  #socket: WebSocket | undefined;
  #context: unknown;
  #calls = 0;

  private constructor() {
    // Its own first page is privileged, and so cannot navigate to an ordinary one.
    const flags = ['--headless', '--no-remote', '--profile', this.#profile, '--remote-debugging-port=0', 'about:blank'];
    this.#browser = spawn('firefox-esr', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#browser.once('exit', () => {
      for (const answer of this.#waiting.values()) answer({ message: 'firefox is gone' });
    });
  }

  /** Opens an address. */
  static async open(url: string): Promise<FirefoxPage> {
    const page = new FirefoxPage();
    try {
      await page.#connect(await page.#address());
      await page.#call('session.new', { capabilities: {} });
      const { contexts } = await page.#call('browsingContext.getTree');
      page.#context = (contexts as readonly { readonly context: string }[])[0]?.context;
      await page.#call('browsingContext.navigate', { context: page.#context, url, wait: 'complete' });
      return page;
    } catch (error) {
      await page[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The value of an expression, awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const options = { expression, awaitPromise: true, target: { context: this.#context } };
    const { result, exceptionDetails } = await this.#call('script.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(`in the page: ${JSON.stringify(exceptionDetails)}`);
    return (result as { readonly value?: unknown }).value;
  }

  /** Chooses a file in the file input that a selector finds, as a person would. */
  async pick(selector: string, path: string): Promise<void> {
    const locator = { type: 'css', value: selector };
    const { nodes } = await this.#call('browsingContext.locateNodes', { context: this.#context, locator });
    const [element] = nodes as readonly { readonly sharedId: string }[];
    await this.#call('input.setFiles', { context: this.#context, element, files: [path] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket?.close();
    const gone = new Promise((resolve) => this.#browser.once('close', resolve));
    if (this.#browser.exitCode === null && this.#browser.kill('SIGKILL')) await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The address that it prints once it listens. */
  #address(): Promise<string> {
    return new Promise((resolve, reject) => {
      let said = '';
      this.#browser.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
        const [address] = /ws:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(said) ?? [];
        if (address !== undefined) resolve(`${address}/session`);
      });
      this.#browser.once('error', reject).once('exit', () => reject(new Error(`firefox is gone: ${said}`)));
    });
  }

  #connect(address: string): Promise<void> {
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message: Message = JSON.parse(String(data));
      const id = message.id ?? 0;
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    });
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', ({ error }) => reject(error));
    });
  }

  async #call(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#calls;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#socket?.send(JSON.stringify({ id, method, params }));
    const { result, message } = await answered;
    if (result === undefined) throw new Error(`${method}: ${message}`);
    return result;
  }
}
