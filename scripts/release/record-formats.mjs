// Records the files that this version writes (images, journal, state, facts), so that tests can check that later versions read
// them.
//   npm run build && node scripts/release/record-formats.mjs      writes test/goldens/formats/VERSION.json, once per version
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSources } from '../typescript.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
const target = join(root, `test/goldens/formats/${version}.json`);
if (existsSync(target)) {
  console.error(`error: ${target} exists; what a version has written does not change`);
  process.exit(1);
}
const coreiso = (args, cwd) =>
  execFileSync(process.execPath, [join(root, 'packages/cli/bin/coreiso.cjs'), ...args], { cwd, encoding: 'utf8' });

const folder = mkdtempSync(join(tmpdir(), 'coreiso-formats-'));
try {
  const facts = coreiso(['nodes', 'facts', '--sample'], folder);
  coreiso(['agent', 'template', '--dir', folder], folder);
  coreiso(
    ['agent', 'create', 'cluster-manifests', '--release-image', 'quay.example.test/ocp:4.20.3', '--dir', folder],
    folder,
  );
  const state = readFileSync(join(folder, '.coreiso-agent-state.json'), 'utf8');
  await withSources(async (load) => {
    const { record } = await load('test/support/written.ts');
    writeFileSync(target, `${JSON.stringify(await record(version, { state, facts }), undefined, 2)}\n`);
  });
  console.log(target);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
