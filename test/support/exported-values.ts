import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveRelative, root, sources } from './sources.ts';

/** A function, class or constant that users can import. */
interface ExportedValue {
  readonly name: string;
  /** The specifier in the import statement. */
  readonly entry: string;
  /** The comment in front of its declaration, empty if there is none. */
  readonly comment: string;
}

interface Names {
  readonly values: readonly ExportedValue[];
  readonly types: readonly string[];
}

/** Everything that the entries of a package export, each name once. */
export function exportsOf(folder: string): Names {
  const manifest: { name: string; exports: Record<string, string | Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
  );
  const values = new Map<string, ExportedValue>();
  const types = new Set<string>();
  for (const [key, target] of Object.entries(manifest.exports)) {
    const source = typeof target === 'string' ? undefined : target['@coreiso/source'];
    if (source === undefined) continue;
    const found = namesIn(folder, source.replace('./src/', ''));
    for (const [name, comment] of found.values) {
      if (!values.has(name)) values.set(name, { name, entry: join(manifest.name, key).replaceAll('\\', '/'), comment });
    }
    for (const name of found.types) types.add(name);
  }
  return { values: [...values.values()], types: [...types] };
}

const DECLARATION =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?(function\*?|class|const|interface|type) (\w+)/g;

/** Parsed by its spelling, which Biome keeps uniform: resolving types would take a hundred times as long. */
function namesIn(folder: string, file: string): { values: Map<string, string>; types: Set<string> } {
  const text = sources.find((source) => source.name === folder && source.file === file)?.text;
  // The build reports a missing file.
  if (text === undefined) return { values: new Map(), types: new Set() };
  const values = new Map<string, string>();
  const types = new Set<string>();
  for (const [, comment = '', kind = '', name = ''] of text.matchAll(DECLARATION)) {
    if (kind === 'interface' || kind === 'type') types.add(name);
    else values.set(name, comment);
  }
  for (const [, isType, list = '', specifier = ''] of text.matchAll(/export (type )?\{([^}]*)\} from '([^']+)'/g)) {
    const inner = specifier.startsWith('.')
      ? namesIn(folder, resolveRelative(file, specifier))
      : namesIn('peers', specifier.replace(/^@coreiso\/peers\/(.*)$/, '$1.ts'));
    for (const item of list.split(',').map((each) => each.trim())) {
      const [, typed, from = '', as = from] = /^(type )?(\w+)(?: as (\w+))?$/.exec(item) ?? [];
      if (from === '') continue;
      if (isType !== undefined || typed !== undefined) types.add(as);
      else values.set(as, inner?.values.get(from) ?? '');
    }
  }
  for (const [, specifier = ''] of text.matchAll(/export \* from '(\.[^']+)'/g)) {
    const inner = namesIn(folder, resolveRelative(file, specifier));
    for (const [name, comment] of inner.values) values.set(name, comment);
    for (const name of inner.types) types.add(name);
  }
  return { values, types };
}
