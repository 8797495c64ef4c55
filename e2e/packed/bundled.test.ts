import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportOf } from './browsers.ts';
import { engine } from './engines.ts';
import { run } from './programs.ts';
import { npmProject, openShop, type Project, type ScratchProject } from './project.ts';

const webpack = await engine('webpack@5', 'lib/index.js');

/** One result of every package that runs in a page; the same text everywhere. */
const PROGRAM = `
import { parseYaml } from '@coreiso/diagnostics';
import { validate } from '@coreiso/ignition';
import { bytesOf, edit, openLiveImage, sha256 } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { findingsWithFixes } from '@coreiso/language';
import { generateKeyfiles } from '@coreiso/nmstate';
import { parseNodesConfig } from '@coreiso/nodes-config';

export async function answers() {
  const { overlay } = await edit(await openLiveImage(await sampleIso()), { ignition: '{"ignition":{"version":"3.4.0"}}' });
  const hash = sha256();
  hash.update(await bytesOf(overlay));
  return JSON.stringify({
    image: Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    yaml: parseYaml('a: 1').length,
    ignition: validate('{"ignition":{"version":"3.4.0"}}').ok,
    keyfiles: generateKeyfiles('interfaces: [{ name: eth1, type: ethernet, state: up }]').ok,
    nodes: parseNodesConfig('hosts: [').ok,
    language: typeof findingsWithFixes,
  });
}
`;

let shop: ScratchProject;
let project: Project;
/** The results of the packages under the Node that runs the tests. */
let expected: string;
beforeAll(async () => {
  shop = await openShop();
  project = await npmProject(shop);
  writeFileSync(join(project.folder, 'program.mjs'), PROGRAM);
  const { stdout, stderr } = await node(
    '-e',
    "import('./program.mjs').then(({ answers }) => answers()).then(console.log)",
  );
  expected = stdout.trim();
  expect(expected, stderr).toMatch(/^\{"image":"[0-9a-f]{64}"/);
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
});

const node = (...args: readonly string[]) => run(process.execPath, args, { cwd: project.folder });

/** `@coreiso/iso` and the like, with every entry that needs no other package. */
const entries = (): string[] =>
  shop.packages
    .filter(({ manifest }) => manifest.name.startsWith('@coreiso/'))
    .flatMap(({ manifest: { name, exports = {} } }) =>
      Object.entries(exports)
        .filter(([entry, target]) => typeof target === 'object' && !/\/(?:xz|s3)$/.test(entry))
        .map(([entry]) => join(name, entry)),
    );

test('require() finds every entry, with the same names as import', async () => {
  writeFileSync(
    join(project.folder, 'required.cjs'),
    `(async () => {
      for (const entry of ${JSON.stringify(entries())}) {
        const [required, imported] = [require(entry), await import(entry)];
        const names = (one) => Object.keys(one).filter((name) => !/^(?:default|module\\.exports|__esModule)$/.test(name)).sort().join();
        if (names(required) !== names(imported) || names(imported) === '') throw new Error(entry);
      }
      console.log('same');
    })();`,
  );
  const { stdout, stderr } = await node('required.cjs');
  expect(stdout, stderr).toBe('same\n');
});

describe('webpack', () => {
  async function bundle(target: 'node' | 'web', entry: string): Promise<string> {
    const folder = join(project.folder, `webpack-${target}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'entry.mjs'), entry);
    const ending = target === 'node' ? 'cjs' : 'js';
    const config = {
      mode: 'production',
      target,
      context: folder,
      entry: './entry.mjs',
      // The project uses ES modules, and webpack writes CommonJS for Node.
      output: { path: folder, filename: `bundle.${ending}`, chunkFilename: `chunk-[id].${ending}` },
    };
    const script = `require(${JSON.stringify(webpack)})(${JSON.stringify(config)}, (error, stats) => {
      if (error) throw error;
      const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
      for (const { message } of [...errors, ...warnings].filter(({ message }) => !/size limit|performance/.test(message))) console.log(message);
    });`;
    const { stdout, stderr } = await node('-e', script);
    expect(stdout, stderr).toBe('');
    return folder;
  }

  test.skipIf(webpack === undefined)('bundles them for Node without warnings, with the same results', async () => {
    const folder = await bundle('node', "import { answers } from '../program.mjs';\nanswers().then(console.log);\n");
    const { stdout, stderr } = await node(join(folder, 'bundle.cjs'));
    expect(stdout.trim(), stderr).toBe(expected);
  });

  test.skipIf(webpack === undefined)('bundles them for pages, with the same results in browsers', async () => {
    const folder = await bundle(
      'web',
      "import { answers } from '../program.mjs';\nanswers().catch(String).then((body) => fetch('/report', { method: 'POST', body }));\n",
    );
    for (const browser of ['chromium', 'firefox'] as const) {
      expect((await reportOf(browser, folder)) ?? expected, browser).toBe(expected);
    }
  });
});
