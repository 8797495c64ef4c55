// Writes a bill of materials in CycloneDX 1.5 for each published package: its dependencies, and the bundled code.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The dependencies of a package and the code inside its files. `bundled` are folders of packages with bundled code. The
 * same package gives the same text: no time, no random serial number.
 */
export function billOfMaterials(root, manifest, bundled = []) {
  const components = new Map();
  const dependencies = new Map();
  const visit = (name, from) => {
    const folder = folderOf(name, from);
    if (folder === undefined) return undefined;
    const found = manifestOf(folder);
    const reference = purl(found);
    if (components.has(reference)) return reference;
    components.set(reference, component(found));
    dependencies.set(reference, references(found, folder));
    return reference;
  };
  const references = (one, from) => Object.keys(one.dependencies ?? {}).flatMap((name) => visit(name, from) ?? []);
  const own = references(manifest, root);
  for (const folder of bundled) {
    const found = manifestOf(folder);
    if (!components.has(purl(found))) components.set(purl(found), component(found));
    own.push(purl(found));
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component(manifest) },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [[purl(manifest), own], ...dependencies].map(([ref, on]) => ({
      ref,
      dependsOn: [...new Set(on)].sort(),
    })),
  };
}

/** Resolves as Node does: beside the package that needs it, then further up. */
function folderOf(name, from) {
  for (let folder = from; ; folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name);
    if (hasManifest(candidate)) return candidate;
    if (folder === join(folder, '..')) return undefined;
  }
}

function hasManifest(folder) {
  try {
    return readdirSync(folder).includes('package.json');
  } catch {
    return false;
  }
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** https://github.com/package-url/purl-spec: the @ of the scope is encoded. */
const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function component(manifest) {
  const { name, version, license, description } = manifest;
  return {
    type: 'library',
    'bom-ref': purl(manifest),
    name,
    version,
    ...(description === undefined ? {} : { description }),
    ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
    purl: purl(manifest),
  };
}
