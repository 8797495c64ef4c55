import { execFileSync } from 'node:child_process';

const [PROGRAM = '', ...OPTIONS] = ['xz', '-dc'];

/** Unpacks with the program of that name, so that nothing here is judged by its own decoder. */
export function unxz(packed: Uint8Array): Buffer {
  return execFileSync(PROGRAM, OPTIONS, { input: packed, maxBuffer: 1 << 30 });
}
