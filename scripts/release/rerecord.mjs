// Looks for newer versions of the tools that coreiso imitates, and prints how they differ. Changes nothing.
//   node scripts/release/rerecord.mjs                   the newest crates, built if they are newer than the recorded ones
//   node scripts/release/rerecord.mjs TOOL=PROGRAM …    with installed programs (coreos-installer, nmstatectl)
// coreos-installer needs COREISO_FIXTURES. Crates are built into .cache/crates, which takes minutes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSources } from '../typescript.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TOOLS = ['coreos-installer', 'nmstatectl'];
const compared = Object.fromEntries(
  [
    ...readFileSync(join(root, 'packages/cli/src/frame/version.ts'), 'utf8').matchAll(/^ {2}'?([\w-]+)'?: '(.+)',$/gm),
  ].map(([, name, version]) => [name, version]),
);

const given = new Map(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s)));
for (const name of given.keys()) {
  if (TOOLS.includes(name)) continue;
  console.error(`error: unknown tool ${name}; expected ${TOOLS.join(' or ')}`);
  process.exit(2);
}
const programs = given.size > 0 ? given : new Map(TOOLS.flatMap((name) => newer(name)));

await withSources(async (load) => {
  const { rerunInstaller, rerunNmstate } = await load('test/support/rerecord.ts');
  for (const [name, program] of programs) {
    const fixtures = process.env.COREISO_FIXTURES;
    if (name === 'coreos-installer' && fixtures === undefined) {
      console.error('error: coreos-installer was recorded on trimmed images; name their folder in COREISO_FIXTURES');
      process.exitCode = 2;
      continue;
    }
    const { calls, changes } = name === 'nmstatectl' ? rerunNmstate(program) : await rerunInstaller(program, fixtures);
    for (const { name: call, details } of changes)
      console.log(`${call}\n${details.map((line) => `  ${line}\n`).join('')}`);
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
    console.log(`${version}, recorded ${compared[name]}: ${changes.length} of ${calls} calls differ`);
    if (changes.length > 0) process.exitCode = 1;
  }
});

/** The newest crate of a tool, built, if it is newer than the recorded version. */
function newer(name) {
  const found = /^version: (\S+)/m.exec(
    execFileSync('cargo', ['info', '--color', 'never', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const newest = found?.[1];
  if (newest === undefined || newest === compared[name]) {
    console.log(`${name} ${compared[name]} is the newest crate: nothing to compare`);
    return [];
  }
  const folder = join(root, '.cache/crates', `${name}-${newest}`);
  const program = join(folder, 'bin', name);
  console.log(`${name} ${newest} is newer than ${compared[name]}`);
  if (!existsSync(program))
    execFileSync('cargo', ['install', '--quiet', '--locked', '--root', folder, `${name}@${newest}`], {
      stdio: 'inherit',
    });
  return [[name, program]];
}
