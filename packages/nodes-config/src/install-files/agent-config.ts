import { type Outcome, type Path, valueOrThrow } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { goQuote, parseGoUrl } from '@coreiso/peers/go';
import { hideUsers } from '@coreiso/peers/hidden';
import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import { AGENT_CONFIG, type AgentConfigValues } from '../documents/document-tables.ts';
import { adviceFor } from '../documents/misplaced-keys.ts';
import type { AgentConfig } from '../documents/types.ts';
import { readInstallConfig } from '../install-config/read.ts';
import type { HostValues } from '../rules/host-fields.ts';
import { checkHostList, noteIgnoredDocuments } from '../rules/host-list.ts';
import { readAddresses } from '../rules/network-view.ts';
import { ntpRefusal, refusalFinding } from '../rules/registration.ts';
import { Findings, type Mode, type Step } from '../text/config-findings.ts';
import { decodeDocument } from '../text/decode.ts';
import { invalid, required } from '../text/field-errors.ts';
import { sourceOf } from '../text/lookup.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import { checkReplicas, type InstallHosts, installHosts, machinesOf } from './install-hosts.ts';

const PREFIX = 'failed to unmarshal agent-config.yaml: ';

/** Upstream's steps after reading. */
const STEPS: readonly Step<'version' | 'file' | 'install-hosts' | 'hosts' | 'replicas' | 'network'>[] = [
  { name: 'version', endsAtFirst: true },
  { name: 'file' },
  { name: 'install-hosts', endsAtFirst: true },
  { name: 'hosts' },
  { name: 'replicas', endsAtFirst: true },
  { name: 'network' },
];

/** The steps after all files have been read. */
const HOST_STEPS: readonly string[] = ['install-hosts', 'hosts', 'replicas', 'network'];

/** `v1alpha1` has the same fields. */
const CURRENT_VERSION = 'v1beta1';

/**
 * Reads and checks an `agent-config.yaml`, and reports all findings at once.
 *
 * @example parseAgentConfig({ apiVersion: 'v1beta1', rendezvousIP: '192.0.2.10' })
 */
export function parseAgentConfig(
  source: ConfigSource,
  options: {
    /** The `install-config.yaml` beside it, as text, bytes or an object: how many hosts there are to be, and hosts where the agent-config has none. */
    readonly installConfig?: ConfigSource | undefined;
    readonly mode?: Mode | undefined;
  } = {},
): Outcome<AgentConfig> {
  checkArgument('options', options, 'object');
  const { installConfig, mode = 'strict' } = options;
  const install = installConfig === undefined ? undefined : readInstallConfig(installConfig, { environment: {}, mode });
  return judgeAgentConfig(source, install?.ok ? installHosts(install.values) : undefined, mode).outcome;
}

/** An agent config that was checked. */
interface JudgedAgentConfig {
  readonly outcome: Outcome<AgentConfig>;
  /** Whether upstream reads the file and then fails at the hosts. */
  readonly failsAtHosts: boolean;
}

/**
 * Checks an agent config together with the hosts of the install config; an image that is not tied to a site needs no
 * rendezvous address.
 */
export function judgeAgentConfig(
  source: ConfigSource,
  install: InstallHosts | undefined,
  mode: Mode,
  rendezvous: 'required' | 'optional' = 'required',
): JudgedAgentConfig {
  const read = readFirst(source, PREFIX, mode);
  if (!read.ok) return { outcome: { ok: false, diagnostics: read.findings.diagnostics() }, failsAtHosts: false };
  const [document] = read.documents;
  const text = sourceOf(document);
  let hasOwnHosts = true;
  const locate = (path: Path): ReturnType<typeof text.locate> =>
    path[0] === 'hosts' && !hasOwnHosts ? undefined : text.locate(path);
  const findings = new Findings({ mode, locate, steps: STEPS });
  const values = decodeDocument(document, AGENT_CONFIG, findings, {
    advise: adviceFor('agent-config'),
    prefix: PREFIX,
    strict: true,
  });
  noteIgnoredDocuments(read, findings);
  checkVersion(values.apiVersion, findings);
  checkFile(values, findings);
  hasOwnHosts = values.hosts.length > 0 || (install?.hosts.length ?? 0) === 0;
  const hostValues = hasOwnHosts ? values.hosts : takeInstallHosts(install, findings);
  if (hasOwnHosts && install !== undefined && install.hosts.length > 0) noteIgnoredHosts(findings);
  const { rendezvousIP } = values;
  const hosts = checkHostList(
    hostValues,
    {
      isElsewhere: !hasOwnHosts,
      rendezvousIP,
      virtualAddresses: install?.virtualAddresses,
      machines: install && machinesOf(install),
    },
    findings,
  );
  if (install !== undefined) checkReplicas(hostValues, install, findings);
  const outcome = findings.outcome<AgentConfig>({
    kind: 'agent-config',
    apiVersion: values.apiVersion === '' ? '' : CURRENT_VERSION,
    rendezvousIP,
    rendezvousAddress: rendezvousAddress(rendezvousIP, hostValues, rendezvous === 'required' ? findings : undefined),
    additionalNTPSources: values.additionalNTPSources,
    bootArtifactsBaseURL: values.bootArtifactsBaseURL,
    minimalISO: values.minimalISO,
    hosts,
    source: text,
  });
  return { outcome, failsAtHosts: HOST_STEPS.includes(findings.failingStep() ?? '') };
}

/**
 * Like `parseAgentConfig`, but throws a `DiagnosticsError` if the text is refused.
 *
 * @example parseAgentConfigOrThrow(await readFile('agent-config.yaml'))
 */
export function parseAgentConfigOrThrow(
  source: ConfigSource,
  options: {
    /** The `install-config.yaml` beside it, as text, bytes or an object: how many hosts there are to be, and hosts where the agent-config has none. */
    readonly installConfig?: ConfigSource | undefined;
    readonly mode?: Mode | undefined;
  } = {},
): AgentConfig {
  return valueOrThrow(parseAgentConfig(source, options));
}

function checkVersion(version: string, findings: Findings<'version'>): void {
  const path = ['apiVersion'];
  const help = `Write \`apiVersion: ${CURRENT_VERSION}\`.`;
  if (version === '') {
    const message = required(path, 'no version was provided');
    findings.upstream('version', { code: 'nodes-config/api-version', message, path, help });
  } else if (version !== CURRENT_VERSION && version !== 'v1alpha1') {
    const message = invalid(path, version, `cannot upconvert from version ${version}`);
    findings.upstream('version', { code: 'nodes-config/api-version', message, path, help });
  }
}

/** Upstream's complaint about a URI, or undefined if it accepts it. */
function uriProblem(text: string): string | undefined {
  const reading = parseGoUrl(text);
  if (!reading.ok) return reading.message;
  return reading.url.scheme === '' ? `invalid URI ${goQuote(text)} (no scheme)` : undefined;
}

/** RFC 1123 section 2.1, as Kubernetes checks it: lower case, at most 253 characters. */
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

function checkFile(
  { rendezvousIP, additionalNTPSources, bootArtifactsBaseURL }: AgentConfigValues,
  findings: Findings<'file'>,
): void {
  if (rendezvousIP !== '' && canonicalAddressAsGo(rendezvousIP) === undefined) {
    const path = ['rendezvousIP'];
    findings.upstream('file', {
      code: 'nodes-config/rendezvous-ip',
      message: invalid(path, rendezvousIP, `"${rendezvousIP}" is not a valid IP`),
      path,
      help: 'Write the address of one control-plane host, without a prefix length.',
    });
  }
  for (const [index, source] of additionalNTPSources.entries()) {
    if (canonicalAddressAsGo(source) !== undefined || SUBDOMAIN.test(source.replace(/\.$/, ''))) {
      const refusal = ntpRefusal(source);
      if (refusal !== undefined) findings.own(refusalFinding(['additionalNTPSources', index], refusal));
      continue;
    }
    findings.upstream('file', {
      code: 'nodes-config/ntp-source',
      message: invalid(['additionalNTPSources'], source, 'NTP server is not a valid IP or domain name'),
      path: ['additionalNTPSources', index],
      help: 'Write an address or a name in lower case, without a scheme.',
    });
  }
  const problem = bootArtifactsBaseURL === '' ? undefined : uriProblem(bootArtifactsBaseURL);
  if (problem !== undefined) {
    const path = ['bootArtifactsBaseURL'];
    const message = hideUsers(invalid(path, bootArtifactsBaseURL, problem));
    findings.upstream('file', { code: 'nodes-config/boot-url', message, path, help: 'Write http://HOST/PATH.' });
  }
}

function noteIgnoredHosts(findings: Findings<'install-hosts'>): void {
  findings.upstreamWarning('install-hosts', {
    code: 'nodes-config/ignored-hosts',
    message: 'hosts from install-config.yaml are ignored',
    path: ['hosts'],
    help: 'Keep the hosts in one of the two files.',
  });
}

function takeInstallHosts(install: InstallHosts | undefined, findings: Findings<'install-hosts'>): HostValues[] {
  for (const { bootMACAddress, values } of install?.hosts ?? []) {
    if (bootMACAddress === '') {
      findings.upstream(
        'install-hosts',
        {
          code: 'nodes-config/boot-mac',
          message: 'invalid host definition in install-config.yaml: host bootMACAddress is required',
          help: `Add \`bootMACAddress\` to the host ${values.hostname} of install-config.yaml.`,
        },
        'elsewhere',
      );
      return [];
    }
    if (values.networkConfig !== undefined && values.interfaces.every(isOther(bootMACAddress))) {
      findings.upstreamWarning('install-hosts', {
        code: 'nodes-config/boot-mac',
        message: `For host ${values.hostname}, BootMACAddress ${bootMACAddress} is not in NetworkConfig`,
        path: ['hosts'],
      });
    }
  }
  return (install?.hosts ?? []).map(({ values }) => values);
}

/** The interface that upstream derives from the boot address does not count as found. */
function isOther(bootMACAddress: string): (iface: { name: string; macAddress: string }) => boolean {
  return ({ name, macAddress }) => macAddress !== bootMACAddress || name === 'boot';
}

/**
 * Control-plane hosts are searched first, then those without a role; of each host every interface, IPv4 before IPv6.
 */
function rendezvousAddress(
  written: string,
  hosts: readonly HostValues[],
  findings: Findings | undefined,
): string | undefined {
  if (written !== '') return canonicalAddressAsGo(written);
  const asked = [
    ...hosts.filter(({ role }) => role === 'master' || role === 'arbiter'),
    ...hosts.filter(({ role }) => role === ''),
  ];
  for (const { networkConfig } of asked) {
    const reading = networkConfig && readAddresses(networkConfig.node, networkConfig.path);
    const [first] = reading?.ok ? reading.addresses : [];
    if (first !== undefined) return canonicalAddressAsGo(first.text);
  }
  findings?.own({
    code: 'nodes-config/no-rendezvous-ip',
    message:
      'missing rendezvousIP in agent-config, at least one host networkConfig, or at least one NMStateConfig manifest: invalid NMState configurations provided, no interface IPs set',
    path: ['rendezvousIP'],
    help: 'Add, with the address of one control-plane host: `rendezvousIP: ADDRESS`',
  });
  return undefined;
}
