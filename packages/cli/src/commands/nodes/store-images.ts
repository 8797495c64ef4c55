// `coreiso nodes image --per-host -o s3://…`: the store assembles the images itself.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { ByteSource, LiveImage } from '@coreiso/iso';
import { type BuildReport, type ImageSetOptions, type NodesPlan, openImages, type Stored } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import { alreadyExists, inContext } from '../../frame/failure.ts';
import { sizeText } from '../../frame/size.ts';
import { openStore, parseFolder, parseStore } from '../../frame/store.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

/** The stored files, and their report. */
export interface StoredFleet {
  readonly outputs: readonly Stored[];
  readonly report: BuildReport;
}

/** Refuses options that make no sense with a store. */
export function checkStoreOptions(args: Arguments): void {
  if (!args.has('per-host')) {
    throw new UsageError(
      'a store takes one image per host: pass --per-host, or write one image for all hosts to a file',
    );
  }
}

/** Passes `work` a base that is an object of a store. */
export async function withStoredBase<T>(
  terminal: Terminal,
  address: string,
  work: (image: ByteSource) => Promise<T>,
): Promise<T> {
  const { client, s3 } = await openStore(terminal);
  const { signal } = terminal.io;
  return await work(
    await inContext(`cannot open ${address}`, () => s3.s3Source(client, parseStore(address), { signal })),
  );
}

/** Stores the images of all hosts; leaves existing ones unchanged. */
export async function storeImages(
  base: LiveImage,
  plan: NodesPlan,
  options: ImageSetOptions,
  args: Arguments,
  terminal: Terminal,
): Promise<StoredFleet> {
  const output = args.required('output');
  const addresses = args.optional('presigned');
  const files = new PrivateFiles(terminal, args.has('force') ? 'replace' : 'refuse');
  for (const file of [addresses, args.has('report') ? REPORT : undefined]) files.prepare(file);
  const { client, s3 } = await openStore(terminal);
  const { signal } = terminal.io;
  const sink = s3.s3Sink(client, { ...parseFolder(output), replace: args.has('force') ? 'any' : 'own' });
  const images = await openImages(base, plan, options);
  const outputs: Stored[] = [];
  await inContext(`cannot store images in ${output}`, () =>
    terminal.withProgress(`Storing images in ${output}`, async (onProgress) => {
      for await (const stored of sink.write(images, { signal, onProgress })) outputs.push(stored);
    }),
  );
  if (addresses !== undefined) {
    const lines: string[] = [];
    // No machine boots the base.
    const fetched = outputs.filter(({ name }) => !name.startsWith('.'));
    for (const stored of fetched) lines.push(`${stored.name} ${await s3.presignedUrl(client, stored)}\n`);
    await files.write(addresses, lines.join(''));
  }
  const report = images.report();
  if (args.has('report')) await files.write(REPORT, `${JSON.stringify(report, null, 2)}\n`);
  return { outputs, report };
}

const REPORT = 'report.json';

/** Private files beside a fleet in a store: an image's address gives access to the image. */
class PrivateFiles {
  readonly #terminal: Terminal;
  readonly #existing: 'refuse' | 'replace';

  constructor(terminal: Terminal, existing: 'refuse' | 'replace') {
    this.#terminal = terminal;
    this.#existing = existing;
  }

  /** Refuses an existing file before anything is stored. */
  prepare(file: string | undefined): void {
    if (file === undefined || this.#existing === 'replace') return;
    if (existsSync(this.#terminal.path(file))) throw alreadyExists([file]);
  }

  /** Never writes into an existing file: others may be able to read it. */
  async write(file: string, text: string): Promise<void> {
    const path = this.#terminal.path(file);
    await inContext(`cannot write ${file}`, async () => {
      if (this.#existing === 'replace') await rm(path, { force: true });
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    });
  }
}

/** Returns one line per file, with the bytes sent. */
export function storedText(outputs: readonly Stored[]): string[] {
  const lines = outputs.map(({ location, size, outcome, sent }) => {
    const how = outcome === 'present' ? 'present' : `${sizeText(sent)} sent`;
    return `${location}  ${sizeText(size)}  ${how}`;
  });
  const [size, sent] = [
    outputs.reduce((sum, one) => sum + one.size, 0),
    outputs.reduce((sum, one) => sum + one.sent, 0),
  ];
  return [...lines, '', `${sizeText(size)} in ${outputs.length} objects, ${sizeText(sent)} sent.`];
}
