import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { COMPARED } from '../../src/frame/version.ts';
import { coreiso } from '../support.ts';

const ROOT = '../../../..';
const recorded = (path: string): Goldens => new Goldens(new URL(`${ROOT}/${path}`, import.meta.url));

async function printed(...argv: readonly string[]): Promise<string> {
  return (await coreiso(argv)).stdout.toString();
}

test('--version and -V print one line', async () => {
  expect(await printed('--version')).toMatch(/^coreiso \d+\.\d+\.\d+\n$/);
  expect(await printed('-V')).toBe(await printed('--version'));
});

test('--version --verbose lists every tool that coreiso was compared with', async () => {
  const lines = (await printed('--version', '--verbose')).split('\n');
  expect(lines[1]).toBe('compared with');
  expect(lines.slice(2, -1).map((line) => line.trim().split(/ {2,}/))).toEqual(Object.entries(COMPARED));
});

test('the recordings name the same versions', () => {
  const installer = recorded('test/goldens/coreos-installer.json');
  expect(installer.paths().map((path) => installer.json<{ tool: string }>(path).tool)).toEqual(
    installer.paths().map(() => `coreos-installer ${COMPARED['coreos-installer']}`),
  );
  const nmstate = recorded('packages/nmstate/test/goldens/nmstate.json');
  const versions = nmstate.paths(/\.json$/).map((path) => nmstate.json<{ nmstate: string }>(path).nmstate);
  expect(new Set(versions)).toEqual(new Set([COMPARED['nmstatectl']]));
});
