import { rm } from 'node:fs/promises';
import { type ByteSource, packMinimal } from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';
import type { Action } from '../frame/command.ts';
import { inContext } from '../frame/failure.ts';
import { withFile, withWritableFile } from './input.ts';
import { writeInPlace } from './output.ts';

/** The recipe names the program version that could have made it. */
const APP_VERSION = '0.27.0';

/** `pack minimal-iso`: adds a recipe to a full image that rebuilds the minimal one. Always xz. */
export const packMinimalIso: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const { xzCrc64 } = await import('@coreiso/iso/xz');
  const [fullPath, minimalPath] = [args.required('FULL_ISO'), args.required('MINIMAL_ISO')];
  const requireFiles = async (source: ByteSource, path: string): Promise<void> => {
    const iso = await openIso(source, { view: 'strict', signal });
    let count = 0;
    for await (const { kind } of iso.walk({ signal })) if (kind === 'file') count++;
    if (count === 0) throw new Error(`No files found in ${path}`);
  };
  await withWritableFile(terminal, fullPath, (full) =>
    withFile(terminal, minimalPath, async (minimal) => {
      await requireFiles(full, fullPath);
      await requireFiles(minimal, minimalPath);
      terminal.say('Packing minimal ISO');
      const packed = await terminal.withProgress('Packing', (onProgress) =>
        packMinimal(full, minimal, { compression: xzCrc64, appVersion: APP_VERSION, signal, onProgress }),
      );
      terminal.say(`Matched ${packed.matched} files of ${packed.files}`);
      terminal.say(`Total bytes skipped: ${packed.skipped}`);
      terminal.say(`Total bytes written: ${packed.written}`);
      terminal.say(`Total bytes written (compressed): ${packed.recipe.packed.length}`);
      terminal.say('Verifying that packed image matches digest');
      const image = await terminal.withProgress('Verifying', (onProgress) => packed.embed({ signal, onProgress }));
      await writeInPlace(terminal, image, full);
    }),
  );
  if (args.has('consume')) await inContext(`consuming ${minimalPath}`, () => rm(terminal.path(minimalPath)));
  terminal.say('Packing successful!');
  return 0;
};

/** `pack osmet`: needs a block device and its file system. */
export const packOsmet: Action = async () => {
  throw new Error(
    'osmet files are not supported: they need the block device and the file system of an installed system',
  );
};
