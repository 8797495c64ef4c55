import { encodeBase64 } from '@coreiso/peers/go';
import { gzip } from '../codec/gzip.ts';
import { Refusal } from './refusal.ts';

interface GzipResource {
  readonly compression: 'gzip';
  readonly source: string;
}

/** Member order and nulls are those of coreos-installer's output. */
interface GeneratedFile {
  readonly contents: GzipResource;
  readonly mode: number;
  readonly overwrite: null;
  readonly path: string;
}

interface GeneratedUnit {
  readonly contents: string;
  readonly enabled: true;
  readonly mask: null;
  readonly name: string;
}

/** The config that contains everything else. It always has spec 3.3.0, which images since 2021 understand. */
export class LiveConfig {
  readonly #merge: GzipResource[] = [];
  readonly #authorities: GzipResource[] = [];
  readonly #files = new Map<string, GeneratedFile>();
  readonly #units = new Map<string, GeneratedUnit>();

  merge(config: Uint8Array): void {
    this.#merge.push(resource(config));
  }

  addAuthority(certificates: Uint8Array): void {
    this.#authorities.push(resource(certificates));
  }

  addFile(path: string, content: Uint8Array, mode: number): void {
    if (this.#files.has(path)) throw new Refusal('duplicate-path', [`config already specifies path ${path}`]);
    this.#files.set(path, { contents: resource(content), mode, overwrite: null, path });
  }

  addUnit(name: string, contents: string): void {
    if (this.#units.has(name)) throw new Refusal('duplicate-unit', [`config already specifies unit ${name}`]);
    this.#units.set(name, { contents, enabled: true, mask: null, name });
  }

  /** Compact JSON with a final newline. */
  toBytes(): Uint8Array {
    const config = {
      ignition: {
        config: ifAny(this.#merge, (merge) => ({ merge })),
        security: ifAny(this.#authorities, (certificateAuthorities) => ({ tls: { certificateAuthorities } })),
        version: '3.3.0',
      },
      storage: ifAny([...this.#files.values()], (files) => ({ files })),
      systemd: ifAny([...this.#units.values()], (units) => ({ units })),
    };
    return new TextEncoder().encode(`${JSON.stringify(config)}\n`);
  }
}

function ifAny<T, R>(items: readonly T[], wrap: (items: readonly T[]) => R): R | undefined {
  return items.length === 0 ? undefined : wrap(items);
}

function resource(bytes: Uint8Array): GzipResource {
  return { compression: 'gzip', source: `data:;base64,${encodeBase64(gzip(bytes))}` };
}
