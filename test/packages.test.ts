import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const HOME = 'https://github.com/coreiso/coreiso';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

/** All packages that a registry would accept. */
const published = ['packages', 'examples']
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
  .map((folder) => ({ folder, manifest: JSON.parse(read(folder, 'package.json')) }))
  .filter(({ manifest }) => manifest.private !== true);

describe.each(published)('$manifest.name', ({ folder, manifest }) => {
  test('names its repository', () => {
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      homepage: `${HOME}/tree/main/${folder}#readme`,
      repository: { type: 'git', url: `git+${HOME}.git`, directory: folder },
      bugs: `${HOME}/issues`,
      engines: { node: '>=20.19' },
      files: expect.arrayContaining(['dist']),
    });
  });

  test('has the licence', () => {
    expect(read(folder, 'LICENSE')).toBe(read('LICENSE'));
  });

  test('has a README whose links work outside the repository', () => {
    const text = read(folder, 'README.md').replace(/```[\s\S]*?```/g, '');
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((link) => !link.startsWith('https://') && !anchors.includes(link))).toEqual([]);
  });
});

/** The anchor that GitHub and npm make from a heading. */
function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-')}`;
}

test('the command line prints the published version', () => {
  const { version } = JSON.parse(read('packages/cli/package.json'));
  expect(read('packages/cli/src/frame/version.ts')).toContain(`'${version}'`);
});
