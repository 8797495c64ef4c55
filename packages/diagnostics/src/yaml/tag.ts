import { endsWord, isNameCharacter } from './characters.ts';
import type { Cursor } from './cursor.ts';
import type { YamlFlavour } from './scalars.ts';
import type { TagToken } from './token.ts';

const BANG = 0x21;
const PERCENT = 0x25;

/** YAML 1.1 §8.2, from the `!`. */
export function scanTag(cursor: Cursor, inFlow: boolean, flavour: YamlFlavour): TagToken {
  const start = cursor.offset;
  const content = cursor.peek(1) === 0x3c ? scanVerbatim(cursor) : scanShorthand(cursor, flavour);
  const isEnd = endsWord(cursor.peek()) || (inFlow && flavour === 'libyaml' && cursor.peek() === 0x2c);
  if (!isEnd) throw cursor.problem('did not find expected whitespace or line break', 'while scanning a tag', start);
  return { kind: 'tag', start, end: cursor.offset, ...content };
}

interface TagContent {
  readonly handle: string;
  readonly suffix: string;
}

function scanVerbatim(cursor: Cursor): TagContent {
  const start = cursor.offset;
  cursor.offset += 2;
  const suffix = scanTagUri(cursor, start, 'verbatim', '');
  if (cursor.peek() !== 0x3e) throw cursor.problem("did not find the expected '>'", 'while scanning a tag', start);
  cursor.offset++;
  return { handle: '', suffix };
}

function scanShorthand(cursor: Cursor, flavour: YamlFlavour): TagContent {
  const start = cursor.offset;
  const characters = flavour === 'go' ? 'verbatim' : 'shorthand';
  const handle = scanTagHandle(cursor);
  if (handle.length > 1 && handle.endsWith('!')) {
    return { handle, suffix: scanTagUri(cursor, start, characters, '') };
  }
  const suffix = scanTagUri(cursor, start, characters, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

/** `!`, `!!` or `!name!`; a name without a second `!` begins a suffix. */
export function scanTagHandle(cursor: Cursor): string {
  const start = cursor.offset;
  cursor.offset++;
  while (isNameCharacter(cursor.peek())) cursor.offset++;
  if (cursor.peek() === BANG) cursor.offset++;
  return cursor.text.slice(start, cursor.offset);
}

const URI_CHARACTERS = ";/?:@&=+$.!~*'()%";

/** `head` is not a handle after all; the text after its `!` belongs to the suffix. */
export function scanTagUri(cursor: Cursor, start: number, characters: 'verbatim' | 'shorthand', head: string): string {
  const allowed = characters === 'verbatim' ? `${URI_CHARACTERS},[]` : URI_CHARACTERS;
  const from = cursor.offset;
  while (isNameCharacter(cursor.peek()) || (!cursor.isAtEnd && allowed.includes(cursor.text.charAt(cursor.offset)))) {
    if (cursor.peek() === PERCENT && !/^%[0-9a-fA-F]{2}/.test(cursor.text.slice(cursor.offset, cursor.offset + 3))) {
      throw cursor.problem('did not find URI escaped octet', 'while parsing a tag', start);
    }
    cursor.offset++;
  }
  const uri = head.slice(1) + cursor.text.slice(from, cursor.offset);
  if (uri === '' && head === '') throw cursor.problem('did not find expected tag URI', 'while parsing a tag', start);
  return unescapeUri(cursor, start, uri);
}

function unescapeUri(cursor: Cursor, start: number, uri: string): string {
  if (!uri.includes('%')) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    throw cursor.problem('found an incorrect trailing UTF-8 octet', 'while parsing a tag', start);
  }
}
