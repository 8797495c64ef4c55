import { type ImageEntry, openIso } from '@coreiso/iso/iso9660';
import type { Action } from '../../frame/command.ts';
import { lookUpInImage, withImage } from '../../frame/source.ts';

/** Permission bits in the order of `ls -l`. */
const PERMISSIONS = 'rwxrwxrwx';
const KIND_LETTERS = { file: '-', directory: 'd', symlink: 'l', special: '?' };

/** `coreiso iso ls`. */
export const list: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const image = args.required('ISO');
  const path = args.optional('PATH') ?? '/';
  await withImage(terminal, image, async (source) => {
    const iso = await openIso(source, { signal });
    const top = await lookUpInImage(image, path, () => iso.entry(path, { signal }));
    const entries: ImageEntry[] = top.kind === 'directory' ? [] : [top];
    const below = top.path === '' ? '' : `${top.path}/`;
    if (top.kind === 'directory') {
      for await (const entry of iso.walk({ signal })) if (entry.path.startsWith(below)) entries.push(entry);
    }
    if (args.has('json')) await terminal.printJson(entries.map(describe));
    else await terminal.showLines(table(entries));
  });
  return 0;
};

function describe({ path, kind, size, mode, target, extents }: ImageEntry): object {
  const permissions = mode === undefined ? undefined : (mode & 0o7777).toString(8).padStart(4, '0');
  return { path, kind, size, mode: permissions, target, offset: extents[0]?.offset };
}

function table(entries: readonly ImageEntry[]): string[] {
  const width = Math.max(0, ...entries.map(({ size }) => String(size).length));
  return entries.map((entry) => row(entry, width));
}

function row({ path, kind, size, mode, target }: ImageEntry, width: number): string {
  const bits =
    mode === undefined
      ? '?????????'
      : [...PERMISSIONS].map((letter, bit) => ((mode >> (8 - bit)) & 1 ? letter : '-')).join('');
  return `${KIND_LETTERS[kind]}${bits}  ${String(size).padStart(width)}  ${path}${target === undefined ? '' : ` -> ${target}`}`;
}
