import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { run } from '../../src/main.ts';
import { coreiso, scratchFolder } from '../support.ts';

/** Commands that read a file called `input`, one for each way of reading. */
const READERS: readonly (readonly string[])[] = [
  ['iso', 'kargs', 'show', 'input'],
  ['iso', 'ignition', 'embed', '-i', 'input', '-o', '-', 'base.iso'],
  ['iso', 'customize', '--dest-ignition', 'input', '-o', 'out.iso', 'base.iso'],
  ['pxe', 'ignition', 'wrap', '-i', 'input'],
  ['pxe', 'ignition', 'unwrap', 'input'],
  ['dev', 'show', 'initrd', 'input'],
  ['nmstate', 'gc', 'input'],
  ['nmstate', 'check', 'input'],
  ['ignition', 'validate', 'input'],
  ['ignition', 'show', 'input'],
  ['nodes', 'validate', 'input'],
  ['nodes', 'plan', 'input'],
  ['nodes', 'facts', '--kubeconfig', 'input'],
  ['nodes', 'advise', '--cluster', 'input', '-'],
  ['nodes', 'ignition', '--cluster', 'input'],
  ['ztp', 'render', 'input'],
  ['base', 'list', 'stream:./input'],
  ['base', 'list', '--registries-conf', 'input', 'release:127.0.0.1:1/a:1'],
  ['base', 'list', '--registry-ca', 'input', 'release:127.0.0.1:1/a:1'],
];

async function folderWithImage(): Promise<string> {
  const cwd = scratchFolder();
  await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
  return cwd;
}

/** Runs a command that waits for input until a signal arrives. */
async function interrupted(argv: readonly string[], name: string, stdin = new PassThrough()): Promise<number> {
  const cwd = await folderWithImage();
  if (argv.some((argument) => argument.endsWith('input'))) output('mkfifo', [join(cwd, 'input')]);
  const abort = new AbortController();
  const sink = new PassThrough().resume();
  const running = run(argv, {
    cwd,
    env: {},
    stdin,
    stdout: sink,
    stderr: sink,
    invokedAs: 'coreiso',
    signal: abort.signal,
  });
  // By now it reads, or will notice the signal before it does.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  abort.abort(new DOMException(name, 'AbortError'));
  return await running;
}

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s ends the wait for standard input with status %d', async (name, status) => {
  expect(await interrupted(['nmstate', 'gc', '-'], name)).toBe(status);
});

test('a signal ends the wait for the rest of standard input, too', async () => {
  const stdin = new PassThrough();
  stdin.write('interfaces:');
  expect(await interrupted(['pxe', 'ignition', 'wrap'], 'SIGTERM', stdin)).toBe(143);
});

describeWith(['mkfifo'], 'a named pipe', () => {
  test.each(READERS)('ends its wait on a signal: %s %s %s', async (...argv) => {
    expect(await interrupted(argv, 'SIGTERM')).toBe(143);
  });

  test.each(READERS)('is read like a file: %s %s %s', async (...argv) => {
    const [withPipe, withFile] = [await folderWithImage(), await folderWithImage()];
    writeFileSync(join(withFile, 'input'), '{"ignition":{"version":"3.4.0"}}');
    output('mkfifo', [join(withPipe, 'input')]);
    const writer = createWriteStream(join(withPipe, 'input'));
    writer.write('{"ignition":');
    setImmediate(() => writer.end('{"version":"3.4.0"}}'));
    const [fromPipe, fromFile] = [await coreiso(argv, { cwd: withPipe }), await coreiso(argv, { cwd: withFile })];
    expect([fromPipe.status, fromPipe.stderr.replaceAll(withPipe, withFile)]).toEqual([
      fromFile.status,
      fromFile.stderr,
    ]);
    expect(fromPipe.stdout.equals(fromFile.stdout)).toBe(true);
  });
});
