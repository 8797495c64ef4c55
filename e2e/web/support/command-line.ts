import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../../packages/cli/bin/coreiso.cjs', import.meta.url));

/** Runs lines that the page shows in a folder, as a shell does: `coreiso` is the one built here. */
export function runLines(lines: string, folder: string): string {
  const script = `set -e\ncoreiso() { ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"; }\n${lines}\n`;
  return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
