import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IsoEntry } from '@coreiso/iso/iso9660';
import { onTestFinished } from 'vitest';
import type { Composition } from '../../src/bytes/compose.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Saves the image as a file; runs of at least a megabyte from another source become holes. */
export async function saved(source: Composition): Promise<string> {
  const path = join(temporaryDirectory(), 'image.iso');
  const file = openSync(path, 'w');
  try {
    ftruncateSync(file, source.size);
    for (const segment of source.segments()) {
      if (!('bytes' in segment) && segment.length >= 1 << 20) continue;
      writeSync(file, await source.read(segment.start, segment.length), 0, segment.length, segment.start);
    }
  } finally {
    closeSync(file);
  }
  return path;
}

/** An entry of a tree: permissions, path, and the target of a link. */
export interface Listed {
  readonly mode: string;
  readonly path: string;
  readonly target?: string;
}

/** All entries below a directory of the file system, by path. */
export function listDirectory(directory: string, prefix = ''): Listed[] {
  return readdirSync(join(directory, prefix)).flatMap((name) => {
    const path = `${prefix}/${name}`;
    const stat = lstatSync(join(directory, path));
    const type = stat.isDirectory() ? 'd' : stat.isSymbolicLink() ? 'l' : '-';
    const listed = { mode: permissions(type, stat.mode), path };
    if (type === 'l') return [{ ...listed, target: readlinkSync(join(directory, path)) }];
    return type === 'd' ? [listed, ...listDirectory(directory, path)] : [listed];
  });
}

/** The expected listing of these entries, which must include all their directories. */
export function listEntries(entries: readonly IsoEntry[]): Listed[] {
  const modes = new Map(entries.flatMap((entry) => (entry.kind === 'file' ? [[entry.path, entry.mode ?? 0o644]] : [])));
  return entries.map((entry) => {
    if (entry.kind === 'symlink') return { mode: 'lrwxrwxrwx', path: entry.path, target: entry.target };
    if (entry.kind === 'directory') return { mode: permissions('d', entry.mode ?? 0o755), path: entry.path };
    return { mode: permissions('-', modes.get(entry.kind === 'link' ? entry.to : entry.path) ?? 0), path: entry.path };
  });
}

export function byPath(listed: readonly Listed[]): Listed[] {
  return [...listed].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function permissions(type: string, mode: number): string {
  return type + [...'rwxrwxrwx'].map((letter, index) => (mode & (0o400 >> index) ? letter : '-')).join('');
}

/** The contents of all regular files of a directory, by path. */
export function contentsOf(directory: string): Map<string, string> {
  return new Map(
    listDirectory(directory)
      .filter(({ mode }) => mode.startsWith('-'))
      .map(({ path }) => [path, readFileSync(join(directory, path), 'latin1')]),
  );
}
