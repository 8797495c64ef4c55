// node dist/node-http.js https://mirror.example/rhcos-live.iso 8080
import { createServer } from 'node:http';
import { openLiveImage } from '@coreiso/iso';
import { httpSource } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';
import { hostImage, hostIn } from './host-images.ts';

const [, , live = 'https://mirror.example/rhcos-live.iso', port = '8080'] = process.argv;
const image = await openLiveImage(await httpSource(live));
const handler = async (request: Request): Promise<Response> => {
  const host = hostIn(request.url);
  return host === undefined ? new Response('no such image\n', { status: 404 }) : hostImage(request, image, host);
};
export const server = createServer(nodeListener(handler)).listen(Number(port), '127.0.0.1');
