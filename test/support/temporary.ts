// Every run has a temporary folder of its own, which is gone afterwards. Whatever is still in it when all tests are done is told:
// the tests, or the code that they try, forgot to remove it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = 'coreiso-tests-';
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

export default function setup(): (() => void) | undefined {
  // Projects that run together have one.
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), NAME));
  for (const name of VARIABLES) process.env[name] = folder;
  return () => {
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) console.error(`left behind in the temporary folder: ${left.join(', ')}`);
  };
}
