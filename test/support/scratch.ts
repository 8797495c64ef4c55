import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/** Folders made outside a test. */
const ofFile = new Set<string>();

/** An empty folder that is removed after the test, or, if made outside a test, after the tests of its file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-'));
  if (TestRunner.getCurrentTest() === undefined) ofFile.add(folder);
  else onTestFinished(() => remove(folder));
  return folder;
}

/** Runs after each file: a hook of the file itself cannot register another. */
export function removeScratchOfFile(): void {
  for (const folder of ofFile) remove(folder);
  ofFile.clear();
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
