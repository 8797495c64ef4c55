import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/**
 * A packed folder of recorded files: path → text, or base64 for compressed files and bytes that are not UTF-8. Made by
 * `scripts/pack-goldens.mjs`.
 */
type Packed = Record<string, string | { readonly base64: string } | { readonly brotli: string }>;

/** The files of one packed golden folder, by their path inside it. */
export class Goldens {
  readonly #files: Packed;

  constructor(url: URL) {
    this.#files = JSON.parse(readFileSync(url, 'utf8'));
  }

  paths(pattern = /(?:)/): string[] {
    return Object.keys(this.#files).filter((path) => pattern.test(path));
  }

  has(path: string): boolean {
    return path in this.#files;
  }

  bytes(path: string): Uint8Array {
    const file = this.#files[path];
    if (file === undefined) throw new Error(`no golden named ${path}`);
    if (typeof file === 'string') return new TextEncoder().encode(file);
    return 'brotli' in file
      ? brotliDecompressSync(Buffer.from(file.brotli, 'base64'))
      : Buffer.from(file.base64, 'base64');
  }

  text(path: string): string {
    return new TextDecoder().decode(this.bytes(path));
  }

  json<T>(path: string): T {
    return JSON.parse(this.text(path));
  }
}
