import { execFileSync } from 'node:child_process';

const [PROGRAM = '', ...OPTIONS] = ['xz', '-dc'];

/** Unpacks with the program xz, so that no test relies on coreiso's own decoder. */
export function unxz(packed: Uint8Array): Buffer {
  return execFileSync(PROGRAM, OPTIONS, { input: packed, maxBuffer: 1 << 30 });
}
