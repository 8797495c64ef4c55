// Derives cluster facts from exported Kubernetes objects, by the rules that upstream applies to a live cluster.
import { type Outcome, parseJson } from '@coreiso/diagnostics';
import { decodeDataUrl } from '@coreiso/ignition';
import { isObject, listOf, memberOf, textOf } from '@coreiso/peers/members';
import { secretText } from '@coreiso/peers/secret-text';
import { Findings, type Step } from '../text/config-findings.ts';
import { type ClusterStep, checkCluster, clusterName, warnOfExpired } from './check-facts.ts';
import { factExpiries } from './expiries.ts';
import type { ClusterFacts, ClusterNode, ClusterProxy, ImageMirror, WorkerUserData } from './facts.ts';
import { type InternalRegistry, readInternalRegistry, withInternalRegistry } from './internal-registry.ts';
import { collectObjects, type KubeObject, ObjectStore } from './objects.ts';
import { withoutCharacters } from './pull-secret.ts';
import { nodeSurroundings, readSurroundings } from './surroundings.ts';
import { distinctCertificates } from './trust-bundle.ts';

/** The machine configs that are read. */
const [SSH, FIPS, CHRONY] = ['99-worker-ssh', '99-worker-fips', '50-workers-chrony-configuration'] as const;

/** The steps of the inspection of the cluster that need no config. */
const STEPS: readonly Step<ClusterStep>[] = [{ name: 'cluster', endsAtFirst: true }, { name: 'platform' }];

/**
 * Derives the facts from objects as `oc get … -o yaml` or `-o json` prints them: text, or parsed, alone, in lists or in `List`
 * objects. Reports what oc would refuse, and when certificates and tokens in them expire.
 *
 * @example factsFromObjects([await readFile('nodes.yaml', 'utf8'), await readFile('secrets.json', 'utf8')])
 */
export function factsFromObjects(objects: unknown): Outcome<ClusterFacts> {
  const collected = collectObjects(objects);
  if (!collected.ok) return collected;
  const findings = new Findings({ mode: 'strict', steps: STEPS });
  const facts = new FactReader(new ObjectStore(collected.value), findings).read();
  checkCluster(facts, undefined, findings);
  warnOfExpired(facts, findings);
  for (const { what, name, notAfter } of factExpiries(facts)) {
    const message = `${what}${name === '' ? '' : ` (${name})`} is valid until ${notAfter.toISOString()}`;
    findings.note('info', { code: 'nodes-config/valid-until', message }, 'elsewhere');
  }
  return findings.outcome(facts);
}

class FactReader {
  readonly #store: ObjectStore;
  readonly #findings: Findings<ClusterStep>;

  constructor(store: ObjectStore, findings: Findings<ClusterStep>) {
    this.#store = store;
    this.#findings = findings;
  }

  read(): ClusterFacts {
    const version = this.#need('ClusterVersion', 'version', 'clusterversions.config.openshift.io');
    const proxy = this.#need('Proxy', 'cluster', 'proxies.config.openshift.io');
    const secret = this.#need('Secret', 'pull-secret', 'secrets', 'openshift-config');
    const bundle = this.#store.find('ConfigMap', 'user-ca-bundle', 'openshift-config');
    const refusal = bundle === undefined ? this.#store.refusal('configmaps', 'user-ca-bundle') : undefined;
    if (refusal !== undefined) this.#refuse(refusal);
    const [newest] = listOf(version, 'status', 'history');
    if (version !== undefined && newest === undefined) this.#refuse('the history of ClusterVersion version is empty');
    const trustBundle = distinctCertificates(textOf(bundle, 'data', 'ca-bundle.crt'));
    const workerUserData = this.#userData();
    const infrastructure = this.#need('Infrastructure', 'cluster', 'infrastructures.config.openshift.io');
    const apiServerUrl = textOf(infrastructure, 'status', 'apiServerURL');
    const name = clusterName(apiServerUrl);
    const installConfig = this.#installConfig();
    const own = readInternalRegistry(this.#store);
    return withoutAbsent({
      name: 'name' in name ? name.name : undefined,
      clusterId: textOf(version, 'spec', 'clusterID'),
      version: textOf(newest, 'version'),
      releaseImage: textOf(newest, 'image') || undefined,
      platform: infrastructure && textOf(infrastructure, 'spec', 'platformSpec', 'type'),
      apiServerUrl: infrastructure && apiServerUrl,
      pullSecret: secret && pullSecretText(secret, own),
      nodes: this.#store.all('Node').map((node) => ({ ...readNode(node), ...nodeSurroundings(node, this.#store) })),
      proxy: this.#proxy(proxy),
      imageDigestMirrors: this.#mirrors(
        'ImageDigestMirrorSet',
        'imageDigestMirrors',
        installConfig,
        'imageDigestSources',
      ),
      repositoryDigestMirrors: this.#mirrors(
        'ImageContentSourcePolicy',
        'repositoryDigestMirrors',
        installConfig,
        'imageContentSources',
      ),
      trustBundle: trustBundle || undefined,
      workerUserData,
      sshKey: this.#sshKey(installConfig) || undefined,
      fips: this.#fips(installConfig) || undefined,
      chronyConf: this.#chrony(),
      internalRegistry: own?.registry,
      ...this.#imageConfig(own),
      multiArchitecture: textOf(version, 'status', 'desired', 'architecture') === 'Multi' || undefined,
      ...readSurroundings(this.#store),
    });
  }

  /** Registries that the cluster trusts by certificate, and registries whose certificates it does not check. */
  #imageConfig(own: InternalRegistry | undefined): Pick<ClusterFacts, 'registryTrust' | 'insecureRegistries'> {
    const config = this.#store.find('Image', 'cluster');
    const insecure = listOf(config, 'spec', 'registrySources', 'insecureRegistries').filter(
      (registry) => typeof registry === 'string',
    );
    const name = textOf(config, 'spec', 'additionalTrustedCA', 'name');
    const map = name === '' ? undefined : this.#store.find('ConfigMap', name, 'openshift-config');
    const data = memberOf(map, 'data');
    // Keys of ConfigMaps have no colons: `HOST..PORT`.
    const trust = isObject(data)
      ? Object.entries(data).flatMap(([host, pem]) =>
          typeof pem === 'string' ? [[host.replace('..', ':'), pem] as const] : [],
        )
      : [];
    if (own !== undefined && own.authority !== '' && trust.every(([host]) => host !== own.registry))
      trust.push([own.registry, own.authority] as const);
    return {
      ...(trust.length === 0 ? {} : { registryTrust: Object.fromEntries(trust) }),
      ...(insecure.length === 0 ? {} : { insecureRegistries: insecure }),
    };
  }

  #need(kind: string, name: string, resource: string, namespace?: string): KubeObject | undefined {
    const found = this.#store.find(kind, name, namespace);
    if (found !== undefined) return found;
    const refusal = this.#store.refusal(resource.replace(/\..*$/, ''), name);
    const command = namespace === undefined ? '' : ` -n ${namespace}`;
    this.#refuse(
      refusal ?? `${resource} "${name}" not found`,
      `Add the output of \`oc get ${resource}${command} ${name} -o yaml\`.`,
    );
    return undefined;
  }

  #refuse(message: string, help?: string): void {
    this.#findings.upstream('cluster', { code: 'nodes-config/cluster-object', message, help }, 'elsewhere');
  }

  /** The proxy of the spec, not of the status, without repeated and blank entries of `noProxy`. */
  #proxy(proxy: KubeObject | undefined): ClusterProxy {
    const entries = textOf(proxy, 'spec', 'noProxy')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const repeated = entries.filter((entry, at) => entries.indexOf(entry) !== at);
    if (repeated.length > 0) {
      const message = `Duplicates detected in noProxy: [${repeated.join(' ')}]`;
      this.#findings.note('info', { code: 'nodes-config/no-proxy', message }, 'elsewhere');
    }
    return withoutAbsent({
      httpProxy: textOf(proxy, 'spec', 'httpProxy') || undefined,
      httpsProxy: textOf(proxy, 'spec', 'httpsProxy') || undefined,
      noProxy: [...new Set(entries)].join(',') || undefined,
    });
  }

  /**
   * Mirrors in the order of the objects, with repeated sources; those of the install config if listing is forbidden.
   */
  #mirrors(kind: string, key: string, installConfig: unknown, fallback: string): ImageMirror[] | undefined {
    const resource = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
    const isForbidden = this.#isForbidden(resource);
    const entries = isForbidden
      ? listOf(installConfig, fallback)
      : this.#store.all(kind).flatMap((object) => listOf(object, 'spec', key));
    if (entries.length === 0) return undefined;
    return entries.map((entry) => {
      const mirrors = listOf(entry, 'mirrors').filter((mirror) => typeof mirror === 'string');
      const policy = isForbidden ? textOf(entry, 'sourcePolicy') : '';
      return { source: textOf(entry, 'source'), mirrors, ...(policy === '' ? {} : { sourcePolicy: policy }) };
    });
  }

  #userData(): WorkerUserData | undefined {
    const secret = this.#store.find('Secret', 'worker-user-data-managed', 'openshift-machine-api');
    if (secret === undefined) return undefined;
    const text = secretText(secret, 'userData') ?? '';
    const parsed = parseJson(text);
    if (!parsed.ok) {
      this.#refuse(
        withoutCharacters(parsed.diagnostics[0]?.message ?? 'unexpected end of JSON input'),
        'Export Secret worker-user-data-managed again.',
      );
      return undefined;
    }
    const config: unknown = JSON.parse(text);
    return isUserData(config) ? config : undefined;
  }

  /** ConfigMap `cluster-config-v1`, for clients that may not read machine configs or mirrors. */
  #installConfig(): unknown {
    const configMap = this.#store.find('ConfigMap', 'cluster-config-v1', 'kube-system');
    if (configMap === undefined || !this.#isMuchForbidden()) return undefined;
    const text = memberOf(configMap, 'data', 'install-config');
    if (typeof text !== 'string') {
      this.#refuse('cannot find install-config data');
      return undefined;
    }
    const read = collectObjects(text, '');
    if (!read.ok) this.#refuse(read.diagnostics[0]?.message ?? '');
    return read.ok ? read.value[0] : undefined;
  }

  /** Single objects of a kind may be forbidden by name; a list, which has no name, is forbidden as a whole. */
  #isForbidden(resource: string, name = ''): boolean {
    return this.#store.refusal(resource, name) !== undefined;
  }

  #isMuchForbidden(): boolean {
    return (
      [SSH, FIPS].some((name) => this.#isForbidden('machineconfigs', name)) ||
      ['imagedigestmirrorsets', 'imagecontentsourcepolicies'].some((resource) => this.#isForbidden(resource))
    );
  }

  /** The first key of the first user. */
  #sshKey(installConfig: unknown): string {
    if (this.#isForbidden('machineconfigs', SSH)) return textOf(installConfig, 'sshKey');
    const config = this.#store.find('MachineConfig', SSH);
    if (config === undefined) return '';
    const prefix = `cannot retrieve SSH key from machineconfig/${SSH}`;
    const [user] = listOf(config, 'spec', 'config', 'passwd', 'users');
    if (user === undefined) {
      this.#refuse(`${prefix}: no user found`);
      return '';
    }
    const [key] = listOf(user, 'sshAuthorizedKeys');
    if (typeof key !== 'string') this.#refuse(`${prefix}: no SSH key found for user ${textOf(user, 'name')}`);
    return typeof key === 'string' ? key : '';
  }

  #fips(installConfig: unknown): boolean {
    if (this.#isForbidden('machineconfigs', FIPS)) return memberOf(installConfig, 'fips') === true;
    return memberOf(this.#store.find('MachineConfig', FIPS), 'spec', 'fips') === true;
  }

  #chrony(): string | undefined {
    if (this.#isForbidden('machineconfigs', CHRONY)) return undefined;
    const config = this.#store.find('MachineConfig', CHRONY);
    const files = listOf(config, 'spec', 'config', 'storage', 'files');
    const file = files.find((one) => textOf(one, 'path') === '/etc/chrony.conf');
    if (file === undefined) return undefined;
    const bytes = decodeDataUrl(textOf(file, 'contents', 'source'));
    if (bytes !== undefined && textOf(file, 'contents', 'compression') === '') return new TextDecoder().decode(bytes);
    const message = 'the chrony configuration of the workers is compressed or not embedded, and is left out';
    this.#findings.note(
      'warning',
      { code: 'nodes-config/chrony', message, help: 'Set `chronyConf` by hand.' },
      'elsewhere',
    );
    return undefined;
  }
}

function isUserData(config: unknown): config is WorkerUserData {
  return isObject(memberOf(config, 'ignition'));
}

function pullSecretText(secret: KubeObject, own: InternalRegistry | undefined): string {
  const text = secretText(secret, '.dockerconfigjson') ?? '';
  return own === undefined ? text : withInternalRegistry(text, own);
}

function readNode(node: KubeObject): ClusterNode {
  const labels = memberOf(node, 'metadata', 'labels');
  return {
    name: textOf(node, 'metadata', 'name'),
    architecture: textOf(node, 'status', 'nodeInfo', 'architecture'),
    master: isObject(labels) && Object.hasOwn(labels, 'node-role.kubernetes.io/master'),
    addresses: listOf(node, 'status', 'addresses').map((address) => ({
      type: textOf(address, 'type'),
      address: textOf(address, 'address'),
    })),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The values without members that are undefined. */
function withoutAbsent<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
