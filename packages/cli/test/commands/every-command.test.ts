import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRIES } from '../../../../e2e/packed/commands.ts';
import { prepareInputs } from '../../../../e2e/packed/inputs.ts';
import { coreiso, openFiles, scratchFolder } from '../support.ts';

const tries = Object.entries(TRIES).map(([name, one]) => ({ name, line: typeof one === 'string' ? one : one[0] }));

/** A pipe whose reader is gone. */
const deaf = (): Writable => {
  const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
  return new Writable({ write: (_chunk, _encoding, done) => done(error) });
};

let inputs: string;
beforeAll(async () => {
  inputs = mkdtempSync(join(tmpdir(), 'coreiso-tries-'));
  await prepareInputs(inputs);
});
afterAll(() => rmSync(inputs, { recursive: true, force: true }));

function folder(): string {
  const cwd = scratchFolder();
  cpSync(inputs, cwd, { recursive: true });
  return cwd;
}

describe.each(tries)('coreiso $line', ({ name, line }) => {
  const argv = line.split(' ');

  test('exits with 141 and no message if its reader is gone and it prints anything', async () => {
    const usual = await coreiso(argv, { cwd: folder() });
    const { status, stderr } = await coreiso(argv, { cwd: folder(), stdout: deaf() });
    expect(status).toBe(usual.stdout.length > 0 ? 141 : usual.status);
    expect(stderr).not.toContain('Broken pipe');
  });

  test('prints only text on a terminal', async () => {
    const { stdout } = await coreiso(argv, { cwd: folder(), terminal: true });
    expect(stdout.includes(0)).toBe(false);
  });

  test('leaves no file open', async () => {
    const cwd = folder();
    await coreiso(argv, { cwd });
    expect(openFiles(cwd)).toEqual([]);
  });

  test('exits with 141 for its help, too', async () => {
    expect((await coreiso([...name.split(' '), '--help'], { stdout: deaf() })).status).toBe(141);
  });
});
