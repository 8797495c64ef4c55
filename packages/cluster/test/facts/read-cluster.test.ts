import { goYaml, parseYaml, toPlain } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import { factsRole } from '../../src/facts/cluster-role.ts';
import { factsFromCluster, readCluster } from '../../src/facts/read-cluster.ts';
import { readNetworks } from '../../src/facts/read-networks.ts';
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

test('has the registries that a cluster trusts among its facts', async () => {
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

test('reads the surroundings of new nodes if permitted, and does without them otherwise', async () => {
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
    /osimagestreams|internal-?release|coreos-bootimages|ingress|egressips|metal3|nodenetworkstates|networks\/cluster|root-ca|server-ca|cluster-config-v1|dnsmasq|pools$/;
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
  'reads tokens only for nodes that join through the service: %s',
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
    // As upstream: without the permission it is unknown whether new tokens would replace others.
    expect(facts.ok).toBe(answer !== 'forbidden');
    if (answer === 'forbidden')
      expect(facts.diagnostics).toMatchObject([
        {
          message: 'secrets "agent-auth-token" is forbidden',
          help: expect.stringContaining(
            '- apiGroups: [""]\n  resources: [secrets]\n  resourceNames: ["agent-auth-token"]\n  verbs: [get]\n',
          ),
        },
      ]);
  },
);

describe('a missing permission', () => {
  const EVERYBODY = 'User "system:serviceaccount:shop:reader" cannot get resource';
  /** A cluster that allows reading everything except matching paths. */
  const closed = (pattern: RegExp): ClusterReader => {
    const answer = (path: string): void => {
      if (pattern.test(path))
        throw new ClusterError('CLUSTER_FORBIDDEN', `x "${path}" is forbidden: ${EVERYBODY}`, { status: 403 });
    };
    return {
      get: async (path) => {
        answer(path);
        const found = OBJECTS[path];
        if (found === undefined) throw new ClusterError('CLUSTER_NOT_FOUND', `${path} not found`, { status: 404 });
        return { metadata: { name: path.replace(/^.*\//, '') }, ...found };
      },
      list: async (path) => {
        answer(path);
        return { items: [], resourceVersion: '1' };
      },
      watch: () => {
        throw new Error('nobody watches');
      },
    };
  };

  test('is answered with one role that grants all missing ones, and with the user who needs it', async () => {
    const { facts } = await readCluster(closed(/pull-secret|nodes$|machineconfigs|bootimages|ingresscontrollers/));
    const helps = facts.diagnostics.filter(({ help }) => help !== undefined);
    expect(facts.diagnostics.length).toBeGreaterThan(1);
    expect(helps.map(({ help }) => help)).toEqual([
      `As an administrator, save this as role.yaml, then: oc apply -f role.yaml && oc adm policy add-cluster-role-to-user coreiso-facts system:serviceaccount:shop:reader
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: coreiso-facts
rules:
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: ["coreos-bootimages"]
  verbs: [get]
- apiGroups: [""]
  resources: [nodes]
  verbs: [get, list]
- apiGroups: [""]
  resources: [secrets]
  resourceNames: ["pull-secret"]
  verbs: [get]
- apiGroups: ["machineconfiguration.openshift.io"]
  resources: [machineconfigs]
  resourceNames: ["99-worker-ssh", "99-worker-fips", "50-workers-chrony-configuration", "50-master-dnsmasq-configuration"]
  verbs: [get]
- apiGroups: ["operator.openshift.io"]
  resources: [ingresscontrollers]
  verbs: [get, list]
`,
    ]);
  });

  test('leaves the user open if the API does not name one', async () => {
    const reader = closed(/^$/);
    const cluster = {
      ...reader,
      list: async () => {
        throw new ClusterError('CLUSTER_FORBIDDEN', 'forbidden: User "a b; rm" cannot', { status: 403 });
      },
    };
    const { facts } = await readCluster(cluster);
    expect(facts.diagnostics.at(-1)?.help).toContain('add-cluster-role-to-user coreiso-facts USER\n');
  });

  test('is answered in the same way for networks', async () => {
    const networks = await readNetworks(closed(/config\.openshift\.io/));
    expect(networks.diagnostics.map(({ help }) => help?.includes('resources: [infrastructures]') ?? false)).toEqual([
      false,
      true,
    ]);
  });
});

test('reports a cluster without OpenShift as such', async () => {
  const cluster: ClusterReader = {
    get: async (path) => {
      throw new ClusterError('CLUSTER_NOT_FOUND', `${path}: HTTP status 404`, { status: 404 });
    },
    list: async () => ({ items: [], resourceVersion: '1' }),
    watch: () => {
      throw new Error('nobody watches');
    },
  };
  const expected = { code: 'CLUSTER_NOT_OPENSHIFT', message: expect.stringContaining('not an OpenShift cluster') };
  await expect(readCluster(cluster)).rejects.toMatchObject(expected);
  await expect(readNetworks(cluster)).rejects.toMatchObject(expected);
});

test('grants every read in the complete role', async () => {
  const role = parseYaml(factsRole(), { flavour: 'go' })[0];
  const root = role?.ok ? role.value.root : undefined;
  const { rules } = (root === undefined ? { rules: [] } : toPlain(root, goYaml)) as unknown as { rules: Rule[] };
  const asked: string[] = [];
  const cluster: ClusterReader = {
    get: async (path) => {
      asked.push(path);
      const found = OBJECTS[path];
      if (found === undefined) throw new ClusterError('CLUSTER_NOT_FOUND', path, { status: 404 });
      return { metadata: { name: path.replace(/^.*\//, '') }, ...found };
    },
    list: async (path) => {
      asked.push(`${path}/`);
      return { items: [], resourceVersion: '1' };
    },
    watch: () => {
      throw new Error('nobody watches');
    },
  };
  await readCluster(cluster, { needsTokens: true });
  await readNetworks(cluster);
  const granted = (path: string): boolean => {
    const [, group = '', plural = '', name = ''] =
      /^\/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/[^/]+\/)?([^/]+)\/(.*)$/.exec(path) ?? [];
    return rules.some(
      ({ apiGroups, resources, resourceNames, verbs }) =>
        apiGroups.includes(group) &&
        resources.includes(plural) &&
        (name === '' ? verbs.includes('list') : (resourceNames?.includes(name) ?? true)),
    );
  };
  expect(asked.filter((path) => !granted(path))).toEqual([
    '/api/v1/namespaces/openshift-config/configmaps/registry-cas',
  ]);
  expect(granted('/api/v1/namespaces/kube-system/secrets/other')).toBe(false);
});

interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly resourceNames?: string[];
  readonly verbs: string[];
}
