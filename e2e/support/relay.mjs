// Connects its standard input and output to a port of this machine: QEMU starts one for each connection of a guest.
import { connect } from 'node:net';

const server = connect(Number(process.argv[2]), '127.0.0.1');
server.on('error', () => process.exit(1));
process.stdin.pipe(server).pipe(process.stdout);
