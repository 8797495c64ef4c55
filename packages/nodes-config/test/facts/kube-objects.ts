import type { ClusterFacts } from '@coreiso/nodes-config';

type KubeObject = Record<string, unknown>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The objects of a cluster with these facts, by their paths in its API. */
export function kubeObjects(facts: ClusterFacts): Map<string, KubeObject> {
  const objects = new Map<string, KubeObject>();
  const put = (path: string, kind: string, name: string, rest: KubeObject): void => {
    objects.set(path, { kind, metadata: { name }, ...rest });
  };
  const config = '/apis/config.openshift.io/v1';
  put(`${config}/clusterversions/version`, 'ClusterVersion', 'version', {
    spec: { clusterID: facts.clusterId },
    status: {
      history: [{ image: facts.releaseImage, version: facts.version }],
      ...(facts.multiArchitecture ? { desired: { architecture: 'Multi' } } : {}),
    },
  });
  put(`${config}/proxies/cluster`, 'Proxy', 'cluster', { spec: facts.proxy ?? {} });
  put(`${config}/infrastructures/cluster`, 'Infrastructure', 'cluster', {
    spec: { platformSpec: { type: facts.platform } },
    status: { apiServerURL: facts.apiServerUrl },
  });
  const secrets = '/api/v1/namespaces/openshift-config/secrets';
  put(`${secrets}/pull-secret`, 'Secret', 'pull-secret', {
    data: { '.dockerconfigjson': base64(facts.pullSecret ?? '') },
  });
  objects.set('/api/v1/nodes', {
    kind: 'NodeList',
    items: (facts.nodes ?? []).map(({ name, architecture, master, addresses }) => ({
      metadata: { name, labels: master ? { 'node-role.kubernetes.io/master': '' } : {} },
      status: { nodeInfo: { architecture }, addresses },
    })),
  });
  if (facts.imageDigestMirrors !== undefined) {
    const items = [{ spec: { imageDigestMirrors: facts.imageDigestMirrors } }];
    objects.set(`${config}/imagedigestmirrorsets`, { kind: 'ImageDigestMirrorSetList', items });
  }
  if (facts.repositoryDigestMirrors !== undefined) {
    const items = [{ spec: { repositoryDigestMirrors: facts.repositoryDigestMirrors } }];
    objects.set('/apis/operator.openshift.io/v1alpha1/imagecontentsourcepolicies', {
      kind: 'ImageContentSourcePolicyList',
      items,
    });
  }
  if (facts.trustBundle !== undefined) {
    const path = '/api/v1/namespaces/openshift-config/configmaps/user-ca-bundle';
    put(path, 'ConfigMap', 'user-ca-bundle', { data: { 'ca-bundle.crt': facts.trustBundle } });
  }
  if (facts.workerUserData !== undefined) {
    const path = '/api/v1/namespaces/openshift-machine-api/secrets/worker-user-data-managed';
    put(path, 'Secret', 'worker-user-data-managed', {
      data: { userData: base64(JSON.stringify(facts.workerUserData)) },
    });
  }
  if (facts.registryTrust !== undefined || facts.insecureRegistries !== undefined) {
    put(`${config}/images/cluster`, 'Image', 'cluster', {
      spec: {
        additionalTrustedCA: { name: 'registries' },
        registrySources: { insecureRegistries: facts.insecureRegistries },
      },
    });
    const trust = Object.entries(facts.registryTrust ?? {}).map(([host, pem]) => [host.replace(':', '..'), pem]);
    const path = '/api/v1/namespaces/openshift-config/configmaps/registries';
    put(path, 'ConfigMap', 'registries', { data: Object.fromEntries(trust) });
  }
  const machineConfigs = '/apis/machineconfiguration.openshift.io/v1/machineconfigs';
  const machineConfig = (name: string, spec: KubeObject): void =>
    put(`${machineConfigs}/${name}`, 'MachineConfig', name, { spec });
  if (facts.sshKey !== undefined) {
    machineConfig('99-worker-ssh', {
      config: { passwd: { users: [{ name: 'core', sshAuthorizedKeys: [facts.sshKey] }] } },
    });
  }
  if (facts.fips) machineConfig('99-worker-fips', { fips: true });
  if (facts.chronyConf !== undefined) {
    const contents = { source: `data:text/plain;charset=utf-8;base64,${base64(facts.chronyConf)}` };
    machineConfig('50-workers-chrony-configuration', {
      config: { storage: { files: [{ path: '/etc/chrony.conf', mode: 420, contents }] } },
    });
  }
  return objects;
}
