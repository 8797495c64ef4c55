import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine } from './engines.ts';
import { run } from './programs.ts';
import { npmProject, openShop, type ScratchProject } from './project.ts';
import { programs, unrunPrograms } from './readmes.ts';

/** From the oldest supported version to the newest. */
const VERSIONS = ['5.4', '5.9', '6', '7'];
const compilers = new Map(
  await Promise.all(
    VERSIONS.map(async (version) => [version, await engine(`typescript@${version}`, 'bin/tsc')] as const),
  ),
);

/** Returned bytes must fit platform functions; newer versions of TypeScript distinguish them from shared memory. */
const BYTES = `
import { decodeDataUrl } from '@coreiso/ignition';
import { bytesOf, composeArchive, openLiveImage, sha256, toReadableStream, wrap, writeArchive } from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';

declare const picked: File;
declare const writable: FileSystemWritableFileStream;

const { source } = await openLiveImage(picked);
const iso = await openIso(picked);
const given = [
  await source.read(0, 4),
  await bytesOf(source),
  await wrap({ ignition: '{}' }),
  await bytesOf(composeArchive([])),
  await (await iso.file('/coreos/kargs.json')).read(0, 1),
  sha256().digest(),
  decodeDataUrl('data:,a') ?? new Uint8Array(),
];
const { value } = await toReadableStream(source).getReader().read();
if (value !== undefined) given.push(value);
for await (const chunk of writeArchive([])) given.push(chunk);
for (const bytes of given) {
  new Blob([bytes]);
  await crypto.subtle.digest('SHA-256', bytes);
  await writable.write(bytes);
}
`;

const project = (options: object): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    },
    include: ['*.ts'],
  });

/**
 * The entry that needs the client of stores, a peer that is not installed here; the repository's own check covers it.
 */
const needsPeer = (text: string): boolean => /@coreiso\/openshift\/s3|@aws-sdk\//.test(text);

let shop: ScratchProject;
let folder: string;
beforeAll(async () => {
  shop = await openShop(['@types/node']);
  ({ folder } = await npmProject(shop, ['@types/node']));
  const libraries = shop.packages.filter(({ manifest }) => manifest.name.startsWith('@coreiso/'));
  const entries = libraries.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([entry]) => join(name, entry))
      .filter((entry) => !needsPeer(entry)),
  );
  const files = {
    'bytes.ts': BYTES,
    'portable/entries.ts': entries
      .filter((entry) => !/\/(?:node|xz)$/.test(entry))
      .map((entry, index) => `export * as entry${index} from '${entry}';\n`)
      .join(''),
    'portable/bytes.ts': BYTES,
    // A project for pages: it has no types of Node.
    'portable/tsconfig.json': project({ module: 'nodenext', types: [], exactOptionalPropertyTypes: true }),
    'tsconfig.bundler.json': project({ module: 'esnext', moduleResolution: 'bundler' }),
    'entries.ts': entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join(''),
    ...Object.fromEntries(
      [...programs, ...unrunPrograms]
        .filter(({ text }) => !needsPeer(text))
        .map(({ text }, index) => [`program-${index}.ts`, `${text}\nexport {};\n`]),
    ),
    'tsconfig.json': project({ module: 'nodenext', exactOptionalPropertyTypes: true }),
    // Projects with the old module resolution, which ignores `exports`.
    'tsconfig.old.json': project({ module: 'esnext', moduleResolution: 'node' }),
  };
  mkdirSync(join(folder, 'portable'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
});

test('no declaration names a private package', () => {
  const modules = join(folder, 'node_modules/@coreiso');
  const strangers = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\/dist\/.*\.d\.ts$/.test(file.replaceAll('\\', '/')))
    .filter((file) => /['"]@coreiso\/peers\b/.test(readFileSync(join(modules, file), 'utf8')));
  expect(strangers).toEqual([]);
});

describe.each(VERSIONS)('TypeScript %s', (version) => {
  const compiler = compilers.get(version);

  test.skipIf(compiler === undefined)('accepts every entry and every program of the READMEs', async () => {
    const { stdout } = await run(process.execPath, [compiler ?? '', '-p', '.'], { cwd: folder });
    expect(stdout).toBe('');
  });

  test.skipIf(compiler === undefined)('accepts them with the rules of bundlers', async () => {
    const { stdout } = await run(process.execPath, [compiler ?? '', '-p', 'tsconfig.bundler.json'], { cwd: folder });
    expect(stdout).toBe('');
  });

  test.skipIf(compiler === undefined)('accepts portable entries without the types of Node', async () => {
    const { stdout } = await run(process.execPath, [compiler ?? '', '-p', 'portable'], { cwd: folder });
    expect(stdout).toBe('');
  });

  // TypeScript 6 warns about this way to find modules, and 7 no longer has it.
  test.skipIf(compiler === undefined || !version.startsWith('5.'))('also finds them as Node 10 did', async () => {
    const { stdout } = await run(process.execPath, [compiler ?? '', '-p', 'tsconfig.old.json'], { cwd: folder });
    expect(stdout).toBe('');
  });
});
