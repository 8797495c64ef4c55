// The files that the initramfs will have besides its own, compared with those of the base.
import { withoutSecrets } from '@coreiso/diagnostics';
import { IGNITION_PATH } from '@coreiso/iso';
import { INITRAMFS } from '../texts/initramfs.ts';
import { sizeText } from '../texts/sizes.ts';
import type { Block, SecretDisplay, Table, TextFile, View } from './blocks.ts';

export interface InitramfsFile {
  readonly path: string;
  readonly mode: number;
  readonly content: Uint8Array;
}

/** Longer texts are listed, not shown. */
const LONGEST = 64 * 1024;

export function initramfsView(
  before: readonly InitramfsFile[],
  after: readonly InitramfsFile[],
  { secrets }: SecretDisplay,
): View {
  if (before.length === 0 && after.length === 0) {
    return { blocks: [{ kind: 'sentence', tone: 'hint', text: INITRAMFS.none }], hidesSecrets: false };
  }
  const texts = after.flatMap((file) => textOf(file, secrets));
  const bytes = after.reduce((sum, { content }) => sum + content.length, 0);
  const hasConfig = after.some(({ path }) => path === IGNITION_PATH);
  const blocks: Block[] = [
    { kind: 'sentence', tone: 'plain', text: INITRAMFS.total(after.length, bytes) },
    fileTable(before, after),
    ...(hasConfig ? [{ kind: 'sentence', tone: 'plain', text: INITRAMFS.ignition } as const] : []),
    ...texts.map(({ file }) => file),
  ];
  return { blocks, hidesSecrets: texts.some(({ isHidden }) => isHidden) };
}

function fileTable(before: readonly InitramfsFile[], after: readonly InitramfsFile[]): Table {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Set(after.map(({ path }) => path));
  const rowOf = ({ path, mode, content }: InitramfsFile, note: string): Table['rows'][number] => {
    const cells = [path, sizeText(content.length), mode.toString(8).padStart(4, '0'), note];
    return { key: `member/${path}`, cells };
  };
  const rows = [
    ...after.map((file) => rowOf(file, noteOf(old.get(file.path), file))),
    ...before.filter(({ path }) => !now.has(path)).map((file) => rowOf(file, INITRAMFS.removed)),
  ];
  return { kind: 'table', caption: INITRAMFS.caption, columns: INITRAMFS.columns, rows };
}

function noteOf(before: InitramfsFile | undefined, { mode, content }: InitramfsFile): string {
  if (before === undefined) return INITRAMFS.added;
  const isSame =
    before.mode === mode &&
    before.content.length === content.length &&
    before.content.every((byte, index) => byte === content[index]);
  return isSame ? INITRAMFS.same : INITRAMFS.changed;
}

function textOf(
  { path, content }: InitramfsFile,
  secrets: SecretDisplay['secrets'],
): { file: TextFile; isHidden: boolean }[] {
  if (path === IGNITION_PATH || content.length > LONGEST) return [];
  const text = decoded(content);
  const safe = text === undefined || secrets === 'shown' ? text : String(withoutSecrets(text));
  const file: TextFile = {
    kind: 'file',
    key: `content/${path}`,
    name: path,
    detail: sizeText(content.length),
    text: safe ?? INITRAMFS.binary(content.length),
  };
  return [{ file, isHidden: safe !== text }];
}

function decoded(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
