import { openIso } from '@coreiso/iso/iso9660';
import type { Action } from '../../frame/command.ts';
import { refuseBinary, writeToStdout } from '../../frame/output.ts';
import { lookUpInImage, withImage } from '../../frame/source.ts';

/** `coreiso iso cat`: looks up all paths before it prints the first byte. */
export const cat: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const image = args.required('ISO');
  await withImage(terminal, image, async (source) => {
    const iso = await openIso(source, { signal });
    const files = [];
    for (const path of args.list('PATH')) {
      files.push(await lookUpInImage(image, path, () => iso.file(path, { signal })));
    }
    for (const file of files) await refuseBinary(terminal, file);
    for (const file of files) await writeToStdout(terminal, file);
  });
  return 0;
};
