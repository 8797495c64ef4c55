// Runs inside a walk: records which file calls which. A function cannot see its caller, so this reads the stack, which the
// engine keeps across `await`.
import { readFileSync } from 'node:fs';

/** How often a function looks for its caller; few are called from more places. */
const ASKED = 50;

Error.stackTraceLimit = 60;

export function recorder(functions) {
  const asked = new Uint16Array(functions.length);
  const order = new Set();
  const entries = new Set();
  const fileAt = lines();
  const walk = {
    loading: 0,
    isOn: false,
    visit(number) {
      if (!walk.isOn || walk.loading > 0 || asked[number] >= ASKED) return;
      asked[number] += 1;
      const { file, isExported } = functions[number];
      order.add(file);
      // The file that received a callback does not enter it.
      const from = isExported ? callerOf(file, fileAt) : undefined;
      if (from !== undefined) entries.add(`${from} ${file}`);
    },
    result: () => ({ files: [...order], entries: [...entries].map((entry) => entry.split(' ')) }),
  };
  return walk;
}

function callerOf(file, fileAt) {
  for (const frame of new Error().stack.split('\n').slice(3)) {
    const [, path, line] = /(\/[^:()]*\/walks\/[^:()]*\.js):(\d+):\d+\)?$/.exec(frame) ?? [];
    const from = path && fileAt(path, Number(line));
    if (from !== undefined && from !== file) return from;
  }
  return undefined;
}

/** The bundler writes the name of each module above its code. */
function lines() {
  const chunks = new Map();
  return (path, line) => {
    if (!chunks.has(path)) chunks.set(path, modulesOf(readFileSync(path, 'utf8')));
    return chunks.get(path)[line];
  };
}

function modulesOf(text) {
  let current;
  const byLine = [undefined];
  for (const line of text.split('\n')) {
    const [, path] = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line) ?? [];
    if (path !== undefined)
      current = /^packages\/[^/]+\/src\//.test(path) ? path.replace(/^packages\/([^/]+)\/src\//, '$1/') : undefined;
    byLine.push(current);
  }
  return byLine;
}
