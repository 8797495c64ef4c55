// node dist/hono.js rhcos-live.iso 8080; on Deno, Bun or workers, export default app
import { createServer } from 'node:http';
import { openLiveImage } from '@coreiso/iso';
import { fileSource, nodeListener } from '@coreiso/iso/node';
import { Hono } from 'hono';
import { hostImage, hostIn } from './host-images.ts';

const [, , live = 'rhcos-live.iso', port = '8080'] = process.argv;
const image = await openLiveImage(await fileSource(live));
const app = new Hono();
app.on(['GET', 'HEAD'], '/:file{[a-z0-9-]+\\.iso}', ({ req }) => {
  return hostImage(req.raw, image, hostIn(req.url) ?? '');
});
export const server = createServer(nodeListener(app.fetch)).listen(Number(port), '127.0.0.1');
