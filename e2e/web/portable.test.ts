// The packages' own tests of portable code, in real browsers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { root } from '../../test/support/sources.ts';
import { describeWith } from '../../test/support/tools.ts';
import type { Outcome } from './in-page/vitest.ts';
import { BROWSERS } from './support/browsers.ts';
import { portableTests } from './support/portable-tests.ts';
import { Site } from './support/site.ts';

const RUNNER = join(root, 'e2e/web/in-page/vitest.ts');
const folder = scratchFolder();
const files = portableTests();

describeWith(['chromium', 'firefox-esr'], 'tests of portable code', () => {
  beforeAll(async () => {
    const loads = files.map((path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(join(root, path))})`);
    const entry = join(folder, 'entry.ts');
    writeFileSync(
      entry,
      `import { runFile } from ${JSON.stringify(RUNNER)};
      const files = {${loads.join(',\n')}};
      globalThis.runAll = async () => {
        const outcomes = {};
        for (const [path, load] of Object.entries(files)) outcomes[path] = await runFile(load);
        return outcomes;
      };
      document.title = 'ready';`,
    );
    const bundle = await rolldown({
      input: entry,
      cwd: root,
      platform: 'browser',
      // The packages declare files without side effects; their tests have some.
      treeshake: false,
      resolve: { conditionNames: ['@coreiso/source', 'browser', 'import', 'default'], alias: { vitest: RUNNER } },
      transform: { target: 'es2022', define: { 'process.env': '{}' } },
      checks: { pluginTimings: false },
      onLog: () => undefined,
    });
    await bundle.write({ dir: join(folder, 'site'), format: 'esm' });
    await bundle.close();
    writeFileSync(
      join(folder, 'site/index.html'),
      '<!doctype html><title>tests</title><script type="module" src="./entry.js"></script>',
    );
  });

  /** The failures there. */
  const runIn = async (name: string, open: (typeof BROWSERS)[number][1]): Promise<string[]> => {
    await using site = await Site.start(join(folder, 'site'));
    await using page = await open();
    await page.goto(site.url);
    await page.until(`document.title === 'ready'`);
    const outcomes = await page.evaluate<Record<string, Outcome>>('globalThis.runAll()');
    const failures = Object.entries(outcomes).flatMap(([path, one]) => one.failures.map((text) => `${path}: ${text}`));
    const passed = Object.values(outcomes).reduce((sum, one) => sum + one.passed, 0);
    console.info(`${name}: ${passed} tests of ${files.length} files`);
    expect(Object.entries(outcomes).filter(([, one]) => one.passed === 0)).toEqual([]);
    expect(passed).toBeGreaterThan(1000);
    return failures.map((failure) => `${name}: ${failure}`);
  };

  // Each keeps one core busy.
  test('pass in Chromium and in Firefox', async () => {
    const failures = await Promise.all(BROWSERS.map(([name, open]) => runIn(name, open)));
    expect(failures.flat()).toEqual([]);
  });
});
