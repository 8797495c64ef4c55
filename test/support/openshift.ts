// An API server that looks like OpenShift's to programs that add nodes: its kinds, objects of our own, accounts that
// request certificates. Calls use Node's own client, so that the tested code does not prepare its own test.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { KubeEngine } from './engines.ts';

type KubeObject = Readonly<Record<string, unknown>>;

/** The caller (default: the administrator). */
export interface Identity {
  readonly bearer?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** The contents of the cluster's objects; absent members are not in the cluster. */
export interface ClusterContents {
  /** Text of the pull secret. */
  readonly pullSecret: string;
  readonly releaseImage?: string;
  readonly platform?: string;
  readonly apiServerUrl?: string;
  readonly trustBundle?: string;
  /** The Ignition config that new workers fetch first. */
  readonly workerUserData?: object;
}

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const OPERATOR_NAMESPACE = 'openshift-machine-config-operator';
const TRIES = 300;
const PAUSE = 100;

const KINDS: readonly (readonly [group: string, version: string, kind: string, plural: string])[] = [
  ['config.openshift.io', 'v1', 'ClusterVersion', 'clusterversions'],
  ['config.openshift.io', 'v1', 'Proxy', 'proxies'],
  ['config.openshift.io', 'v1', 'Infrastructure', 'infrastructures'],
  ['config.openshift.io', 'v1', 'ImageDigestMirrorSet', 'imagedigestmirrorsets'],
  ['machineconfiguration.openshift.io', 'v1', 'MachineConfigPool', 'machineconfigpools'],
  ['machineconfiguration.openshift.io', 'v1', 'OSImageStream', 'osimagestreams'],
  ['machineconfiguration.openshift.io', 'v1alpha1', 'InternalReleaseImage', 'internalreleaseimages'],
  ['operator.openshift.io', 'v1alpha1', 'ImageContentSourcePolicy', 'imagecontentsourcepolicies'],
  ['machineconfiguration.openshift.io', 'v1', 'MachineConfig', 'machineconfigs'],
];

export class OpenShiftStandIn {
  readonly #engine: KubeEngine;

  constructor(engine: KubeEngine) {
    this.#engine = engine;
  }

  /** Kinds of OpenShift, objects of coreiso, and a role that lets accounts list nodes and request certificates. */
  async prepare(contents: ClusterContents): Promise<void> {
    await Promise.all(KINDS.map((kind) => this.#define(...kind)));
    for (const name of ['openshift-config', 'openshift-machine-api', OPERATOR_NAMESPACE]) {
      await this.call('POST', '/api/v1/namespaces', { kind: 'Namespace', metadata: { name } });
    }
    const { pullSecret, trustBundle, workerUserData, platform = 'BareMetal' } = contents;
    const { releaseImage = `releases.example.test/release@sha256:${'5'.repeat(64)}` } = contents;
    const { apiServerUrl = 'https://api.harbor.example.test:6443' } = contents;
    await this.#create('config.openshift.io/v1', 'ClusterVersion', 'version', {
      spec: { clusterID: '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11' },
      status: { history: [{ state: 'Completed', version: '4.20.3', image: releaseImage }] },
    });
    await this.#create('config.openshift.io/v1', 'Proxy', 'cluster', { spec: {} });
    await this.#create('config.openshift.io/v1', 'Infrastructure', 'cluster', {
      spec: { platformSpec: { type: platform } },
      status: { apiServerURL: apiServerUrl },
    });
    await this.#create('machineconfiguration.openshift.io/v1', 'MachineConfig', '99-worker-ssh', {
      spec: { config: { passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA one@example'] }] } } },
    });
    await this.#keep('openshift-config', 'Secret', 'pull-secret', { stringData: { '.dockerconfigjson': pullSecret } });
    if (trustBundle !== undefined)
      await this.#keep('openshift-config', 'ConfigMap', 'user-ca-bundle', { data: { 'ca-bundle.crt': trustBundle } });
    if (workerUserData !== undefined) {
      const stringData = { userData: JSON.stringify(workerUserData) };
      await this.#keep('openshift-machine-api', 'Secret', 'worker-user-data-managed', { stringData });
    }
    await this.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      kind: 'ClusterRole',
      metadata: { name: 'story' },
      rules: [
        { apiGroups: [''], resources: ['nodes'], verbs: ['list'] },
        { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] },
      ],
    });
  }

  /** An object of one of the kinds, cluster-wide. */
  async add(kind: string, name: string, rest: KubeObject): Promise<void> {
    const [group, version] = KINDS.find(([, , known]) => known === kind) ?? [];
    if (group === undefined) throw new Error(`${kind} is no kind of this cluster`);
    await this.#create(`${group}/${version}`, kind, name, rest);
  }

  /** Creates or replaces the ConfigMap that names boot images. */
  async setBootImages(data: Readonly<Record<string, string>>): Promise<void> {
    const [folder, name] = [`/api/v1/namespaces/${OPERATOR_NAMESPACE}/configmaps`, 'coreos-bootimages'];
    const map = { kind: 'ConfigMap', metadata: { name }, data };
    const exists = await this.call('GET', `${folder}/${name}`).catch(() => undefined);
    if (exists === undefined) await this.call('POST', folder, map);
    else await this.call('PUT', `${folder}/${name}`, map);
  }

  /** A node of the control plane, which shows the architecture of the cluster. */
  async addControlPlane(name: string, address: string): Promise<void> {
    const labels = { 'node-role.kubernetes.io/master': '' };
    await this.call('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name, labels } });
    await this.setNodeStatus(name, {
      nodeInfo: { ...NODE_INFO, architecture: 'amd64' },
      addresses: [{ type: 'InternalIP', address }],
      conditions: [{ type: 'Ready', status: 'True' }],
    });
  }

  async setNodeStatus(name: string, status: object, identity: Identity = {}): Promise<void> {
    const path = `/api/v1/nodes/${name}`;
    const node = await this.call('GET', path, undefined, identity);
    await this.call('PUT', `${path}/status`, { ...node, status }, identity);
  }

  /** A service account's token; accounts in the machine config operator's namespace may request certificates. */
  async accountToken(name: string): Promise<string> {
    const path = `/api/v1/namespaces/${OPERATOR_NAMESPACE}/serviceaccounts`;
    await this.call('POST', path, { kind: 'ServiceAccount', metadata: { name } });
    await this.#bind({ kind: 'ServiceAccount', name, namespace: OPERATOR_NAMESPACE });
    const answer = await this.call('POST', `${path}/${name}/token`, { kind: 'TokenRequest', spec: {} });
    return (answer['status'] as { token: string }).token;
  }

  /** A Kubernetes bootstrap token, whose requests look like those of a new node. */
  async bootstrapToken(id: string, secret: string): Promise<string> {
    const stringData = { 'token-id': id, 'token-secret': secret, 'usage-bootstrap-authentication': 'true' };
    const type = 'bootstrap.kubernetes.io/token';
    await this.#keep('kube-system', 'Secret', `bootstrap-token-${id}`, { type, stringData });
    await this.#bind({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `system:bootstrap:${id}` });
    return `${id}.${secret}`;
  }

  /** Makes a key and requests a certificate with it, as a kubelet does. */
  async ask(
    name: string,
    { subject, names = '', signer, usages }: RequestForm,
    identity: Identity = {},
  ): Promise<void> {
    const [key, csr] = [this.#engine.file(`${name}.key`), this.#engine.file(`${name}.csr`)];
    const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
    const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
    execFileSync('openssl', ['req', '-new', ...fresh, '-subj', subject, ...extension, '-out', csr], {
      stdio: 'ignore',
    });
    const spec = { request: readFileSync(csr).toString('base64'), signerName: signer, usages };
    await this.call('POST', REQUESTS, { kind: 'CertificateSigningRequest', metadata: { name }, spec }, identity);
  }

  /** The certificate that the signer issued for a request, with its key. */
  async issued(name: string): Promise<Required<Pick<Identity, 'certificate' | 'key'>>> {
    return await patiently(`${name} was never issued`, async () => {
      const { status } = await this.call('GET', `${REQUESTS}/${name}`);
      const { certificate } = status as { certificate?: string };
      if (certificate === undefined) throw new Error('not yet');
      const key = readFileSync(this.#engine.file(`${name}.key`), 'utf8');
      return { certificate: Buffer.from(certificate, 'base64').toString(), key };
    });
  }

  /** Names of the requests that wait for approval. */
  async pending(): Promise<string[]> {
    const { items } = (await this.call('GET', REQUESTS)) as { items: { metadata: { name: string }; status: object }[] };
    return items.filter(({ status }) => !('conditions' in status)).map(({ metadata }) => metadata.name);
  }

  call(method: string, path: string, body?: KubeObject, identity: Identity = {}): Promise<KubeObject> {
    const { bearer, certificate, key } = identity;
    const file = (name: string) => readFileSync(this.#engine.file(name));
    const client =
      bearer === undefined ? { cert: certificate ?? file('admin.crt'), key: key ?? file('admin.key') } : {};
    const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
    return new Promise((done, reject) => {
      const url = `${this.#engine.server}${path}`;
      const sent = request(url, { method, headers, ca: file('ca.crt'), ...client }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        if ((response.statusCode ?? 0) < 300) done(JSON.parse(text));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async #define(group: string, version: string, kind: string, plural: string): Promise<void> {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
    const spec = { group, scope: 'Cluster', names, versions: [{ name: version, served: true, storage: true, schema }] };
    await this.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec,
    });
  }

  /** A kind is available a moment after its definition. */
  async #create(apiVersion: string, kind: string, name: string, rest: KubeObject): Promise<void> {
    const plural = KINDS.find(([, , known]) => known === kind)?.[3];
    const path = `/apis/${apiVersion}/${plural}`;
    const object = { apiVersion, kind, metadata: { name }, ...rest };
    await patiently(`${kind} is never served`, () => this.call('POST', path, object));
  }

  async #keep(namespace: string, kind: 'Secret' | 'ConfigMap', name: string, rest: KubeObject): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
    await this.call('POST', path, { kind, metadata: { name }, ...rest });
  }

  async #bind(subject: { readonly name: string } & KubeObject): Promise<void> {
    await this.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      kind: 'ClusterRoleBinding',
      metadata: { name: `story-${subject.name.replaceAll(':', '-')}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'story' },
      subjects: [subject],
    });
  }
}

export interface RequestForm {
  readonly subject: string;
  /** Alternative names in openssl's format. */
  readonly names?: string;
  readonly signer: string;
  readonly usages: readonly string[];
}

/** A kubelet's first request. */
export function firstRequest(node: string, names = ''): RequestForm {
  return {
    subject: `/O=system:nodes/CN=system:node:${node}`,
    names,
    signer: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  };
}

/** Its second request, with its names and addresses. */
export function secondRequest(node: string, names: string): RequestForm {
  return {
    ...firstRequest(node, names),
    signer: 'kubernetes.io/kubelet-serving',
    usages: ['digital signature', 'server auth'],
  };
}

const NODE_INFO = Object.fromEntries(
  [
    ...['machineID', 'systemUUID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion'],
    ...['kubeletVersion', 'kubeProxyVersion', 'operatingSystem'],
  ].map((name) => [name, '']),
);

async function patiently<T>(failure: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES) throw new Error(failure, { cause: error });
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}
