import type { Path } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { decodeBase64 } from '@coreiso/peers/go';
import { decodeDataUrl } from '../codec/data-url.ts';
import { gunzip } from '../codec/gzip.ts';
import type { Config, Resource } from '../spec/generated/types.ts';

/** Bytes somewhere inside a config: the text of a member, or the content of a `data:` URL. */
export interface Piece {
  readonly path: Path;
  /** The files, units and users that contain it, outermost first; more than one if configs are nested. */
  readonly within: readonly string[];
  readonly bytes: Uint8Array;
}

/** Enough for every real config; stops decompression bombs. */
const UNPACKED_LIMIT = 64 << 20;
const DEPTH_LIMIT = 64;

/** PEM in base64, as in kubeconfigs and Kubernetes secrets. */
export const ENCODED_PEM: RegExp = /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]*={0,2}/g;

export function decodePem(encoded: string): string {
  const reading = decodeBase64(encoded, { padding: 'optional' });
  return reading.ok ? new TextDecoder().decode(reading.bytes) : '';
}

/** Every piece of a config, in order, with the pieces of the configs inside it, merged or stored as files. */
export function* piecesOf(config: Config): Generator<Piece> {
  yield* new ContentReader().open(config, [], [], 0);
}

class ContentReader {
  #left = UNPACKED_LIMIT;

  *open(value: unknown, path: Path, within: readonly string[], depth: number): Generator<Piece> {
    if (depth > DEPTH_LIMIT) return;
    if (typeof value === 'string') {
      yield { path, within, bytes: new TextEncoder().encode(value) };
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield* this.open(item, [...path, index], within, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      yield* this.#object(value as Record<string, unknown>, path, within, depth);
    }
  }

  *#object(object: Record<string, unknown>, path: Path, within: readonly string[], depth: number): Generator<Piece> {
    const name = object['path'] ?? object['name'];
    const inside = typeof name === 'string' ? [...within, name] : within;
    const unpacked = this.#unpack(object);
    for (const [key, member] of Object.entries(object)) {
      if (key !== 'source' || unpacked === undefined) yield* this.open(member, [...path, key], inside, depth + 1);
    }
    if (unpacked === undefined) return;
    const nested = readNested(unpacked);
    if (nested === undefined) yield { path: [...path, 'source'], within: inside, bytes: unpacked };
    else yield* this.open(nested, [...path, 'source'], inside, depth + 1);
  }

  #unpack({ source, compression }: Record<string, unknown>): Uint8Array | undefined {
    const bytes = typeof source === 'string' ? unpackSource(source, compression, this.#left) : undefined;
    this.#left -= bytes?.length ?? 0;
    return bytes;
  }
}

/**
 * The decompressed bytes of a resource inside the config. Undefined if it is elsewhere, broken or larger than 64 MiB.
 *
 * @example contentsOf({ source: 'data:,hi' }) // the bytes of 'hi'
 */
export function contentsOf(resource: Resource): Uint8Array | undefined {
  checkArgument('resource', resource, 'object');
  const { source = '', compression } = resource;
  return unpackSource(source, compression);
}

/** The decompressed content of a resource. Undefined if it is elsewhere, broken or larger than `limit`. */
export function unpackSource(
  source: string,
  compression: unknown,
  limit: number = UNPACKED_LIMIT,
): Uint8Array | undefined {
  if (!source.startsWith('data:')) return undefined;
  const bytes = decodeDataUrl(source);
  if (bytes === undefined || bytes.length > limit) return undefined;
  return compression === 'gzip' ? gunzip(bytes, limit) : bytes;
}

/** Reads a nested config; undefined if the bytes are something else. */
export function readNested(bytes: Uint8Array): object | undefined {
  if (bytes.find((byte) => byte > 0x20) !== 0x7b) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const { ignition } = value as { ignition?: { version?: unknown } };
    return typeof ignition?.version === 'string' ? (value as object) : undefined;
  } catch {
    return undefined;
  }
}
