// Replays recordings of the real tools, packed or from any folder of the same format, and prints the differences.
//   npm run goldens -- SET DIR
// The last line is `N passed, M failed`; exits with 1 if anything failed.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withSources } from './typescript.mjs';

/** Set of recordings → the module that replays it, and its export. */
const SETS = {
  'agent-install-config': ['packages/nodes-config/test/replay/install-config.ts', 'replayInstallConfig'],
  'boot-proof': ['packages/iso/test/replay/boot-proof.ts', 'replayBootProof'],
  'cluster-info': ['packages/cluster/test/replay/cluster-info.ts', 'replayClusterInfo'],
  monitor: ['packages/cluster/test/replay/monitor.ts', 'replayMonitor'],
  'agent-ignition': ['packages/openshift/test/replay/agent-ignition.ts', 'replayIgnition'],
  'node-ignition': ['packages/openshift/test/replay/node-ignition.ts', 'replayNodeIgnition'],
  'agent-manifests': ['packages/nodes-config/test/replay/manifests.ts', 'replayManifests'],
  'nodes-config': ['packages/nodes-config/test/replay/nodes-config.ts', 'replayNodesConfig'],
  'ztp-manifests': ['packages/nodes-config/test/replay/ztp.ts', 'replayZtp'],
  service: ['packages/nodes-config/test/replay/service.ts', 'replayService'],
  topology: ['packages/nodes-config/test/replay/topology.ts', 'replayTopology'],
  'wait-for': ['packages/cluster/test/replay/wait-for.ts', 'replayWaitFor'],
};

const [set, folder] = process.argv.slice(2);
const replayer = SETS[set];
if (replayer === undefined || folder === undefined) {
  console.error(`usage: npm run goldens -- SET DIR\nsets: ${Object.keys(SETS).join(', ')}`);
  process.exit(2);
}
const [path, name] = replayer;
// npm runs scripts in the project's root; a relative folder is relative to the caller's.
const directory = resolve(process.env.INIT_CWD ?? '.', folder);
if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
  console.error(`error: ${folder} is not a directory`);
  process.exit(2);
}
const recordings = folderRecordings(directory);
let passed = 0;
let failed = 0;
await withSources(async (load) => {
  const module = await load(path);
  for await (const { name: caseName, differences } of module[name](recordings)) {
    if (differences.length === 0) passed++;
    else {
      failed++;
      console.log(`${caseName}:\n${differences.map((line) => `  ${line}`).join('\n')}`);
    }
  }
});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function folderRecordings(directory) {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
  const bytes = (file) => new Uint8Array(readFileSync(join(directory, file)));
  return {
    paths: (pattern = /(?:)/) => paths.filter((file) => pattern.test(file)),
    bytes,
    text: (file) => new TextDecoder().decode(bytes(file)),
  };
}
