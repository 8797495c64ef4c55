// Lists any ISO image and opens one of its files, without unpacking anything.
import { openIso } from '@coreiso/iso/iso9660';
import { fileSource } from '@coreiso/iso/node';

const [, , path = 'any.iso'] = process.argv;
await using file = await fileSource(path);
const iso = await openIso(file);
for await (const entry of iso.walk()) console.log(entry.path, entry.size);
const kernel = await iso.file('/images/pxeboot/vmlinuz'); // a ByteSource again
console.log(`the kernel has ${kernel.size} bytes`);
