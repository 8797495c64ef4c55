// Builds the documentation site.
//   node scripts/docs.mjs [build|serve]     makes the pages of docs/reference, then the site; `build` fails at a dead link
//   node scripts/docs.mjs terminal          runs the commands of the terminal picture again, with the built program
//   node scripts/docs.mjs record            runs the unit tests once more and keeps an example for each code, for docs/reference
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSources } from './typescript.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);

const [verb = 'build'] = process.argv.slice(2);
if (verb === 'record') await record();
else if (verb === 'terminal') {
  const picture = await withSources(async (load) => (await load('scripts/docs/terminal.ts')).recordTerminal(root));
  writeFileSync(join(root, 'docs/start/terminal.svg'), picture);
} else {
  const { build, createServer } = await import('vitepress');
  await makeReference();
  if (verb === 'serve') {
    const server = await createServer(join(root, 'docs'));
    await server.listen();
    server.printUrls();
  } else {
    await build(join(root, 'docs'));
    const dist = join(root, 'docs/.vitepress/dist');
    const files = readdirSync(dist, { recursive: true }).map((name) => statSync(join(dist, name)));
    const size = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
    console.log(`built docs/.vitepress/dist in ${seconds()} s: ${(size / 2 ** 20).toFixed(1)} MiB`);
  }
}

async function makeReference() {
  const { pages } = await withSources((load) => load('scripts/docs/pages.ts'));
  const folder = join(root, 'docs/reference');
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  console.log(`made ${pages.size} pages of docs/reference in ${seconds()} s`);
}

async function record() {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-docs-'));
  const recording = join(scratch, 'findings.jsonl');
  try {
    spawnSync('npx', ['vitest', 'run', '--config', 'scripts/docs/record/vitest.config.ts', '--root', '.'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, COREISO_RECORDING: recording },
    });
    const examples = await withSources(async (load) =>
      (await load('scripts/docs/record.ts')).chooseExamples(recording),
    );
    writeFileSync(join(root, 'scripts/docs/generated/examples.json'), `${JSON.stringify(examples, null, 2)}\n`);
    console.log(`kept examples of ${Object.keys(examples).length} codes`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
