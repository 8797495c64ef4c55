// Serves an image for each host from a live image on a mirror: nothing is downloaded, nothing is written.
import { createServer } from 'node:http';
import { edit, openLiveImage } from '@coreiso/iso';
import { httpSource, rangeResponse } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';

const [, , live = 'https://mirror.example/rhcos-live.iso', port = '8080'] = process.argv;
const image = await openLiveImage(await httpSource(live));

async function handler(request: Request): Promise<Response> {
  const host = new URL(request.url).pathname.match(/^\/([a-z0-9-]+)\.iso$/)?.[1];
  if (host === undefined) return new Response('no such image\n', { status: 404 });
  const ignition = new TextEncoder().encode(JSON.stringify(configFor(host)));
  const { overlay } = await edit(image, { ignition });
  return rangeResponse(request, overlay, { filename: `${host}.iso` });
}

function configFor(host: string): object {
  const files = [{ path: '/etc/hostname', mode: 0o644, contents: { source: `data:,${host}` } }];
  return { ignition: { version: '3.4.0' }, storage: { files } };
}

export const server = createServer(nodeListener(handler)); // Deno.serve(handler) elsewhere
server.listen(Number(port), '127.0.0.1');
