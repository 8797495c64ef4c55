import { join } from 'node:path';
import type { ByteSource, LiveImage } from '@coreiso/iso';
import { type FileSource, type FileSourceOptions, fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { type NodesPlan, planNodes } from '@coreiso/openshift';
import { onTestFinished } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import type { ImageSetOptions } from '../../src/images/image-builder.ts';
import { type ImageSet, openImages } from '../../src/images/image-set.ts';
import type { ImageSink, Stored, WriteOptions } from '../../src/sinks/sink.ts';

const FACTS = {
  apiServerUrl: 'https://api.cove.example.test:6443',
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

const hex = (value: number): string => value.toString(16).padStart(2, '0');

function hostText(number: number): string {
  return `- hostname: worker-${number}
  interfaces: [{ name: eth0, macAddress: "52:54:00:ab:${hex(number >> 8)}:${hex(number & 255)}" }]
  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 10.2.${number >> 8}.${number & 255}, prefix-length: 16 }] }
`;
}

/** A nodes-config of workers. */
export function fleetText(count: number): string {
  const hosts = Array.from({ length: count }, (_, number) => hostText(number)).join('');
  return `bootArtifactsBaseURL: http://boot.example.test\nhosts:\n${hosts}`;
}

/** A plan of workers that install themselves, always the same. */
export function planOf(count: number, expires = '2030-01-31T12:00:00Z'): NodesPlan {
  const config = parseNodesConfigOrThrow(fleetText(count), { cluster: FACTS, mode: 'compatible' });
  return planNodes(config, { cluster: FACTS, expires: new Date(expires) });
}

/** One image for each host. */
export function imagesOf(
  base: ByteSource | LiveImage,
  plan: NodesPlan,
  options: ImageSetOptions = {},
): Promise<ImageSet> {
  return openImages(base, plan, { perHost: true, ...options });
}

/** A sample image of this size in a file. */
export async function baseFile(size: number, path: string = join(scratchFolder(), 'base.iso')): Promise<string> {
  await writeCopy(await sampleIso({ size }), path);
  return path;
}

export async function openBase(path: string, options: FileSourceOptions = {}): Promise<FileSource> {
  const source = await fileSource(path, options);
  onTestFinished(() => source.close());
  return source;
}

export async function collect(sink: ImageSink, images: ImageSet, options?: WriteOptions): Promise<Stored[]> {
  const all: Stored[] = [];
  for await (const stored of sink.write(images, options)) all.push(stored);
  return all;
}
