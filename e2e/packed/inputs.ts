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

const INSTALL_CONFIG = `apiVersion: v1
metadata: { name: reef }
baseDomain: example.test
controlPlane: { name: master, replicas: 1 }
compute: [{ name: worker, replicas: 0 }]
networking:
  networkType: OVNKubernetes
  machineNetwork: [{ cidr: 192.0.2.0/24 }]
  clusterNetwork: [{ cidr: 10.128.0.0/14, hostPrefix: 23 }]
  serviceNetwork: [172.30.0.0/16]
platform: { none: {} }
pullSecret: '{"auths":{"releases.example.test":{"auth":"dXNlcjpwYXNz"}}}'
`;

const AGENT_CONFIG = `apiVersion: v1beta1
kind: AgentConfig
metadata: { name: reef }
rendezvousIP: 192.0.2.10
`;

const SITE = `metadata: { name: reef }
baseDomain: example.test
openshiftVersion: 4.20.3
releaseImage: quay.example.test/ocp/release@sha256:${'0'.repeat(64)}
networking:
  machineNetwork: [{ cidr: 192.0.2.0/24 }]
  clusterNetwork: [{ cidr: 10.128.0.0/14, hostPrefix: 23 }]
  serviceNetwork: [172.30.0.0/16]
platform: None
service:
  osImages:
  - openshiftVersion: "4.20"
    version: 420.96.202511010000-0
    url: https://mirror.example.test/rhcos-live.x86_64.iso
hosts:
- hostname: sno
  role: master
  interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:70 }]
  bmc: { address: redfish-virtualmedia://192.0.2.90/redfish/v1/Systems/1 }
`;

/** Of nobody; made with openssl. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBdDCCARmgAwIBAgIUTzREA4Rw6yjW47Ao2knn4t0Tr2AwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDbWNzMCAXDTI2MTExNzA1MzM1NFoYDzIxMjYxMDI0MDUzMzU0
WjAOMQwwCgYDVQQDDANtY3MwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASQ7lm9
ryFf/O585OarP03/8theXrxe8P9hZpVtAm4UGxxks6KIE0lZpx9Ol8KDJFf84C8w
abAwFAeiOERLknNHo1MwUTAdBgNVHQ4EFgQUr8z4jZwM7b2gcUO9PB9SR6CKPf0w
HwYDVR0jBBgwFoAUr8z4jZwM7b2gcUO9PB9SR6CKPf0wDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNJADBGAiEA9N0X3ofvhXLLzkwftP87d2Yxy6tASWVJXCWr
T7U7RfgCIQCjzhnoQg3Oin2y6PMsAjIeXqxE5zpjTAJLHJNa5jUsIg==
-----END CERTIFICATE-----
`;

const CLUSTER = {
  clusterId: '5f0c4f3e-6f0e-4b5e-9a51-0d1f2a3b4c5d',
  version: '4.20.3',
  releaseImage: `quay.example.test/ocp/release@sha256:${'0'.repeat(64)}`,
  pullSecret: '{"auths":{"quay.example.test":{"auth":"dXNlcjpwYXNz"}}}',
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
    'install-config.yaml': INSTALL_CONFIG,
    'agent-config.yaml': AGENT_CONFIG,
    'infraenv.yaml': 'apiVersion: agent-install.openshift.io/v1beta1\nkind: InfraEnv\nmetadata: { name: reef }\n',
    'site.yaml': SITE,
    'ca.pem': AUTHORITY,
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
