// YAML and JSON texts, their values for each reader, and edits.
import {
  applyEdits,
  type Change,
  decodeText,
  editsFor,
  goYaml,
  type Node,
  type Outcome,
  type Path,
  type Plain,
  parseJson,
  parseYaml,
  readAsGo,
  serdeYaml,
  serdeYamlString,
  type TextDocument,
  toPlain,
  withoutSecrets,
  writeGoYaml,
} from '@coreiso/diagnostics';
import { after } from '../../../packages/diagnostics/test/edit/changed-data.ts';
import { recorded } from '../goldens.ts';
import { assertHolds, PropertyViolation, type Target, textOf } from '../target.ts';

const YAMLS = () => [
  'a: 1\n',
  "- a\n- b: [1, {c: d}]\n- \"x\\u0041\"\n- 'it''s'\n- |+2\n    a\n\n- >-\n  b\n  c\n",
  '%YAML 1.1\n%TAG !e! tag:e,2000:\n--- !e!x &a\n? k\n: *a\n...\n---\n!!str 1\n',
  'a: &x {b: 1}\nc: *x\n<<: *x\n',
  '# c\nk:   # d\n  - 0644\n  - 1:20\n  - .inf\n  - 2001-01-01\n  - ~\n',
  ...recorded('packages/nmstate/test/goldens/nmstate.json', /\.yml$/, 1500).slice(0, 60),
  ...recorded('packages/nodes-config/test/goldens/nodes-config.json', /\.yaml$/, 1500).slice(0, 20),
];
const JSONS = () => [
  '{"a":[1,-2.5e3,true,null,"x\\u00e9\\n"],"a":{}}',
  '[[[]]]',
  ...recorded('packages/ignition/test/goldens/validate.json', /\.ign$/, 800).slice(0, 60),
];
/** Small limits, so that inputs reach them. */
const LIMITS = { length: 4096, depth: 20, nodes: 2000 };

export const targets: readonly Target[] = [
  {
    name: 'text/yaml',
    shape: 'tree',
    seeds: YAMLS,
    run: (input) => {
      const text = textOf(input);
      for (const flavour of ['libyaml', 'go'] as const) {
        const outcomes = parseYaml(text, { ...LIMITS, flavour });
        for (const outcome of outcomes) readDocument(text, outcome);
      }
    },
  },
  {
    name: 'text/json',
    shape: 'tree',
    seeds: JSONS,
    run: (input) => {
      const text = textOf(input);
      const outcome = parseJson(text, LIMITS);
      readDocument(text, outcome);
      const expected = parsed(text);
      if (!outcome.ok) {
        const isLimit = outcome.diagnostics.some(({ code }) => /too-/.test(code));
        assertHolds(expected === undefined || isLimit, 'JSON that JSON.parse reads is read');
        return;
      }
      assertHolds(expected !== undefined, 'JSON that JSON.parse refuses is refused');
      if (!/\\u[dD][89a-fA-F]/.test(text) && outcome.value.root !== undefined)
        assertHolds(isSame(toPlain(outcome.value.root, plainJson), expected.value), 'JSON means what JSON.parse says');
    },
  },
  {
    name: 'text/edits',
    shape: 'tree',
    longest: 600,
    seeds: () => [
      ...YAMLS().filter((text) => text.length < 600),
      '# top\na: 1 # one\nb:\n- x\n# between\n- {c: d, e: [f]}\n',
      "- 'a'\n-   b: |\n      c\n    d: >-\n      e\n-\n  - f\n",
    ],
    // Changes at places of a text, with values from the text itself.
    run: (input) => {
      const text = textOf(input);
      const [outcome, ...others] = parseYaml(text, LIMITS);
      const root = outcome.ok ? outcome.value.root : undefined;
      if (!outcome.ok || root === undefined || others.some(({ ok }) => !ok)) return;
      const data = toPlain(root, goYaml);
      const places = pathsOf(root).slice(0, 40);
      // The meaning of an edit is undefined if keys are equal or not texts; shared values change together. Lines of blanks may be part of a block.
      if (!isPlainly(root) || /[&*]|^[ \t]+$|\t/m.test(text)) return;
      for (const made of changesAt(places, data, text.length)) changeText(text, outcome.value, data, made);
    },
  },
  {
    name: 'text/decode',
    shape: 'bytes',
    seeds: () => ['ü', '\ufeffa', Uint8Array.of(0xff, 0xfe, 0x61, 0), Uint8Array.of(0xfe, 0xff, 0xd8, 0x3d, 0xde, 0)],
    run: (input) => {
      const outcome = decodeText(input);
      if (outcome.ok) assertHolds(outcome.value.text.length <= input.length, 'a text has no more units than bytes');
      else assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
    },
  },
  {
    name: 'text/write',
    shape: 'tree',
    seeds: () => [
      ...JSONS(),
      JSON.stringify({ 'a b': 'x y '.repeat(40), '': 'no', '- a': '\u0085', '? ': ["'", '"', '# ', ': '] }),
    ],
    run: (input) => {
      const outcome = parseJson(textOf(input), LIMITS);
      if (!outcome.ok || outcome.value.root === undefined) return;
      const data = toPlain(outcome.value.root, plainJson);
      const written = writeGoYaml(data);
      const [again, ...others] = parseYaml(written, { flavour: 'go' });
      assertHolds(again.ok && others.length === 0, () => `what is written as YAML is one document`);
      const read = again.value.root === undefined ? null : toPlain(again.value.root, goYaml);
      assertHolds(isSame(read, data), 'YAML that is written means what it was written from');
      withoutSecrets(data);
      if (typeof data === 'string') serdeYamlString(data);
    },
  },
];

const plainJson = Object.assign((node: Parameters<typeof goYaml>[0]) => {
  if (node.style === 'double') return node.text;
  return node.text === 'null' ? null : node.text === 'true' ? true : node.text === 'false' ? false : Number(node.text);
}, {});

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function readDocument(text: string, outcome: Outcome<TextDocument>): void {
  if (!outcome.ok) {
    assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
    for (const { range } of outcome.diagnostics)
      assertHolds(range === undefined || range.end.offset <= text.length, 'a finding lies in the text');
    return;
  }
  const document = outcome.value;
  if (document.root === undefined) return;
  checkExtents(document.root, text.length, { left: LIMITS.nodes });
  for (const resolve of [goYaml, serdeYaml]) toPlain(document.root, resolve);
  const go = readAsGo(document);
  if (go.ok && go.value.root !== undefined) toPlain(go.value.root, goYaml);
  document.range(document.root);
}

function checkExtents(node: Node, length: number, budget: { left: number }): void {
  if (budget.left-- <= 0) throw new PropertyViolation('a document has no more nodes than its limit');
  assertHolds(0 <= node.start && node.start <= node.end && node.end <= length, 'a node lies in the text');
  if (node.kind === 'sequence') for (const item of node.items) checkExtents(item, length, budget);
  if (node.kind !== 'mapping') return;
  for (const { key, value } of node.entries) {
    checkExtents(key, length, budget);
    checkExtents(value, length, budget);
  }
}

/** Equal data; integers may be bigint on one side. */
export function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'bigint' || typeof right === 'bigint') return Number(left) === Number(right);
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
    return Object.is(left, right) || left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [mine, theirs] = [left as Record<string, unknown>, right as Record<string, unknown>];
  const names = Object.keys(mine);
  if (names.length !== Object.keys(theirs).length) return false;
  return names.every((name) => Object.hasOwn(theirs, name) && isSame(mine[name], theirs[name]));
}

function pathsOf(node: Node, path: Path = []): Path[] {
  if (path.length > 8) return [];
  const inner =
    node.kind === 'sequence'
      ? node.items.flatMap((item, index) => pathsOf(item, [...path, index]))
      : node.kind === 'mapping'
        ? node.entries.flatMap(({ key, value }) => (key.kind === 'scalar' ? pathsOf(value, [...path, key.text]) : []))
        : [];
  return [path, ...inner];
}

/** Whether all keys are different texts that no reader takes for another type. */
function isPlainly(node: Node): boolean {
  if (node.kind === 'sequence') return node.items.every(isPlainly);
  if (node.kind === 'scalar') return true;
  const names = node.entries.map(({ key }) =>
    key.kind === 'scalar' && /^(?!(?:null|y|n|yes|no|on|off|true|false)$)[a-z][\w-]*$/i.test(key.text) ? key.text : '',
  );
  return (
    new Set(names).size === names.length && !names.includes('') && node.entries.every(({ value }) => isPlainly(value))
  );
}

/** A change of each kind, at places that the length of the text determines. */
function changesAt(places: readonly Path[], data: Plain, chance: number): Change[] {
  const place = (index: number): Path => places[(chance + index * 7) % places.length] ?? [];
  return [
    { do: 'rename', path: place(0), name: 'renamed' },
    { do: 'set', path: place(1), value: data },
    { do: 'set', path: [...place(2), 'added'], value: ['x', { y: 'a: b' }] },
    { do: 'set', path: [...place(3), 'added', 'inner'], value: 'l1\nl2\n' },
    { do: 'insert', path: [...place(4), 0], value: data },
    { do: 'remove', path: place(5) },
    { do: 'unwrap', path: place(6) },
    { do: 'move', path: place(7), to: [...place(8), 'moved'] },
    { do: 'move', path: place(9), to: [...place(10), 0] },
  ];
}

/** The changed text must mean the changed data. */
function changeText(text: string, document: TextDocument, data: Plain, made: Change): void {
  const edits = editsFor(document, made);
  if (!edits.ok) return;
  const changed = applyEdits(text, edits.value);
  const [read] = parseYaml(changed);
  assertHolds(read.ok, () => `a text can be read after a ${made.do}`);
  const found = read.value.root === undefined ? null : toPlain(read.value.root, goYaml);
  assertHolds(isSame(found, after(data, made)), () => `a ${made.do} changes what it should and nothing else`);
}
