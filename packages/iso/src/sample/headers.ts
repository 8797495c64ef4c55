import type { Patch } from '../bytes/overlay.ts';
import { writeU64Le } from '../iso9660/fields.ts';
import type { WrittenIso } from '../iso9660/writer/write.ts';
import { kargsAreaSize } from './kargs.ts';
import type { SampleKind } from './kinds.ts';
import type { SampleTree } from './tree.ts';

/** Both headers end the System Area, the older one last. */
const SYSTEM_AREA_END = 32768;
const INITRD_HEADER_SIZE = 24;
const KARGS_HEADER_SIZE = 72;

/** The headers of this kind in the System Area, which images had until early 2022. */
export function systemAreaHeaders(kind: SampleKind, tree: SampleTree, iso: WrittenIso): Patch[] {
  const headers: Patch[] = [];
  if (kind.kargsHeader) {
    const areas = tree.kargsFiles.map(({ path, offset }) => iso.extentOf(path).offset + offset).sort((a, b) => a - b);
    const numbers = [kargsAreaSize(kind), iso.extentOf('/.cmdline').offset, ...areas];
    headers.push({
      offset: SYSTEM_AREA_END - INITRD_HEADER_SIZE - KARGS_HEADER_SIZE,
      bytes: header('coreKarg', KARGS_HEADER_SIZE, numbers),
    });
  }
  if (kind.initrdHeader) {
    const { offset, length } = iso.extentOf('/images/ignition.img');
    headers.push({
      offset: SYSTEM_AREA_END - INITRD_HEADER_SIZE,
      bytes: header('coreiso+', INITRD_HEADER_SIZE, [offset, length]),
    });
  }
  return headers;
}

/** A magic and 64-bit numbers; missing numbers stay zero. */
function header(magic: string, size: number, numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(magic));
  numbers.forEach((number, index) => {
    writeU64Le(bytes, magic.length + index * 8, number);
  });
  return bytes;
}
