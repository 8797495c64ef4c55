import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
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
  'agent-install': ['diagnostics', 'ignition', 'nmstate', 'iso', 'nodes-config'],
};

/**
 * The folders of a package in the order of its stages: a file may import from its own folder and from those before it, values or types.
 * Files beside the folders are the beginning (text and numbers) or the end (entries), and free.
 */
const STAGES: Readonly<Record<string, readonly string[]>> = {
  iso: ['bytes', 'checksums', 'iso9660', 'initrd', 'live', 'sample', 'node'],
  nmstate: ['generated', 'table', 'interfaces', 'state', 'keyfile', 'plan', 'profiles', 'strict'],
  'nodes-config': ['text', 'rules', 'cluster', 'document', 'hosts', 'join', 'image', 'node'],
  'agent-install': ['topology'],
};

/** The only folders of nodes-config that know about images: one makes them, one writes them. */
const IMAGES_ONLY = ['image', 'node'].map((folder) => join('packages', 'nodes-config', 'src', folder) + sep);

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

  test('only the image/ and node/ folders of nodes-config import iso', () => {
    const strangers = sources
      .filter(({ name, path }) => name === 'nodes-config' && !IMAGES_ONLY.some((folder) => path.startsWith(folder)))
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

describe.each(Object.entries(STAGES))('the stages of %s', (name, stages) => {
  const inside = sources.filter((source) => source.name === name);
  const folder = join('packages', name, 'src');
  const targets = ({ path, text }: (typeof sources)[number]): string[] =>
    imports(text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(path, '..', specifier));
  const stageOf = (path: string): string | undefined => {
    const [first, ...rest] = relative(folder, path).split(sep);
    return rest.length === 0 ? undefined : first;
  };

  test('are all named', () => {
    const unnamed = inside.map(({ path }) => stageOf(path)).filter((stage) => stage && !stages.includes(stage));
    expect(unnamed).toEqual([]);
  });

  test('run one way', () => {
    const backwards = inside.flatMap((source) => {
      const own = stages.indexOf(stageOf(source.path) ?? '');
      const later = targets(source).filter((target) => own !== -1 && stages.indexOf(stageOf(target) ?? '') > own);
      return later.map((target) => `${source.path} → ${target}`);
    });
    expect(backwards).toEqual([]);
  });

  test('have no two files that import each other, however far around', () => {
    const waiting = new Map(inside.map((source) => [source.path, new Set(targets(source))]));
    for (let done = 1; done > 0; ) {
      const free = [...waiting].filter(([, needs]) => [...needs].every((need) => !waiting.has(need)));
      done = free.length;
      for (const [path] of free) waiting.delete(path);
    }
    expect([...waiting.keys()]).toEqual([]);
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
