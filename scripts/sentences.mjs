// Prints random sentences of the project for review: mark those that you have to read twice, and repair them.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOf, KINDS, sample, sentencesOf } from './sentences/read.mjs';

const USAGE = `usage: npm run sentences -- [--seed N] [--count N] [--of KIND ...] [FOLDER ...]

Prints random sentences with file and line, from the whole project or the folders.

  --seed N   which sentences (default: random, and printed)
  --count N  how many (default: 50)
  --of KIND  only sentences of a kind: ${KINDS.join(', ')}; can be repeated`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    count: { type: 'string', default: '50' },
    of: { type: 'string', multiple: true, default: KINDS },
    help: { type: 'boolean', short: 'h' },
  },
});
const wrong = values.of.find((kind) => !KINDS.includes(kind));
if (values.help || wrong !== undefined) {
  console.error(wrong === undefined ? USAGE : `unknown kind ${wrong}: expected one of ${KINDS.join(', ')}\n\n${USAGE}`);
  process.exit(wrong === undefined ? 0 : 2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const isWanted = (path) => positionals.length === 0 || positionals.some((folder) => path.startsWith(folder));
const all = filesOf(root)
  .filter(isWanted)
  .flatMap((path) => sentencesOf(root, path))
  .filter(({ kind }) => values.of.includes(kind));

console.log(`${all.length} sentences, seed ${values.seed}\n`);
for (const { path, line, text } of sample(all, Number(values.count), Number(values.seed))) {
  console.log(`${path}:${line}\n    ${text}`);
}
