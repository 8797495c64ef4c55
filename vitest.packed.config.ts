import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The packages as users get them: packed, installed elsewhere, and run by every runtime they are for. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['e2e/packed/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
