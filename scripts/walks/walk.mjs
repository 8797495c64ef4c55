// Bundles the program with functions that report when they are entered, and runs each walk in its own process, so that no
// caches are shared.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { visits } from './visits.mjs';

export const WALKS = ['embed', 'nodes', 'agent', 'range'];

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The files of each walk in the order of the first visit, and the pairs of which the first called an export of the second.
 * @returns {Promise<{ name: string, files: string[], entries: [string, string][] }[]>}
 */
export async function walk(names) {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-walks-'));
  // Inside the workspace's modules folder, so that dependencies are found.
  const out = join(root, 'node_modules/.cache/walks');
  try {
    const functions = [];
    await build({
      input: join(root, 'scripts/walks/operations.mjs'),
      platform: 'node',
      external: /^(?![./\\]|@coreiso\/|[A-Za-z]:)/,
      resolve: { conditionNames: ['@coreiso/source', 'node', 'import', 'default'] },
      plugins: [visits(root, functions)],
      checks: { pluginTimings: false },
      output: { dir: out, format: 'esm', cleanDir: true },
    });
    writeFileSync(join(out, 'functions.json'), JSON.stringify(functions));
    return names.map((name) => ({ name, ...inChild(name, scratch, out) }));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function inChild(name, scratch, out) {
  const child = fileURLToPath(new URL('child.mjs', import.meta.url));
  const folder = mkdtempSync(join(scratch, 'run-'));
  const result = join(scratch, `${name}.json`);
  const { status, stderr } = spawnSync(process.execPath, [child, name, folder, out, result], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return JSON.parse(readFileSync(result, 'utf8'));
}
