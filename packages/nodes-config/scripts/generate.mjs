// Puts the boot scripts into a module, as portable code cannot read files: node packages/nodes-config/scripts/generate.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const join = new URL('../src/join/', import.meta.url);

/** Where the module is, and what it should hold. */
export function generate() {
  const names = readdirSync(new URL('scripts/', join))
    .filter((name) => name.endsWith('.sh'))
    .map((name) => name.slice(0, -'.sh'.length))
    .sort();
  const scripts = names.map((name) => {
    const lines = readFileSync(new URL(`scripts/${name}.sh`, join), 'utf8').match(/[^\n]*\n/g) ?? [];
    return `  '${name}':\n${lines.map((line) => `    ${quote(line)}`).join(' +\n')},\n`;
  });
  const text = `// Generated from the shell scripts by packages/nodes-config/scripts/generate.mjs. Do not edit.

/** The programs that an image brings along. */
export type ScriptName = ${names.map(quote).join(' | ')};

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
${scripts.join('')}};
`;
  return { path: fileURLToPath(new URL('generated/scripts.ts', join)), text };
}

function quote(text) {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, text } = generate();
  writeFileSync(path, text);
}
