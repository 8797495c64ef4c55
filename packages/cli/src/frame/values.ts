import {
  decodeText,
  formatDiagnostics,
  goYaml,
  type Outcome,
  type Plain,
  parseYaml,
  type Resolver,
  type ScalarNode,
  type ScalarValue,
  toPlain,
} from '@coreiso/diagnostics';

/** Exports of a whole cluster are larger than configs. */
const LONGEST = 128 * 1024 * 1024;

/** Parses the documents of a YAML or JSON file as plain data; a list at the top counts as its items. */
export function parseValues(bytes: Uint8Array, file: string): unknown[] {
  const text = readable(decodeText(bytes), file).text;
  return documentsOf(text, file).flatMap((value) => (Array.isArray(value) ? value : [value]));
}

function documentsOf(text: string, file: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    // The text may be valid YAML instead.
  }
  const documents = parseYaml(text, { flavour: 'go', length: LONGEST });
  return documents
    .map((document) => readable(document, file, text).root)
    .flatMap((root) => (root === undefined ? [] : [toPlain(root, numbers)]));
}

/** Parses one YAML document; integers keep all their digits. */
export function parseYamlValue(bytes: Uint8Array, file: string): Plain {
  const { text } = readable(decodeText(bytes), file);
  const [document] = parseYaml(text, { flavour: 'go' });
  const { root } = readable(document, file, text);
  return root === undefined ? null : toPlain(root, goYaml);
}

const numbers: Resolver = Object.assign(readNumber, { key: goYaml.key });

function readNumber(scalar: ScalarNode): ScalarValue {
  const value = goYaml(scalar);
  return typeof value === 'bigint' ? Number(value) : value;
}

function readable<T>(outcome: Outcome<T>, file: string, text?: string): T {
  if (outcome.ok) return outcome.value;
  const cause = formatDiagnostics(outcome.diagnostics, { file, text });
  throw new Error(`cannot read ${file}\n\n${cause}`);
}
