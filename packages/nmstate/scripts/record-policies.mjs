// Records the results of nmstatectl 2.2.62 for the policies of test/policy/cases.ts, for the tests:
//   node packages/nmstate/scripts/record-policies.mjs [NMSTATECTL]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from '../../../scripts/run-generator.mjs';

const [program = 'nmstatectl'] = process.argv.slice(2);
const version = '2.2.62';
const said = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim();
if (said !== `nmstatectl ${version}`) throw new Error(`wanted nmstatectl ${version}, found ${said ?? 'none'}`);

const folder = mkdtempSync(join(tmpdir(), 'policies-'));
try {
  const { POLICY_CASES, STATES } = await importSource(
    fileURLToPath(new URL('../test/policy/cases.ts', import.meta.url)),
  );
  for (const [name, text] of Object.entries(STATES)) writeFileSync(join(folder, name), text);
  const recordings = POLICY_CASES.map((one) => [one.name, record(one)]);
  const out = new URL('../test/goldens/policies.json', import.meta.url);
  writeFileSync(out, `${JSON.stringify({ nmstatectl: version, cases: Object.fromEntries(recordings) }, null, 1)}\n`);
  console.log(`recorded ${recordings.length} policies`);
} finally {
  rmSync(folder, { recursive: true });
}

function record({ state, policy }) {
  const file = join(folder, 'policy');
  writeFileSync(file, policy);
  const args = ['policy', '-q', '--current', join(folder, state), file];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  // println! adds a line end.
  return status === 0 ? { state: stdout.slice(0, -1) } : { status, refusal: stderr.trimEnd() };
}
