// Runs the completion scripts in real shells, typed into a terminal that `script` provides.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { scratchFolder } from '../support.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/coreiso.cjs', import.meta.url));
const isBuilt = existsSync(fileURLToPath(new URL('../../dist/index.cjs', import.meta.url)));

/** The command that starts each shell without user settings, and the one that loads the script. */
const SHELLS = {
  bash: ['bash --norc --noprofile -i', 'source <(coreiso completion bash)'],
  zsh: ['zsh -f -i', 'autoload -Uz compinit; compinit -u -D; source <(coreiso completion zsh)'],
  fish: ['fish --no-config -i', 'coreiso completion fish | source'],
} as const;

function environment(folder: string): NodeJS.ProcessEnv {
  if (!existsSync(join(folder, 'coreiso'))) symlinkSync(PROGRAM, join(folder, 'coreiso'));
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  return { PATH: `${folder}:${PATH}`, LANG, TERM: 'dumb', HOME: folder };
}

/** A program in a terminal. */
class Typist {
  readonly #child: ChildProcess;
  #seen = '';
  #onOutput: () => void = () => {};

  constructor(command: string, cwd: string) {
    this.#child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env: environment(cwd) });
    this.#child.stdout?.on('data', (chunk) => {
      this.#seen += String(chunk);
      this.#onOutput();
    });
  }

  /** Types a text, and waits until the terminal shows the expected one. */
  async type(text: string, expected: RegExp): Promise<string> {
    this.#seen = '';
    this.#child.stdin?.write(text);
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${expected} after ${JSON.stringify(text)}: ${this.#seen}`)),
        60_000,
      );
      this.#onOutput = () => {
        const found = expected.exec(this.#seen);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found[0]);
      };
      this.#onOutput();
    });
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end('exit\n');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  }
}

describe.skipIf(!isBuilt)(`the program as it is built${isBuilt ? '' : ' (skipped: npm run build makes it)'}`, () => {
  describe.each(Object.entries(SHELLS))('in %s', (shell, [start, load]) => {
    describeWith([shell, 'script'], 'a tab completes', () => {
      test('commands, options, values and files', async () => {
        const cwd = scratchFolder();
        writeFileSync(join(cwd, 'reef-config.yaml'), '');
        const typist = new Typist(start, cwd);
        try {
          await typist.type(`${load}; echo LOA''DED\n`, /LOADED/);
          await typist.type('coreiso nodes imag\t', /image /);
          await typist.type('--joi\t', /join /);
          await typist.type('serv\t', /service /);
          await typist.type('reef\t', /reef-config\.yaml/);
          // Go to the start of the line, and insert a command that prints the rest.
          const shown = await typist.type('\u0001echo GO""T \u0005\n', /GOT [^\r\n]*/);
          expect(shown.trimEnd()).toBe('GOT coreiso nodes image --join service reef-config.yaml');
        } finally {
          await typist.end();
        }
      });
    });
  });

  describeWith(['fish'], 'fish shows', () => {
    const shown = (line: string): string[] => {
      const cwd = scratchFolder();
      const script = `coreiso completion fish | source; complete -C '${line}'`;
      const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { cwd, env: environment(cwd) });
      return stdout.toString().split('\n').filter(Boolean);
    };

    test('the help of each command', () => {
      expect(shown('coreiso iso ve')).toEqual(['verify\tCheck an image for damage, or against its base image']);
    });

    test('values and files after an equals sign', () => {
      expect(shown('coreiso nodes image --join=ser')).toEqual(['--join=service']);
      expect(shown('coreiso nodes image --output=./core')).toEqual([expect.stringMatching(/^--output=\.\/coreiso/)]);
    });
  });
});
