import { stat } from 'node:fs/promises';
import { IsoError } from '@coreiso/iso';
import type { VolumeDescriptor } from '@coreiso/iso/iso9660';
import type { Action } from '../frame/command.ts';
import { inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';
import { lookAtImage } from './image.ts';
import { withFile } from './input.ts';

const SECTOR = 2048;

/** `dev show iso`: shows the contents of any image, or the areas of a live image. Like coreos-installer, it hides nothing. */
export const showIso: Action = async (args, terminal) => {
  if (args.has('ignition')) {
    await lookAtImage(args, terminal, ({ image: { initrd } }) =>
      terminal.printWhole({ offset: initrd.offset, length: initrd.length }),
    );
  } else if (args.has('kargs')) {
    await lookAtImage(args, terminal, ({ image: { kargs } }) =>
      terminal.printWhole(
        kargs === undefined ? null : { length: kargs.length, default: kargs.default, kargs: kargs.areas },
      ),
    );
  } else await showTree(terminal, args.required('ISO'));
  return 0;
};

async function showTree(terminal: Terminal, path: string): Promise<void> {
  const { signal } = terminal.io;
  const { openIso } = await import('@coreiso/iso/iso9660');
  await withFile(terminal, path, async (source) => {
    const iso = await openIso(source, { view: 'strict', signal });
    const records: string[] = [];
    try {
      for await (const { path } of iso.walk({ signal })) records.push(path);
    } catch (error) {
      if (!(error instanceof IsoError)) throw error;
      // coreos-installer reads the root directory before the walk, so its failure lacks this context.
      const isRoot = error.code === 'ISO_SHORT_READ' && error.offset === iso.volume.primary.root.sector * SECTOR;
      throw isRoot ? error : new Error('while walking ISO filesystem', { cause: error });
    }
    await terminal.printWhole({ header: { descriptors: iso.volume.descriptors.map(descriptorData) }, records });
  });
}

function descriptorData(descriptor: VolumeDescriptor): object {
  const { type } = descriptor;
  switch (type) {
    case 'boot':
      return { type, boot_system_id: descriptor.systemId, boot_id: descriptor.bootId };
    case 'primary': {
      const { name, sector, length } = descriptor.root;
      return {
        type,
        system_id: descriptor.systemId,
        volume_id: descriptor.volumeId,
        volume_space_size: descriptor.spaceSize,
        root: { name, address: sector, length },
      };
    }
    case 'supplementary':
      return { type };
    case 'unknown':
      return { type, type_id: descriptor.typeId };
  }
}

/** `dev show fiemap`: only the operating system knows which disk blocks a file uses. */
export const showFiemap: Action = async (args, terminal) => {
  const path = JSON.stringify(args.required('PATH'));
  const { size } = await inContext(`opening ${path}`, () => stat(terminal.path(args.required('PATH'))));
  if (size > 0) {
    const cause = new Error('coreiso cannot ask the operating system for extents; filefrag(8) does');
    throw new Error(`mapping ${path}`, { cause });
  }
  await terminal.printWhole({ extents: [] });
  return 0;
};
