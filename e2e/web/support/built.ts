// Builds the page and the command line once for all tests of the page.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export default function setup(): void {
  const build = (...folders: string[]): unknown =>
    execFileSync(process.execPath, ['scripts/build.mjs', ...folders], { cwd: root, stdio: 'inherit' });
  build('--to-run', 'packages/cli');
  build('examples/web');
}
