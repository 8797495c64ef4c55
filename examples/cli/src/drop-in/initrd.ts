import { readFiles, type UnpackedFile } from '@coreiso/iso';
import type { Arguments } from '../frame/arguments.ts';
import { inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';
import { withFileOrStdin } from './input.ts';
import { AS_UPSTREAM } from './reading.ts';

/** The regular files of an initrd that match one of the patterns, in order; contents are there until `work` ends. */
export async function listInitrd<T>(
  args: Arguments,
  terminal: Terminal,
  work: (files: readonly UnpackedFile[]) => Promise<T>,
): Promise<T> {
  const patterns = args.list('glob');
  // Patterns are complained of before the file is looked at; of nothing at all they match nothing.
  await inContext('parsing glob patterns', () => readFiles(new Uint8Array(0), { patterns }));
  const path = args.required('initrd');
  return withFileOrStdin(terminal, path === '-' ? undefined : path, async (source) => {
    const { signal } = terminal.io;
    const files = await inContext('decoding initrd', () =>
      readFiles(source, { ...(patterns.length > 0 && { patterns }), ...AS_UPSTREAM, signal }),
    );
    return await work([...files.values()]);
  });
}
