// Embeds a config in a live image in place and reports on standard error.
import { edit, openLiveImage } from '@coreiso/iso';
import { fileSource, patchInPlace } from '@coreiso/iso/node';
import { reportOf } from '../report.ts';

const [path = ''] = process.argv.slice(2);
// As often as a process that lives for a while does it.
const TIMES = 20;
await reportOf(async () => {
  for (let time = 0; time < TIMES; time++) {
    await using file = await fileSource(path, { writable: true });
    const ignition = new TextEncoder().encode(
      `{"ignition":{"version":"3.4.0"},"passwd":{"users":[{"name":"u${time}"}]}}`,
    );
    const { overlay } = await edit(await openLiveImage(file), { ignition });
    await patchInPlace(overlay, file);
  }
}, TIMES);
