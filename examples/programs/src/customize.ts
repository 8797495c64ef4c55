// Makes an image that installs itself: it overwrites a disk without confirmation and leaves a configured system on it.
import { readFile } from 'node:fs/promises';
import { customizeOrThrow } from '@coreiso/ignition/customize';
import { edit, openLiveImage } from '@coreiso/iso';
import { fileSource, patchInPlace } from '@coreiso/iso/node';

await using file = await fileSource('rhcos-live.iso', { writable: true });
const image = await openLiveImage(file);
const { changes, description } = await customizeOrThrow(
  { destDevice: '/dev/sda', destIgnition: [{ name: 'worker.ign', read: () => readFile('worker.ign') }] },
  { features: await image.features() },
);
console.log(description); // boots live, overwrites /dev/sda, reboots into the installed system configured by worker.ign
const { overlay } = await edit(image, changes);
await patchInPlace(overlay, file);
