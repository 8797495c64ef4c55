import { describe } from 'vitest';

/** Whether the optional package that writes xz is installed; `npm run test:xz` requires it. */
export const hasPeer: boolean = await import(/* @vite-ignore */ ['node', 'liblzma'].join('-')).then(
  () => true,
  () => false,
);

/** A block of tests that need the peer; a skipped block has the reason in its title. */
export function describePeer(title: string, body: () => void): void {
  const required = process.env['COREISO_REQUIRE_XZ'] === '1';
  describe.skipIf(!hasPeer && !required)(`${title}${hasPeer ? '' : ' (needs node-liblzma)'}`, body);
}
