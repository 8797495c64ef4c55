import { customizeInitramfs, openInitramfs, slice } from '@coreiso/iso';
import type { Action } from '../frame/command.ts';
import { STDOUT, writeToStdout } from '../frame/output.ts';
import { AS_UPSTREAM, compressionFor } from './compression.ts';
import { withFile } from './input.ts';
import { checkOutput, writeNewFile } from './output.ts';

/** `pxe customize`: copies the initramfs and appends an archive. */
export const customize: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const output = args.required('output');
  await withFile(terminal, args.required('path'), async (base) => {
    await checkOutput(terminal, output);
    // Like coreos-installer, write the copy before reading the initramfs, and so before any refusal.
    if (output === STDOUT) await writeToStdout(terminal, base);
    const initramfs = await openInitramfs(base, { ...AS_UPSTREAM, signal });
    const { customization } = await import('./customization.ts');
    const changes = await customization(args, terminal, { target: 'pxe', features: initramfs.features });
    const compression = await compressionFor(terminal.io);
    const customized = await customizeInitramfs(initramfs, changes, { compression, signal });
    if (output === STDOUT) await writeToStdout(terminal, slice(customized, base.size, customized.size - base.size));
    else {
      const persisting = `persisting output file to ${output}`;
      await writeNewFile(terminal, customized, output, { durable: args.has('sync'), persisting });
    }
  });
  return 0;
};
