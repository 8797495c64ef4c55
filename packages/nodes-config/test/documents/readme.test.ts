import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { CODES } from '../../src/text/codes.ts';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  test('shows the tested example and its output', async () => {
    const example = await readFile(new URL('./readme-example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./readme-example.ts');
    const printed = log.mock.calls.map((call) => call.join(' ')).join('\n');
    log.mockRestore();
    expect(readme).toContain(`\`\`\`text\n${printed}\n\`\`\``);
  });
});

test('every code is used', async () => {
  const folder = new URL('../../src/', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const others = names.filter((file) => !file.endsWith('text/codes.ts'));
  const sources = (await Promise.all(others.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n');
  const isUsed = (code: string): boolean => new RegExp(`'(?:nodes-config/)?${code}'`).test(sources);
  expect(Object.keys(CODES).filter((code) => !isUsed(code))).toEqual([]);
});
