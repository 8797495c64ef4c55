// Results of sigs.k8s.io/yaml 1.6.0 for random texts of YAML fragments, and for chosen ones.
import { readFileSync } from 'node:fs';
import { type Diagnostic, goYaml, parseYaml, readAsGo, toPlain, type YamlDiagnostic } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';

type Row = readonly [text: string, json: string | null, error?: string];

const rows: readonly Row[] = JSON.parse(readFileSync(new URL('./go-yaml.json', import.meta.url), 'utf8'));

/** The data as JSON, or the first error. */
function read(text: string): { readonly json: unknown } | { readonly finding: Diagnostic | undefined } {
  const [document] = parseYaml(text, { flavour: 'go' });
  if (!document.ok) return { finding: document.diagnostics[0] };
  const known = readAsGo(document.value);
  if (!known.ok) return { finding: known.diagnostics[0] };
  const { root } = known.value;
  const plain = root === undefined ? null : toPlain(root, goYaml);
  return { json: JSON.parse(JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? Number(value) : value))) };
}

/** go-yaml 2 counts lines from 0 or from 1, depending on the stage, and names no line for the first. */
function wordsOfGo(finding: Diagnostic | undefined): string | undefined {
  if (finding === undefined || !('libyaml' in finding)) return undefined;
  const { stage, problem, mark, contextMark } = (finding as YamlDiagnostic).libyaml;
  const line = mark.line > 0 ? mark.line + (stage === 'scanner' ? 1 : 0) : contextMark.line;
  return `yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`;
}

test('reads the same texts, to the same data', () => {
  const readable = rows.flatMap(([text, json]) => (json === null ? [] : [{ text, json: JSON.parse(json) }]));
  expect(readable.map(({ text }) => ({ text, ...read(text) }))).toEqual(readable);
});

test('refuses the others; syntax errors have the same reason on the same line', () => {
  // Editors do not end lines at U+0085 and U+2028, and neither do our places.
  const isOdd = (text: string): boolean => /[\u0085\u2028]/.test(text);
  const plain = (text: string, error: string): string => (isOdd(text) ? error.replace(/line \d+: /, '') : error);
  const refused = rows.flatMap(([text, , error]) => (error === undefined ? [] : [{ text, error: plain(text, error) }]));
  const ours = refused.map(({ text, error }) => {
    const reading = read(text);
    if ('json' in reading) return { text, error: 'read' };
    return { text, error: plain(text, wordsOfGo(reading.finding) ?? error) };
  });
  expect(ours).toEqual(refused);
});

test('counts places as libyaml does, and an open bracket ends on the next line', () => {
  const mark = (text: string) => {
    const [document] = parseYaml(text, { flavour: 'libyaml' });
    const finding = document.ok ? undefined : document.diagnostics[0];
    if (finding === undefined || !('libyaml' in finding)) throw new Error('it is read');
    const { mark: place, contextMark } = (finding as YamlDiagnostic).libyaml;
    return [place.line, place.column, contextMark.line, contextMark.column];
  };
  expect(mark('a: b\n  c: d\n')).toEqual([1, 3, 0, 0]);
  expect(mark('a: [b\n')).toEqual([1, 0, 0, 3]);
  expect(mark('a: [b')).toEqual([1, 0, 0, 3]);
  expect(mark('- a\n b: [\n')).toEqual([1, 2, 0, 0]);
  expect(mark('x: 1\ny: "z')).toEqual([1, 5, 1, 3]);
});
