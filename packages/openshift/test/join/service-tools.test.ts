import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeWith, output, run } from '../../../../test/support/tools.ts';
import { fixedFiles } from '../../src/join/service/fixed-files.ts';
import { ServiceMachine } from './service-machine.ts';

const SHELLS: readonly (readonly string[])[] = [['dash'], ['busybox', 'sh'], ['bash', '--norc', '--posix']];

const textOf = (path: string): string => fixedFiles().find((file) => file.path === path)?.contents ?? '';

function written(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describeWith(['dash', 'busybox', 'bash', 'jq'], 'scripts beside the service', () => {
  describe.each(SHELLS)('under %s', (...shell) => {
    const RECORD = 'var/log/openshift/agent.json';
    /** A service that runs the record script, then `body`. */
    const service = (machine: ServiceMachine, body: string): void => {
      machine.write('usr/local/bin/set-hostname.sh', `. "$ROOT/usr/local/bin/bootstrap-service-record.sh"\n${body}\n`);
      machine.stub('ps', 'echo agent.service');
      machine.stub('journalctl', "echo 'it broke'");
    };
    const entries = (machine: ServiceMachine): unknown[] => JSON.parse(machine.read(RECORD) ?? '');

    test('record when a service and its stages began and how they ended', async () => {
      using machine = new ServiceMachine();
      service(machine, 'record_service_stage_start pull\nrecord_service_stage_success\n');
      expect((await machine.run('set-hostname.sh', shell)).status).toBe(0);
      const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(entries(machine)).toEqual([
        { timestamp, phase: 'service start' },
        { timestamp, phase: 'stage start', stage: 'pull' },
        { timestamp, phase: 'stage end', stage: 'pull', result: 'success' },
        { timestamp, phase: 'service end', result: 'success' },
      ]);
    });

    test('record in which stage a service failed, and its output', async () => {
      using machine = new ServiceMachine();
      service(machine, 'record_service_stage_start pull\nexit 3\n');
      expect((await machine.run('set-hostname.sh', shell)).status).toBe(3);
      expect(entries(machine).slice(2)).toMatchObject([
        { phase: 'stage end', stage: 'pull', result: 'failure', errorMessage: 'it broke' },
        { phase: 'service end', result: 'failure', errorMessage: 'it broke' },
      ]);
    });

    test('record commands before a service as such, and append to earlier records', async () => {
      using machine = new ServiceMachine();
      service(machine, ':');
      await machine.run('set-hostname.sh', shell, { PRE_COMMAND: 'fetch' });
      await machine.run('set-hostname.sh', shell);
      expect(entries(machine)).toMatchObject([
        { phase: 'pre-command start', preCommand: 'fetch' },
        { phase: 'pre-command end', preCommand: 'fetch', result: 'success' },
        { phase: 'service start' },
        { phase: 'service end' },
      ]);
    });

    test('do not stop at a record that cannot be written', async () => {
      using machine = new ServiceMachine();
      service(machine, 'record_service_stage_start pull');
      machine.write('var/log/openshift', 'a file, and no folder');
      expect((await machine.run('set-hostname.sh', shell)).status).toBe(0);
    });

    test('look for a config image until its settings exist', async () => {
      using machine = new ServiceMachine();
      machine.stub(
        'sleep',
        'cat "$ROOT"/etc/issue.d/*.issue >>"$ROOT/console"; mkdir -p "$ROOT/etc/assisted"; : >"$ROOT/etc/assisted/rendezvous-host.env"',
      );
      expect((await machine.run('agent-config-image-wait.sh', shell)).status).toBe(0);
      expect(machine.shown).toBe('This machine waits for its settings: attach the config image of its cluster\n');
      expect(machine.console).toBe('');
    });

    test('copy the console program out of its image, and leave no container', async () => {
      using machine = new ServiceMachine();
      machine.write('usr/local/bin/get-container-images.sh', '#!/bin/sh\n:\n', 0o755);
      const images = 'usr/local/share/assisted-service/agent-images.env';
      machine.write(images, 'SERVICE_IMAGE=a\nAGENT_INSTALLER_UTILS_IMAGE=quay.example.test/utils@sha256:77\n');
      machine.write('container/usr/lib64/libnmstate.so.2', 'library');
      machine.stub('restorecon', ':');
      machine.stub('podman', 'case $1 in create) echo c1 ;; mount) echo "$ROOT/container" ;; esac');
      expect((await machine.run('agent-extract-tui.sh', shell)).status).toBe(1);
      expect(machine.read('usr/local/bin/agent-tui')).toBeUndefined();
      machine.write('container/usr/bin/agent-tui', 'program');
      expect((await machine.run('agent-extract-tui.sh', shell)).status).toBe(0);
      expect(machine.read('usr/local/bin/agent-tui')).toBe('program');
      expect(machine.read('usr/local/bin/libnmstate.so.2')).toBe('library');
      expect(machine.calls.filter((line) => line === 'podman rm --force c1')).toHaveLength(2);
      expect(machine.calls).toContain(
        'podman create --quiet --authfile /root/.docker/config.json quay.example.test/utils@sha256:77',
      );
    });

    test.each([
      ['another machine', 'QEMU', '', '', 0, 'this machine is not in the cloud of Oracle'],
      ['user data', 'OracleCloud.com', '200', 'echo "ran as $0"', 0, 'ran as '],
      ['user data that fail', 'OracleCloud.com', '200', 'exit 7', 7, ''],
      ['no user data', 'OracleCloud.com', '404', 'not found', 0, 'there is no user data'],
      ['a server in trouble', 'OracleCloud.com', '503', '', 1, 'the user data cannot be read: HTTP 503'],
    ])('run the user data of a cloud: %s', async (_, tag, http, script, status, said) => {
      using machine = new ServiceMachine();
      machine.stub('dmidecode', `echo ${tag}`);
      machine.write('answer', Buffer.from(script).toString('base64'));
      machine.stub(
        'curl',
        `while [ "$1" != --output ]; do shift; done; cp "$ROOT/answer" "$2"; printf %s ${http || '000'}`,
      );
      const ended = await machine.run('oci-eval-user-data.sh', shell);
      expect([ended.status, ended.output]).toEqual([status, expect.stringContaining(said)]);
    });
  });

  // Busybox' own decoder accepts invalid base64.
  test('refuse damaged user data', async () => {
    using machine = new ServiceMachine();
    machine.stub('dmidecode', 'echo OracleCloud.com');
    machine.write('answer', '<html>');
    machine.stub('curl', 'while [ "$1" != --output ]; do shift; done; cp "$ROOT/answer" "$2"; printf 200');
    const ended = await machine.run('oci-eval-user-data.sh', ['dash']);
    expect([ended.status, ended.output]).toEqual([1, expect.stringContaining('the user data is no base64\n')]);
  });
});

describeWith(['checkmodule', 'semodule_package'], 'the SELinux rules', () => {
  test('compile to a module, and pack as in the unit', () => {
    const source = written('assisted.te', textOf('/root/assisted.te'));
    const stem = source.slice(0, -'.te'.length);
    output('checkmodule', ['-M', '-m', '-o', `${stem}.mod`, source]);
    output('semodule_package', ['-o', `${stem}.pp`, '-m', `${stem}.mod`]);
  });
});

describeWith(['podman'], 'the settings of containers', () => {
  // To make a pod takes root.
  test.skipIf(process.getuid?.() !== 0)(
    'let podman make the first container of a pod itself, and contact no registry',
    () => {
      const asks = (settings: string): boolean => {
        const file = written('containers.conf', settings);
        const folder = dirname(file);
        const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
        const env = { ...process.env, CONTAINERS_CONF: file };
        return run('podman', [...storage, 'pod', 'create', '--network=host'], { env }).stderr.includes('127.0.0.1:1/');
      };
      expect(asks('[engine]\ninfra_image = "127.0.0.1:1/pause"\n')).toBe(true);
      expect(asks(textOf('/etc/containers/containers.conf'))).toBe(false);
    },
  );
});
