// Puts the boot scripts into a module, as portable code cannot read files: node packages/nodes-config/scripts/generate.mjs
// With --check it only says whether the module is up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const join = new URL('../src/join/', import.meta.url);

function generate() {
  const names = readdirSync(new URL('scripts/', join))
    .filter((name) => name.endsWith('.sh'))
    .map((name) => name.slice(0, -'.sh'.length))
    .sort();
  const scripts = names.map((name) => {
    const lines = readFileSync(new URL(`scripts/${name}.sh`, join), 'utf8').match(/[^\n]*\n/g) ?? [];
    return `  '${name}':\n${lines.map((line) => `    ${quote(line)}`).join(' +\n')},\n`;
  });
  return `// Generated from the shell scripts by packages/nodes-config/scripts/generate.mjs. Do not edit.

/** The programs that an image brings along. */
export type ScriptName = ${names.map(quote).join(' | ')};

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
${scripts.join('')}};
`;
}

function quote(text) {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

const path = new URL('generated/scripts.ts', join);
if (!process.argv.includes('--check')) writeFileSync(path, generate());
else if (readFileSync(path, 'utf8') !== generate()) {
  console.error('src/join/generated/scripts.ts is stale: run node packages/nodes-config/scripts/generate.mjs');
  process.exitCode = 1;
}
