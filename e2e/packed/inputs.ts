import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';

const IGNITION = '{"ignition":{"version":"3.4.0"}}';

const NODES_CONFIG = `hosts:
- hostname: worker-3
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:e7:05:72
`;

const BOND = `interfaces:
- name: bond0
  type: bond
  state: up
  ipv4: { enabled: true, dhcp: true }
  link-aggregation: { mode: 802.3ad, port: [eth0, eth1] }
`;

const CLUSTER = {
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  nodes: [{ name: 'control-0', architecture: 'amd64', master: true, addresses: [] }],
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

/** The files that the READMEs speak of, and that commands are tried on. */
export async function prepareInputs(folder: string): Promise<void> {
  for (const name of ['rhcos-live.iso', 'any.iso']) await writeCopy(await sampleIso(), join(folder, name));
  const files = {
    'worker.ign': IGNITION,
    'base.ign': IGNITION,
    'nodes-config.yaml': NODES_CONFIG,
    'bond.yaml': BOND,
    'cluster.json': JSON.stringify(CLUSTER),
    'eno1.nmconnection': '[connection]\nid=eno1\ntype=ethernet\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

/** A folder below a project, so that its packages are found, with a copy of the inputs. */
export function workFolder(project: string, inputs: string): string {
  const folder = mkdtempSync(join(project, 'work-'));
  cpSync(inputs, folder, { recursive: true });
  return folder;
}
