import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { CODES } from '../src/codes.ts';

test('the example of the README is the one that runs, and prints what a reader would see', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = await readFile(new URL('./readme-example.ts', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);

  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import('./readme-example.ts');
  const printed = log.mock.calls.map((call) => call.join(' ')).join('\n');
  log.mockRestore();
  expect(printed).toBe(
    [
      'n false',
      'host.yaml:2:1: error: unknown key roel',
      '  2 | roel: worker',
      '    | ^^^^',
      '  help: Did you mean role?',
    ].join('\n'),
  );
});

test('the README lists every code, and no other', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const listed = [...readme.matchAll(/^\| `diagnostics\/([a-z-]+)` /gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual(Object.keys(CODES).sort());
});
