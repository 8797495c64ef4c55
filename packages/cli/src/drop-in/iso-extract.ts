import { mkdir } from 'node:fs/promises';
import { extractMinimal, isPristine, type LiveImage, pxeFiles, rootfs } from '@coreiso/iso';
import { nativeSha256 } from '@coreiso/iso/node';
import type { Action } from '../frame/command.ts';
import { STDOUT, writeToStdout } from '../frame/output.ts';
import { kargsOf, openImagePlainly } from './image.ts';
import { withFile } from './input.ts';
import { checkOutput, extractFile, writeNewFile } from './output.ts';
import { fileStem, joinPath } from './paths.ts';

/** `iso extract pxe`: writes the files for network boot, named after the image. */
export const extractPxe: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const iso = args.required('ISO');
  const directory = args.optional('output-dir') ?? '.';
  await withFile(terminal, iso, async (source) => {
    const files = await pxeFiles(source, { signal });
    const stem = fileStem(iso);
    if (directory !== '') await mkdir(terminal.path(directory), { recursive: true });
    for (const { name, source: content } of files) {
      const path = joinPath(directory, `${stem}-${name}`);
      await terminal.print(`${path}\n`);
      await extractFile(terminal, content, path, { durable: args.has('sync') });
    }
  });
  return 0;
};

/** Refuses a customized image. Like upstream, reports customizations before missing areas for kernel arguments. */
async function requirePristine(image: LiveImage, signal: AbortSignal): Promise<void> {
  const isEmpty = (await image.initrd.files({ signal })).size === 0;
  if (isEmpty) kargsOf(image);
  if (await isPristine(image, { signal })) return;
  throw new Error(
    'Cannot operate on ISO with embedded customizations.\nReset it with `coreos-installer iso reset` and try again.',
  );
}

/** `iso extract minimal-iso`: writes the image without its root file system; `--output-rootfs` writes that file, too. */
export const extractMinimalIso: Action = async (args, terminal) => {
  const { signal } = terminal.io;
  const output = args.optional('OUTPUT_ISO') ?? STDOUT;
  const rootfsPath = args.optional('output-rootfs');
  const rootfsUrl = args.optional('rootfs-url');
  const durable = args.has('sync');
  await withFile(terminal, args.required('ISO'), async (source) => {
    const { image } = await openImagePlainly(source, signal);
    await requirePristine(image, signal);
    await checkOutput(terminal, output);
    if (rootfsPath !== undefined)
      await extractFile(terminal, await rootfs(source, { signal }), rootfsPath, { durable });
    const minimal = await terminal.withProgress('Verifying', (onProgress) =>
      extractMinimal(image, {
        rootfsUrl,
        sha256: nativeSha256,
        signal,
        onProgress,
      }),
    );
    if (output === STDOUT) await writeToStdout(terminal, minimal);
    else await writeNewFile(terminal, minimal, output, { durable });
  });
  return 0;
};
