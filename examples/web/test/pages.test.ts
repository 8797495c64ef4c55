import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lines = (name: string): string[] => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').split('\n');

test('base.html is index.html except for its script, its title and its permission to fetch', () => {
  const expected = lines('index.html').map((line) =>
    line
      .replace("connect-src 'self'", "connect-src 'self' https: http:")
      .replace('<title>coreiso<', '<title>coreiso: image at an address<')
      .replace('./src/main.ts', './src/base.ts'),
  );
  expect(lines('base.html')).toEqual(expected);
});
