// Embeds an Ignition config in a copy of a live image and adds a kernel argument.
import { readFile } from 'node:fs/promises';
import { edit, openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';

const [, , live = 'rhcos-live.iso', config = 'worker.ign', target = 'worker.iso'] = process.argv;
await using base = await fileSource(live);
const image = await openLiveImage(base);
const { overlay, summary } = await edit(image, {
  ignition: await readFile(config),
  kargs: { append: ['console=ttyS0'] },
});
console.log(`${summary.initrd.used} of ${image.initrd.length} bytes used`);
await writeCopy(overlay, target, {
  onProgress: ({ done, total }) => process.stderr.write(`\r${Math.round((100 * done) / total)} %`),
});
