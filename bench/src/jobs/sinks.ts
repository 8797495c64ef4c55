// Measures the cost of a fleet's image in each sink: time, bytes and processor time of this program. Prints a table in Markdown.
//   node dist/jobs/sinks.js [--hosts 200] [--mib 24] [--directory DIR]… [--store DIR]… [--stores-only]
// A directory is measured with 20 images and scaled; a store is a folder with the s3.env that e2e/engines/*.sh write, and has the base
// before its images are measured.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { type FileSource, fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { type ImageSet, type ImageSink, imageServer, type NodesPlan, openImages, planNodes } from '@coreiso/openshift';
import { directorySink } from '@coreiso/openshift/node';
import { s3Sink } from '@coreiso/openshift/s3';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '200' },
    mib: { type: 'string', default: '24' },
    directory: { type: 'string', multiple: true, default: [] },
    store: { type: 'string', multiple: true, default: [] },
    'stores-only': { type: 'boolean', default: false },
  },
});
/** The time of plain copies only depends on their length: there is no use in more of them. */
const COPIES = 20;
const hosts = Number(values.hosts);
const size = Number(values.mib) * 1024 * 1024;

interface Figures {
  readonly sink: string;
  readonly images: number;
  readonly seconds: number;
  readonly cpuMilliseconds: number;
  readonly sent: number;
}

const FACTS = {
  apiServerUrl: 'https://api.cove.example.test:6443',
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

function planOf(count: number, expires = '2030-01-31T12:00:00Z'): NodesPlan {
  const text = Array.from({ length: count }, (_, number) => {
    const [high, low] = [number >> 8, number & 255].map((byte) => byte.toString(16).padStart(2, '0'));
    return `- { hostname: worker-${number}, interfaces: [{ name: eth0, macAddress: "52:54:00:ab:${high}:${low}" }] }\n`;
  });
  const config = parseNodesConfigOrThrow(`hosts:\n${text.join('')}`, { cluster: FACTS, mode: 'compatible' });
  return planNodes(config, { cluster: FACTS, expires: new Date(expires) });
}

async function measured(sink: string, images: number, work: () => Promise<number>): Promise<Figures> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const sent = await work();
  const { user, system } = process.cpuUsage(before);
  return { sink, images, seconds: (performance.now() - start) / 1000, cpuMilliseconds: (user + system) / 1000, sent };
}

async function drained(sink: ImageSink, images: ImageSet): Promise<number> {
  let sent = 0;
  for await (const stored of sink.write(images)) sent += stored.sent;
  return sent;
}

async function storeSink(folder: string): Promise<{ readonly sink: ImageSink; readonly client: S3Client }> {
  const lines = (await readFile(join(folder, 's3.env'), 'utf8')).trim().split('\n');
  const env = Object.fromEntries(lines.map((line) => line.split('=', 2)));
  const client = new S3Client({
    endpoint: env['S3_ENDPOINT'],
    region: env['AWS_REGION'],
    credentials: { accessKeyId: env['AWS_ACCESS_KEY_ID'], secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  const bucket = `bench-${Date.now()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return { sink: s3Sink(client, { bucket }), client };
}

const home = await mkdtemp(join(tmpdir(), 'coreiso-sinks-'));
const rows: Figures[] = [];

/** Rows that need no store. */
async function measureHere(base: FileSource): Promise<void> {
  let thousand = planOf(1000);
  rows.push(
    await measured('a config of 1,000 hosts is read', 1000, async () => {
      thousand = planOf(1000);
      return 0;
    }),
  );
  const planned = async (): Promise<number> => {
    for await (const { outputs } of await openImages(base, thousand, { perHost: true }))
      if (outputs.length !== 1) throw new Error('one file per host');
    return 0;
  };
  await planned();
  rows.push(await measured('an image is planned', 1000, planned));
  const plan = planOf(hosts);
  rows.push(
    await measured('HTTP: a site is ready, and the last kilobyte of each image is read', hosts, async () => {
      const site = await imageServer(await openImages(base, plan, { perHost: true }));
      let sent = 0;
      for (const { path: address } of site.paths) {
        const request = new Request(`http://localhost${address}`, { headers: { range: 'bytes=-1024' } });
        sent += (await (await site.handler(request)).arrayBuffer()).byteLength;
      }
      return sent;
    }),
  );
  for (const directory of [home, ...values.directory]) {
    const target = await mkdtemp(join(directory, 'images-'));
    try {
      // Blocks can be shared only within one file system.
      const own = join(target, 'base.iso');
      await writeCopy(await sampleIso({ size }), own);
      await using near = await fileSource(own);
      const name = directory === home ? 'directory, plain copies' : `directory ${basename(directory)}`;
      const images = await openImages(near, planOf(COPIES), { perHost: true });
      rows.push(
        await measured(`${name} (${COPIES} images, scaled)`, COPIES, () =>
          drained(directorySink(join(target, 'out')), images),
        ),
      );
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  }
}

try {
  const path = join(home, 'base.iso');
  await writeCopy(await sampleIso({ size }), path);
  await using base = await fileSource(path);
  if (!values['stores-only']) await measureHere(base);
  for (const folder of values.store) {
    const { sink, client } = await storeSink(folder);
    // The base is stored once, whatever the number of images.
    await drained(sink, await openImages(base, planOf(1, '2029-01-31T12:00:00Z'), { perHost: true }));
    const images = await openImages(base, planOf(hosts), { perHost: true });
    rows.push(await measured(`store ${basename(folder)}`, hosts, () => drained(sink, images)));
    client.destroy();
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

console.log(`| ${values.mib} MiB base | images | ms per image | CPU ms per image | bytes sent or written per image |`);
console.log('| --- | --: | --: | --: | --: |');
for (const { sink, images, seconds, cpuMilliseconds, sent } of rows) {
  const each = (value: number): string => (value / images).toFixed(2);
  console.log(
    `| ${sink} | ${images} | ${each(seconds * 1000)} | ${each(cpuMilliseconds)} | ${Math.round(sent / images)} |`,
  );
}
