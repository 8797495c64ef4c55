// Every hand-written page in docs/: runs its commands and programs in an empty folder, with the packages from `npm run build`.
import { readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordTerminal } from '../../scripts/docs/terminal.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { root } from '../../test/support/sources.ts';
import { blocksOf, packagePages, walkOf } from '../packed/readmes.ts';
import { takeWalk } from '../packed/walk.ts';
import { commandLines, refusalOf } from './command-lines.ts';
import { pages } from './pages.ts';

const modules = join(root, 'node_modules');
// Pages that install packages are walked by the project `packed`.
const walks = pages
  .filter((path) => !packagePages.includes(path))
  .map(walkOf)
  .filter(({ blocks }) => blocks.length > 0);

test.each(walks)('everything in $path works in the order of the text, word for word', async (walk) => {
  const folder = scratchFolder();
  symlinkSync(modules, join(folder, 'node_modules'));
  const PATH = [join(modules, '.bin'), process.env['PATH']].join(delimiter);
  await takeWalk(walk, { folder, env: { PATH, HOME: folder } });
});

test('the picture of a terminal shows the current output', () => {
  const shown = readFileSync(join(root, 'docs/start/terminal.svg'), 'utf8');
  expect(recordTerminal(root), 'node scripts/docs.mjs terminal draws it anew').toBe(shown);
});

describe.each(pages)('%s', (path) => {
  test('names commands and options that exist', async () => {
    const refusals = await Promise.all(commandLines(path).map(refusalOf));
    expect(refusals.filter((refusal) => refusal !== undefined).join('\n')).toBe('');
  });

  test('gives every block a known type', () => {
    const known = /^(?:(?:yaml|json|ini)(?: \S+)?|sh(?: live)?|[jt]s(?: live| browser)?|text(?: \S+)?|html)$/;
    expect(blocksOf(path).filter(({ language }) => !known.test(language))).toEqual([]);
  });
});
