import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const NEWER = '{ "ignition": { "version": "3.9.0", "future": true } }\n';
const OLD = '{"ignition":{"version":"3.1.0"},"systemd":{"units":[{"name":"a.service","enabled":true}]}}';

describe('ignition translate', () => {
  test('writes the requested version', async () => {
    const { status, stdout } = await coreiso(['ignition', 'translate', '--to', '3.4.0', '-'], { input: OLD });
    expect(status).toBe(0);
    expect(JSON.parse(stdout.toString())).toMatchObject({ ignition: { version: '3.4.0' } });
  });

  test('refuses a config newer than the known versions: an older version might lose parts of it', async () => {
    const result = await coreiso(['ignition', 'translate', '--to', '3.0.0', '-'], { input: NEWER });
    expect(result).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('error: spec version "3.9.0" is not fully supported by this package'),
    });
    expect(result.stdout.toString()).toBe('');
  });

  test('refuses a version that does not exist', async () => {
    const result = await coreiso(['ignition', 'translate', '--to', '2.0.0', '-'], { input: OLD });
    expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining('expected one of 3.0.0') });
  });
});

describe('an invalid config', () => {
  test.each([
    [['show', '-']],
    [['show', '--json', '-']],
    [['translate', '--to', '3.4.0', '-']],
    [['merge', '-', 'good.ign']],
    [['merge', 'good.ign', '-']],
    [['check', '-']],
  ])('is refused with the place of the error by ignition %j', async (argv) => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'good.ign'), OLD);
    const { status, stdout, stderr } = await coreiso(['ignition', ...argv], { cwd, input: '{"ignition": v}' });
    expect([status, stdout.toString()]).toEqual([1, '']);
    expect(stderr).toMatch(/^standard input:1:14: error: not JSON: expected a value, found 'v'$/m);
    expect(stderr).not.toContain('TypeError');
  });
});

describe('ignition merge', () => {
  test('gives the child precedence', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'parent.ign'), OLD);
    writeFileSync(join(cwd, 'child.ign'), OLD.replace('true', 'false'));
    const { stdout } = await coreiso(['ignition', 'merge', 'parent.ign', 'child.ign'], { cwd });
    expect(JSON.parse(stdout.toString()).systemd.units).toEqual([{ name: 'a.service', enabled: false }]);
  });
});

describe('ignition show', () => {
  test.each([OLD, NEWER])('describes the effect of %s', async (input) => {
    const { status, stdout } = await coreiso(['ignition', 'show', '-'], { input });
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/3\.[19]\.0/);
  });

  test('shows no secret', async () => {
    const input = '{"ignition":{"version":"3.2.0"},"passwd":{"users":[{"name":"core","passwordHash":"$6$secret"}]}}';
    for (const argv of [
      ['ignition', 'show', '-'],
      ['ignition', 'show', '--json', '-'],
    ]) {
      const { stdout } = await coreiso(argv, { input });
      expect(stdout.toString()).toContain('core');
      expect(stdout.toString()).not.toContain('secret');
    }
  });
});
