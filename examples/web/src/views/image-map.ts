// The image: its regions and areas, used and free space, and the bytes that an edit will change.
import type { Inspection, Region } from '@coreiso/iso';
import { IMAGE } from '../texts/image.ts';
import { sizeText } from '../texts/sizes.ts';
import type { Block, Facts, Sentence, Table, View } from './blocks.ts';
import { type DrawnArea, drawImage } from './draw-image.ts';

/** The image after the edit. */
export interface EditedImage {
  readonly inspection: Inspection;
  /** Bytes that change before the old end. */
  readonly patches: readonly Region[];
}

export function imageView(image: Inspection | undefined, edited: EditedImage | undefined): View {
  if (image === undefined) {
    return { blocks: [{ kind: 'sentence', tone: 'hint', text: IMAGE.empty }], hidesSecrets: false };
  }
  const tail = edited === undefined ? 0 : Math.max(0, edited.inspection.size - image.size);
  const patches = edited?.patches ?? [];
  const areas = areasOf(image, patches, edited?.inspection);
  const svg = drawImage({ title: image.volumeId, size: image.size, tail, areas, patches });
  const blocks: Block[] = [
    ...problemSentences(image),
    edited === undefined ? sentence('hint', IMAGE.nothing) : changeSentence(image, patches, tail),
    ...(tail === 0 ? [] : [sentence('warning', IMAGE.grown(tail))]),
    { kind: 'picture', svg, prefix: 'area/' },
    areaTable(areas),
    ...(edited === undefined ? [] : [patchTable(image, patches, tail)]),
    facts(image, edited?.inspection),
  ];
  return { blocks, hidesSecrets: false };
}

function sentence(tone: Sentence['tone'], text: string): Sentence {
  return { kind: 'sentence', tone, text };
}

function problemSentences({ problems, oddities, complete, size, volumeSize }: Inspection): Sentence[] {
  return [
    ...(complete ? [] : [sentence('error', IMAGE.truncated(size, volumeSize))]),
    ...problems.map((messages) => sentence('error', IMAGE.problem(messages))),
    ...oddities.map(({ message, offset }) => sentence('warning', IMAGE.oddity(message, offset))),
  ];
}

function changeSentence({ size }: Inspection, patches: readonly Region[], tail: number): Sentence {
  const bytes = patches.reduce((sum, { length }) => sum + length, 0) + tail;
  return sentence('plain', IMAGE.patched(bytes, size));
}

function areasOf(
  { initrd, kargs }: Inspection,
  patches: readonly Region[],
  after: Inspection | undefined,
): DrawnArea[] {
  const copies = kargs?.areas ?? [];
  const ifPatched = ({ offset, length }: Region, used: number | undefined): number | undefined =>
    patches.some((patch) => patch.offset < offset + length && offset < patch.offset + patch.length) ? used : undefined;
  const initrdArea = initrd && {
    name: IMAGE.initrd,
    offset: initrd.offset,
    length: initrd.length,
    used: initrd.used,
    usedAfter: ifPatched(initrd, after?.initrd?.used),
  };
  return [
    ...(initrdArea === undefined ? [] : [initrdArea]),
    ...copies.map(({ offset, length }, index) => ({
      name: IMAGE.kargsArea(index + 1, copies.length),
      offset,
      length,
      used: kargs?.used ?? 0,
      usedAfter: ifPatched({ offset, length }, after?.kargs?.used),
    })),
  ];
}

function areaTable(areas: readonly DrawnArea[]): Table {
  const rows = areas.map(({ name, offset, length, used, usedAfter }) => {
    const after = usedAfter ?? used;
    const cells = [name, `${offset}`, ...[length, used, after, Math.max(0, length - after)].map(sizeText)];
    return { key: `area/${name}`, cells };
  });
  return { kind: 'table', caption: IMAGE.areas, columns: IMAGE.areaColumns, rows };
}

function patchTable(image: Inspection, patches: readonly Region[], tail: number): Table {
  const parts = [
    ...patches.map(({ offset, length }) => ({ name: partName(image, offset), offset, length })),
    ...(tail === 0 ? [] : [{ name: IMAGE.tail, offset: image.size, length: tail }]),
  ];
  const rows = parts.map(({ name, offset, length }) => {
    return { key: `patch/${offset}`, cells: [name, `${offset}`, sizeText(length)] };
  });
  return { kind: 'table', caption: IMAGE.patches, columns: IMAGE.patchColumns, rows };
}

function partName({ initrd, kargs }: Inspection, offset: number): string {
  const isIn = (region: Region): boolean => region.offset <= offset && offset < region.offset + region.length;
  if (initrd !== undefined && isIn(initrd)) return IMAGE.initrd;
  return kargs?.areas.some(isIn) === true ? IMAGE.kargs : IMAGE.metadata;
}

function facts(image: Inspection, edited: Inspection | undefined): Facts {
  const { volumeId, architecture, size, pristine, kargs, minimal } = image;
  const sizeAfter = edited?.size ?? size;
  const state = pristine === undefined ? IMAGE.unknownState : pristine ? IMAGE.pristine : IMAGE.customised;
  const after = edited?.kargs?.current;
  const rows: readonly (readonly [key: string, name: string, value: string | undefined])[] = [
    ['volume', IMAGE.volume, volumeId],
    ['architecture', IMAGE.architecture, architecture],
    ['size', IMAGE.size, sizeAfter === size ? IMAGE.sizeValue(size) : IMAGE.grows(size, sizeAfter)],
    ['state', IMAGE.state, state],
    ['kargs', IMAGE.kargs, kargs?.current ?? IMAGE.noKargs],
    ['kargs-after', IMAGE.kargsAfter, after === kargs?.current ? undefined : after],
    ['kargs-default', IMAGE.kargsDefault, kargs?.default === kargs?.current ? undefined : kargs?.default],
    ['minimal', IMAGE.minimal, minimal && IMAGE.minimalValue(minimal.entries, minimal.createdBy)],
  ];
  return {
    kind: 'facts',
    rows: rows.flatMap(([key, name, value]) => (value === undefined ? [] : [{ key: `image/${key}`, name, value }])),
  };
}
