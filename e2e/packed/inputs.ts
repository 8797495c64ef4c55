import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { samples } from '@coreiso/nodes-config';

const IGNITION = '{"ignition":{"version":"3.4.0"}}';

const BOND = `interfaces:
- name: bond0
  type: bond
  state: up
  ipv4: { enabled: true, dhcp: true }
  link-aggregation: { mode: 802.3ad, port: [eth0, eth1] }
`;

/** The files that the READMEs name and that commands run on. */
export async function prepareInputs(folder: string): Promise<void> {
  for (const name of ['rhcos-live.iso', 'any.iso']) await writeCopy(await sampleIso(), join(folder, name));
  const files = {
    'worker.ign': IGNITION,
    'base.ign': IGNITION,
    'nodes-config.yaml': samples.nodesConfig,
    'bond.yaml': BOND,
    'install-config.yaml': samples.installConfig,
    'agent-config.yaml': samples.agentConfig,
    'site/install-config.yaml': samples.installConfig,
    'site/agent-config.yaml': samples.agentConfig,
    'site/cluster-manifests/infraenv.yaml':
      'apiVersion: agent-install.openshift.io/v1beta1\nkind: InfraEnv\nmetadata: { name: sample }\n',
    'site.yaml': samples.site,
    'cluster.json': JSON.stringify(samples.facts),
    'eno1.nmconnection': '[connection]\nid=eno1\ntype=ethernet\n',
  };
  mkdirSync(join(folder, 'site/cluster-manifests'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

/** A folder below a project, so that its packages are found, with a copy of the inputs. */
export function workFolder(project: string, inputs: string): string {
  const folder = mkdtempSync(join(project, 'work-'));
  cpSync(inputs, folder, { recursive: true });
  return folder;
}
