import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Fetch } from '@coreiso/iso/http';
import { packTar } from 'modern-tar';

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** How a layer is compressed. */
export type Pack = (tar: Uint8Array) => Uint8Array;

/** A registry in memory whose answers a test can replace. */
export class FakeRegistry {
  readonly blobs = new Map<string, Uint8Array>();
  readonly manifests = new Map<string, Uint8Array>();
  /** The requested paths without methods, in order. */
  readonly asked: string[] = [];
  /** Replaces the answer to a request. */
  instead: ((url: URL, init: RequestInit, usual: () => Response) => Response | undefined) | undefined;

  readonly fetch: Fetch = async (address, init) => {
    const url = new URL(address);
    this.asked.push(`${url.host}${url.pathname}`);
    init.signal?.throwIfAborted();
    const usual = (): Response => this.#answer(url, new Headers(init.headers));
    return this.instead?.(url, init, usual) ?? usual();
  };

  /** Adds an image with these files by layer; returns its digest. */
  async add(layers: readonly Readonly<Record<string, Uint8Array>>[], pack: Pack = gzipSync): Promise<string> {
    const descriptors = [];
    for (const layer of layers) {
      const entries = Object.entries(layer).map(([name, body]) => ({ header: { name, size: body.length }, body }));
      descriptors.push(this.addBlob(pack(await packTar(entries))));
    }
    return this.addManifest({ schemaVersion: 2, layers: descriptors });
  }

  addBlob(bytes: Uint8Array): { digest: string; size: number } {
    const digest = digestOf(bytes);
    this.blobs.set(digest, bytes);
    return { digest, size: bytes.length };
  }

  addManifest(value: object, ...names: string[]): string {
    const bytes = encode(value);
    const digest = digestOf(bytes);
    for (const name of [digest, ...names]) this.manifests.set(name, bytes);
    return digest;
  }

  /** Adds a release whose live images are in `images`; returns its digest. */
  async addRelease(images: string, version = '4.20.3'): Promise<string> {
    const tags = [{ name: 'machine-os-images', from: { name: images } }];
    return this.add([
      { 'release-manifests/image-references': encode({ metadata: { name: version }, spec: { tags } }) },
    ]);
  }

  #answer({ pathname }: URL, headers: Headers): Response {
    const [, kind = '', name = ''] = /\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    const bytes = (kind === 'manifests' ? this.manifests : this.blobs).get(name);
    if (bytes === undefined) return new Response(null, { status: 404 });
    const start = Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? 0);
    const body = new Uint8Array(bytes.subarray(start));
    return new Response(body, { status: start === 0 ? 200 : 206, headers: { 'content-length': String(body.length) } });
  }
}
