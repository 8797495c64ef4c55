import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { output } from './programs.ts';

const CACHE = process.env['COREISO_ENGINES'] ?? join(homedir(), '.cache/coreiso-engines');

/**
 * A file of a published program, for example `bin/node` of `node@22`; the program is fetched on first use. Undefined if
 * the download fails, unless `COREISO_REQUIRE_TOOLS` requires all programs.
 */
export async function engine(spec: string, file: string): Promise<string | undefined> {
  const prefix = join(CACHE, spec.replaceAll('/', '-'));
  const path = join(prefix, 'node_modules', spec.replace(/(?<=.)@[^@]*$/, ''), file);
  if (existsSync(path)) return path;
  mkdirSync(prefix, { recursive: true });
  try {
    await output('npm', ['install', '--prefix', prefix, '--no-save', '--no-audit', '--ignore-scripts', spec]);
  } catch (error) {
    if (process.env['COREISO_REQUIRE_TOOLS'] === '1') throw error;
    return undefined;
  }
  return path;
}
