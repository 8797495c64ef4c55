import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';

test('the example in the README is the tested one, and prints the documented output', async () => {
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
