// `coreiso nodes image --per-host -o s3://…`: images that the store puts together itself.
import { writeFile } from 'node:fs/promises';
import { type FleetOptions, fleet, type Stored } from '@coreiso/fleet';
import type { ByteSource, LiveImage } from '@coreiso/iso';
import type { BuildReport, HostPlans } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import { inContext } from '../../frame/failure.ts';
import { sizeText } from '../../frame/size.ts';
import { openStore, parseFolder, parseStore } from '../../frame/store.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

/** What was stored, and the report on it. */
export interface StoredFleet {
  readonly outputs: readonly Stored[];
  readonly report: BuildReport;
}

/** Refuses what makes no sense with a store. */
export function checkStoreOptions(args: Arguments): void {
  if (!args.has('per-host')) {
    throw new UsageError('one image for all hosts goes to a file; a store takes one for each, with --per-host');
  }
}

/** Gives `work` a base that is an object of a store. */
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

/** Stores the images of all hosts; those that are there already are left as they are. */
export async function storeImages(
  base: LiveImage,
  plan: HostPlans,
  options: FleetOptions,
  args: Arguments,
  terminal: Terminal,
): Promise<StoredFleet> {
  const output = args.required('output');
  const { client, s3 } = await openStore(terminal);
  const { signal } = terminal.io;
  const sink = s3.s3Sink(client, { ...parseFolder(output), replace: args.has('force') ? 'any' : 'own' });
  const images = fleet(base, plan, options);
  const outputs: Stored[] = [];
  await inContext(`cannot store images in ${output}`, () =>
    terminal.withProgress(`Storing images in ${output}`, async (onProgress) => {
      for await (const stored of sink.write(images, { signal, onProgress })) outputs.push(stored);
    }),
  );
  const addresses = args.optional('presigned');
  if (addresses !== undefined) {
    const lines: string[] = [];
    for (const stored of outputs) lines.push(`${stored.name} ${await s3.presignedUrl(client, stored)}\n`);
    // Whoever has an address has the image.
    await writeFile(terminal.path(addresses), lines.join(''), { mode: 0o600, flag: args.has('force') ? 'w' : 'wx' });
  }
  const report = await images.report();
  if (args.has('report')) {
    const text = `${JSON.stringify(report, null, 2)}\n`;
    await writeFile(terminal.path('report.json'), text, { mode: 0o600, flag: args.has('force') ? 'w' : 'wx' });
  }
  return { outputs, report };
}

/** One line for each file, and what it took. */
export function storedText(outputs: readonly Stored[]): string[] {
  const lines = outputs.map(({ location, size, outcome, sent }) => {
    const how = outcome === 'present' ? 'present' : `${sizeText(sent)} sent`;
    return `${location}  ${sizeText(size)}  ${how}`;
  });
  const [size, sent] = [
    outputs.reduce((sum, one) => sum + one.size, 0),
    outputs.reduce((sum, one) => sum + one.sent, 0),
  ];
  return [...lines, '', `${sizeText(size)} in ${outputs.length} objects, of which ${sizeText(sent)} were sent.`];
}
