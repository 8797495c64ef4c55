// Reads the part of TOML that a `registries.conf` uses: tables, lists of tables, and keys with strings, booleans and
// lists of strings.
import { type Diagnostic, fail, type Outcome, succeed } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { TextIndex } from '@coreiso/peers/text-index';
import { configDiagnostic } from '../text/codes.ts';
import type { ClusterDirectory } from './cluster-directory.ts';

const KEY = /^\s*([\w.-]+|"[^"]*")\s*=\s*(.*)$/;
const TEXT = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/;
const LIST = /^\[\s*(?:(?:"(?:[^"\\]|\\.)*"|'[^']*')\s*(?:,\s*(?:"(?:[^"\\]|\\.)*"|'[^']*')\s*)*,?\s*)?\]\s*(?:#.*)?$/;
const OTHER = /^(?:true|false|[-+]?\d[\d_]*)\s*(?:#.*)?$/;

/** The keys of a table, with their values as written, without quotes. */
type Table = Map<string, string>;

/**
 * Reads a `registries.conf` (containers-registries.conf(5), version 2): its registries in order, or a finding about the first
 * wrong line.
 *
 * @example
 * const outcome = readRegistries('[[registry]]\nlocation = "quay.io"\n[[registry.mirror]]\nlocation = "mirror.example:5000"\n');
 * if (outcome.ok) console.log(outcome.value[0]?.mirrors); // ['mirror.example:5000']
 */
export function readRegistries(text: string): Outcome<ClusterDirectory['registries']> {
  checkArgument('text', text, 'text');
  const registries: { own: Table; mirrors: Table[] }[] = [];
  let table: Table = new Map();
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const first = at;
    let line = (lines[at] ?? '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const refuse = (message: string): Outcome<never> => fail(faultIn(text, first, message));
    if (line.startsWith('[')) {
      const head = /^\[\[\s*([\w.-]+)\s*\]\]\s*(?:#.*)?$|^\[\s*([\w."*:/-]+)\s*\]\s*(?:#.*)?$/.exec(line);
      if (head === null) return refuse('the name of a table is not closed');
      table = new Map();
      const place = head[1] ?? head[2] ?? '';
      if (place === 'registry') registries.push({ own: table, mirrors: [] });
      if (place === 'registry.mirror') registries.at(-1)?.mirrors.push(table);
      continue;
    }
    // A list may span several lines.
    while (/=\s*\[/.test(line) && !/\]\s*(?:#.*)?$/.test(line) && at + 1 < lines.length) {
      at++;
      line += ` ${(lines[at] ?? '').replace(/#.*$/, '').trim()}`;
    }
    const [, key = '', value = ''] = KEY.exec(line) ?? [];
    if (key === '') return refuse('a key and a value are wanted');
    const string = TEXT.exec(value);
    if (string === null && !LIST.test(value) && !OTHER.test(value)) return refuse(`the value of ${key} cannot be read`);
    table.set(key, string === null ? value.replace(/\s*#.*$/, '') : (string[1] ?? string[2] ?? ''));
  }
  return succeed(registries.map(({ own, mirrors }) => registryOf(own, mirrors)));
}

/** An error in a line, counted from zero. */
function faultIn(text: string, line: number, message: string): Diagnostic {
  const index = new TextIndex(text);
  const lines = text.split('\n');
  const start = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  const end = start + (lines[line]?.trimEnd().length ?? 0);
  const range = { start: index.position(start), end: index.position(end) };
  return configDiagnostic({ code: 'nodes-config/registries', message }, range);
}

function registryOf(own: Table, mirrors: readonly Table[]): ClusterDirectory['registries'][number] {
  const locationOf = (table: Table): string => table.get('location') ?? '';
  const prefix = own.get('prefix') ?? '';
  const insecure = [own, ...mirrors].filter((each) => each.get('insecure') === 'true').map(locationOf);
  return {
    location: locationOf(own),
    mirrors: mirrors.map(locationOf),
    ...(prefix === '' ? {} : { prefix }),
    ...(own.get('mirror-by-digest-only') === 'true' ? { digestOnly: true } : {}),
    ...(own.get('blocked') === 'true' ? { blocked: true } : {}),
    ...(insecure.length === 0 ? {} : { insecure }),
  };
}
