import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Unit, validateConfig } from '@coreiso/ignition';
import { describe, expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';

import { serviceConfig } from '../../src/join/service/service-config.ts';
import { SAMPLE_CREDENTIALS } from './sample-credentials.ts';
import { SITE } from './service-site.ts';

const units = serviceConfig(SITE).systemd?.units ?? [];

/** Command lines as systemd passes them to a program, with specifiers and variables replaced. */
function commandLines(contents: string, name: string, folder: string): string[][] {
  const lines = contents.split('\n').flatMap((line) => /^Exec\w+=-?(\/usr\/bin\/podman .*)$/.exec(line)?.[1] ?? []);
  return lines.map((line) => {
    const words = line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
    return words.map((word) =>
      word
        .replace(/^"(.*)"$/, '$1')
        .replace(/\\(["\\])/g, '$1')
        .replace(/\$(SERVICE_IMAGE|INSTALLER_UI_IMAGE)$/, `quay.example.test/service@sha256:${'7'.repeat(64)}`)
        .replaceAll('$$', '$')
        .replaceAll('%t', folder)
        .replaceAll('%n', name)
        .replaceAll('%%', '%'),
    );
  });
}

test('is valid, and the same every time', () => {
  expect(validateConfig(serviceConfig(SITE)).ok).toBe(true);
  expect(serviceConfig(SITE)).toEqual(serviceConfig(SITE));
});

test('registers machines only for an existing cluster', () => {
  const waits = units.flatMap(({ name, contents = '' }) =>
    /wait-for-assisted-service\.sh with-cluster\n/.test(contents ?? '') ? [name] : [],
  );
  expect(waits).toEqual(['agent-register-infraenv.service']);
});

test('has no secret on a command line', () => {
  const { tokens, passwordHash, signers } = SAMPLE_CREDENTIALS;
  const secrets = [
    tokens.agent,
    tokens.user,
    tokens.watcher,
    passwordHash,
    ...Object.values(signers).map(({ key }) => key),
  ];
  const text = units.map(({ contents }) => contents).join('\n');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('passes a mirror with special characters of systemd to the container unchanged', () => {
  const { contents = '' } = units.find(({ name }) => name === 'agent-register-cluster.service') ?? {};
  expect(contents).toContain(
    '"OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=mirror.example.test:5000/o%%p/$$release@sha256:55"',
  );
});

describeWith(['podman'], 'podman', () => {
  const podmanUnits = units.filter(({ contents = '' }) => /=-?\/usr\/bin\/podman /.test(contents));

  test('starts all containers', () => {
    expect(podmanUnits.map(({ name }) => name)).toEqual([
      'agent-import-cluster.service',
      'agent-register-cluster.service',
      'agent-register-infraenv.service',
      'agent-ui.service',
      'apply-host-config.service',
      'assisted-service-db.service',
      'assisted-service-pod.service',
      'assisted-service.service',
    ]);
  });

  test.each(podmanUnits)('understands every command line of $name', ({ name, contents = '' }) => {
    const folder = mkdtempSync(join(tmpdir(), 'coreiso-podman-'));
    try {
      for (const file of ['assisted-service-pod.pod-id', `${name}.ctr-id`]) writeFileSync(join(folder, file), 'f00d');
      mkdirSync(join(folder, 'agent-installer'));
      for (const [, ...words] of commandLines(contents, name, folder)) {
        // podman refuses an unknown flag, or an invalid value, before it prints the help.
        const flags = words.filter((word) => word.startsWith('--'));
        const command = words.slice(
          0,
          words.findIndex((word) => word.startsWith('--')),
        );
        const { status, stderr } = run('podman', [...command, ...flags, '--help']);
        expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' });
        const { status: refused } = run('podman', [...command, ...flags, '--no-such-flag', '--help']);
        expect(refused).not.toBe(0);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** systemd's complaints about units; a template is checked as an instance. */
function complaints(all: readonly Unit[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-units-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    for (const { name, contents = '' } of all) {
      // Some programs of the live system are missing here; other tests check their arguments.
      writeFileSync(join(folder, name), contents.replace(/^(Exec\w+=-?)\S+/gm, `$1${program}`));
    }
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
    const names = all.map(({ name }) => name.replace('@.', '@ttyS0.'));
    const paths = names.map((name) => join(folder, name));
    const { stderr } = run('systemd-analyze', ['verify', '--man=no', ...paths], { env });
    const lines = stderr.replaceAll(`${folder}/`, '').split('\n');
    return lines.filter((line) => [...names, ...all.map(({ name }) => name)].some((name) => line.startsWith(name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describeWith(['systemd-analyze'], 'systemd', () => {
  describe.each(['install', 'addnodes'] as const)('of the workflow %s', (workflow) => {
    const all = serviceConfig({ ...SITE, workflow }).systemd?.units ?? [];

    test('accepts the units', () => {
      // Upstream's spelling, which systemd still accepts.
      expect(complaints(all).filter((line) => !line.includes('syslog'))).toEqual([]);
    });

    test('complains about every spoilt unit', () => {
      const spoilt = all.map((one) => ({ ...one, contents: one.contents?.replace('[Service]', '[Service]\nFoo=bar') }));
      const named = complaints(spoilt).flatMap((line) => /^(\S+):\d+: Unknown key 'Foo'/.exec(line)?.[1] ?? []);
      expect([...new Set(named)].sort()).toEqual(all.map(({ name }) => name).sort());
    });
  });
});
