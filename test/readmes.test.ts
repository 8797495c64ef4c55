// What a walk through a README needs, checked without the walk itself: e2e/packed takes that.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isProgram, walks } from '../e2e/packed/readmes.ts';
import { root } from './support/sources.ts';

/** The packages of ours that come with one that is installed. */
function withDependencies(name: string): string[] {
  const folder = name === 'coreiso' ? 'cli' : name.replace('@coreiso/', '');
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  const own = Object.keys(dependencies).filter((one) => one.startsWith('@coreiso/'));
  return [name, ...own.flatMap(withDependencies)];
}

test.each(walks)('programs of $path import only what its npm install brings', ({ blocks }) => {
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

test.each(walks)('programs of $path read only files that its commands or programs made before', ({ blocks }) => {
  for (const [index, { title, text }] of blocks.entries()) {
    const before = blocks
      .slice(0, index)
      .map((block) => block.text)
      .join('\n');
    const read = [...text.matchAll(/(?:readFile|fileSource|openAsBlob)\('([^']+)'/g)].map(([, name = '']) => name);
    expect(
      read.filter((name) => !before.includes(name) && !before.includes(`--dir ${dirname(name)}`)),
      title,
    ).toEqual([]);
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
