// Temporary files, with names that identify their writer. They hold parts of images and configs, and nothing else would
// remove the files of a killed process.
import { dirname, join } from 'node:path';
import type { FileSystem } from '../file-system.ts';
import { removeIfThere } from '../io.ts';
import { nativeCrc32 } from '../native.ts';
import { newWriter, type Writer, writerStatus } from '../writer.ts';

/** Suffix of journal names. */
export const JOURNAL_SUFFIX = '.coreiso-journal';

const NAME = /^\.coreiso-([a-z\d]+)-(\d+)-(\d*)-([\da-f]+)-([\da-f]+)-([\da-f]+)\.tmp$/;

/** A unique path in the directory of `path`, with a name of limited length. */
export function temporaryBeside(path: string, writer: Writer = newWriter()): string {
  const { token, pid, started } = writer;
  return join(dirname(path), `.coreiso-${[token, pid, started, ...marksOf(writer)].join('-')}.tmp`);
}

/** Whether a value from a file is a temporary name, and so without a directory. */
export function isTemporaryName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

/** Removes temporary files of dead processes among the `names` of a directory, ignoring failures. */
export async function removeAbandoned(files: FileSystem, directory: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const writer = writerIn(name);
    if (writer === undefined || writerStatus(writer) !== 'gone') continue;
    await removeUnlessLocked(files, directory, name, names).catch(() => undefined);
  }
}

/** Keeps the temporary name of a journal that also has its final name, because the journal would count without it. */
async function removeUnlessLocked(
  files: FileSystem,
  directory: string,
  name: string,
  names: readonly string[],
): Promise<void> {
  const path = join(directory, name);
  const { links, dev, ino } = await files.lstat(path);
  for (const other of links === 1 ? [] : names.filter((each) => each.endsWith(JOURNAL_SUFFIX))) {
    const journal = await files.lstat(join(directory, other)).catch(() => undefined);
    if (journal?.ino === ino && journal.dev === dev) return;
  }
  await removeIfThere(files, path);
}

/** Checksums of host, boot and namespace, which are too long for a name. */
function marksOf({ host, machine, boot, namespace }: Writer): string[] {
  return [`${host} ${machine}`, boot, namespace].map((text) => nativeCrc32(Buffer.from(text)).toString(16));
}

/** The writer in a temporary name. A host, boot or namespace other than this process's own is only known to differ. */
function writerIn(name: string): Writer | undefined {
  const [, token, pid, started, ...marks] = NAME.exec(name) ?? [];
  if (token === undefined || started === undefined) return undefined;
  const here = newWriter();
  const [isHost, isBoot, isNamespace] = marksOf(here).map((mark, index) => mark === marks[index]);
  const { host, machine, boot, namespace } = here;
  return {
    pid: Number(pid),
    host: isHost ? host : 'another',
    machine: isHost ? machine : 'another',
    boot: isBoot ? boot : 'another',
    namespace: isNamespace ? namespace : 'another',
    started,
    token,
  };
}
