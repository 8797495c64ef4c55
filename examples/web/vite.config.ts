import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const checks = { pluginTimings: false };

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Works in any folder of any server.
  base: './',
  // Uses the sources of the packages: other builds may be writing theirs at the same time.
  resolve: { conditions: ['@coreiso/source', 'browser', 'module', 'import', 'default'] },
  worker: { format: 'es', rolldownOptions: { checks } },
  plugins: [offline()],
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // A strict policy takes no data: addresses and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rolldownOptions: { input: ['index.html', 'base.html'], checks },
    reportCompressedSize: false,
  },
});

/** The service worker, which lists all files of the page and so changes with each of them. */
function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const files = ['./', './icon.svg', ...Object.keys(bundle).map((name) => `./${name}`)].sort();
        const digest = createHash('sha256');
        for (const [name, output] of Object.entries(bundle).sort())
          digest.update(name).update(output.type === 'chunk' ? output.code : output.source);
        const source = readFileSync(new URL('offline.worker.js', import.meta.url), 'utf8')
          .replace('__FILES__', JSON.stringify(files))
          .replace('__DIGEST__', digest.digest('hex').slice(0, 16));
        this.emitFile({ type: 'asset', fileName: 'offline.js', source });
      },
    },
  };
}
