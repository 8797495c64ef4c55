import { describe, test } from 'vitest';
import { concatBytes } from '../../src/bytes/source.ts';
import { xzCrc64 } from '../../src/node/xz.ts';
import { expectCurrentRecipes } from './recipes.ts';

/** Whether the peer is installed; `npm run test:xz` requires it. */
const hasPeer = await import(/* @vite-ignore */ ['node', 'liblzma'].join('-')).then(
  () => true,
  () => false,
);
const required = process.env['COREISO_REQUIRE_XZ'] === '1';

describe.skipIf(!hasPeer && !required)(`recipes${hasPeer ? '' : ' (needs node-liblzma)'}`, () => {
  test('equal the output of the xz entry for the minimal images', async () => {
    await expectCurrentRecipes(async (bytes) => {
      const encoder = await xzCrc64();
      return concatBytes([await encoder.write(bytes), await encoder.finish()]);
    });
  });
});
