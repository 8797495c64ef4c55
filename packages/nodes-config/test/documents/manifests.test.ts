import { writeGoYaml } from '@coreiso/diagnostics';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import {
  clusterImageSetManifest,
  hostNetworkManifests,
  infraEnvManifest,
  nmStateConfigText,
  pullSecretManifest,
} from '../../src/documents/written-manifests.ts';

const REEF = { name: 'reef', namespace: 'ns' };
const BARE = { name: 'reef', namespace: '' };
const EMPTY = { ntpSources: [], trustBundle: '', architecture: 'x86_64', proxy: undefined, sshKey: '' };

test('an InfraEnv has exactly the given settings', () => {
  const head = 'apiVersion: agent-install.openshift.io/v1beta1\nkind: InfraEnv\n';
  const status =
    'status:\n  agentLabelSelector: {}\n  bootArtifacts:\n    discoveryIgnitionURL: ""\n    initrd: ""\n    ipxeScript: ""\n    kernel: ""\n    rootfs: ""\n  debugInfo:\n    eventsURL: ""\n';
  const selector =
    '  nmStateConfigLabelSelector:\n    matchLabels:\n      infraenvs.agent-install.openshift.io: reef\n';
  expect(writeGoYaml(infraEnvManifest(BARE, EMPTY))).toBe(
    `${head}metadata:\n  name: reef\nspec:\n  clusterRef:\n    name: reef\n  cpuArchitecture: x86_64\n  ipxeScriptType: ""\n${selector}  pullSecretRef:\n    name: reef-pull-secret\n${status}`,
  );
  const full = { ntpSources: ['n'], trustBundle: 'PEM', architecture: 'arm', proxy: { httpProxy: 'p' }, sshKey: 'k' };
  expect(writeGoYaml(infraEnvManifest(REEF, full))).toBe(
    `${head}metadata:\n  name: reef\n  namespace: ns\nspec:\n  additionalNTPSources:\n  - "n"\n  additionalTrustBundle: PEM\n  clusterRef:\n    name: reef\n    namespace: ns\n  cpuArchitecture: arm\n  ipxeScriptType: ""\n${selector}  proxy:\n    httpProxy: p\n  pullSecretRef:\n    name: reef-pull-secret\n  sshAuthorizedKey: k\n${status}`,
  );
});

test('a release and a pull secret are objects of the namespace', () => {
  expect(writeGoYaml(clusterImageSetManifest(REEF, 'openshift-4', 'r.test/ocp'))).toBe(
    'apiVersion: hive.openshift.io/v1\nkind: ClusterImageSet\nmetadata:\n  name: openshift-4\n  namespace: ns\nspec:\n  releaseImage: r.test/ocp\nstatus: {}\n',
  );
  expect(writeGoYaml(pullSecretManifest(BARE, '{"auths":{}}'))).toBe(
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: reef-pull-secret\nstringData:\n  .dockerconfigjson: |-\n    {\n      "auths": {}\n    }\n',
  );
});

test('each host with a network has a manifest, numbered by its position', () => {
  const { hosts } = parseNodesConfigOrThrow(`hosts:
- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]
- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:02"}]
  networkConfig:
    interfaces: [{name: eth0, type: ethernet, state: up}]
`);
  expect(nmStateConfigText(hostNetworkManifests(REEF, hosts.slice(0, 1)))).toBeUndefined();
  expect(nmStateConfigText(hostNetworkManifests(REEF, hosts))).toBe(`apiVersion: agent-install.openshift.io/v1beta1
kind: NMStateConfig
metadata:
  labels:
    infraenvs.agent-install.openshift.io: reef
  name: reef-1
  namespace: ns
spec:
  config:
    interfaces:
    - name: eth0
      state: up
      type: ethernet
  interfaces:
  - macAddress: 52:54:00:a1:00:02
    name: eth0
---
`);
});
