// One page per package for its developers: its stages, in the order that test/architecture.test.ts enforces, and their files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPackages, root, type Source, sources } from '../../test/support/sources.ts';
import type { Pages } from './generate.ts';
import { code, page, prose, table } from './markdown.ts';

const architecture = readFileSync(join(root, 'test/architecture.test.ts'), 'utf8');

export function packagePages(): Pages {
  const pages: Pages = new Map();
  const rows: string[][] = [];
  for (const name of allPackages) {
    const { description } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    pages.set(`packages/${name}.md`, packagePage(name, description ?? ''));
    rows.push([
      `[${code(name)}](./${name}.md)`,
      prose(description ?? ''),
      imported(name).map(code).join(', ') || 'none',
    ]);
  }
  const index = page(
    '# Packages',
    'Imports run one way, and inside a package a stage imports only those before it. A test holds both.',
    table(['Package', 'What it does', 'May import'], rows),
  );
  return pages.set('packages/index.md', index);
}

function packagePage(name: string, description: string): string {
  const own = sources.filter((source) => source.name === name && !source.file.includes('generated/'));
  const sections = stagesOf(name).flatMap((stage) => {
    const files = own.filter(({ file }) => file === `${stage}.ts` || file.startsWith(`${stage}/`));
    if (files.length === 0) return [];
    const lines = files.reduce((sum, { text }) => sum + text.split('\n').length, 0);
    return [
      `## ${stage}`,
      `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${lines} lines.`,
      table(
        ['File', 'What it is for'],
        files.map((file) => [code(file.file), prose(purposeOf(file))]),
      ),
    ];
  });
  return page(
    `# Inside ${name}`,
    ...(description === '' ? [] : [`${prose(description.replace(/\.$/, ''))}.`]),
    `Stages in their order: ${stagesOf(name).map(code).join(' → ')}.`,
    `It may import: ${imported(name).map(code).join(', ') || 'no other package'}. Tests: ${code(`npx vitest run --project unit packages/${name}`)}.`,
    ...sections,
  );
}

function stagesOf(name: string): string[] {
  return stringOf(new RegExp(`const STAGES[\\s\\S]*?^ {2}'?${name}'?:\\s*'([^']+)'`, 'm')).split(' ');
}

function imported(name: string): string[] {
  const list = stringOf(new RegExp(`const MAY_IMPORT[\\s\\S]*?^ {2}'?${name}'?: \\[([^\\]]*)\\]`, 'm'));
  return [...list.matchAll(/'([^']+)'/g)].map(([, one = '']) => one);
}

function stringOf(pattern: RegExp): string {
  const [, found] = pattern.exec(architecture) ?? [];
  if (found === undefined) throw new Error(`test/architecture.test.ts has nothing like ${pattern}`);
  return found;
}

/** The first sentence of the first comment: that of the file, or of its first export. */
function purposeOf({ text }: Source): string {
  const [, block] = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport/m.exec(text) ?? [];
  const head = /^(?:\/\/.*\n)+/.exec(text)?.[0].replace(/^\/\/ ?/gm, '');
  const words = (head ?? block?.replace(/^\s*\* ?/gm, '') ?? '').replace(/\s+/g, ' ').trim();
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words;
}
