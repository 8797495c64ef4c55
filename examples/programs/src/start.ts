// The complete workflow on a sample image, in its own folder: downloads nothing, and writes nothing outside that folder.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDiagnostics } from '@coreiso/diagnostics';
import { formatInspection, inspect } from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { type ClusterFacts, parseNodesConfig, simulateBoot } from '@coreiso/nodes-config';
import { buildNodesImage, planNodes } from '@coreiso/openshift';

const CONFIG = `hosts:
- hostname: worker-3
  rootDeviceHints:
    deviceName: /dev/nvme0n1
  interfaces:
  - name: eno1
    macAddress: 52:54:00:e7:05:72
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 192.0.2.73
          prefix-length: 24
    dns-resolver:
      config:
        server: [192.0.2.53]
- hostname: worker-4
  interfaces:
  - name: eno1
    macAddress: 52:54:00:e7:05:73
`;

const CLUSTER: ClusterFacts = {
  version: '4.20.3',
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  nodes: [{ name: 'control-0', architecture: 'amd64', master: true, addresses: [] }],
};

const folder = await mkdtemp(join(tmpdir(), 'coreiso-'));
const basePath = join(folder, 'sample.iso');

heading('A live image to build on');
await writeCopy(await sampleIso(), basePath);
await using base = await fileSource(basePath);
const files = (await openIso(base)).walk();
for await (const { kind, path, size } of files)
  if (kind === 'file') console.log(`${String(size).padStart(9)}  ${path}`);

heading('A config with two mistakes');
const broken = CONFIG.replace('rootDeviceHints', 'rootDeviceHint').replace('e7:05:73', 'E7:05:72');
const refused = parseNodesConfig(broken, { cluster: CLUSTER });
console.log(formatDiagnostics(refused.diagnostics, { text: broken, file: 'nodes-config.yaml' }));

heading('The same without them');
const config = parseNodesConfig(CONFIG, { cluster: CLUSTER });
if (!config.ok) throw new Error('the sample config is refused');
const plan = planNodes(config.value, { cluster: CLUSTER });
for (const { name, interfaces, network } of plan.hosts) {
  const profiles = network?.profiles.map((profile) => profile.name).join(', ') ?? 'DHCP';
  console.log(`${name}  ${interfaces.map(({ macAddress }) => macAddress).join(', ')}  ${profiles}`);
}

heading('The image that adds both');
const { outputs } = await buildNodesImage(base, plan, { grow: true });
const paths = outputs.map(({ name }) => join(folder, name));
for (const [index, { source }] of outputs.entries()) await writeCopy(source, paths[index] ?? '');
for (const path of paths) {
  await using image = await fileSource(path);
  console.log(formatInspection(await inspect(image)).trimEnd());
}

heading('Two machines that boot it');
for (const nics of [{ ens1f0: '52:54:00:E7:05:72' }, { eth0: '52:54:00:00:00:99' }]) {
  const { host, files: profiles, diagnostics } = simulateBoot(plan, { nics });
  console.log(`${Object.entries(nics).flat().join(' ')} is ${host?.hostname ?? 'no host of this config'}`);
  for (const { name, contents } of profiles ?? []) console.log(`${name}\n${contents.trimEnd().replace(/^/gm, '  ')}`);
  if (diagnostics.length > 0) console.log(formatDiagnostics(diagnostics));
}

heading('Done');
for (const path of paths) console.log(path);

function heading(text: string): void {
  console.log(`\n${text}\n${'─'.repeat(text.length)}`);
}
