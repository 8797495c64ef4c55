import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';

/**
 * One program, split by command: starting `coreiso --help` loads a few kilobytes. CommonJS, because loading twenty files as
 * ES modules takes as long as the work of a short command; minified, because compiling takes the rest of the time.
 */
export default defineConfig({
  input: { index: 'src/process.ts' },
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: [
    'openpgp',
    'undici',
    'vscode-languageserver/node',
    'xz-decompress',
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-request-presigner',
  ],
  plugins: [licences()],
  resolve: {
    // Its build for Node loads `node:crypto`, which takes longer than generating all UUIDs of a network.
    alias: { uuid: fileURLToPath(new URL('dist/index.js', import.meta.resolve('uuid/package.json'))) },
    conditionNames: ['@coreiso/source', 'node', 'import', 'default'],
  },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      // One file for code that many commands share: loading another file takes as long as compiling ten more kilobytes.
      groups: [
        {
          name: 'start',
          test: /rolldown.runtime|cli.src.frame.(arguments|failure|help|input|size|terminal|usage|version)\.|commands.serve.options|diagnostics.src.(describe-error|errors|excerpt|format|secrets)\.|peers.src.(arguments|controls|hidden|secret-names)/,
          priority: 1,
        },
        {
          name: 'image',
          test: /packages.iso(?!.*src.(base|http|live.pxe|node.(base-cache|cache.(?!own-file)|download)))|noble.hashes|cli.src.(drop-in|frame.(output|source))/,
          minShareCount: 6,
        },
      ],
    },
  },
});

/** Writes `LICENSES.txt`: the third-party packages in the program, each with its terms. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folderOf = (id: string): string | undefined =>
        /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
      const folders = new Set(modules.flatMap((id) => folderOf(id) ?? []));
      const texts = [...folders].sort().map((folder) =>
        termsOf(
          folder,
          modules.filter((id) => folderOf(id) === folder),
        ),
      );
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}

/** Returns a package's terms. Without a licence file these are the licence name in its manifest and the notices in its modules. */
function termsOf(folder: string, modules: readonly string[]): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file !== undefined) return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  if (license === undefined) throw new Error(`${name} names no licence`);
  const notices = modules.map((id) => /^\/\*!.*?\*\//s.exec(readFileSync(id, 'utf8'))?.[0] ?? '');
  return [`${name} ${version}\n\n${license}\n`, ...new Set(notices.filter((notice) => notice !== ''))].join('\n');
}
