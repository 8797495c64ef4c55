import { createServer, type Server } from 'node:http';
import type { ByteSource } from '@coreiso/iso';
import { type Answer, entityTag, type FileServer, httpSource } from '@coreiso/iso/http';
import { fileSource, limitConnections, nodeListener } from '@coreiso/iso/node';
import { imageServer, type NodesPlan, openImages } from '@coreiso/openshift';

/** The settings of a replica. */
export interface ServiceOptions {
  /** A path, an address, or `s3://BUCKET/KEY`; all replicas have the same bytes, or the same entity tag of one server. */
  readonly base: string;
  readonly baseSha256?: string | undefined;
  readonly plan: NodesPlan;
  /** The previous plan, served to the downloads that began with it, until they have drained. */
  readonly previous?: NodesPlan | undefined;
  /** The secret from which tokens in addresses are made. */
  readonly secret?: string | undefined;
}

/** A replica. It listens at once, and is ready when base and plan are complete. */
export interface Service {
  readonly server: Server;
  /** Fails if the base or the plan is invalid. */
  readonly ready: Promise<FileServer>;
  /** Tells the load balancer that it is no longer ready, and waits until running answers end. */
  drain(): Promise<void>;
}

/** Answers requests for the images of a plan. It writes nothing, and keeps no state that another replica would need. */
export function createService(options: ServiceOptions): Service {
  let fileServer: FileServer | undefined;
  let base: ByteSource | undefined;
  let draining = false;
  const isReady = async (): Promise<boolean> => {
    if (fileServer === undefined || base === undefined || draining) return false;
    // A base that changed, or whose version is unknown, gives other images.
    return (await entityTag(base).catch(() => undefined)) !== undefined;
  };
  const server = createServer(
    nodeListener({
      async answer(request) {
        if (new URL(request.url).pathname === '/readyz') return (await isReady()) ? text(200, 'ready') : notReady();
        return fileServer === undefined ? notReady() : await fileServer.answer(request);
      },
      onEnd: (delivery) => fileServer?.onEnd(delivery),
    }),
  );
  // All clients may have one address, that of the load balancer.
  limitConnections(server);
  const ready = open(options).then((opened) => {
    base = opened.base;
    fileServer = opened.fileServer;
    return opened.fileServer;
  });
  return {
    server,
    ready,
    async drain() {
      draining = true;
      await new Promise((done) => {
        server.close(done);
        server.closeIdleConnections();
      });
    },
  };
}

async function open(options: ServiceOptions): Promise<{ readonly base: ByteSource; readonly fileServer: FileServer }> {
  const { plan, previous, secret, baseSha256 } = options;
  const base = await openBase(options.base);
  const check = baseSha256 === undefined ? {} : { baseSha256 };
  const images = { perHost: true, grow: true };
  const sets = [
    await openImages(base, plan, { ...images, ...check }),
    ...(previous ? [await openImages(base, previous, images)] : []),
  ];
  // Reads a base that is a file, so that the first machine does not have to wait for it.
  await entityTag(base);
  return { base, fileServer: await imageServer(sets, secret === undefined ? {} : { secret }) };
}

async function openBase(base: string): Promise<ByteSource> {
  if (/^https?:/.test(base)) return await httpSource(base);
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(base) ?? [];
  if (bucket === undefined || key === undefined) return await fileSource(base, { identity: 'contents' });
  // Loaded on demand: most bases are files or on a mirror. Endpoint, region and credentials come from the environment.
  const [{ S3Client }, { s3Source }] = [await import('@aws-sdk/client-s3'), await import('@coreiso/openshift/s3')];
  const forcePathStyle = process.env['AWS_ENDPOINT_URL'] !== undefined;
  return await s3Source(new S3Client({ forcePathStyle }), { bucket, key });
}

function notReady(): Answer {
  return text(503, 'not ready', { 'retry-after': '1' });
}

function text(status: number, line: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'text/plain', 'cache-control': 'no-store', ...headers },
    body: `${line}\n`,
  };
}
