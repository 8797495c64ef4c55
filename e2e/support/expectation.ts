import { createHash } from 'node:crypto';

/** The guest's report for a file: mode, size and SHA-256, never just that it booted. */
export function expectedFile(
  content: string | Uint8Array,
  mode = '600',
): { mode: string; size: number; sha256: string } {
  const bytes = Buffer.from(content);
  return { mode, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
