import { closest, type MappingNode, type Node } from '@coreiso/diagnostics';
import type { Reader } from './reader.ts';
import { expectedOneOf, plainName } from './serde-words.ts';
import type { ChoiceType, OpenChoiceType } from './table.ts';

const TEXT_TAG = 'tag:yaml.org,2002:str';

/** The value that a word or, where the type allows it, a number stands for. */
export function readChoice(type: ChoiceType, node: Node, reader: Reader): string | undefined {
  const isNumbered = type.numbered !== undefined;
  if (node.kind === 'mapping' && reader.regime === 'json' && !isNumbered) return readChoiceMap(type, node, reader);
  const written = writtenWord(node, isNumbered, reader);
  if (written === undefined) {
    const upstream = isNumbered ? 'unsigned integer or string' : 'string or map';
    return reader.wrongType(node, `one of ${type.values.join(', ')}`, upstream);
  }
  const chosen = valueOfWord(type, written);
  if (chosen !== undefined) return chosen;
  const near = closest(written, [...type.values, ...Object.keys(type.spellings ?? {})]);
  return reader.refuse(
    node,
    'unknown-value',
    `\`${written}\` is not one of ${type.values.join(', ')}`,
    `unknown variant \`${written}\`, ${expectedOneOf(spellingsOf(type))}`,
    near === undefined ? undefined : `Did you mean \`${near}\`?`,
  );
}

function writtenWord(node: Node, isNumbered: boolean, reader: Reader): string | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'string') return value;
  if (isNumbered && typeof value === 'bigint' && value >= 0n) return String(value);
  return reader.regime === 'yaml' && node.kind === 'scalar' ? node.text : undefined;
}

/** nmstate's parser also takes `{word: null}` for a word. */
function readChoiceMap(type: ChoiceType, node: MappingNode, reader: Reader): string | undefined {
  const [entry, ...more] = node.entries;
  if (entry === undefined || more.length > 0) {
    const upstream = 'invalid value: map, expected map with a single key';
    return reader.refuse(node, 'wrong-type', `one of ${type.values.join(', ')} is needed here, not a map`, upstream);
  }
  const chosen = readChoice(type, { ...entry.key, tag: TEXT_TAG }, reader);
  if (chosen !== undefined && !reader.isNull(entry.value)) return reader.wrongType(entry.value, 'nothing', 'unit');
  return chosen;
}

function valueOfWord({ values, spellings = {}, numbered = 0 }: ChoiceType, written: string): string | undefined {
  if (values.includes(written)) return written;
  if (Object.hasOwn(spellings, written)) return spellings[written];
  const position = /^(?:0|[1-9][0-9]*)$/.test(written) ? Number(written) : numbered;
  return position < numbered ? values[position] : undefined;
}

/** Every spelling of every value, those of one value together. */
function spellingsOf({ values, spellings = {}, numbered = 0 }: ChoiceType): string[][] {
  return values.map((value, position) => [
    ...(position < numbered ? [String(position)] : []),
    value,
    ...Object.keys(spellings).filter((spelling) => spellings[spelling] === value),
  ]);
}

/** Any text; the words that mean something may be written in capitals. */
export function readOpenChoice({ values, rust }: OpenChoiceType, node: Node, reader: Reader): string | undefined {
  const value = reader.scalar(node);
  if (typeof value !== 'string') {
    const upstream = `data did not match any variant of untagged enum ${rust}`;
    return reader.refuse(node, 'wrong-type', `text is needed here, not ${plainName(node, value)}`, upstream);
  }
  const lower = value.toLowerCase();
  // `Ll` is neither `ll` nor `LL`, hence a text of its own.
  return values.includes(lower) && (value === lower || value === value.toUpperCase()) ? lower : value;
}
