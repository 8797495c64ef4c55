// The Go image service (openshift/assisted-image-service), which edits an image for each request, or our stand-in with the same
// reads, and its surroundings: a server with the base, and the service that it asks for the contents.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose } from '@coreiso/iso';
import { writeIso } from '@coreiso/iso/iso9660';
import { writeCopy } from '@coreiso/iso/node';
import type { Workspace } from './frame.ts';
import { isOnPath, output } from './programs.ts';
import { freePort, type Served, served } from './servers.ts';

/** The program name from `go install`. */
export const IMAGE_SERVICE = 'assisted-image-service';

/** The measured program: the service if it is on `PATH`, else the stand-in, which Go builds from its source. */
export const MEASURED_SERVICE: { readonly needs: string; readonly name: string } = isOnPath(IMAGE_SERVICE)
  ? { needs: IMAGE_SERVICE, name: 'the Go image service' }
  : { needs: 'go', name: 'a stand-in for the Go image service (bench/go)' };

async function programIn(directory: string): Promise<string> {
  if (isOnPath(IMAGE_SERVICE)) return IMAGE_SERVICE;
  const program = join(directory, 'image-service');
  const source = fileURLToPath(new URL('../go/image-service.go', import.meta.url));
  await output('go', ['build', '-o', program, source]);
  return program;
}

const MIB = 1024 * 1024;
/** The service takes smaller files for damaged: 100 and 5 MiB. */
const SMALLEST_ROOTFS = 100;
const KERNEL = 5;
const KARGS_FILES = ['EFI/redhat/grub.cfg', 'isolinux/isolinux.cfg'];

/** An image that the service accepts as RHCOS, full of bytes, so that the disk stores all of it. */
export async function rhcosImage({ directory, imageMiB }: Workspace): Promise<string> {
  const rootfsMiB = imageMiB - KERNEL;
  if (rootfsMiB < SMALLEST_ROOTFS) {
    throw new Error(`--mib ${SMALLEST_ROOTFS + KERNEL} is the smallest image that ${IMAGE_SERVICE} takes`);
  }
  const block = randomBytes(MIB);
  const noise = (mib: number) => compose(Array.from({ length: mib }, () => block));
  const file = (path: string, content: string | Uint8Array | ReturnType<typeof noise>) =>
    ({ kind: 'file', path, content }) as const;
  const menu = `\tlinux /images/pxeboot/vmlinuz ignition.platform.id=metal\n${'#'.repeat(1024)} COREOS_KARG_EMBED_AREA\n`;
  const { source } = await writeIso(
    [
      file('coreos/igninfo.json', '{"file": "images/ignition.img"}'),
      file('coreos/kargs.json', JSON.stringify({ files: KARGS_FILES.map((path) => ({ path })) })),
      ...KARGS_FILES.map((path) => file(path, menu)),
      file('images/ignition.img', new Uint8Array(256 * 1024)),
      file('images/pxeboot/vmlinuz', noise(KERNEL)),
      file('images/pxeboot/initrd.img', block.subarray(0, 4096)),
      file('images/pxeboot/rootfs.img', noise(rootfsMiB)),
    ],
    { volumeId: 'rhcos-417.94.202410090854-0' },
  );
  const path = join(directory, 'rhcos.iso');
  await writeCopy(source, path);
  return path;
}

const HOST = '7f6d2c3a-8c5e-4b1f-9a57-0d3e6b1c2f48';
const VERSION = '4.17';
/** For this type it makes no minimal image at startup. */
const TYPE = 'disconnected';

/** Starts the service with a base, which it fetches, and waits until it is ready. */
export async function serveImageService(image: string, directory: string): Promise<Served> {
  const upstream = await listen(upstreamOf(image));
  const upstreamHost = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const [data, scratch] = [join(directory, 'go-data'), join(directory, 'go-scratch')];
  for (const folder of [data, scratch]) mkdirSync(folder);
  const port = await freePort();
  const base = {
    openshift_version: VERSION,
    cpu_architecture: 'x86_64',
    url: `http://${upstreamHost}/base.iso`,
    version: '417.94.202410090854-0',
    type: `${TYPE}-iso`,
  };
  const child = spawn(await programIn(directory), [], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // No other variables: the service would use proxies.
    env: {
      PATH: process.env['PATH'],
      ASSISTED_SERVICE_SCHEME: 'http',
      ASSISTED_SERVICE_HOST: upstreamHost,
      IMAGE_SERVICE_BASE_URL: `http://127.0.0.1:${port}`,
      LISTEN_PORT: String(port),
      DATA_DIR: data,
      DATA_TEMP_DIR: scratch,
      OS_IMAGES: JSON.stringify([base]),
      LOGLEVEL: 'error',
    },
  });
  const { url, memory, stop } = served(child, port, `byid/${HOST}/${VERSION}/x86_64/${TYPE}.iso`);
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (): Promise<void> => {
    if (!isOver()) await stop();
    upstream.closeAllConnections();
    upstream.close();
  };
  try {
    while (!(await isReady(port))) {
      if (isOver()) throw new Error(`${IMAGE_SERVICE} ended with ${child.exitCode ?? child.signalCode}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { url, memory, stop: end };
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The base, and the answers of assisted-service about one host: its config, and its kernel arguments. */
function upstreamOf(image: string): RequestListener {
  const { size } = statSync(image);
  const host = `/api/assisted-install/v2/infra-envs/${HOST}`;
  const config = JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files: [] } });
  const kargs = JSON.stringify([{ operation: 'append', value: 'console=ttyS0' }]);
  const answers = new Map([
    [`${host}/downloads/files`, config],
    [host, JSON.stringify({ id: HOST, kernel_arguments: kargs })],
  ]);
  return ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://upstream');
    if (pathname === '/base.iso') {
      response.setHeader('content-length', size);
      createReadStream(image).pipe(response);
      return;
    }
    const text = answers.get(pathname);
    const headers = { 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT', 'content-type': 'application/json' };
    response.writeHead(text === undefined ? 404 : 200, headers).end(text);
  };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
