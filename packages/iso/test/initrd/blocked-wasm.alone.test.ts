// In a separate file, because the decoder is compiled only once.
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test, vi } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { sourceReader } from '../../src/initrd/byte-reader.ts';
import { unxz } from '../../src/initrd/unxz.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { collect } from './archives.ts';

test('explains the needed policy if a page forbids WebAssembly, and keeps the cause', async () => {
  const { packed } = (await (await openLiveImage(await sampleIso())).minimal())!;
  const cause = new WebAssembly.CompileError('blocked by CSP');
  const instantiate = vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(cause);
  try {
    await expect(collect(unxz(sourceReader(bytesSource(packed))))).rejects.toMatchObject({
      code: 'ISO_UNSUPPORTED',
      message: expect.stringContaining("'wasm-unsafe-eval'"),
      cause,
    });
  } finally {
    instantiate.mockRestore();
  }
});
