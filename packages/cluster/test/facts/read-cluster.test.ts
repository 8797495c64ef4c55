import { ClusterError, type ClusterReader, factsFromCluster, type KubeObject } from '@coreiso/cluster';
import { expect, test } from 'vitest';

const OBJECTS: Readonly<Record<string, KubeObject>> = {
  '/apis/config.openshift.io/v1/clusterversions/version': {
    status: { history: [{ version: '4.20.3', image: 'q.test/r:4.20.3' }] },
  },
  '/apis/config.openshift.io/v1/proxies/cluster': {},
  '/api/v1/namespaces/openshift-config/secrets/pull-secret': { data: { '.dockerconfigjson': btoa('{"auths":{}}') } },
  '/apis/config.openshift.io/v1/infrastructures/cluster': {
    spec: { platformSpec: { type: 'None' } },
    status: { apiServerURL: 'https://api.harbor.example.test:6443' },
  },
  '/apis/config.openshift.io/v1/images/cluster': {
    spec: { additionalTrustedCA: { name: 'registry-cas' }, registrySources: { insecureRegistries: ['plain.test'] } },
  },
  '/api/v1/namespaces/openshift-config/configmaps/registry-cas': { data: { 'mirror.test..5000': 'a certificate' } },
};

test('registries that a cluster trusts are among its facts', async () => {
  const cluster: ClusterReader = {
    get: async (path) => {
      const found = OBJECTS[path];
      if (found === undefined) throw new ClusterError('CLUSTER_NOT_FOUND', `${path} not found`, { status: 404 });
      return { metadata: { name: path.replace(/^.*\//, '') }, ...found };
    },
    list: async () => ({ items: [], resourceVersion: '1' }),
    watch: () => {
      throw new Error('nobody watches');
    },
  };
  expect(await factsFromCluster(cluster)).toMatchObject({
    registryTrust: { 'mirror.test:5000': 'a certificate' },
    insecureRegistries: ['plain.test'],
  });
});
