import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));
const DEPENDENCIES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));
const ACTOR = fileURLToPath(new URL('actor.mjs', import.meta.url));

/** Compiles the parts of the package for separate processes to JavaScript: Node 20 does not run TypeScript. */
export async function compileTo(folder: string): Promise<void> {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name.replace(/\.ts$/, ''), join(SOURCES, name)])),
    platform: 'node',
    external: /^(?!@coreiso\/peers)[@a-z]/,
    resolve: { conditionNames: ['@coreiso/source', 'node', 'import', 'default'] },
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(DEPENDENCIES, join(folder, 'node_modules'), 'junction');
}

/** A process that works on an image. */
export class Actor {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(compiled: string, image: string, { stopAt = 0, byte }: { stopAt?: number; byte?: number } = {}) {
    const args = [ACTOR, compiled, image, String(stopAt), ...(byte === undefined ? [] : [String(byte)])];
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Its next message: `stopped`, `done` or the code of its failure. */
  async says(): Promise<string> {
    const { value, done } = await this.#lines.next();
    return done ? 'nothing' : value;
  }

  /** Lets it continue where it stopped. */
  goOn(): void {
    this.#child.stdin.write('go');
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await ended;
  }
}
