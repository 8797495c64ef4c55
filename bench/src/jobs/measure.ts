// Sets up one row, then measures our side of it once for each line of its standard input, and prints the figure.
//   node dist/jobs/measure.js NAME DIRECTORY MIB
import { createInterface } from 'node:readline';
import { BENCHES } from '../benches/index.ts';

const [name, directory = '', mib] = process.argv.slice(2);
const bench = BENCHES.find((one) => one.name === name);
if (bench === undefined) throw new Error(`no such bench: ${name}`);
const { ours, end } = await bench.setUp({ directory, imageMiB: Number(mib) });

async function figure(): Promise<number> {
  const before = process.cpuUsage();
  const measured = await ours();
  const { user, system } = process.cpuUsage(before);
  return bench?.computes ? (user + system) / 1000 : measured;
}

try {
  await ours();
  process.stdout.write('ready\n');
  for await (const _ of createInterface({ input: process.stdin })) process.stdout.write(`${await figure()}\n`);
} finally {
  await end?.();
}
// Resources that a row left open must not keep the process alive.
process.exit();
