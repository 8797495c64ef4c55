// Another revision, built beside this one; both are measured in turns.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Bench, Workspace } from './frame.ts';
import { output } from './programs.ts';
import { judge, type Verdict } from './verdict.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The result of a row that two revisions ran in turns. */
export interface Comparison extends Verdict {
  readonly name: string;
  readonly unit: string;
  readonly pairs: readonly { readonly ours: number; readonly theirs: number }[];
}

/** Compilers optimise each process differently, so no single pair of processes decides. */
const PAIRS_OF_PROCESSES = 3;
const FEWEST_PAIRS = 9;
const MOST_PAIRS = 27;

/** Checks `revision` out, builds it with the rows of this one, passes it to `work` and removes it. */
export async function withRevision(
  revision: string,
  directory: string,
  work: (root: string) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(directory, 'coreiso-revision-'));
  const root = join(home, 'tree');
  const git = (...args: string[]) => output('git', ['-C', ROOT, ...args]);
  try {
    await git('worktree', 'add', '--detach', root, revision);
    await install(root);
    // Both revisions do the same work, so both need the same rows.
    await rm(join(root, 'bench/src'), { recursive: true });
    await cp(join(ROOT, 'bench/src'), join(root, 'bench/src'), { recursive: true });
    await output(process.execPath, [join(root, 'scripts/build.mjs')]);
    await work(root);
  } finally {
    await git('worktree', 'remove', '--force', root).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  }
}

/** Links dependencies to those of this revision if the versions are equal; installs the others. */
async function install(root: string): Promise<void> {
  const [here, there] = await Promise.all(
    [ROOT, root].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
  );
  if (here !== there) {
    await output('npm', ['ci', '--prefix', root, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);
    return;
  }
  await link(join(ROOT, 'node_modules'), join(root, 'node_modules'));
}

async function link(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  await mkdir(to);
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name.startsWith('@')) await link(source, target);
    // The workspaces, which npm links.
    else if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
    else await symlink(relative(to, source), target);
  }
}

/** Measures a row here and in `root` in turns until the pairs are conclusive, or too many. */
export async function compare(bench: Bench, root: string, workspace: Workspace): Promise<Comparison> {
  const pairs: Comparison['pairs'][number][] = [];
  for (;;) {
    pairs.push(...(await pairsOfProcesses(bench, root, workspace, pairs.length)));
    const verdict = judge(pairs);
    if (pairs.length < FEWEST_PAIRS || (verdict.word === 'unclear' && pairs.length < MOST_PAIRS)) continue;
    return { name: bench.name, unit: bench.computes ? 'ms CPU' : bench.unit, pairs, ...verdict };
  }
}

async function pairsOfProcesses(
  { name }: Bench,
  root: string,
  workspace: Workspace,
  done: number,
): Promise<readonly Comparison['pairs'][number][]> {
  const start = async (home: string): Promise<Side> => {
    const directory = await mkdtemp(join(workspace.directory, 'side-'));
    return startSide(home, name, { ...workspace, directory });
  };
  const here = await start(ROOT);
  try {
    const there = await start(root);
    try {
      const pairs: Comparison['pairs'][number][] = [];
      for (let pair = 0; pair < PAIRS_OF_PROCESSES; pair++) {
        // The second revision finds the caches that the first left.
        const isOursFirst = (done + pair) % 2 === 0;
        const first = await (isOursFirst ? here : there).measure();
        const second = await (isOursFirst ? there : here).measure();
        pairs.push(isOursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
      }
      return pairs;
    } finally {
      await there.end();
    }
  } finally {
    await here.end();
  }
}

interface Side {
  measure(): Promise<number>;
  end(): Promise<void>;
}

async function startSide(root: string, name: string, { directory, imageMiB }: Workspace): Promise<Side> {
  const job = join(root, 'bench/dist/jobs/measure.js');
  const child = spawn(process.execPath, [job, name, directory, String(imageMiB)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} failed in ${root}`);
    return value;
  };
  const end = async (): Promise<void> => {
    child.stdin.end();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await next();
  } catch (error) {
    await end();
    throw error;
  }
  return {
    async measure() {
      child.stdin.write('\n');
      return Number(await next());
    },
    end,
  };
}
