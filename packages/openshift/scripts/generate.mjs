// Puts the boot scripts into modules, as portable code cannot read files: node packages/openshift/scripts/generate.mjs
// With --check it only says whether the modules are up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const join = new URL('../src/join/', import.meta.url);
const script = (path) => readFileSync(new URL(path, join), 'utf8');

/** Programs of our own, called by their names without the ending. */
function ownScripts() {
  const names = readdirSync(new URL('scripts/', join)).filter((name) => name.endsWith('.sh'));
  return Object.fromEntries(names.map((name) => [name.slice(0, -'.sh'.length), script(`scripts/${name}`)]));
}

/** Programs of the service, called as upstream calls them. */
function serviceScripts() {
  const names = readdirSync(new URL('service/scripts/', join));
  return {
    ...Object.fromEntries(names.map((name) => [name, script(`service/scripts/${name}`)])),
    'pre-network-manager-config.sh': networkScript(),
  };
}

/** The same choice of profiles as in all other images, with the list of cards as a part of it. */
function networkScript() {
  const cards = script('scripts/coreiso-nics.sh').replace(/^#!.*\n/, '');
  const body = `list_nics() (\n${cards.replace(/^(?=.)/gm, '    ').replace('    set -u', '    set +f -u')})\n`;
  return script('scripts/coreiso-network.sh')
    .replace('\nlog() {', () => `\n${body}\nlog() {`)
    .replace('$(coreiso-nics)', () => '$(list_nics)')
    .replace("'coreiso-network: ", () => "'pre-network-manager-config.sh: ");
}

function moduleText(scripts, type, constant, about) {
  const names = Object.keys(scripts).sort();
  const members = names.map((name) => {
    const lines = scripts[name].match(/[^\n]*\n/g) ?? [];
    return `  '${name}':\n${lines.map((line) => `    ${quote(line)}`).join(' +\n')},\n`;
  });
  return `// Generated from the shell scripts by packages/openshift/scripts/generate.mjs. Do not edit.

/** ${about} */
export type ${type} = ${names.map(quote).join(' | ')};

export const ${constant}: Readonly<Record<${type}, string>> = {
${members.join('')}};
`;
}

function quote(text) {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

const modules = {
  'generated/scripts.ts': moduleText(ownScripts(), 'ScriptName', 'SCRIPTS', 'The programs that an image brings along.'),
  'service/generated/scripts.ts': moduleText(
    serviceScripts(),
    'ServiceScriptName',
    'SERVICE_SCRIPTS',
    'The programs of an image with a service.',
  ),
};
for (const [path, text] of Object.entries(modules)) {
  if (!process.argv.includes('--check')) writeFileSync(new URL(path, join), text);
  else if (script(path) !== text) {
    console.error(`src/join/${path} is stale: run node packages/openshift/scripts/generate.mjs`);
    process.exitCode = 1;
  }
}
