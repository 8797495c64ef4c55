import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteText } from '../../../nodes-config/test/ztp/example.ts';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;

beforeEach(() => {
  cwd = scratchFolder();
});

const run = (line: string) => coreiso(line.split(' '), { cwd });

describe('ztp render', () => {
  test('writes one file for each object, and replaces files only with --force', async () => {
    writeFileSync(join(cwd, 'site.yaml'), siteText());
    const { status, stdout, stderr } = await run('ztp render site.yaml -o hub');
    expect([status, stderr]).toEqual([0, '']);
    const names = readdirSync(join(cwd, 'hub')).sort();
    expect(stdout.toString().trim().split('\n').sort()).toEqual(names.map((name) => join('hub', name)));
    expect(names).toContain('16-baremetalhost-far-0.yaml');
    const again = await run('ztp render site.yaml -o hub');
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('pass --force to replace them')]);
    expect((await run('ztp render site.yaml -o hub --force')).status).toBe(0);
    const printed = await run('ztp render site.yaml');
    expect(printed.stdout.toString().match(/^---$/gm)).toHaveLength(names.length - 1);
    const { files } = JSON.parse((await run('ztp render site.yaml --json')).stdout.toString());
    expect(Object.keys(files).sort()).toEqual(names);
  });

  test('shows the place of an error, and writes nothing', async () => {
    writeFileSync(
      join(cwd, 'site.yaml'),
      siteText((text) => text.replace('apiVIPs: [192.0.2.5]', 'apiVIPs: [10.9.9.9]')),
    );
    mkdirSync(join(cwd, 'hub'));
    const { status, stderr } = await run('ztp render site.yaml -o hub');
    expect(status).toBe(1);
    expect(stderr).toMatch(/site\.yaml:\d+:\d+: error: .*apiVIPs/);
    expect(stderr).toContain('help: ');
    expect(readdirSync(join(cwd, 'hub'))).toEqual([]);
  });
});
