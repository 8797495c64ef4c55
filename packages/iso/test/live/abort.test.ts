import {
  type ByteSource,
  customizeInitramfs,
  diffImages,
  edit,
  extractMinimal,
  inspect,
  isPristine,
  openInitramfs,
  openLiveImage,
  packMinimal,
  pxeFiles,
  readFiles,
  reset,
  rootfs,
  toBlob,
  toReadableStream,
  plain as uncompressed,
  verifyImage,
  writeArchive,
} from '@coreiso/iso';
import { openIso, writeIso } from '@coreiso/iso/iso9660';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';

/** Incompressible, so that an image has to grow for it. */
const LARGE = new Uint8Array(400_000).map((_, index) => (index * 7919 * index) >> 7);

const plain: ByteSource = await sampleIso();
const grown: ByteSource = (await edit(await openLiveImage(plain), { ignition: LARGE }, { grow: true })).overlay;
const minimal: ByteSource = await extractMinimal(await openLiveImage(plain));
const initramfs: ByteSource = (await pxeFiles(plain)).find(({ name }) => name.includes('initr'))!.source;

type Work = (source: ByteSource, signal: AbortSignal) => Promise<unknown>;

async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const value of values) void value;
}

/** All operations that read from a source, with their image. */
const WORKS: readonly [name: string, source: ByteSource, work: Work][] = [
  ['openLiveImage', plain, (source, signal) => openLiveImage(source, { signal })],
  ['initrd.read', grown, async (source, signal) => (await openLiveImage(source, { signal })).initrd.read({ signal })],
  ['features', plain, async (source, signal) => (await openLiveImage(source, { signal })).features({ signal })],
  ['minimal', plain, async (source, signal) => (await openLiveImage(source, { signal })).minimal({ signal })],
  [
    'edit',
    plain,
    async (source, signal) => {
      const image = await openLiveImage(source, { signal });
      return edit(image, { ignition: new Uint8Array(9), kargs: { append: ['a'] } }, { signal });
    },
  ],
  [
    'edit that grows',
    grown,
    async (source, signal) =>
      edit(await openLiveImage(source, { signal }), { ignition: LARGE.slice(1) }, { signal, grow: true }),
  ],
  [
    'edit with a source',
    plain,
    async (source, signal) => {
      const image = await openLiveImage(plain);
      return edit(image, { files: [{ path: 'a', content: source }] }, { signal, grow: true });
    },
  ],
  ['reset', grown, async (source, signal) => reset(await openLiveImage(source, { signal }), { signal })],
  ['isPristine', plain, async (source, signal) => isPristine(await openLiveImage(source, { signal }), { signal })],
  ['inspect', grown, (source, signal) => inspect(source, { signal })],
  [
    'extractMinimal',
    plain,
    async (source, signal) => extractMinimal(await openLiveImage(source, { signal }), { signal }),
  ],
  ['packMinimal', plain, (source, signal) => packMinimal(source, minimal, { compression: uncompressed, signal })],
  ['packMinimal of it', minimal, (source, signal) => packMinimal(plain, source, { compression: uncompressed, signal })],
  ['diffImages', plain, (source, signal) => diffImages(source, grown, { signal })],
  ['diffImages from', grown, (source, signal) => diffImages(plain, source, { signal })],
  ['verifyImage', grown, (source, signal) => verifyImage(source, { base: [], signal })],
  ['toBlob', plain, (source, signal) => toBlob(source, { signal })],
  ['pxeFiles', plain, (source, signal) => pxeFiles(source, { signal })],
  ['rootfs', plain, (source, signal) => rootfs(source, { signal })],
  ['openInitramfs', initramfs, (source, signal) => openInitramfs(source, { signal })],
  [
    'customizeInitramfs',
    initramfs,
    async (source, signal) => customizeInitramfs(await openInitramfs(source, { signal }), {}, { signal }),
  ],
  ['readFiles', initramfs, (source, signal) => readFiles(source, { signal })],
  ['writeArchive', plain, (source, signal) => drain(writeArchive([{ path: 'a', content: source }], { signal }))],
  ['walk', plain, async (source, signal) => drain((await openIso(source, { signal })).walk({ signal }))],
  ['bootCatalog', plain, async (source, signal) => (await openIso(source, { signal })).bootCatalog({ signal })],
  ['partitions', plain, async (source, signal) => (await openIso(source, { signal })).partitions({ signal })],
  ['toReadableStream', plain, (source, signal) => drain(toReadableStream(source, { signal }))],
  [
    'writeIso',
    plain,
    async (content, signal) => {
      const { source } = await writeIso([{ kind: 'file', path: '/a', content }], { volumeId: 'x' });
      return drain(toReadableStream(source, { signal }));
    },
  ],
];

const REASON = new Error('enough');

/** A source whose `at`th read finds its signal aborted. */
function abortingAt(
  at: number,
  source: ByteSource,
  abort: AbortController,
): ByteSource & { reads: number; late: number } {
  return {
    size: source.size,
    reads: 0,
    late: 0,
    async read(offset, length, signal) {
      if (++this.reads === at) abort.abort(REASON);
      signal?.throwIfAborted();
      if (abort.signal.aborted) this.late++;
      return source.read(offset, length);
    },
  };
}

/** For long streams, the first reads and every hundredth are enough. */
const isTried = (at: number): boolean => at < 40 || at % 100 === 0;

test.each(WORKS)('ends %s at once, with the reason, at any aborted read', async (_, source, work) => {
  const untouched = abortingAt(0, source, new AbortController());
  await work(untouched, new AbortController().signal);
  expect(untouched.reads).toBeGreaterThan(0);
  for (let at = 1; at <= untouched.reads; at++) {
    if (!isTried(at) && at !== untouched.reads) continue;
    const abort = new AbortController();
    const aborting = abortingAt(at, source, abort);
    await expect(work(aborting, abort.signal)).rejects.toBe(REASON);
    expect(aborting.late).toBe(0);
  }
});
