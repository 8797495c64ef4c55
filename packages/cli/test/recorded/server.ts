// A server on loopback with the files and failures of a case.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { contents } from './inputs.ts';
import type { Case, Served } from './recording.ts';

/** Placeholder for the address of the server. */
export const SERVER = '$SERVER';

/** Runs `work` with the address of a server, then closes the server. */
export async function withServer<T>(
  served: NonNullable<Case['served']>,
  work: (address: string) => Promise<T>,
): Promise<T> {
  const files = new Map<string, { readonly served: Served; readonly bytes: Buffer }>();
  for (const [path, one] of Object.entries(served)) {
    files.set(path, { served: one, bytes: one.file === undefined ? Buffer.alloc(0) : await contents(one.file) });
  }
  const asked = new Map<string, number>();
  let address = '';
  const server = createServer(({ url = '' }, response) => {
    const count = (asked.get(url) ?? 0) + 1;
    asked.set(url, count);
    const found = files.get(url);
    if (found === undefined) return void response.writeHead(404).end();
    if (count <= (found.served.busy ?? 0)) return void response.writeHead(503).end();
    answer(response, found.served, named(found.bytes, address));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await work(address);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function answer(response: ServerResponse, { status = 200, location, cut }: Served, bytes: Buffer): void {
  if (location !== undefined) return void response.writeHead(302, { location }).end();
  response.writeHead(status, { 'content-length': bytes.length });
  if (cut === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, cut), () => void breakOff(response));
}

/** Breaks the connection after some turns: the client in this process would lose data that it has not read yet. */
async function breakOff(response: ServerResponse): Promise<void> {
  for (let turn = 0; turn < 25; turn++) await sleep(20);
  response.destroy();
}

/** Inserts the address of the server into metadata. */
function named(bytes: Buffer, address: string): Buffer {
  return bytes.includes(SERVER) ? Buffer.from(bytes.toString().replaceAll(SERVER, address)) : bytes;
}
