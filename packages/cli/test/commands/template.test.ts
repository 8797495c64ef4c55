import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
});
const run = async (line: string) => {
  const { status, stdout, stderr } = await coreiso(line.split(' '), { cwd });
  return { status, stdout: stdout.toString(), stderr };
};

describe('a template', () => {
  test.each([
    ['nodes template -o nodes-config.yaml', 'nodes validate', 'nodes-config.yaml: a valid nodes-config with 3 hosts\n'],
    ['agent template --dir .', 'agent validate --openshift-version 4.20.3', '.: a valid site\n'],
    ['ztp template -o site.yaml', 'ztp render site.yaml -o hub', 'hub/00-namespace.yaml\n'],
    ['nmstate template -o net.yaml', 'nmstate check net.yaml', 'net.yaml: a valid network state, 7 keyfiles\n'],
  ])('is valid unchanged: %s', async (template, check, said) => {
    expect(await run(template)).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout, stderr } = await run(check);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.slice(0, said.length)).toBe(said);
  });

  test('is printed if no file is named, as text only', async () => {
    await run('nodes template -o a.yaml');
    expect((await run('nodes template')).stdout).toBe(readFileSync(join(cwd, 'a.yaml'), 'utf8'));
    expect((await run('nodes template -o -')).stdout).toBe(readFileSync(join(cwd, 'a.yaml'), 'utf8'));
    expect((await run('agent template')).stdout.split('\n---\n')).toHaveLength(2);
  });

  test('replaces a file only with --force, and is readable only by its owner', async () => {
    await run('agent template --dir site');
    expect(statSync(join(cwd, 'site/install-config.yaml')).mode & 0o777).toBe(0o600);
    const again = await run('agent template --dir site');
    expect(again).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('site/agent-config.yaml exist\nhelp: pass --force to replace them'),
    });
    expect((await run('agent template --dir site --force')).status).toBe(0);
    await run('nodes template -o a.yaml');
    expect(await run('nodes template -o a.yaml')).toMatchObject({ status: 1, stdout: '' });
    expect((await run('nodes template -f -o a.yaml')).status).toBe(0);
  });
});

test('a correct config with a bond has no findings', async () => {
  await run('nodes template -o nodes-config.yaml');
  expect((await run('nodes validate')).stderr).toBe('');
  const { extra } = JSON.parse((await run('nodes validate --json')).stdout);
  expect(extra).toHaveLength(2);
});

test('the role for reading facts is printed without reading the cluster', async () => {
  const { status, stdout } = await run('nodes facts --rbac');
  expect({ status, head: stdout.slice(0, 80) }).toEqual({
    status: 0,
    head: expect.stringContaining('kind: ClusterRole\n'),
  });
});
