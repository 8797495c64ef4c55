// Follows the pages in docs/developers that explain how to add something, word for word in a copy of the repository.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { root } from '../../test/support/sources.ts';
import { run } from '../packed/programs.ts';
import { blocksOf } from '../packed/readmes.ts';

const PAGES = ['add-an-interface-type', 'add-an-ignition-field', 'add-a-command', 'add-a-join-strategy'];
/** Skipped: it needs coreos-installer and takes minutes. */
const RECORDING = 'add-a-recording';

/** Copies the tracked files; dependencies are links, and our packages are those of the copy. */
function copyOfRepository(): string {
  const copy = scratchFolder();
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  mkdirSync(join(copy, 'node_modules/@coreiso'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const own =
      name === '@coreiso' ? readdirSync(join(root, 'node_modules/@coreiso')).map((one) => `${name}/${one}`) : [name];
    for (const one of own) {
      const path = join(root, 'node_modules', one);
      const isOurs = lstatSync(path).isSymbolicLink();
      symlinkSync(isOurs ? readlinkSync(path) : path, join(copy, 'node_modules', one));
    }
  }
  return copy;
}

/** Applies a shown patch to the file: replaces its old lines with the new ones. */
function patched(text: string, patch: string, title: string): string {
  const lines = patch.trimEnd().split('\n');
  const [before, after] = ['-', '+'].map((sign) =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === sign)
      .map((line) => line.slice(1))
      .join('\n'),
  );
  const parts = text.split(before ?? '');
  expect(parts.length, `${title}: its lines have to be in the file, once`).toBe(2);
  return parts.join(after ?? '');
}

/** Follows a page in order; returns the tests that it runs, to run them together. */
async function follow(name: string, copy: string): Promise<string[]> {
  const tests: string[] = [];
  for (const { title, language, text } of blocksOf(`docs/developers/${name}.md`)) {
    const [kind = '', first = '', second = ''] = language.split(' ');
    if (kind === 'ts' && first === 'new') {
      // Without its directory, which the reader would have to make, too.
      writeFileSync(join(copy, second), text);
    } else if (kind === 'diff') {
      writeFileSync(join(copy, first), patched(readFileSync(join(copy, first), 'utf8'), text, title));
    } else if (kind === 'sh' && first === 'repository') {
      const [, files] = /^npx vitest run --project unit (.*)$/m.exec(text) ?? [];
      if (files !== undefined) tests.push(...files.split(' '));
      else if (name !== RECORDING) await expectSuccess('sh', ['-e', '-c', text], copy);
    }
  }
  return tests;
}

async function expectSuccess(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { status, stdout, stderr } = await run(program, args, { cwd });
  expect(status, `${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
}

test('every page leads to passing tests if followed word for word', async () => {
  const copy = copyOfRepository();
  const tests: string[] = [];
  for (const name of PAGES) {
    const own = await follow(name, copy);
    expect(own.length, name).toBeGreaterThan(0);
    tests.push(...own);
  }
  await expectSuccess('npx', ['vitest', 'run', '--project', 'unit', ...tests], copy);
});

test('the page about recordings shows lines that exist', async () => {
  expect(await follow(RECORDING, copyOfRepository())).not.toEqual([]);
});
