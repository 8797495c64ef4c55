// Plays the Go image service as far as its reference describes it: fetches its base, is ready only then, asks assisted-service for
// each request, and writes the answers into the file.
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const { env } = process;
const names = [
  'ASSISTED_SERVICE_SCHEME',
  'ASSISTED_SERVICE_HOST',
  'DATA_DIR',
  'DATA_TEMP_DIR',
  'IMAGE_SERVICE_BASE_URL',
];
for (const name of [...names, 'OS_IMAGES', 'LISTEN_PORT']) if (!env[name]) throw new Error(`${name} is not set`);
const [base] = JSON.parse(env.OS_IMAGES);
for (const key of ['openshift_version', 'cpu_architecture', 'url', 'version']) {
  if (!base[key]) throw new Error(`invalid version entry: missing ${key} key`);
}
const path = join(env.DATA_DIR, `rhcos-${base.type}-${base.version}-${base.cpu_architecture}.iso`);
const route = new RegExp(
  `^/byid/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/${base.openshift_version}/${base.cpu_architecture}/disconnected\\.iso$`,
);
let isReady = false;

async function ask(id, what) {
  const url = `${env.ASSISTED_SERVICE_SCHEME}://${env.ASSISTED_SERVICE_HOST}/api/assisted-install/v2/infra-envs/${id}${what}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

createServer(async (request, response) => {
  if (request.url === '/health') return response.writeHead(isReady ? 200 : 503).end();
  const [, id] = route.exec(request.url) ?? [];
  if (id === undefined) return response.writeHead(404).end();
  try {
    await ask(id, '/downloads/files?file_name=discovery.ign&discovery_iso_type=disconnected-iso');
    const { kernel_arguments: kargs } = await ask(id, '');
    if (JSON.parse(kargs).some(({ operation }) => operation !== 'append')) throw new Error('only append is allowed');
  } catch (error) {
    console.error(error.message);
    return response.writeHead(500).end();
  }
  const { size } = statSync(path);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = first === undefined ? [0, size - 1] : [Number(first), Number(last)];
  const head = { 'accept-ranges': 'bytes', 'content-length': end - start + 1 };
  if (first === undefined) response.writeHead(200, head);
  else response.writeHead(206, { ...head, 'content-range': `bytes ${start}-${end}/${size}` });
  createReadStream(path, { start, end }).pipe(response);
}).listen(Number(env.LISTEN_PORT), '127.0.0.1', async () => {
  const bytes = Buffer.from(await (await fetch(base.url)).arrayBuffer());
  const volumeId = bytes.toString('latin1', 32808, 32840).trim();
  if (!/^(rhcos|fedora-coreos|scos)-/.test(volumeId)) throw new Error(`ISO volume identifier (${volumeId}) is invalid`);
  writeFileSync(path, bytes);
  isReady = true;
});
