import { expect, test } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import { factsFromCluster, readCluster } from '../../src/facts/read-cluster.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { ClusterReader } from '../../src/reader/port.ts';

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

const BOOT_IMAGE = { location: 'https://rhcos.example.test/live.iso', sha256: 'a'.repeat(64) };

test('what surrounds new nodes is read where it may be, and missed nowhere', async () => {
  const lists: Readonly<Record<string, readonly KubeObject[]>> = {
    '/apis/operator.openshift.io/v1/ingresscontrollers': [
      { metadata: { name: 'default', namespace: 'openshift-ingress-operator' }, spec: { replicas: 1 } },
    ],
    '/apis/k8s.ovn.org/v1/egressips': [{ metadata: { name: 'shop' }, spec: { egressIPs: ['198.51.100.77'] } }],
    '/apis/metal3.io/v1alpha1/baremetalhosts': [{ metadata: { name: 'far-0', namespace: 'reef' } }],
    '/apis/machineconfiguration.openshift.io/v1/machineconfigpools': [{ metadata: { name: 'worker' } }],
  };
  const objects: Readonly<Record<string, KubeObject>> = {
    ...OBJECTS,
    '/apis/config.openshift.io/v1/ingresses/cluster': { status: { defaultPlacement: 'ControlPlane' } },
    '/apis/metal3.io/v1alpha1/provisionings/provisioning-configuration': { spec: { watchAllNamespaces: true } },
    '/api/v1/namespaces/kube-system/configmaps/cluster-config-v1': {
      data: { 'install-config': 'networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}' },
    },
    '/api/v1/namespaces/kube-system/configmaps/root-ca': { data: { 'ca.crt': 'a root' } },
    '/apis/machineconfiguration.openshift.io/v1alpha1/osimagestreams/cluster': { spec: { defaultStream: 'rhel-10' } },
    '/api/v1/namespaces/openshift-machine-config-operator/configmaps/coreos-bootimages': {
      data: {
        stream: JSON.stringify({
          architectures: { x86_64: { artifacts: { metal: { formats: { iso: { disk: BOOT_IMAGE } } } } } },
        }),
      },
    },
  };
  const around =
    /osimagestreams|coreos-bootimages|ingress|egressips|metal3|nodenetworkstates|networks\/cluster|root-ca|server-ca|cluster-config-v1|dnsmasq|pools$/;
  const reader = (role: 'administrator' | 'other'): ClusterReader => {
    const check = (path: string): void => {
      if (role === 'other' && around.test(path))
        throw new ClusterError('CLUSTER_FORBIDDEN', `${path} is forbidden`, { status: 403 });
    };
    return {
      get: async (path) => {
        check(path);
        const found = objects[path];
        if (found === undefined) throw new ClusterError('CLUSTER_NOT_FOUND', path, { status: 404 });
        return { metadata: { name: path.replace(/^.*\//, '') }, ...found };
      },
      list: async (path) => {
        check(path);
        return { items: lists[path] ?? [], resourceVersion: '1' };
      },
      watch: () => {
        throw new Error('nobody watches');
      },
    };
  };
  const surroundings = {
    ingress: { defaultPlacement: 'ControlPlane' },
    ingressControllers: [{ name: 'default', replicas: 1 }],
    egressIPs: [{ name: 'shop', addresses: ['198.51.100.77'] }],
    bareMetalHosts: [{ name: 'far-0', namespace: 'reef' }],
    watchAllNamespaces: true,
    machineConfigPools: [{ name: 'worker' }],
    machineNetworks: ['192.0.2.0/24'],
    machineConfigAuthority: 'a root',
    osStream: 'rhel-10',
    bootImages: [{ architecture: 'x86_64', ...BOOT_IMAGE }],
  };
  expect(await factsFromCluster(reader('administrator'))).toMatchObject(surroundings);
  const less = Object.keys(await factsFromCluster(reader('other')));
  expect(less.filter((name) => name in surroundings)).toEqual([]);
});

const TOKENS = '/api/v1/namespaces/openshift-config/secrets/agent-auth-token';

test.each(['there', 'absent', 'forbidden'] as const)(
  'tokens are asked for where nodes join through the service, and nowhere else: %s',
  async (answer) => {
    const asked: string[] = [];
    const cluster: ClusterReader = {
      get: async (path) => {
        asked.push(path);
        const found = path === TOKENS && answer === 'there' ? { data: { userAuthToken: 'eyJ' } } : OBJECTS[path];
        if (found !== undefined) return { metadata: { name: path.replace(/^.*\//, '') }, ...found };
        if (path === TOKENS && answer === 'forbidden')
          throw new ClusterError('CLUSTER_FORBIDDEN', 'secrets "agent-auth-token" is forbidden', { status: 403 });
        throw new ClusterError('CLUSTER_NOT_FOUND', `${path} not found`, { status: 404 });
      },
      list: async () => ({ items: [], resourceVersion: '1' }),
      watch: () => {
        throw new Error('nobody watches');
      },
    };
    expect((await readCluster(cluster)).facts.ok).toBe(true);
    expect(asked).not.toContain(TOKENS);
    const { facts, objects } = await readCluster(cluster, { needsTokens: true });
    expect(asked).toContain(TOKENS);
    expect(JSON.stringify(facts)).not.toContain('eyJ');
    const secret = { kind: 'Secret', metadata: { name: 'agent-auth-token', namespace: 'openshift-config' } };
    if (answer === 'there') expect(objects).toContainEqual({ ...secret, data: { userAuthToken: 'eyJ' } });
    // As upstream: whoever may not look does not know whether new tokens would replace others.
    expect(facts.ok).toBe(answer !== 'forbidden');
    if (answer === 'forbidden')
      expect(facts.diagnostics).toMatchObject([
        {
          message: 'secrets "agent-auth-token" is forbidden',
          help: 'Grant it in a ClusterRole: {"apiGroups":[""],"resources":["secrets"],"resourceNames":["agent-auth-token"],"verbs":["get"]}',
        },
      ]);
  },
);
