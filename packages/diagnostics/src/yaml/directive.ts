import { endsWord, isBlank, isBreak, isDigit, isNameCharacter } from './characters.ts';
import type { Cursor } from './cursor.ts';
import { scanTagHandle, scanTagUri } from './tag.ts';
import type { TagDirectiveToken, VersionToken } from './token.ts';

const CONTEXT = 'while scanning a directive';
const LONGEST_VERSION = 9;

/** YAML 1.1 §7.1: `%YAML 1.1` or `%TAG !e! tag:example,2000:`, to the end of the line. */
export function scanDirective(cursor: Cursor): VersionToken | TagDirectiveToken {
  const start = cursor.offset;
  cursor.offset++;
  const name = scanName(cursor, start);
  const directive = scanParameters(cursor, start, name);
  skipBlanks(cursor);
  if (cursor.peek() === 0x23) cursor.skipToLineEnd();
  if (!cursor.isAtEnd) {
    if (!isBreak(cursor.peek())) throw cursor.problem('did not find expected comment or line break', CONTEXT, start);
    cursor.readBreak();
  }
  return directive;
}

function scanName(cursor: Cursor, start: number): string {
  const from = cursor.offset;
  while (isNameCharacter(cursor.peek())) cursor.offset++;
  if (cursor.offset === from) throw cursor.problem('could not find expected directive name', CONTEXT, start);
  if (!endsWord(cursor.peek())) throw cursor.problem('found unexpected non-alphabetical character', CONTEXT, start);
  return cursor.text.slice(from, cursor.offset);
}

function scanParameters(cursor: Cursor, start: number, name: string): VersionToken | TagDirectiveToken {
  switch (name) {
    case 'YAML':
      return scanVersion(cursor, start);
    case 'TAG':
      return scanTagDirective(cursor, start);
    default:
      throw cursor.problem('found unknown directive name', CONTEXT, start);
  }
}

function scanVersion(cursor: Cursor, start: number): VersionToken {
  skipBlanks(cursor);
  const major = scanNumber(cursor, start);
  if (cursor.peek() !== 0x2e) {
    throw cursor.problem("did not find expected digit or '.' character", 'while scanning a %YAML directive', start);
  }
  cursor.offset++;
  return { kind: 'version', start, major, minor: scanNumber(cursor, start), end: cursor.offset };
}

function scanNumber(cursor: Cursor, start: number): number {
  const from = cursor.offset;
  while (isDigit(cursor.peek())) {
    cursor.offset++;
    if (cursor.offset - from > LONGEST_VERSION) {
      throw cursor.problem('found extremely long version number', 'while scanning a %YAML directive', start);
    }
  }
  if (cursor.offset === from) {
    throw cursor.problem('did not find expected version number', 'while scanning a %YAML directive', start);
  }
  return Number(cursor.text.slice(from, cursor.offset));
}

function scanTagDirective(cursor: Cursor, start: number): TagDirectiveToken {
  const context = 'while scanning a %TAG directive';
  skipBlanks(cursor);
  if (cursor.peek() !== 0x21) throw cursor.problem("did not find expected '!'", 'while scanning a tag', start);
  const handle = scanTagHandle(cursor);
  if (handle !== '!' && !handle.endsWith('!')) {
    throw cursor.problem("did not find expected '!'", 'while parsing a tag directive', start);
  }
  if (!isBlank(cursor.peek())) throw cursor.problem('did not find expected whitespace', context, start);
  skipBlanks(cursor);
  const prefix = scanTagUri(cursor, start, 'verbatim', '');
  if (!endsWord(cursor.peek())) throw cursor.problem('did not find expected whitespace or line break', context, start);
  return { kind: 'tag-directive', start, end: cursor.offset, handle, prefix };
}

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.peek())) cursor.offset++;
}
