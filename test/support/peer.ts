import { describe } from 'vitest';

/** Whether the optional package that writes xz is installed; `npm run test:xz` demands it. */
export const hasPeer: boolean = await import(/* @vite-ignore */ ['node', 'liblzma'].join('-')).then(
  () => true,
  () => false,
);

/** A block of tests that need the peer; its title says so where it is skipped. */
export function describePeer(title: string, body: () => void): void {
  const required = process.env['COREISO_REQUIRE_XZ'] === '1';
  describe.skipIf(!hasPeer && !required)(`${title}${hasPeer ? '' : ' (needs node-liblzma)'}`, body);
}
