// Streams an edited image to standard output and reports on standard error.
import { fileSource, writeStream } from '@coreiso/iso/node';
import { usualEdit } from '../images.ts';
import { reportOf } from '../report.ts';

const [path = ''] = process.argv.slice(2);
await reportOf(async () => {
  await using file = await fileSource(path);
  await writeStream(usualEdit(file), process.stdout);
});
