// Completes a package-lock.json that was made with a registry that has only this platform's binary packages: every optional
// dependency gets an entry, with the platform in its name, so that `npm ci` works everywhere.
//   node scripts/complete-lock.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const version = range.replace(/^[\^~]/, '');
    const found = lookUp(place, name);
    if (found !== undefined && (found.version === version || version !== range)) continue;
    // Beside the package if another version of the same name is higher up.
    const folder = found === undefined ? '' : `${place}/`;
    lock.packages[`${folder}node_modules/${name}`] = {
      version,
      ...platform(name),
      ...(entry.dev && { dev: true }),
      optional: true,
    };
    added.push(name);
  }
}
if (process.argv.includes('--check')) {
  for (const name of added) console.error(`${name} is not in package-lock.json`);
  process.exitCode = added.length > 0 ? 1 : 0;
} else if (added.length > 0) {
  const [root, ...rest] = Object.keys(lock.packages).sort();
  lock.packages = Object.fromEntries([root, ...rest].map((place) => [place, lock.packages[place]]));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`${added.length} entries ${process.argv.includes('--check') ? 'missing' : 'added'}`);

/** Resolves as Node does: beside the package, or further up. */
function lookUp(place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || !folder.includes('/node_modules/'))
      return found ?? lock.packages[`node_modules/${name}`];
  }
}

function platform(name) {
  if (name === 'fsevents') return { os: ['darwin'] };
  const words = name.split(/[-/]/);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = /musl/.test(name) ? ['musl'] : /gnu/.test(name) ? ['glibc'] : [];
  return { ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }), ...(os.length > 0 && { os }) };
}
