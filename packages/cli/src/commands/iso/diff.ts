import { type Difference, diffImages, type FileDifference, type ImageDifference } from '@coreiso/iso';
import { nativeSha256 } from '@coreiso/iso/node';
import type { Action } from '../../frame/command.ts';
import { shownName, withImage } from '../../frame/source.ts';

/** `coreiso iso diff`: exits with 0 if the images are the same, 1 if they differ. */
export const diff: Action = async (args, terminal) => {
  const [a, b] = [args.required('A'), args.required('B')];
  const { signal } = terminal.io;
  const difference = await withImage(terminal, a, (before) =>
    withImage(terminal, b, (after) =>
      terminal.withProgress(`Comparing ${shownName(a)} and ${shownName(b)}`, (onProgress) =>
        diffImages(before, after, { sha256: nativeSha256, signal, onProgress }),
      ),
    ),
  );
  if (args.has('json')) await terminal.printJson(difference);
  else await terminal.showLines(differenceText(difference));
  return difference.equal ? 0 : 1;
};

function differenceText(difference: ImageDifference): string[] {
  const { volumeId, architecture, size, pristine, areas, kargs, embedded, files, outside } = difference;
  return [
    ...property('volume', volumeId),
    ...property('architecture', architecture),
    ...property('size', size),
    ...property('as it was built', pristine),
    ...property('initrd area', areas.initrd),
    ...property('areas for kernel arguments', areas.kargs),
    ...property('default kernel arguments', kargs.default),
    ...kargs.removed.map((word) => `- kernel argument ${word}`),
    ...kargs.added.map((word) => `+ kernel argument ${word}`),
    ...embedded.map((file) => fileText('embedded ', file)),
    ...files.map((file) => fileText('/', file)),
    ...(outside === undefined ? [] : [`~ outside of files: ${describe(outside.before)} -> ${describe(outside.after)}`]),
  ];
}

function property(name: string, difference: Difference<unknown> | undefined): string[] {
  if (difference === undefined) return [];
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return [`~ ${name}: ${text(difference.before)} -> ${text(difference.after)}`];
}

function describe({ size, sha256 }: NonNullable<FileDifference['before']>): string {
  return `${size} bytes sha256 ${sha256.slice(0, 16)}`;
}

function fileText(prefix: string, { path, before, after, area }: FileDifference): string {
  const sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  const described = [before, after].flatMap((file) => (file === undefined ? [] : [describe(file)]));
  const why =
    area === undefined ? '' : ` (has ${area === 'initrd' ? 'the initrd area' : 'an area for kernel arguments'})`;
  return `${sign} ${prefix}${path}  ${described.join(' -> ')}${why}`;
}
