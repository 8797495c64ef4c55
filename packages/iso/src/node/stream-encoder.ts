import type { Transform } from 'node:stream';
import { concatBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { ArchiveEncoder } from '../initrd/archive-format.ts';

/** An encoder over a compressing stream; `flush` ends a block, `name` is the program to name in errors. */
export function streamEncoder(stream: Transform, name: string, flush: (done: () => void) => void): ArchiveEncoder {
  let ready: Uint8Array[] = [];
  let failed: unknown;
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const step = async (work: (done: () => void) => void): Promise<Uint8Array> => {
    if (failed !== undefined) throw failed;
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject);
      work(() => {
        stream.removeListener('error', reject);
        resolve();
      });
    }).catch((cause) => {
      failed = new IsoError('ISO_IO', `${name} failed`, { cause });
      throw failed;
    });
    const bytes = concatBytes(ready);
    ready = [];
    return bytes;
  };
  return {
    write: (bytes) => step((done) => stream.write(bytes, done)),
    endBlock: () => step(flush),
    finish: () =>
      step((done) => {
        stream.once('end', done);
        stream.end();
      }),
  };
}
