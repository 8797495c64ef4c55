// `--fix`: shows the changes of fixes, asks, and writes the files.
import { decodeText, withoutSecrets } from '@coreiso/diagnostics';
import type { FixChoice, LanguageKind } from '@coreiso/language';
import type { Arguments } from '../arguments.ts';
import { isConfirmed } from '../confirm.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage.ts';
import { replaceFile } from './replace-file.ts';
import { unifiedDiff } from './unified-diff.ts';

/** A file that a command checks. */
export interface FixableFile {
  /** The name as the user wrote it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind: LanguageKind;
  /** The install config beside an agent-config. */
  readonly installConfig?: string | undefined;
}

/**
 * Fixes files if `--fix` was given, and returns the bytes to check: those now on the disk. Throws if it cannot ask without a
 * terminal, or cannot write a file.
 */
export async function fixFiles<One extends FixableFile>(
  files: readonly One[],
  args: Arguments,
  terminal: Terminal,
): Promise<readonly One[]> {
  if (!args.has('fix')) {
    if (args.has('yes')) throw new UsageError("the argument '--yes' needs '--fix'");
    return files;
  }
  if (files.some(({ name }) => name === '-'))
    throw new UsageError('standard input cannot be fixed in place: name a file');
  const choice: FixChoice = args.optional('fix') === 'all' ? 'all' : 'safe';
  const { mendText } = await import('@coreiso/language');
  const mended = files.map((file) => {
    const text = editable(file.bytes);
    if (text === undefined) return { file, before: '', after: '' };
    return { file, before: text, after: mendText({ ...file, text }, choice) };
  });
  const changed = mended.filter(({ before, after }) => before !== after);
  if (changed.length === 0) {
    terminal.say(choice === 'all' ? 'no fixes found' : 'no safe fixes found');
    return files;
  }
  if (!args.has('json'))
    for (const { file, before, after } of changed) await showDiff(terminal, file.name, before, after);
  const names = changed.map(({ file }) => file.name).join(' and ');
  const usage = `${args.words.join(' ')} --fix --yes`;
  if (
    !args.has('yes') &&
    !(await isConfirmed(terminal, { text: `Write ${names}`, purpose: 'to apply fixes', usage }))
  ) {
    terminal.say('Nothing was changed.');
    return files;
  }
  for (const { file, after } of changed) {
    await replaceFile(terminal, file.name, file.bytes, encoded(file.bytes, after));
    terminal.say(`fixed ${file.name}`);
  }
  return mended.map(({ file, before, after }) =>
    before === after ? file : { ...file, bytes: encoded(file.bytes, after) },
  );
}

const MARK = [0xef, 0xbb, 0xbf];

function hasMark(bytes: Uint8Array): boolean {
  return MARK.every((byte, index) => bytes[index] === byte);
}

/** Returns the text of a file that can be written back unchanged: UTF-8, with or without a byte order mark. */
function editable(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  return decoded.ok && decoded.value.hasMark === hasMark(bytes) ? decoded.value.text : undefined;
}

function encoded(before: Uint8Array, text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return hasMark(before) ? Uint8Array.of(...MARK, ...bytes) : bytes;
}

async function showDiff(terminal: Terminal, name: string, before: string, after: string): Promise<void> {
  const shown = terminal.showsSecrets ? undefined : linesWithoutSecrets(before, after);
  await terminal.showLines(unifiedDiff(name, before, after, shown).split('\n'));
}

/**
 * Shows a line unchanged if the redacted text has the same line; only redaction of the whole text finds secrets that span
 * lines.
 */
function linesWithoutSecrets(...texts: readonly string[]): (line: string) => string {
  const harmless = new Set(texts.flatMap((text) => String(withoutSecrets(text)).split('\n')));
  return (line) => {
    if (harmless.has(line)) return line;
    const alone = String(withoutSecrets(line));
    return alone === line ? '<redacted>' : alone;
  };
}
