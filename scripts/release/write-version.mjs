// Sets the version that `coreiso --version` prints to that of its manifest, after changesets changed it.
import { readFileSync, writeFileSync } from 'node:fs';

const program = new URL('../../packages/cli/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', program), 'utf8'));
const file = new URL('src/frame/version.ts', program);
const text = readFileSync(file, 'utf8');
const changed = text.replace(/(?<=^const COREISO = ')[^']+/m, version);
if (!changed.includes(`'${version}'`)) throw new Error('version.ts has no line that begins with const COREISO');
writeFileSync(file, changed);
