// Makes mistakes in valid documents, or takes them from a folder, and counts those that are found and repaired.
//   npm run mistakes [-- DIR] [--verbose]
// Files in DIR contain cases `{ kind, broken, meant, line }`: one, a list, or one per line. Exits with 1 below the aims.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withSources } from './typescript.mjs';

const COUNT = 1000;
const SEED = 33;
/** The shares of mistakes that must be found on their line, and repaired in two rounds. */
const AIMS = { flagged: 0.95, right: 0.8 };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
const [directory] = positionals;
let [all, flagged, right, wrong] = [0, 0, 0, 0];
await withSources(async (load) => {
  const { replayMistake } = await load('packages/language/test/mistakes/replay.ts');
  // npm runs scripts in the project's root; a relative folder is relative to the caller's.
  const cases =
    directory === undefined
      ? (await load('packages/language/test/mistakes/generate.ts')).mistakes(COUNT, SEED)
      : casesIn(resolve(process.env.INIT_CWD ?? '.', directory));
  for (const one of cases) {
    const { isFlagged, repair, messages } = replayMistake(one);
    all++;
    if (isFlagged) flagged++;
    if (repair === 'right') right++;
    if (repair === 'wrong') wrong++;
    if ((isFlagged && repair === 'right') || (values.verbose !== true && repair !== 'wrong')) continue;
    const name = one.name ?? one.label ?? `case ${all}`;
    console.log(`${name} (${one.kind}, line ${one.line}): ${isFlagged ? 'flagged' : 'not flagged'}, ${repair}`);
    if (values.verbose === true) console.log(messages.map((line) => `  ${line}`).join('\n'));
  }
});
const share = (count) => `${((100 * count) / Math.max(all, 1)).toFixed(1)} %`;
console.log(
  `${all} mistakes: ${share(flagged)} flagged on their line, ${share(right)} mended, ${wrong} mended to something else`,
);
process.exitCode = all === 0 || flagged < AIMS.flagged * all || right < AIMS.right * all || wrong > 0 ? 1 : 0;

function* casesIn(path) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|jsonl|ndjson)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const found = /\.json$/.test(file)
      ? [JSON.parse(text)].flat()
      : text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
    const list = found.flatMap((one) => (Array.isArray(one?.cases) ? one.cases : [one]));
    for (const [index, one] of list.entries()) {
      if (typeof one?.broken !== 'string' || typeof one.meant !== 'string') continue;
      const [broken, meant] = [one.broken, one.meant].map((given) => textOf(given, dirname(file)));
      yield { name: `${file.slice(path.length + 1)}${list.length > 1 ? `#${index + 1}` : ''}`, ...one, broken, meant };
    }
  }
}

/** A text, or the name of a file beside the case. */
function textOf(given, beside) {
  const file = join(beside, given);
  return !given.includes('\n') && given.length < 200 && existsSync(file) ? readFileSync(file, 'utf8') : given;
}
