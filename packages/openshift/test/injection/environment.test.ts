// Environment files and the default environment of systemd's managers, read back by the readers of systemd and podman.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoreisoError } from '@coreiso/diagnostics';
import { parseNodesConfigOrThrow, samples } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import { environmentText } from '../../src/join/service/environment.ts';
import { SAMPLE_CREDENTIALS } from '../join/sample-credentials.ts';
import { filesOf } from './files.ts';
import { variantsOf } from './hostile.ts';

type Variables = Readonly<Record<string, string>>;

/** The text, if the value is not refused. */
function written(variables: Variables): string | undefined {
  try {
    return environmentText(variables);
  } catch (error) {
    if (isCoreisoError(error)) return undefined;
    throw error;
  }
}

const GENERATOR = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';

/** The values that systemd reads: its environment generator uses the reader of `EnvironmentFile=`, then replaces variables. */
function readBySystemd(text: string): Variables {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'environment.d'));
  writeFileSync(join(folder, 'environment.d', 'given.conf'), text.replaceAll('$', '$$$$'));
  const env = { XDG_CONFIG_HOME: folder, HOME: folder, XDG_DATA_DIRS: '', PATH: process.env['PATH'] };
  const generated = join(folder, 'generated');
  writeFileSync(generated, output(GENERATOR, [], { env }));
  // It quotes its output for a shell; a tilde stays a tilde.
  const script = ['-i', 'HOME=~', 'bash', '--norc', '--noprofile', '-ac', '. "$1" && exec env -0', 'bash', generated];
  return variablesOf(output('env', script).toString().split('\0'));
}

/** The values that podman passes to a container. */
function readByPodman(text: string): Variables {
  const folder = scratchFolder();
  for (const name of ['root', 'storage', 'run']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'given.env'), text);
  const podman = (...args: readonly string[]): string =>
    output('podman', [
      '--root',
      join(folder, 'storage'),
      '--runroot',
      join(folder, 'run'),
      '--storage-driver',
      'vfs',
      ...args,
    ]).toString();
  const create = ['create', '--net', 'host', '--env-file', join(folder, 'given.env'), '--rootfs', join(folder, 'root')];
  const id = podman(...create, 'true').trim();
  const told: readonly string[] = JSON.parse(podman('inspect', '--format', '{{json .Config.Env}}', id));
  podman('rm', id);
  return variablesOf(told);
}

function variablesOf(lines: readonly string[]): Variables {
  return Object.fromEntries(
    lines.filter((line) => line !== '').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  );
}

const READERS = [
  ['systemd', readBySystemd],
  ['podman', readByPodman],
] as const;

describeWith(['bash', 'podman', 'systemd-analyze'], 'an environment file', () => {
  test.each(READERS)('gives %s the written values, each under its name', (_, read) => {
    const values = [...variantsOf({ value: 'https://proxy.example.test/a?b=c' }, { share: 1 })];
    const accepted = values
      .map(({ value }, at) => ({ [`V${at}`]: value }))
      .filter((variable) => written(variable) !== undefined);
    // Between other values, which one that breaks out would take with it.
    const variables = Object.assign({}, ...accepted.map((one, at) => ({ ...one, [`BETWEEN${at}`]: String(at) })));
    const seen = read(written({ FIRST: 'first', ...variables }) ?? '');
    const others = Object.keys(seen).filter((name) => /^(?:V|BETWEEN)\d+$|^FIRST$/.test(name));
    expect(others.map((name) => [name, seen[name]]).toSorted()).toEqual(
      Object.entries({ FIRST: 'first', ...variables }).toSorted(),
    );
    expect(accepted.length).toBeGreaterThan(50);
    expect(values.length - accepted.length).toBeGreaterThan(20);
  });

  test.each(READERS)("gives %s the values of the machine's lines", (reader, read) => {
    const nodes = parseNodesConfigOrThrow(samples.nodesConfig);
    const options = { cluster: samples.facts, join: 'service', credentials: SAMPLE_CREDENTIALS } as const;
    const files = Object.entries(filesOf(liveConfig(planNodes(nodes, options)))).filter(([path]) =>
      path.endsWith('.env'),
    );
    expect(files.length).toBeGreaterThan(4);
    for (const [path, text] of files) {
      // The generator drops empty values.
      const isTold = (line: string): boolean => reader === 'podman' || !line.endsWith('=');
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && isTold(line));
      expect([path, read(text)]).toEqual([path, expect.objectContaining(variablesOf(lines))]);
    }
  });
});
