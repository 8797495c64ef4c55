import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Fleets in full size: hundreds of images on real stores, gigabytes of base, runs that are killed. Minutes, not seconds. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['e2e/fleet/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
