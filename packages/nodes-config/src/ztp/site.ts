// Reads the file that describes a site for a hub, and checks it as the hub's service and operators would check the
// rendered objects.
import { type Outcome, type Plain, valueOrThrow } from '@coreiso/diagnostics';
import type { ZtpSiteValues } from '../generated/values.ts';
import type { Host } from '../rules/host.ts';
import { checkHostList, noteIgnoredDocuments } from '../rules/host-list.ts';
import { Findings, type Step } from '../text/config-findings.ts';
import { type Advice, decodeDocument } from '../text/decode.ts';
import type { SourceText } from '../text/lookup.ts';
import { sourceOf } from '../text/lookup.ts';
import type { ConfigSource } from '../text/read-text.ts';
import { readFirst } from '../text/read-text.ts';
import { judgeCluster } from './cluster-rules.ts';
import { readExtraTexts } from './extra.ts';
import { checkZtpHosts } from './host-rules.ts';
import { judgeSurroundings } from './remote.ts';
import { checkService } from './service-rules.ts';
import { ZTP_SITE, type ZtpHostValues } from './site-table.ts';

/** A site that a hub can install. */
export interface ZtpSite {
  readonly kind: 'ztp-site';
  /** The values as written, with defaults. */
  readonly values: ZtpSiteValues;
  /** The machines, and the data that the hub needs about each. */
  readonly hosts: readonly {
    readonly host: Host;
    readonly values: ZtpSiteValues['hosts'][number];
    /** Whether it is outside the machine networks. */
    readonly isRemote: boolean;
  }[];
  /** Manifests of the user, to be kept in a ConfigMap. */
  readonly extraManifests: readonly {
    readonly name: string;
    readonly text: string;
    readonly objects: readonly Plain[];
  }[];
  readonly source: SourceText;
}

const PREFIX = 'failed to read the site: ';

const STEPS: readonly Step<'hosts' | 'network'>[] = [{ name: 'hosts' }, { name: 'network' }];

/**
 * Reads and checks a file that describes a site for a hub, and reports all findings at once.
 *
 * @example parseZtpSite(await readFile('site.yaml'))
 */
export function parseZtpSite(source: ConfigSource): Outcome<ZtpSite> {
  const read = readFirst(source, PREFIX, 'strict');
  if (!read.ok) return { ok: false, diagnostics: read.findings.diagnostics() };
  const [document] = read.documents;
  const text = sourceOf(document);
  const findings = new Findings({ mode: 'strict', locate: text.locate, steps: STEPS });
  const decoded = decodeDocument(document, ZTP_SITE, findings, { advise, prefix: PREFIX, strict: true });
  noteIgnoredDocuments(read, findings);
  // Values that could not be read cannot be checked either.
  if (findings.diagnostics().some(({ code }) => code === 'nodes-config/wrong-type'))
    return { ok: false, diagnostics: findings.diagnostics() };
  const values = withDefaults(decoded);
  const hosts = checkHostList(
    values.hosts.map((host) => ({ ...host, BMC: NO_CONTROLLER })),
    { isElsewhere: false, rendezvousIP: '', virtualAddresses: values },
    findings,
  );
  checkZtpHosts(values, findings);
  judgeCluster(values, findings);
  checkService(values, findings);
  const extraManifests = readExtraTexts(values.extraManifests, findings);
  const remote = judgeSurroundings(values, hosts, extraManifests, findings);
  return findings.outcome<ZtpSite>({
    kind: 'ztp-site',
    values,
    hosts: hosts.map((host, index) => ({
      host,
      values: values.hosts[index] as ZtpHostValues,
      isRemote: remote.has(host.hostname),
    })),
    extraManifests,
    source: text,
  });
}

/**
 * Like `parseZtpSite`, but throws a `DiagnosticsError` if the text is refused.
 *
 * @example renderZtpSite(parseZtpSiteOrThrow(await readFile('site.yaml')))
 */
export function parseZtpSiteOrThrow(source: ConfigSource): ZtpSite {
  return valueOrThrow(parseZtpSite(source));
}

/** The credentials of a controller are only in Secrets, never in a site. */
const NO_CONTROLLER = { username: '', password: '', address: '', disableCertificateVerification: false };

const DEFAULTS = {
  platform: 'BareMetal',
  pullSecretName: 'pull-secret',
  cpuArchitecture: 'x86_64',
} as const;

const SERVICE_DEFAULTS = {
  namespace: 'multicluster-engine',
  databaseStorage: '10Gi',
  filesystemStorage: '100Gi',
  imageStorage: '50Gi',
} as const;

function withDefaults(values: ZtpSiteValues): ZtpSiteValues {
  const { metadata, service } = values;
  return {
    ...fillDefaults(values, DEFAULTS),
    metadata: { ...metadata, namespace: metadata.namespace || metadata.name },
    service: fillDefaults(service, SERVICE_DEFAULTS),
  };
}

/** Defaults replace empty texts. */
function fillDefaults<T extends object>(values: T, defaults: { readonly [K in keyof T]?: string }): T {
  const given = Object.entries(values).filter(([name, value]) => value !== '' || !Object.hasOwn(defaults, name));
  return { ...(defaults as object), ...Object.fromEntries(given) } as T;
}

/** Help for keys of other kinds of document, and for secrets that do not belong in a site. */
function advise(parent: readonly (string | number)[], key: string): Advice | undefined {
  const place = parent.filter((step) => typeof step === 'string').join('.');
  if (place === 'hosts.bmc' && /^(?:username|password)$/i.test(key)) {
    const help =
      'Keep it out of this file: oc create secret generic HOSTNAME-bmc -n NAMESPACE --from-literal=username=… --from-literal=password=…, and name the Secret in `credentialsName`.';
    return { help, misplaced: true };
  }
  if (place === '' && /^pullSecret$/i.test(key)) {
    const help =
      'Keep it out of this file: oc create secret generic pull-secret -n NAMESPACE --type=kubernetes.io/dockerconfigjson --from-file=.dockerconfigjson=FILE, and name the Secret in `pullSecretName`.';
    return { help, misplaced: true };
  }
  return undefined;
}
