import { openIso } from '@coreiso/iso/iso9660';
import { writeStream } from '@coreiso/iso/node';
import type { Action } from '../frame/command.ts';
import { openFile } from '../frame/source.ts';

/** `coreiso iso cat`: all paths are looked up before the first byte is printed. */
export const cat: Action = async (args, terminal) => {
  const { signal, stdout } = terminal.io;
  const source = await openFile(terminal, args.required('ISO'));
  try {
    const iso = await openIso(source, { signal });
    const files = [];
    for (const path of args.list('PATH')) files.push(await iso.file(path, { signal }));
    for (const file of files) await writeStream(file, stdout, { signal });
  } finally {
    await source[Symbol.asyncDispose]();
  }
  return 0;
};
