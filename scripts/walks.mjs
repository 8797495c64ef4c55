// Prints the files that the data goes through. docs/architecture.md draws them, test/walks.test.ts compares.
import { parseArgs } from 'node:util';
import { stationsOf } from './walks/stations.mjs';
import { WALKS, walk } from './walks/walk.mjs';

const USAGE = `usage: npm run walks -- [--all] [NAME ...]

Runs ${WALKS.join(', ')} (or those named) and prints the files that the data goes through, in order.

  --all  every file of which a function runs`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

for (const { name, ...trace } of await walk(positionals.length > 0 ? positionals : WALKS)) {
  const stations = stationsOf(trace);
  const count = `${name}: ${stations.length} of ${trace.files.length} files`;
  console.log([count, ...(values.all ? trace.files : stations)].join('\n  '));
}
