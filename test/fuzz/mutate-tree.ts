import { dump, load } from 'js-yaml';
import type { Random } from './random.ts';

const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    65536,
    2 ** 31,
    2 ** 53,
    '',
    ' ',
    'a',
    'no',
    '0',
    '0644',
    '1e3',
    '~',
    [],
    {},
    [null],
    [[]],
    [{}],
    { a: 1 },
  ],
  ...[
    '192.0.2.1',
    '192.0.2.1/24',
    '0.0.0.0/0',
    '::',
    'fe80::1/64',
    '00:00:5e:00:53:01',
    'eth0',
    'worker-0',
    '/etc/a',
    'data:,a',
    '\u0000',
    'ü',
    '\ufeff',
  ],
];

/** The YAML or JSON documents of an input, separated by NUL; null for a part that is neither. */
export function treeOf(input: Uint8Array): { readonly value: unknown } | null {
  const parts = new TextDecoder().decode(input).split('\0');
  try {
    const value = parts.map(parse);
    return isSmall(value) ? { value } : null;
  } catch {
    return null;
  }
}

/** Aliases make trees that are endless, or far larger when written out. */
function isSmall(value: unknown): boolean {
  const queue = [value];
  for (let index = 0; index < queue.length; index++) {
    const one = queue[index];
    if (typeof one === 'object' && one !== null) queue.push(...Object.values(one));
    if (queue.length > 20_000) return false;
  }
  return true;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return load(text);
  }
}

/** Changes some places of a tree: values, keys, order, parts of another tree. */
export function mutateTree(tree: unknown, other: unknown, words: readonly string[], random: Random): Uint8Array {
  let value = structuredClone(tree);
  for (let left = 1 + random.below(3); left > 0; left--) value = changed(value, other, words, random);
  const isYaml = random.oneIn(2);
  const text = (value as unknown[]).map((part) => (isYaml ? written(part) : (JSON.stringify(part) ?? ''))).join('\0');
  return new TextEncoder().encode(text);
}

function written(value: unknown): string {
  try {
    return dump(value, { lineWidth: -1 });
  } catch {
    return JSON.stringify(value) ?? '';
  }
}

type Container = Record<string, unknown> | unknown[];

/** Changes a root, which is the list of documents, in place. */
function changed(root: unknown, other: unknown, words: readonly string[], random: Random): unknown {
  const holders = containersOf(root);
  const holder = random.pick(holders);
  const keys = Object.keys(holder);
  // The list of documents keeps its length.
  const isRoot = holder === root;
  const key = keys.length === 0 ? undefined : random.pick(keys);
  const word = () => (words.length === 0 ? 'a' : random.pick(words));
  const fresh = (): unknown => {
    const kind = random.below(6);
    if (kind === 0) return word();
    if (kind === 1) return aValueOf(random.pick(containersOf(root)), random);
    if (kind < 4 && other !== undefined) return aValueOf(random.pick(containersOf(other)), random);
    return random.pick(VALUES);
  };
  const put = (at: string, value: unknown) =>
    Object.defineProperty(holder, at, {
      value: structuredClone(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  const kind = random.below(8);
  if (Array.isArray(holder) && !isRoot) {
    const index = random.below(holder.length + 1);
    if (kind < 2) holder.splice(index, 1);
    else if (kind < 4) holder.splice(index, 0, structuredClone(key === undefined ? fresh() : holder[Number(key)]));
    else if (kind === 4) holder.splice(index, 0, structuredClone(fresh()));
    else if (kind === 5) holder.reverse();
    else if (key !== undefined) put(key, near(holder[Number(key)], fresh, random));
    return root;
  }
  if (isRoot) {
    if (key !== undefined) put(key, random.oneIn(8) ? fresh() : (root as unknown[])[Number(key)]);
    return root;
  }
  const record = holder as Record<string, unknown>;
  if (key === undefined || kind === 0) put(word(), fresh());
  else if (kind < 3) delete record[key];
  else if (kind === 3) {
    const value = record[key];
    delete record[key];
    put(word(), value);
  } else if (kind === 4) put(random.pick(keys), record[key]);
  else put(key, near(record[key], fresh, random));
  return root;
}

/** A number or text close to the old one, or another value. */
function near(value: unknown, fresh: () => unknown, random: Random): unknown {
  if (typeof value === 'number' && random.oneIn(2)) return value + random.below(5) - 2;
  if (typeof value === 'string' && value !== '' && random.oneIn(3)) {
    const at = random.below(value.length);
    const by = String.fromCharCode(32 + random.below(95));
    return value.slice(0, at) + (random.oneIn(2) ? by : '') + value.slice(at + (random.oneIn(2) ? 1 : 0));
  }
  return random.oneIn(8) ? [value] : fresh();
}

function aValueOf(holder: Container, random: Random): unknown {
  const values = Object.values(holder);
  return values.length === 0 ? holder : random.pick(values);
}

/** The mappings and sequences, up to a limit that keeps a mutation quick. */
function containersOf(root: unknown): Container[] {
  const found: Container[] = [];
  const queue: unknown[] = [root];
  for (let index = 0; index < queue.length && found.length < 500; index++) {
    const value = queue[index];
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    found.push(value as Container);
    queue.push(...Object.values(value));
  }
  return found;
}
