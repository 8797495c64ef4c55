// Reads the meanings of keys from the comments above them in the tables. The formatter gives tables a fixed form, so reading
// lines is enough.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The meanings of keys, by the name of the map and the key. */
export type Docs = ReadonlyMap<string, Readonly<Record<string, string>>>;

const FOLDERS = ['interfaces', 'state'];

/** The meanings of keys from all tables below `src`. */
export function readDocs(source: string): Docs {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(source, folder)).map((file) => join(source, folder, file)),
  );
  return new Map(files.sort().flatMap((file) => [...docsOf(readFileSync(file, 'utf8'))]));
}

function docsOf(text: string): Map<string, Record<string, string>> {
  const lines = text.split('\n');
  const found = new Map<string, Record<string, string>>();
  // The last `name:` of each indentation.
  const names = new Map<number, string>();
  const shared = new Map<string, Record<string, string>>();
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S|$/);
    const [, name] = /^ *name: '(\w+)',$/.exec(line) ?? [];
    if (name !== undefined) names.set(indent, name);
    const [, constant] = /^(?:export )?const (\w+): Fields = \{$/.exec(line) ?? [];
    if (constant !== undefined) shared.set(constant, keysBelow(lines, index, shared));
    const section = names.get(indent) ?? '';
    const [, reference] = /^ *fields: (\w+),$/.exec(line) ?? [];
    if (/^ *fields: \{$/.test(line)) found.set(section, keysBelow(lines, index, shared));
    else if (reference !== undefined) found.set(section, shared.get(reference) ?? {});
  }
  const base = shared.get('baseInterfaceFields');
  return base === undefined ? found : found.set('BaseInterface', base);
}

/** The keys of the table that opens at a line, with their meanings. */
function keysBelow(
  lines: readonly string[],
  start: number,
  shared: ReadonlyMap<string, Record<string, string>>,
): Record<string, string> {
  const indent = (lines[start] ?? '').search(/\S/);
  const keys: Record<string, string> = {};
  let doc: string | undefined;
  for (const line of lines.slice(start + 1)) {
    const depth = line.search(/\S|$/);
    if (depth <= indent) break;
    if (depth > indent + 2) continue;
    const [, comment] = /^ *\/\*\* (.*) \*\/$/.exec(line) ?? [];
    const [, key] = /^ *'?([^':]+)'?: /.exec(line) ?? [];
    const [, spread] = /^ *\.\.\.(\w+),$/.exec(line) ?? [];
    if (comment !== undefined) doc = comment;
    else if (spread !== undefined) Object.assign(keys, shared.get(spread));
    else if (key !== undefined) {
      if (doc !== undefined) keys[key] = doc;
      doc = undefined;
    }
  }
  return keys;
}
