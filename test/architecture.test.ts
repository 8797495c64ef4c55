import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which packages each may import; whatever is not named here is forbidden. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  iso: [],
  diagnostics: [],
  ignition: ['diagnostics'],
  nmstate: ['diagnostics'],
  'nodes-config': ['diagnostics', 'ignition', 'nmstate', 'iso'],
  cluster: ['diagnostics', 'nodes-config'],
};

/** The only folder of nodes-config that knows about images. */
const IMAGES_ONLY = join('packages', 'nodes-config', 'src', 'image') + sep;

const sources = Object.keys(MAY_IMPORT).flatMap((name) => {
  const folder = join('packages', name, 'src');
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ name, path: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') }));
});

function imports(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '');
}

describe('imports run one way', () => {
  test.each(Object.entries(MAY_IMPORT))('%s imports no package but %j', (name, allowed) => {
    const strangers = sources
      .filter((source) => source.name === name)
      .flatMap(({ path, text }) => imports(text).map((specifier) => ({ path, specifier })))
      .filter(({ specifier }) => specifier.startsWith('@coreiso/'))
      .filter(({ specifier }) => !allowed.includes(specifier.split('/')[1] ?? ''));
    expect(strangers).toEqual([]);
  });

  test('only nodes-config/src/image imports iso', () => {
    const strangers = sources
      .filter(({ name, path }) => name === 'nodes-config' && !path.startsWith(IMAGES_ONLY))
      .filter(({ text }) => imports(text).some((specifier) => specifier.startsWith('@coreiso/iso')));
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });

  test('nothing reaches into another package by a relative path', () => {
    const strangers = sources.filter(({ name, path, text }) =>
      imports(text).some(
        (specifier) =>
          specifier.startsWith('.') && !join(path, '..', specifier).startsWith(join('packages', name, 'src')),
      ),
    );
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });
});

describe('portable code', () => {
  const portable = sources.filter(({ path }) => !path.includes(`${sep}node${sep}`));

  test('imports no node: module', () => {
    const strangers = portable.filter(({ text }) => imports(text).some((specifier) => specifier.startsWith('node:')));
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });

  test('imports nothing from a node/ folder', () => {
    const strangers = portable.filter(({ text }) =>
      imports(text).some((specifier) => /^\.{1,2}\/(.*\/)?node\//.test(specifier)),
    );
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });
});
