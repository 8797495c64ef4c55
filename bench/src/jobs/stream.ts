// Streams an edited image to standard output and reports on standard error.
import { fileSource, writeStream } from '@coreiso/iso/node';
import { usualEdit } from '../images.ts';
import { type JobReport, time } from '../programs.ts';

const [path = ''] = process.argv.slice(2);
const ms = await time(async () => {
  await using file = await fileSource(path);
  await writeStream(usualEdit(file), process.stdout);
});
const report: JobReport = { ms, maxRssMB: process.resourceUsage().maxRSS / 1024 };
process.stderr.write(JSON.stringify(report));
