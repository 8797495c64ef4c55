// Files with a secret: they are small, and no one else should be able to read them.
import { statSync } from 'node:fs';
import { decodeText } from '@coreiso/diagnostics';
import { inContext } from './failure.ts';
import { inputName, wholeFile } from './input.ts';
import { readAll, type Terminal } from './terminal.ts';

/** The limit for tokens, keys and pull secrets; a pull secret with hundreds of registries has some 100 KiB. */
const LONGEST_SECRET = 16 * 1024 * 1024;

/** Reads a file with a secret; `-` is standard input. Warns if others can read the file. */
export async function readSecret(terminal: Terminal, path: string): Promise<Uint8Array> {
  const { stdin, signal } = terminal.io;
  return await inContext(`cannot read ${inputName(path)}`, async () => {
    if (path === '-') return await readAll(stdin, signal, LONGEST_SECRET);
    warnIfShared(terminal, path);
    return await wholeFile(terminal, path, LONGEST_SECRET);
  });
}

/** The same for a text file. */
export async function readSecretText(terminal: Terminal, path: string): Promise<string> {
  const decoded = decodeText(await readSecret(terminal, path));
  if (!decoded.ok) throw new Error(`${path} is not text: ${decoded.diagnostics[0]?.message}`);
  return decoded.value.text;
}

/** Matches the place of a pod's secrets, whose modes Kubernetes decides. */
const PROJECTED = /^(?:\/var)?\/run\/secrets\//;
const warned = new WeakMap<Terminal, Set<string>>();

/** Warns, once per file, if anyone but the user and root can read or change a file with a secret. */
export function warnIfShared(terminal: Terminal, given: string): void {
  const path = terminal.path(given);
  const user = process.getuid?.();
  // On Windows, modes and owners mean nothing here.
  if (user === undefined || PROJECTED.test(path)) return;
  const told = warned.get(terminal) ?? new Set();
  warned.set(terminal, told);
  if (told.has(path)) return;
  told.add(path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return;
  const mode = stats.mode & 0o777;
  if (stats.uid !== user && stats.uid !== 0) {
    terminal.say(`warning: ${given} holds a secret and belongs to another user (uid ${stats.uid})`);
    terminal.say(`help: copy it to a file of your own: install -m 600 ${shellWord(given)} FILE`);
  } else if ((mode & 0o077) !== 0) {
    terminal.say(`warning: ${given} holds a secret and is open to others (mode ${mode.toString(8).padStart(4, '0')})`);
    terminal.say(`help: chmod 600 ${shellWord(given)}`);
  }
}

/** Quotes a word for a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
