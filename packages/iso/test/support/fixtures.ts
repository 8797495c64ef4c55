import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { hasProgram, output } from '../../../../test/support/tools.ts';

const root = process.env['COREISO_FIXTURES'];

/** Names of the real trimmed images, for `fixture`. */
export const FIXTURES: readonly string[] = [
  'embed-areas-2020-09.iso',
  'embed-areas-2021-01.iso',
  'embed-areas-2021-09.iso',
  'embed-areas-2021-12.iso',
  'embed-areas-2022-02.iso',
  'embed-areas-2022-09.iso',
  'embed-areas-2023-07.s390x.iso',
  'embed-areas-2023-07.x86_64.iso',
  'synthetic.iso',
];

const unpacked = new Map<string, Uint8Array>();

/** The bytes of one real image, unpacked once per test file. They are shared: copy them before a change. */
export function fixture(name: string): Uint8Array {
  if (root === undefined) throw new Error('COREISO_FIXTURES is not set');
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(output('xz', ['-dc', join(root, 'coreos-iso', `${name}.xz`)]));
  unpacked.set(name, bytes);
  return bytes;
}

/** A block of tests on the real images; skipped, with the reason in its title, if `COREISO_FIXTURES` is not set. */
export function describeWithFixtures(title: string, body: () => void): void {
  const reason =
    root === undefined || !existsSync(join(root, 'coreos-iso'))
      ? ' (skipped: COREISO_FIXTURES names no images)'
      : hasProgram('xz')
        ? ''
        : ' (skipped: no xz on PATH)';
  describe.skipIf(reason !== '')(title + reason, body);
}
