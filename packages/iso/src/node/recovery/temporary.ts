// Files that are being written, under names that tell who writes them: they hold parts of images, and so of configs, and
// no one else would ever remove what a killed process has left.
import { dirname, join } from 'node:path';
import type { FileSystem } from '../file-system.ts';
import { removeIfThere } from '../io.ts';
import { nativeCrc32 } from '../native.ts';
import { newWriter, type Writer, writerStatus } from '../writer.ts';

/** How the name of a journal ends. */
export const JOURNAL_SUFFIX = '.coreiso-journal';

const NAME = /^\.coreiso-([a-z\d]+)-(\d+)-(\d*)-([\da-f]+)-([\da-f]+)-([\da-f]+)\.tmp$/;

/** A name in the directory of `path` that no one else thinks of, short enough wherever that name is. */
export function temporaryBeside(path: string, writer: Writer = newWriter()): string {
  const { token, pid, started } = writer;
  return join(dirname(path), `.coreiso-${[token, pid, started, ...marksOf(writer)].join('-')}.tmp`);
}

/** Whether a value from a file is such a name, and so one in the same directory. */
export function isTemporaryName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

/** Removes what processes that are gone were writing in a directory that has these names. What cannot be removed stays. */
export async function removeAbandoned(files: FileSystem, directory: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const writer = writerIn(name);
    if (writer === undefined || writerStatus(writer) !== 'gone') continue;
    await removeUnlessLocked(files, directory, name, names).catch(() => undefined);
  }
}

/** As long as a journal has its temporary name too, it does not count. */
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

/** Host, boot and namespace, too long for a name. */
function marksOf({ host, machine, boot, namespace }: Writer): string[] {
  return [`${host} ${machine}`, boot, namespace].map((text) => nativeCrc32(Buffer.from(text)).toString(16));
}

/** Who writes under a name, as far as it matters here: a place other than this one is known by its mark alone. */
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
