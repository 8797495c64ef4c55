// Every run has its own temporary folder, which is removed afterwards. Files that are still in it after all tests are reported:
// the tests, or the tested code, forgot to remove them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = 'coreiso-tests-';
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

export default function setup(): (() => void) | undefined {
  // Projects that run together share one.
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), NAME));
  for (const name of VARIABLES) process.env[name] = folder;
  return () => {
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) console.error(`left behind in the temporary folder: ${left.join(', ')}`);
  };
}
