import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Real boots under emulation, one at a time: two cores do not carry two machines. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['e2e/*.boot.test.ts'],
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
