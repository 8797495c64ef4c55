import {
  asGoWrites,
  type Diagnostic,
  goYaml,
  type Node,
  type Outcome,
  parseYaml,
  readAsGo,
  type TextDocument,
  toPlain,
  writeGoYaml,
} from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { generateKeyfiles, judgeState, keyfileOf, type Profile, type Verdicts } from '../../src/index.ts';

const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));

/** The document of a text that has exactly one. */
function documentOf(text: string): TextDocument | undefined {
  const [first, ...more] = parseYaml(text);
  return first.ok && more.length === 0 ? first.value : undefined;
}

function valueAt(document: TextDocument, name: string): Node {
  const root = document.root;
  const entry =
    root?.kind === 'mapping'
      ? root.entries.find(({ key }) => document.text.slice(key.start, key.end) === name)
      : undefined;
  if (entry === undefined) throw new Error(`there is no ${name}`);
  return entry.value;
}

const parsed = goldens.paths(/\.yml$/).flatMap((name) => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(goldens.bytes(name));
  const document = text.startsWith('\ufeff') ? undefined : documentOf(text);
  return document?.root === undefined ? [] : [{ name, text, node: document.root, document }];
});

describe('gives the same for a node as for its text', () => {
  test.each(parsed)('$name', ({ text, node, document }) => {
    for (const mode of ['compatible', 'strict'] as const) {
      expect(generateKeyfiles({ node, document }, { mode })).toEqual(generateKeyfiles(text, { mode }));
    }
  });
});

describe('gives the same for a part of a document as for the text that a Go program writes of it', () => {
  const handedOn = parsed.flatMap(({ name, document }) => {
    const outcome = readAsGo(document);
    return outcome.ok && outcome.value.root !== undefined ? [{ name, node: outcome.value.root, document }] : [];
  });
  const unplaced = ({ severity, code, message, path }: Diagnostic): unknown => ({ severity, code, message, path });
  const inAnyOrder = ({ compatible, strict }: Verdicts): unknown => [
    { ...compatible, diagnostics: compatible.diagnostics.map(unplaced) },
    { ...strict, diagnostics: expect.arrayContaining(strict.diagnostics.map(unplaced)) },
    strict.diagnostics.length,
  ];

  test.each(handedOn)('$name', ({ node, document }) => {
    const text = writeGoYaml(toPlain(node, goYaml));
    const { compatible, strict } = judgeState({ node: asGoWrites(node), document });
    expect([
      { ...compatible, diagnostics: compatible.diagnostics.map(unplaced) },
      { ...strict, diagnostics: strict.diagnostics.map(unplaced) },
      strict.diagnostics.length,
    ]).toEqual(inAnyOrder(judgeState(text)));
  });
});

test('places findings in the whole text', () => {
  const document = documentOf('host: a\nnetwork:\n  interfaces: [{name: a, type: dummy, mtu: big}]\n');
  if (document === undefined) throw new Error('not read');
  const { diagnostics } = generateKeyfiles({ node: valueAt(document, 'network'), document });
  expect(diagnostics).toEqual([
    {
      severity: 'error',
      code: 'nmstate/wrong-value',
      message: '`big` is not a whole number',
      path: ['interfaces', 0, 'mtu'],
      range: document.range({ start: 60, end: 63 }),
    },
  ]);
});

describe('reads no-break spaces as spaces', () => {
  const state = (description: string): string => `interfaces: [{name: a, type: dummy, description: ${description}}]\n`;
  const read = (text: string): ReturnType<typeof generateKeyfiles> => {
    const document = documentOf(text);
    if (document?.root === undefined) throw new Error('not read');
    return generateKeyfiles({ node: document.root, document });
  };

  test.each(['a\u00a0b', '"\u00a0a\u00a0"', "'a:\u00a0b'", '\u00a0a'])('in %j', (description) => {
    expect(read(state(description))).toMatchObject({ ok: true });
    expect(read(state(description))).toEqual(generateKeyfiles(state(description)));
  });

  test('before a comment', () => {
    expect(read(state('a\u00a0#b'))).toEqual(generateKeyfiles(state('a')));
  });

  test.each(['"a\\_b"', '"a\\xa0b"'])('if they are escaped: %s', (description) => {
    expect(read(state(description))).toEqual(generateKeyfiles(state('a b')));
  });

  test.each(['a:\u00a0b', '-\u00a0a'])('and refuses %j, which is then not a value', (description) => {
    const { ok, diagnostics } = read(state(description));
    expect(ok).toBe(false);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'nmstate/no-break-space', range: expect.anything() }),
    ]);
  });
});

test.each([
  ['a state that is taken', 'interfaces: [{name: a, type: dummy}]'],
  ['a state that only strict mode refuses', 'interfaces: [{name: a.5, type: vlan, vlan: {base-iface: a, id: 5000}}]'],
  ['a state that nmstate refuses', 'interfaces: [{name: a, type: vrf}]\nroutes: {config: [{destination: x}]}'],
  ['a text that is no state', 'interfaces: 5'],
])('gives the verdicts of both modes at once: %s', (_, state) => {
  const { compatible, strict } = judgeState(state);
  const asFiles = (verdict: Outcome<readonly Profile[]>) =>
    verdict.ok ? { ...verdict, value: verdict.value.map(keyfileOf) } : verdict;
  expect(asFiles(compatible)).toEqual(generateKeyfiles(state, { mode: 'compatible' }));
  expect(asFiles(strict)).toEqual(generateKeyfiles(state, { mode: 'strict' }));
});
