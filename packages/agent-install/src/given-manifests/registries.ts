// As much of TOML as a `registries.conf` has: tables, lists of tables, and keys with texts, truth values and lists of texts.

export interface MirroredRegistry {
  readonly location: string;
  readonly mirrors: readonly string[];
}

/** Registries in their order, or the line and what is wrong with it. */
export type RegistriesReading =
  | { readonly ok: true; readonly registries: readonly MirroredRegistry[] }
  | { readonly ok: false; readonly line: number; readonly fault: string };

const KEY = /^\s*([\w.-]+|"[^"]*")\s*=\s*(.*)$/;
const TEXT = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/;
const LIST = /^\[\s*(?:(?:"(?:[^"\\]|\\.)*"|'[^']*')\s*(?:,\s*(?:"(?:[^"\\]|\\.)*"|'[^']*')\s*)*,?\s*)?\]\s*(?:#.*)?$/;
const OTHER = /^(?:true|false|[-+]?\d[\d_]*)\s*(?:#.*)?$/;

export function readRegistries(text: string): RegistriesReading {
  const registries: { location: string; mirrors: string[] }[] = [];
  let place = '';
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const number = at + 1;
    let line = (lines[at] ?? '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const refuse = (fault: string): RegistriesReading => ({ ok: false, line: number, fault });
    if (line.startsWith('[')) {
      const table = /^\[\[\s*([\w.-]+)\s*\]\]\s*(?:#.*)?$|^\[\s*([\w."*:/-]+)\s*\]\s*(?:#.*)?$/.exec(line);
      if (table === null) return refuse('the name of a table is not closed');
      place = table[1] ?? table[2] ?? '';
      if (place === 'registry') registries.push({ location: '', mirrors: [] });
      if (place === 'registry.mirror') registries.at(-1)?.mirrors.push('');
      continue;
    }
    // A list may go on over several lines.
    while (/=\s*\[/.test(line) && !/\]\s*(?:#.*)?$/.test(line) && at + 1 < lines.length) {
      at++;
      line += ` ${(lines[at] ?? '').replace(/#.*$/, '').trim()}`;
    }
    const [, key = '', value = ''] = KEY.exec(line) ?? [];
    if (key === '') return refuse('a key and a value are wanted');
    const string = TEXT.exec(value);
    if (string === null && !LIST.test(value) && !OTHER.test(value)) return refuse(`the value of ${key} cannot be read`);
    const last = registries.at(-1);
    if (key !== 'location' || string === null || last === undefined) continue;
    const location = string[1] ?? string[2] ?? '';
    if (place === 'registry') last.location = location;
    if (place === 'registry.mirror') last.mirrors[last.mirrors.length - 1] = location;
  }
  return { ok: true, registries };
}
