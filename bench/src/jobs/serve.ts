// Serves an edited image on a free port of loopback; prints the port, and ends with its standard input.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFileServer } from '@coreiso/iso/http';
import { fileSource, nodeListener } from '@coreiso/iso/node';
import { usualEdit } from '../images.ts';

const image = usualEdit(await fileSource(process.argv[2] ?? ''));
const server = createServer(nodeListener(createFileServer([{ name: 'live.iso', open: () => image }])));
server.listen(0, '127.0.0.1', 4096, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().once('end', () => process.exit());
