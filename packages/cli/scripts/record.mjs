// Records the behaviour of coreos-installer with our sample images: node packages/cli/scripts/record.mjs [--check] [NAME…]
// With --check it writes nothing; the exit status tells whether the program still behaves as recorded.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from '../../../scripts/run-generator.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const goldens = join(root, 'test/goldens');
const { record } = await importSource(join(root, 'scripts/record.ts'));
mkdirSync(goldens, { recursive: true });
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const [name, text] of await record(names)) {
  const path = join(goldens, name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is out of date`);
    process.exitCode = 1;
  }
}
