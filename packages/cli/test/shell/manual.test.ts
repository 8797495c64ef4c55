import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { coreiso, scratchFolder } from '../support.ts';

let folder: string;
let pages: readonly string[];
beforeAll(async () => {
  folder = scratchFolder();
  await coreiso(['man', '-o', 'man1'], { cwd: folder });
  pages = readdirSync(join(folder, 'man1')).map((name) => join(folder, 'man1', name));
});

describe('coreiso man', () => {
  test('writes a page for every visible command', () => {
    const names = pages.map((path) => path.slice(folder.length + '/man1/'.length));
    expect(names).toEqual(expect.arrayContaining(['coreiso.1', 'coreiso-nodes.1', 'coreiso-nodes-image.1']));
    expect(names).not.toContain('coreiso-dev.1');
  });

  test('prints one page with everything in --help-all', async () => {
    const { stdout } = await coreiso(['man', 'nodes', 'image']);
    expect(stdout.toString()).toBe(readFileSync(join(folder, 'man1/coreiso-nodes-image.1'), 'utf8'));
    expect(stdout.toString()).toContain('\\-\\-auth\\-token');
  });

  test('refuses an unknown command', async () => {
    const { status, stderr } = await coreiso(['man', 'nodes', 'nope']);
    expect([status, stderr]).toEqual([2, expect.stringContaining("unknown command 'nope'")]);
  });
});

describeWith(['mandoc'], 'mandoc', () => {
  test('warns only of missing dates: pages are the same whenever they are made', () => {
    const lines = run('mandoc', ['-T', 'lint', '-W', 'warning', ...pages])
      .stdout.toString()
      .split('\n');
    expect(lines.filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });
});

describeWith(['man'], 'man', () => {
  test('shows options, examples and quotes as written', () => {
    const env = { ...process.env, MANWIDTH: '100', MANPAGER: 'cat', LC_ALL: 'C.UTF-8', MAN_KEEP_FORMATTING: '' };
    const page = join(folder, 'man1/coreiso-nodes-image.1');
    const { stdout, stderr } = run('man', ['--warnings', '-l', page], { env });
    const text = stdout.toString().replace(/.\u0008/g, '');
    expect(stderr).toBe('');
    expect(text).toContain('-o, --output OUT');
    expect(text).toContain('coreiso nodes image --live');
    expect(text).toMatch(/^SEE ALSO\n +coreiso-nodes\(1\)$/m);
  });
});
