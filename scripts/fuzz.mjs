// Fuzzes the packages' readers and writers, guided by the branches that inputs reach.
//   npm run fuzz -- --list
//   npm run fuzz -- TARGET|GROUP... --seconds N [--seed N]      or --all; --executions N in place of a time repeats exactly
//   npm run fuzz -- TARGET --input FILE [--minimise]            runs one input, or finds the smallest that fails alike
//   npm run fuzz -- TARGET|GROUP... --minimise --state DIR      writes the inputs of a state folder that are worth keeping
//   npm run fuzz -- --all --report --state DIR                  prints a table of the results
// --state DIR keeps corpus, totals and failing inputs between runs; --jobs N targets at a time. Exit 1 where a property broke.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { bundleTargets } from './fuzz/bundle.mjs';

/** An input that takes longer hangs: even a slow machine runs a thousand per second. */
const HANG = 60_000;
const LONGEST = 1 << 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    executions: { type: 'string' },
    seed: { type: 'string' },
    input: { type: 'string' },
    minimise: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    state: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});
const from = (path) => resolve(process.env.INIT_CWD ?? '.', path);
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const isEverything = values.all || values.list;
if (!isEverything && positionals.length === 0) fail('usage: npm run fuzz -- TARGET --seconds N (targets: --list)');

const wanted = isEverything ? undefined : positionals.map((name) => name.split('/')[0]);
const { worker, modules, remove } = await bundleTargets(wanted);
try {
  const targets = await named();
  if (values.list) console.log(targets.map(({ name }) => name).join('\n'));
  else if (targets.length === 0) fail(`no target ${positionals.join(', ')}`);
  else if (values.input !== undefined) await runInput(targets[0]);
  else if (values.report) report(targets);
  else await runAll(targets, values.minimise ? minimise : fuzz);
} finally {
  remove();
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

async function named() {
  const lists = await Promise.all(
    [...modules].map(async ([, module]) => {
      const { names = [] } = await start({ module, task: 'list' });
      return names.map((target) => ({ ...target, module }));
    }),
  );
  const isWanted = ({ name }) => isEverything || positionals.some((one) => name === one || name.startsWith(`${one}/`));
  return lists.flat().filter(isWanted).filter(canRun);
}

/** Skips targets that compare with a missing program. */
function canRun({ name, needs }) {
  const missing = needs.filter((program) => !isOnPath(program));
  if (missing.length > 0) console.error(`${name}: left out, no ${missing.join(', ')} on PATH`);
  return missing.length === 0;
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** The number of parallel targets. */
async function runAll(targets, action) {
  const queue = [...targets];
  const lane = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) await action(target);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
}

async function fuzz({ name, module }) {
  const result = await start({
    module,
    target: name,
    task: 'fuzz',
    seconds: Number(values.seconds ?? 60),
    ...(values.executions === undefined ? {} : { executions: Number(values.executions) }),
    ...(values.state === undefined ? {} : { state: from(values.state) }),
  });
  if (result.done === undefined) return;
  const { executions, seconds, branches, features, corpus, lastNews, digest, totals } = result.done;
  const rate = Math.round(executions / Math.max(seconds, 0.001));
  console.log(
    `${name}: ${executions} executions (${rate}/s), ${branches} branches, ${features} features, corpus ${corpus}, ` +
      `last new after ${lastNews.toFixed(0)} of ${seconds.toFixed(0)} s, digest ${digest.toString(16)}` +
      (values.state === undefined ? '' : `; in all ${totals.executions} in ${totals.seconds.toFixed(0)} s`),
  );
}

async function minimise({ name, module }) {
  if (values.state === undefined) fail('--minimise of a corpus needs --state DIR');
  const { kept } = await start({ module, target: name, task: 'corpus', state: from(values.state) });
  console.log(`${name}: ${kept} inputs kept`);
}

/** The last second with something new shows whether a target needs more time. */
function report(targets) {
  const files = targets.map(({ name }) => join(from(values.state ?? '.'), name.replace('/', '-'), 'totals.json'));
  const totals = files.map((file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined));
  const number = (value) => Math.round(value).toLocaleString('en-US');
  console.log('| Target | Executions | Branches | Last new branch |\n| --- | --- | --- | --- |');
  for (const [index, one] of totals.entries()) {
    if (one === undefined) continue;
    const last = `${number(one.lastNews)} of ${number(one.seconds)} s`;
    console.log(`| \`${targets[index].name}\` | ${number(one.executions)} | ${number(one.branches)} | ${last} |`);
  }
  console.log(`\n${number(totals.reduce((sum, one) => sum + (one?.executions ?? 0), 0))} executions in all.`);
}

async function runInput({ name, module }) {
  const file = from(values.input);
  const job = { module, target: name, input: Uint8Array.from(readFileSync(file)) };
  if (values.minimise) {
    const { smallest } = await start({ ...job, task: 'shrink' });
    writeFileSync(`${file}.min`, smallest);
    return console.log(`wrote ${file}.min (${smallest.length} of ${job.input.length} bytes)`);
  }
  const { steps, bytes, signature, stack } = await start({ ...job, task: 'input' });
  console.log(`${name}: ${steps} steps, ${bytes} bytes allocated`);
  if (signature === undefined) return;
  console.log(stack);
  process.exitCode = 1;
}

/** Runs a job in a thread to its end; if it hangs or dies, its current input is a finding. */
function start(job) {
  const shared = new SharedArrayBuffer(8 + LONGEST);
  const header = new Uint32Array(shared, 0, 2);
  const thread = new Worker(worker, {
    workerData: { seed: Number(values.seed ?? 1), ...job, shared },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  return new Promise((done) => {
    let last = {};
    const died = (reason) => {
      const input = new Uint8Array(shared, 8, header[1]).slice();
      const file = values.state === undefined ? undefined : from(values.state);
      tell(job.target, { signature: reason, message: reason, input, folder: file });
    };
    let seen = -1;
    const watch = setInterval(() => {
      if (job.task === 'fuzz' && header[0] === seen) {
        died(`no end after ${HANG / 1000} s`);
        void thread.terminate();
      }
      seen = header[0];
    }, HANG);
    thread.on('message', (message) => {
      if (message.finding === undefined) last = message;
      else tell(job.target, message.finding);
    });
    thread.on('error', (error) => died(error.stack ?? String(error)));
    thread.on('exit', () => {
      clearInterval(watch);
      done(last);
    });
  });
}

function tell(target, { signature, message, file, input, folder }) {
  process.exitCode = 1;
  console.error(`${target}: FOUND ${signature}\n${message}`);
  // The input is in the log, too, which outlives the machine.
  if (input.length <= 4096) console.error(`input (base64): ${Buffer.from(input).toString('base64')}`);
  if (file !== undefined) console.error(`input: ${file}`);
  else if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    const kept = join(folder, `${target.replace('/', '-')}-died.input`);
    writeFileSync(kept, input);
    console.error(`input: ${kept}`);
  }
}
