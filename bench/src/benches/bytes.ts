import { join } from 'node:path';
import { fileSource, patchInPlace, writeCopy } from '@coreiso/iso/node';
import type { Bench, Measure } from '../frame.ts';
import { fullImage, sparseImage, usualEdit } from '../images.ts';
import { freshly, runJob, shell, time } from '../programs.ts';

const GIB_IN_MIB = 1024;

const copy: Bench = {
  name: 'copy',
  about: 'file to file with patches, against cp A B && sync B',
  unit: 'ms',
  limits: { ratio: 1.25 },
  async setUp(workspace) {
    const image = await fullImage(workspace);
    const target = join(workspace.directory, 'copy.iso');
    return {
      peer: freshly(target, shell('cp "$1" "$2" && sync "$2"', image, target)),
      ours: freshly(target, () =>
        time(async () => {
          await using file = await fileSource(image);
          await writeCopy(usualEdit(file), target, { durable: true });
        }),
      ),
    };
  },
};

const pipe: Bench = {
  name: 'pipe',
  about: 'through a pipe, against cat IMAGE | cat >/dev/null',
  unit: 'ms',
  limits: { ratio: 1 },
  async setUp(workspace) {
    const image = await fullImage(workspace);
    return {
      peer: shell('cat "$1" | cat >/dev/null', image),
      ours: async () => (await runJob('stream', [image], '| cat >/dev/null')).ms,
    };
  },
};

const discard: Bench = {
  name: 'discard',
  about: 'to a sink that discards, against cat IMAGE >/dev/null',
  unit: 'ms',
  limits: { ratio: 2 },
  async setUp(workspace) {
    const image = await fullImage(workspace);
    return {
      peer: shell('cat "$1" >/dev/null', image),
      ours: async () => (await runJob('stream', [image], '>/dev/null')).ms,
    };
  },
};

const inPlace: Bench = {
  name: 'in-place',
  about: 'a patch in an image of 8 GiB, against one in an image of 1 MiB',
  unit: 'ms',
  limits: { ratio: 2 },
  async setUp(workspace) {
    const patchOf =
      (image: string): Measure =>
      () =>
        time(async () => {
          await using file = await fileSource(image, { writable: true });
          await patchInPlace(usualEdit(file), file);
        });
    return {
      peer: patchOf(await sparseImage(workspace, 1)),
      ours: patchOf(await sparseImage(workspace, 8 * GIB_IN_MIB)),
    };
  },
};

const memory: Bench = {
  name: 'memory',
  about: 'peak memory while 8 GiB are streamed, against 1 GiB',
  unit: 'MB',
  limits: { ratio: 1.1, ours: 100 },
  async setUp(workspace) {
    const peakOf =
      (image: string): Measure =>
      async () =>
        (await runJob('stream', [image], '>/dev/null')).maxRssMB;
    return {
      peer: peakOf(await sparseImage(workspace, GIB_IN_MIB)),
      ours: peakOf(await sparseImage(workspace, 8 * GIB_IN_MIB)),
    };
  },
};

/** Copying bytes: the cost of the file sinks. */
export const bytesBenches: readonly Bench[] = [copy, pipe, discard, inPlace, memory];
