// Checks every published package as a user gets it: publint on its manifest, attw on the types of libraries.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'coreiso-pack-'));
const failed = [];
try {
  for (const folder of readdirSync(join(root, 'packages'))) {
    const cwd = join(root, 'packages', folder);
    const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    if (manifest.private === true) continue;
    const { name, exports } = manifest;
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', scratch], {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const tarball = join(scratch, filename.replace('/', '-').replace('@', ''));
    const verdicts = [
      spawnSync(bin('publint'), ['run', '--strict', tarball], { stdio: 'inherit' }).status,
      exports === undefined
        ? 0
        : spawnSync(bin('attw'), ['--profile', 'esm-only', '--format', 'ascii', tarball], { stdio: 'inherit' }).status,
    ];
    if (verdicts.some((status) => status !== 0)) failed.push(name);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`not fit to publish: ${failed.join(', ')}`);
  process.exit(1);
}
