// Compares with js-yaml, an independent reader of YAML 1.2 that shares no code with ours.
import {
  goYaml,
  type Node,
  type Outcome,
  type Plain,
  parseYaml,
  type Resolver,
  readAsGo,
  type ScalarNode,
  serdeYaml,
  serdeYamlString,
  type TextDocument,
  toPlain,
  valueOrThrow,
  writeGoYaml,
} from '@coreiso/diagnostics';
import fc from 'fast-check';
import { CORE_SCHEMA, DEFAULT_SCHEMA, FAILSAFE_SCHEMA, load, loadAll, type Schema } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { oneNumber } from '../../../../test/support/js-yaml.ts';
import { installerYaml } from '../../../ignition/src/customize/installer-yaml.ts';
import { everyNode } from './tree.ts';

/** Texts that some reader treats as another type. */
const AWKWARD = [
  ...['yes', 'on', 'n', 'Null', 'null', '~', 'True', '.inf', '+.inf', '-.INF', '.NaN', '=', '__proto__', ''],
  ...['0', '-0', '+1', '-1', '0777', '089', '0o17', '0x1F', '0b11', '+0x1', '-0b1', '0b', '0x', '1:30', '190:20:30'],
  ...['1_000', '1__0', '_1', '-_1', '+12_3.0', '.1_0', '.5', '5.', '1e3', '1e', '.e1', '12e03', '1.5e+3'],
  ...['2026-01-15', '2026-01-15T10:00:00Z', '2026-1-5', '---', '...', '-', '?', ':', '!', '&a', '*a', '%a', '@', '`'],
  ...['a: b', 'a #b', '# a', ' a', 'a ', '- a', '!!str a', '[', '{', '}', ']', ',', '|', '>', '"', "'", '\t', '\ufeff'],
];
const text = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: fc.constantFrom(...' \n\r\t:-#"\'\\ay10_.ex+o\0\x7f\u00a0\ufeffé😀') }),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const { value } = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Plain>(null, true, false, 7n, -3n, 1.5, 1e21, 1e-7),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
}));

/** Line ends for libyaml and YAML 1.1, ordinary characters for YAML 1.2. */
const OLD_LINE_ENDS = /[\x85\u2028\u2029]/;
const serdeText = text.filter((each) => !OLD_LINE_ENDS.test(each));

describe('js-yaml reads our texts back', () => {
  test('values as a Go program writes them', () => {
    fc.assert(
      fc.property(fc.dictionary(text, value), (members) => {
        expect(load(writeGoYaml(members))).toEqual(oneNumber(members));
      }),
      { numRuns: 500 },
    );
  });

  test('strings as a Rust program writes them: alone, in a list, in a list of lists', () => {
    fc.assert(
      fc.property(serdeText, (each) => {
        const [shallow, deep] = [serdeYamlString(each), serdeYamlString(each, 4)];
        const written = `alone: ${shallow}\nlist:\n- ${shallow}\nlists:\n- - ${deep}\n  - ${deep}\n`;
        expect(load(written, { schema: CORE_SCHEMA })).toEqual({ alone: each, list: [each], lists: [[each, each]] });
      }),
      { numRuns: 1000 },
    );
  });

  test('installer settings', () => {
    const texts = fc.array(serdeText, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(serdeText, texts, texts, texts, (each, console, appendKarg, deleteKarg) => {
        const settings = { ignitionFile: each, console, appendKarg, deleteKarg, destDevice: each };
        expect(load(installerYaml({ ...settings, copyNetwork: true }), { schema: CORE_SCHEMA })).toEqual({
          'ignition-file': each,
          console,
          'append-karg': appendKarg,
          'delete-karg': deleteKarg,
          'copy-network': true,
          'dest-device': each,
        });
      }),
    );
    expect(load(installerYaml({}))).toEqual({});
  });
});

interface Texts {
  readonly of: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly flavour: 'libyaml' | 'go';
  readonly resolve: Resolver;
  /** Times are not part of YAML 1.2; Go's reader knows them, Rust's does not. */
  readonly schema: Schema;
}

function packed(path: string): Goldens {
  return new Goldens(new URL(`../../../${path}.json`, import.meta.url));
}

function recorded(path: string): ReadonlyMap<string, string> {
  const goldens = packed(path);
  return new Map(goldens.paths(/\.ya?ml$/).map((name) => [name, goldens.text(name)]));
}

const GO = { flavour: 'go', resolve: goYaml, schema: DEFAULT_SCHEMA } as const;
const SERDE = { flavour: 'libyaml', resolve: serdeYaml, schema: CORE_SCHEMA } as const;
const manifests = packed('nodes-config/test/goldens/topology').json<Record<string, string>>('manifests.json');
const RECORDED: readonly Texts[] = [
  { of: 'hosts and nodes', texts: recorded('nodes-config/test/goldens/nodes-config'), ...GO },
  { of: 'networks of hosts', texts: recorded('nodes-config/test/goldens/host-network'), ...GO },
  { of: 'manifests of a topology', texts: new Map(Object.entries(manifests)), ...GO },
  { of: 'network states', texts: recorded('nmstate/test/goldens/nmstate'), ...SERDE },
];

/** The documents of a text with every scalar as text; undefined if the reader refuses it. */
function readByJsYaml(source: string): readonly unknown[] | undefined {
  try {
    // Of equal keys the last wins, as in the first stage of both peers.
    const documents = loadAll(source, undefined, { schema: FAILSAFE_SCHEMA, json: true });
    return documents.length === 0 ? [null] : documents.map((document) => document ?? null);
  } catch {
    return undefined;
  }
}

function rootsOf(outcomes: readonly Outcome<TextDocument>[]): readonly (Node | undefined)[] | undefined {
  return outcomes.every((outcome) => outcome.ok) ? outcomes.map((outcome) => valueOrThrow(outcome).root) : undefined;
}

/** js-yaml does not distinguish null from an empty text, even if all scalars are text. */
function textAlone({ text: written, style }: ScalarNode): string | null {
  return written === '' && style === 'plain' ? null : written;
}

describe.each(RECORDED)('recorded $of', ({ texts, flavour, resolve, schema }) => {
  const taken = [...texts].flatMap(([name, source]) => {
    const roots = rootsOf(parseYaml(source, { flavour }));
    const theirs = readByJsYaml(source);
    return roots === undefined || theirs === undefined ? [] : [{ name, roots, theirs }];
  });

  test('have the same documents, members, items and texts for both readers', () => {
    expect(taken.length).toBeGreaterThan(texts.size * 0.9);
    const read = taken.map(({ name, roots }) => [name, roots.map((root) => root && toPlain(root, textAlone))]);
    const nothing = (documents: readonly unknown[]) => documents.map((document) => document ?? undefined);
    expect(read).toEqual(taken.map(({ name, theirs }) => [name, nothing(theirs)]));
  });

  test('have the same plain words, except for the known differences', () => {
    const nodes = taken.flatMap(({ roots }) => roots.flatMap((root) => (root === undefined ? [] : everyNode(root))));
    const plain = nodes.filter((node) => node.kind === 'scalar' && node.style === 'plain' && node.tag === undefined);
    const words = new Set(plain.map((node) => (node.kind === 'scalar' ? node.text : '')));
    expect([...words].filter((word) => differs(word, resolve, schema) && known(word, resolve) === undefined)).toEqual(
      [],
    );
  });
});

/** Whether a plain scalar has one value for a peer and another for js-yaml. */
function differs(word: string, resolve: Resolver, schema: Schema): boolean {
  const ours = oneNumber(resolve({ kind: 'scalar', text: word, style: 'plain', tag: undefined, start: 0, end: 0 }));
  return !Object.is(ours, load(word, { schema }) ?? null);
}

interface Difference {
  readonly what: string;
  readonly resolve: Resolver;
  readonly words: RegExp;
}

/** The real differences of go-yaml v2 and serde_yaml from YAML 1.2; recordings of both keep us on their side. */
const DIFFERENCES: readonly Difference[] = [
  { what: 'go: booleans of YAML 1.1', resolve: goYaml, words: /^(?:y|n|yes|no|on|off)$/i },
  { what: 'go: a leading zero means octal', resolve: goYaml, words: /^[-+]?0[0-7]+$/ },
  { what: 'go: digits may be parted by underscores', resolve: goYaml, words: /^[-+.]?[\d.]*_[\d_.]*$/ },
  { what: 'go: times stay text, because JSON has none', resolve: goYaml, words: /^\d{4}-\d\d?-\d\d?/ },
  { what: 'serde: digits behind a leading zero are text', resolve: serdeYaml, words: /^[-+]?0\d+$/ },
];

function known(word: string, resolve: Resolver): Difference | undefined {
  return DIFFERENCES.find((difference) => difference.resolve === resolve && difference.words.test(word));
}

test('knows all words that readers read differently', () => {
  const differing = [GO, SERDE].flatMap(({ resolve, schema }) =>
    AWKWARD.filter((word) => /^[-+.]*[\w~]/.test(word) && /^[-+.~\w:]+$/.test(word))
      .filter((word) => differs(word, resolve, schema))
      .map((word) => ({ word, difference: known(word, resolve)?.what })),
  );
  expect(differing.filter(({ difference }) => difference === undefined)).toEqual([]);
  const unused = DIFFERENCES.filter(({ what }) => !differing.some(({ difference }) => difference === what));
  expect(unused).toEqual([]);
});

describe('other differences between the peers and js-yaml', () => {
  function readByGo(source: string): unknown {
    const { root } = valueOrThrow(readAsGo(valueOrThrow(parseYaml(source, { flavour: 'go' })[0])));
    return root && oneNumber(toPlain(root, goYaml));
  }

  test('go: a merge key overrides the entries before it', () => {
    const source = 'a: 1\n<<: {a: 2, b: 3}\n';
    expect([readByGo(source), load(source)]).toEqual([
      { a: 2, b: 3 },
      { a: 1, b: 3 },
    ]);
  });

  test('go: a key `<<` is written without quotes, and so becomes a merge key', () => {
    const written = writeGoYaml({ '<<': { a: 1n } });
    expect(written).toBe('<<:\n  a: 1\n');
    expect([readByGo(written), load(written)]).toEqual([{ a: 1 }, { a: 1 }]);
  });

  test('libyaml: the indentation of a block that is the whole document counts from zero', () => {
    const source = '|2-\n\n  a\n';
    expect([readByGo(source), load(source)]).toEqual(['\na', '\n a']);
  });

  test('libyaml: U+2028 ends a line of a block', () => {
    const source = `a: ${serdeYamlString('x\u2028y\nz')}\n`;
    const { root } = valueOrThrow(parseYaml(source)[0]);
    expect(root && toPlain(root, serdeYaml)).toEqual({ a: 'x\u2028y\nz' });
    expect(load(source, { schema: CORE_SCHEMA })).toEqual({ a: 'x\u2028  y\nz' });
  });
});
