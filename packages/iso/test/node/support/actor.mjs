// A process that edits or opens an image and stops at a given operation of the file system. Arguments: folder of the
// compiled package, image, number of the operation (0: none), byte to write (none: only opens).

import { join } from 'node:path';
import { stdin, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';

const [, , folder, image, stopAt, byte] = process.argv;
const load = (name) => import(pathToFileURL(join(folder, name)).href);
const { nodeFileSystem } = await load('node/file-system.js');
const { fileSourceOn } = await load('node/file-source.js');

let count = 0;
async function pause() {
  if (++count !== Number(stopAt)) return;
  stdout.write('stopped\n');
  await new Promise((go) => stdin.once('data', go));
}

const stopping = (object) =>
  Object.fromEntries(
    Object.entries(object).map(([name, work]) => [
      name,
      async (...given) => {
        await pause();
        const result = await work(...given);
        return name === 'open' ? stopping(result) : result;
      },
    ]),
  );

const files = stopping(nodeFileSystem);
try {
  const file = await fileSourceOn(image, { writable: byte !== undefined }, files);
  if (byte !== undefined) {
    const { overlay } = await load('bytes/overlay.js');
    const { patchInPlace } = await load('node/patch-in-place.js');
    const bytes = new Uint8Array(5000).fill(Number(byte));
    await patchInPlace(
      overlay(file, [
        { offset: 100, bytes },
        { offset: 20_000, bytes },
      ]),
      file,
    );
  }
  await file.close();
  stdout.write('done\n');
} catch (error) {
  stdout.write(`${error.code ?? error.stack}\n`);
}
stdin.destroy();
