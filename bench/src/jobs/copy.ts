// Copies an edited image from one file to another and reports on standard error.
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { usualEdit } from '../images.ts';
import { reportOf } from '../report.ts';

const [path = '', target = ''] = process.argv.slice(2);
await reportOf(async () => {
  await using file = await fileSource(path);
  await writeCopy(usualEdit(file), target);
});
