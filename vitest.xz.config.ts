import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests that skip for want of the optional peer `node-liblzma`; here its absence is a failure. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['{packages,examples}/*/test/**/*.xz.test.ts'],
    env: { COREISO_REQUIRE_XZ: '1' },
  },
});
