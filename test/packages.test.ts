import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const HOME = 'https://github.com/coreiso/coreiso';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

/** Whatever a registry would take. */
const published = ['packages', 'examples']
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
  .map((folder) => ({ folder, manifest: JSON.parse(read(folder, 'package.json')) }))
  .filter(({ manifest }) => manifest.private !== true);

describe.each(published)('$manifest.name', ({ folder, manifest }) => {
  test('tells where it comes from', () => {
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      homepage: `${HOME}/tree/main/${folder}#readme`,
      repository: { type: 'git', url: `git+${HOME}.git`, directory: folder },
      bugs: `${HOME}/issues`,
      engines: { node: '>=20.19' },
      files: expect.arrayContaining(['dist']),
    });
  });

  test('carries the licence', () => {
    expect(read(folder, 'LICENSE')).toBe(read('LICENSE'));
  });

  test('has a README whose links lead somewhere for those who have nothing but it', () => {
    const text = read(folder, 'README.md').replace(/```[\s\S]*?```/g, '');
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((link) => !link.startsWith('https://') && !anchors.includes(link))).toEqual([]);
  });
});

/** What GitHub and npm make of a heading. */
function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-')}`;
}

test('the command line says the version that is published', () => {
  const { version } = JSON.parse(read('packages/cli/package.json'));
  expect(read('packages/cli/src/frame/version.ts')).toContain(`'${version}'`);
});
