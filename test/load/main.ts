// npm run load -- [--clients N] [--seconds N] [--size MIB]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from './load.ts';

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      clients: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '600' },
      size: { type: 'string', default: '8' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-load-'));
  try {
    const report = await load({
      path: join(folder, 'live.iso'),
      clients: Number(values.clients),
      seconds: Number(values.seconds),
      size: Number(values.size) * 1024 * 1024,
      idleSeconds: 20,
    });
    const { seen, p50, p99, before, after, mostDescriptors, memory, recovered, exit } = report;
    const statuses = [...seen.statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
    console.log(
      `${values.clients} clients, ${values.seconds} s: ${seen.right} whole answers, ${seen.wrong.length} wrong`,
    );
    console.log(`${(seen.bytes / 2 ** 30).toFixed(1)} GiB; ${seen.broken} connections broken off; status ${statuses}`);
    console.log(`64 KiB: median ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
    console.log(`descriptors: ${before.descriptors} before, ${mostDescriptors} at most, ${after.descriptors} after`);
    console.log(
      `memory: ${before.mebibytes.toFixed(0)} MiB before, ${memory[0].toFixed(0)} in the second third, ${memory[1].toFixed(0)} in the last, ${after.mebibytes.toFixed(0)} after`,
    );
    console.log(`${recovered ? 'answers' : 'DOES NOT ANSWER'} after that; ended with ${exit}`);
    for (const one of seen.wrong.slice(0, 10)) console.log(`WRONG ${one}`);
    const isFlat = memory[1] <= memory[0] * 1.25 + 32;
    const holds = seen.wrong.length === 0 && recovered && isFlat && after.descriptors <= before.descriptors;
    return holds && seen.right > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
