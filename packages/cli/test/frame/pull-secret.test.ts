import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

/** The files in which podman and docker keep pull secrets, in order of precedence. */
const PLACES: readonly (readonly [file: string, env: Readonly<Record<string, string>>])[] = [
  ['run/containers/auth.json', { XDG_RUNTIME_DIR: 'run' }],
  ['config/containers/auth.json', { XDG_CONFIG_HOME: 'config' }],
  ['home/.config/containers/auth.json', {}],
  ['docker/config.json', { DOCKER_CONFIG: 'docker' }],
  ['home/.docker/config.json', {}],
];

/** Returns the file that was read: others can read each file, so a warning names it. */
async function fileRead(files: readonly string[], env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const cwd = scratchFolder();
  for (const file of files) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), '{"auths":{}}', { mode: 0o644 });
  }
  const inside = Object.fromEntries(
    Object.entries({ HOME: 'home', ...env }).map(([name, path]) => [name, join(cwd, path)]),
  );
  const { stderr } = await coreiso(['base', 'fetch', '--cache-dir', 'cache', 'release:127.0.0.1:1/a:b'], {
    cwd,
    env: inside,
  });
  return /^warning: (\S+) holds a secret and is open to others \(mode 0644\)$/m
    .exec(stderr)?.[1]
    ?.slice(cwd.length + 1);
}

test.each(PLACES)('finds the pull secret in %s', async (file, env) => {
  expect(await fileRead([file], env)).toBe(file);
  expect(await fileRead(['elsewhere'], env)).toBeUndefined();
});

test('uses the first of the files', async () => {
  const env = Object.assign({}, ...PLACES.map(([, one]) => one));
  const files = PLACES.map(([file]) => file);
  expect(await fileRead(files, env)).toBe('run/containers/auth.json');
  expect(await fileRead(files.slice(1), env)).toBe('config/containers/auth.json');
  expect(await fileRead(files.slice(2), env)).toBe('docker/config.json');
  expect(await fileRead(files, {})).toBe('home/.config/containers/auth.json');
});

test('ignores a docker config without registries', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, '.docker'));
  writeFileSync(join(cwd, '.docker/config.json'), '{"credsStore": "pass"}', { mode: 0o644 });
  const argv = ['base', 'fetch', '--cache-dir', 'cache', 'release:127.0.0.1:1/a:b'];
  expect((await coreiso(argv, { cwd, env: { HOME: cwd } })).stderr).not.toContain('holds a secret');
});
