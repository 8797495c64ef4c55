import { defaultExclude, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const conditions = ['@coreiso/source', 'node', 'import', 'default'];

const TESTS = ['{packages,examples}/*/test/**/*.test.ts', 'test/**/*.test.ts', 'bench/test/**/*.test.ts'];
const ALONE = '{packages/*/test/**,test}/*.alone.test.ts';

/** Tests of everything that `npm test` runs. */
function quick(name: string, options: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  const globalSetup = ['test/support/temporary.ts'];
  return { extends: true, test: { name, globalSetup, testTimeout: 120_000, hookTimeout: 120_000, ...options } };
}

/** Tests that take minutes run one file at a time: two cores do not carry two machines. */
function slow(name: string, include: string, minutes: number): TestProjectInlineConfiguration {
  const timeout = minutes * 60_000;
  return {
    extends: true,
    test: { name, include: [include], fileParallelism: false, testTimeout: timeout, hookTimeout: timeout },
  };
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    experimental: { fsModuleCache: true },
    // One second is short on a machine with other work.
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/support/setup.ts'],
    // The store's client warns of Node 20, which we support for as long as others need it.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // By default one core is left to the main process, which does nearly nothing here.
    maxWorkers: '100%',
    projects: [
      // Files share a process, because loading the packages anew for each costs more than all tests: who changes what a
      // process has in common puts it back.
      quick('unit', { include: TESTS, exclude: [...defaultExclude, ALONE], isolate: false }),
      // Replacing modules cannot be put back, and what a process counts has to be of one file.
      quick('alone', { include: [ALONE] }),
      // The packages as users get them: packed, installed elsewhere, and run by every runtime they are for.
      slow('packed', 'e2e/packed/*.test.ts', 5),
      // The pages of docs/: what can be run there is run by what was built.
      slow('docs', 'e2e/docs/*.test.ts', 2),
      // The page in real browsers.
      {
        ...slow('web', 'e2e/web/*.test.ts', 10),
        test: { ...slow('web', 'e2e/web/*.test.ts', 10).test, globalSetup: ['e2e/web/support/built.ts'] },
      },
      // Real boots under emulation.
      slow('boot', 'e2e/*.boot.test.ts', 30),
      // Fleets in full size: hundreds of images on real stores, gigabytes of base, runs that are killed.
      slow('fleet', 'e2e/fleet/*.test.ts', 30),
    ],
  },
});
