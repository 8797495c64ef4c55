import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine } from './engines.ts';
import { run } from './programs.ts';
import { npmProject, openShop, type Shop } from './project.ts';
import { programs, unrunPrograms } from './readmes.ts';

/** From the oldest that is promised to the newest there is. */
const VERSIONS = ['5.4', '5.9', '6', '7'];
const compilers = new Map(
  await Promise.all(
    VERSIONS.map(async (version) => [version, await engine(`typescript@${version}`, 'bin/tsc')] as const),
  ),
);

let shop: Shop;
let folder: string;
beforeAll(async () => {
  shop = await openShop(['@types/node']);
  ({ folder } = await npmProject(shop, ['@types/node']));
  const libraries = shop.packages.filter(({ manifest }) => manifest.name.startsWith('@coreiso/'));
  const entries = libraries.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([entry]) => join(name, entry)),
  );
  const files = {
    'entries.ts': entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join(''),
    ...Object.fromEntries(
      [...programs, ...unrunPrograms].map(({ text }, index) => [`program-${index}.ts`, `${text}\nexport {};\n`]),
    ),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: ['node'],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      },
      include: ['*.ts'],
    }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
});

describe.each(VERSIONS)('TypeScript %s', (version) => {
  const compiler = compilers.get(version);

  test.skipIf(compiler === undefined)('takes every entry and every program of the READMEs', async () => {
    const { stdout } = await run(process.execPath, [compiler ?? '', '-p', '.'], { cwd: folder });
    expect(stdout).toBe('');
  });
});
