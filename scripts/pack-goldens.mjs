// Packs folders of recorded files into one JSON file each, beside the tests that read them.
//   node scripts/pack-goldens.mjs RECORDINGS [--check]
// RECORDINGS is the folder with the recordings. --check writes nothing; a difference is an error.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Folder of recordings → packed file in this repository. */
const TOPICS = {
  'agent-install-config': 'packages/nodes-config/test/goldens/agent-install-config.json',
  'cluster-info': 'packages/cluster/test/goldens/cluster-info.json',
  monitor: 'packages/cluster/test/goldens/monitor.json',
  'wait-for': 'packages/cluster/test/goldens/wait-for.json',
  topology: 'packages/nodes-config/test/goldens/topology.json',
  'agent-ignition': 'packages/openshift/test/goldens/agent-ignition.json',
  'agent-manifests': 'packages/nodes-config/test/goldens/agent-manifests.json',
  'ztp-manifests': 'packages/nodes-config/test/goldens/ztp-manifests.json',
  'coreos-installer': 'test/goldens/coreos-installer.json',
  'ignition/merge': 'packages/ignition/test/goldens/merge.json',
  'ignition/translate': 'packages/ignition/test/goldens/translate.json',
  'ignition/validate': 'packages/ignition/test/goldens/validate.json',
  'host-network': 'packages/nodes-config/test/goldens/host-network.json',
  nmstate: 'packages/nmstate/test/goldens/nmstate.json',
  'node-ignition': 'packages/openshift/test/goldens/node-ignition.json',
  'nodes-config': 'packages/nodes-config/test/goldens/nodes-config.json',
  service: 'test/goldens/service.json',
};
/** Only these files of some folders. */
const FILES = { service: /(?:looks\.jsonl|states\.tsv|(?:start-install|add-node)\.log|registrations\/.*)$/ };
/** Files with many repeated lines. */
const COMPRESSED = /looks\.jsonl$/;

const [recordings, flag] = process.argv.slice(2);
if (recordings === undefined || (flag !== undefined && flag !== '--check')) {
  console.error('usage: node scripts/pack-goldens.mjs RECORDINGS [--check]');
  process.exit(2);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
let stale = 0;
for (const [topic, target] of Object.entries(TOPICS)) {
  const packed = pack(join(recordings, topic), FILES[topic]);
  const file = join(root, target);
  if (existsSync(file) && unpacked(readFileSync(file, 'utf8')) === unpacked(packed)) continue;
  if (flag === '--check') console.error(`${target} differs from ${topic}`);
  else writeFileSync(file, packed);
  stale++;
}
console.log(`${Object.keys(TOPICS).length} topics, ${stale} ${flag === '--check' ? 'stale' : 'written'}`);
process.exitCode = flag === '--check' && stale > 0 ? 1 : 0;

function pack(folder, wanted = /(?:)/) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => wanted.test(path))
    .sort();
  const lines = paths.map(
    (path) => `${JSON.stringify(path)}: ${JSON.stringify(content(readFileSync(join(folder, path)), path))}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

function content(bytes, path) {
  if (COMPRESSED.test(path)) return { brotli: compress(bytes).toString('base64') };
  try {
    return utf8.decode(bytes);
  } catch {
    return { base64: bytes.toString('base64') };
  }
}

function compress(bytes) {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

/** Other versions of Node compress to different bytes. */
function unpacked(packed) {
  return packed.replace(/\{"brotli":"([^"]*)"\}/g, (_, text) => {
    return JSON.stringify(brotliDecompressSync(Buffer.from(text, 'base64')).toString());
  });
}
