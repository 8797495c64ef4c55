import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  test('shows the example that runs, and what it prints', async () => {
    const example = await readFile(new URL('./readme-example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./readme-example.ts');
    const printed = log.mock.calls.map((call) => call.join(' ')).join('\n');
    log.mockRestore();
    expect(readme).toContain(`\`\`\`text\n${printed}\n\`\`\``);
  });

  test('lists every code of the parsers, of the cluster facts and of plans', async () => {
    const codes = new Set<string>();
    for (const folder of ['text/', 'rules/', 'facts/', 'documents/', 'hosts/']) {
      const url = new URL(`../../src/${folder}`, import.meta.url);
      for (const name of (await readdir(url, { recursive: true })).filter((file) => file.endsWith('.ts'))) {
        const source = await readFile(new URL(name, url), 'utf8');
        for (const [, code = ''] of source.matchAll(/'nodes-config\/([a-z-]+)'/g)) codes.add(code);
        for (const [, code = ''] of source.matchAll(/\breport\(\s*(?:'(?:cluster|facts)',\s*)?'([a-z-]+)'/g))
          codes.add(code);
      }
    }
    expect(codes.size).toBeGreaterThan(60);
    expect([...codes].filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });

  test('lists every code of errors', async () => {
    const source = await readFile(new URL('../../src/errors.ts', import.meta.url), 'utf8');
    const codes = source.match(/NODES_[A-Z_]+/g) ?? [];
    expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });
});
