// Requirements of a walk through a README, checked without the walk itself, which e2e/packed takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isProgram, walks } from '../e2e/packed/readmes.ts';
import { root } from './support/sources.ts';

/** A file read by a program that fails without it. */
const READS = /(?:readFile|fileSource|openAsBlob)\('([^']+)'[^)]*\)(?!\.catch)/g;

/** The packages of coreiso that an installed one depends on. */
function withDependencies(name: string): string[] {
  const folder = name === 'coreiso' ? 'cli' : name.replace('@coreiso/', '');
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  const own = Object.keys(dependencies).filter((one) => one.startsWith('@coreiso/'));
  return [name, ...own.flatMap(withDependencies)];
}

test.each(walks)('programs of $path import only packages that its npm install installs', ({ blocks }) => {
  const commands = blocks.filter((block) => !isProgram(block)).map(({ text }) => text);
  const named = commands.flatMap((text) =>
    [...text.matchAll(/^npm install (.*)$/gm)].flatMap(([, names = '']) => names.split(' ')),
  );
  const installed = new Set(named.filter((name) => /^(?:@coreiso\/|coreiso$)/.test(name)).flatMap(withDependencies));
  for (const { title, text } of blocks.filter(isProgram)) {
    const imported = [...text.matchAll(/from '(@coreiso\/[a-z-]+)/g)].map(([, name]) => name);
    expect(
      imported.filter((name) => !installed.has(name ?? '')),
      title,
    ).toEqual([]);
  }
});

test.each(walks)('programs of $path read only files that earlier steps made', ({ blocks }) => {
  let before = '';
  for (const { title, text } of blocks) {
    for (const { 1: name = '', index } of text.matchAll(READS)) {
      const made = `${before}${text.slice(0, index)}`;
      // A command with `--dir site` makes the files in that directory.
      const [folder = name] = name.split('/');
      expect(made.includes(name) || made.includes(`--dir ${folder}`), `${title} reads ${name}`).toBe(true);
    }
    before += text;
  }
});

test.each(walks)('commands of $path need no cluster and no server', ({ blocks }) => {
  for (const { title, text } of blocks.filter((block) => !isProgram(block))) {
    const typed = text.replace(/ +#.*$/gm, '');
    expect(
      typed.match(/ --live\b|s3:\/\/|https:\/\/mirror|nodes (?:monitor|approve)|^coreiso serve/gm) ?? [],
      title,
    ).toEqual([]);
  }
});

test('figures in the README are those of docs/performance.md', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const [, section = ''] = read('README.md').split('## Performance');
  const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());
  const known = (read('docs/performance.md').match(/^\| `.*$/gm) ?? []).map(cells);
  const shown = (section.match(/^\| .*\d.*$/gm) ?? []).map(cells);
  expect(shown.length).toBeGreaterThan(5);
  const strange = shown.filter(
    ([, , ours = '', peer, limit]) =>
      !known.some(
        (row) => row[3]?.replace(/[ ,(].*/, '') === ours.replace(/ .*/, '') && row[4] === peer && row[5] === limit,
      ),
  );
  expect(strange).toEqual([]);
});
