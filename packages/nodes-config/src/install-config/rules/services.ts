// Checks services of the cluster: proxy, publishing, capabilities, features.

import { goQuote, parseGoUrl } from '@coreiso/peers/go';
import { hideUsers } from '@coreiso/peers/hidden';
import { type Cidr, cidrContains, parseAddressAsGo, parseCidr } from '@coreiso/peers/ip';
import type { InstallConfigValues } from '../../generated/values.ts';
import { forbidden, invalid, required, unsupported } from '../../text/field-errors.ts';
import { activePlatform, type NetworkingValues } from '../install-config-table.ts';
import { CAPABILITIES, CAPABILITY_SETS } from './capabilities.ts';
import { subdomainProblem } from './names.ts';
import type { RuleFindings } from './rule-findings.ts';

export function checkProxy({ proxy }: InstallConfigValues, networking: NetworkingValues, findings: RuleFindings): void {
  if (proxy === undefined) return;
  const { httpProxy, httpsProxy, noProxy } = proxy;
  if (httpProxy === '' && httpsProxy === '') {
    const message = required(['proxy'], 'must include httpProxy or httpsProxy');
    findings.error('proxy', message, ['proxy'], 'Add `httpProxy`, or remove `proxy`.');
  }
  if (httpProxy !== '') checkProxyUrl(httpProxy, ['proxy', 'httpProxy'], ['http'], networking, findings);
  if (httpsProxy !== '') checkProxyUrl(httpsProxy, ['proxy', 'httpsProxy'], ['http', 'https'], networking, findings);
  if (noProxy === '' || noProxy === '*') return;
  const path = ['proxy', 'noProxy'];
  if (noProxy.includes(' '))
    findings.error(
      'proxy',
      invalid(path, noProxy, 'noProxy must not have spaces'),
      path,
      'Separate entries with commas alone.',
    );
  for (const [index, written] of noProxy.split(',').entries()) {
    const entry = written.trim();
    const isName = subdomainProblem(entry.replace(/^\./, '').replace(/\.$/, '')) === undefined;
    if (isName || parseCidr(entry) !== undefined || parseAddressAsGo(entry) !== undefined) continue;
    const detail = `each element of noProxy must be a IP, CIDR or domain without wildcard characters, which is violated by element ${index} ${goQuote(entry)}`;
    const help = entry.startsWith('*.') ? `Write ${entry.slice(1)}.` : 'Remove the entry.';
    findings.error('proxy', invalid(path, noProxy, detail), path, help);
  }
}

/** Go's `url.ParseRequestURI`: absolute, or a path. */
function requestUri(text: string): ReturnType<typeof parseGoUrl> {
  if (text === '') return { ok: false, message: 'parse "": empty url' };
  const reading = parseGoUrl(text);
  if (!reading.ok || reading.url.scheme !== '' || text.startsWith('/')) return reading;
  return { ok: false, message: `parse ${goQuote(text)}: invalid URI for request` };
}

function checkProxyUrl(
  url: string,
  path: readonly string[],
  schemes: readonly string[],
  networking: NetworkingValues,
  findings: RuleFindings,
): void {
  const shown = hideUsers(url);
  const help = `Write ${schemes.join(' or ')}://HOST:PORT.`;
  const add = (message: string): void => findings.error('proxy', message, path, help);
  const reading = requestUri(url);
  if (!reading.ok) {
    add(invalid(path, shown, hideUsers(reading.message)));
    return;
  }
  if (!schemes.includes(reading.url.scheme)) add(unsupported(path, reading.url.scheme, schemes));
  const host = /^[^:]+:\/\/(?:[^/]*@)?(?:\[([^\]]+)\]|([^:/?#]*))/.exec(url);
  const address = parseAddressAsGo(host?.[1] ?? host?.[2] ?? '');
  if (address === undefined) return;
  const within = (networks: readonly (Cidr | undefined)[]): boolean =>
    networks.some((network) => network !== undefined && cidrContains(network, address));
  const { clusterNetwork, serviceNetwork, ovnKubernetesConfig } = networking;
  if (within(clusterNetwork.map(({ cidr }) => cidr)))
    add(invalid(path, shown, 'proxy value is part of the cluster networks'));
  if (within(serviceNetwork)) add(invalid(path, shown, 'proxy value is part of the service networks'));
  if (within([ovnKubernetesConfig?.ipv4?.internalJoinSubnet]))
    add(invalid(path, shown, 'proxy value is part of the ovn-kubernetes IPv4 InternalJoinSubnet'));
}

const PUBLISH = ['External', 'Internal', 'Mixed'];

export function checkPublishing(config: InstallConfigValues, findings: RuleFindings): void {
  const { publish, platform, operatorPublishingStrategy: strategy } = config;
  const active = activePlatform(platform);
  const path = ['publish'];
  const help = 'Remove `publish`.';
  if (!PUBLISH.includes(publish)) findings.error('publish', unsupported(path, publish, PUBLISH), path, help);
  if (publish === 'Internal' && !['aws', 'azure', 'gcp', 'ibmcloud', 'powervs'].includes(active)) {
    const detail = `Internal publish strategy is not supported on "${active}" platform`;
    findings.error('publish', invalid(path, publish, detail), path, help);
  }
  if (publish === 'Mixed') {
    const detail = `mixed publish strategy is not supported on "${active}" platform`;
    if (active !== 'azure') findings.error('publish', invalid(path, publish, detail), path, help);
    const missing = 'please specify the operator publishing strategy for mixed publish strategy';
    if (strategy === undefined) findings.error('publish', invalid(path, publish, missing), path, help);
  }
  checkOperatorStrategy(config, findings);
  checkCredentialsMode(config, findings);
}

function checkOperatorStrategy(
  { publish, operatorPublishingStrategy }: InstallConfigValues,
  findings: RuleFindings,
): void {
  if (operatorPublishingStrategy === undefined) return;
  const where = ['operatorPublishingStrategy'];
  const add = (message: string): void =>
    findings.error('publish', message, where, 'Remove `operatorPublishingStrategy`.');
  if (publish !== 'Mixed') {
    const detail = 'operator publishing strategy is only allowed with mixed publishing strategy installs';
    add(invalid(where, publish, detail));
  }
  const apiserver = operatorPublishingStrategy.apiserver || 'External';
  const ingress = operatorPublishingStrategy.ingress || 'External';
  for (const [name, value] of Object.entries({ apiserver, ingress })) {
    if (!['External', 'Internal'].includes(value)) add(unsupported([name], value, ['External', 'Internal']));
  }
  if (apiserver !== 'Internal' || ingress !== 'Internal') return;
  const detail = 'cannot set both fields to internal in a mixed cluster, use publish internal instead';
  add(invalid(['publish'], apiserver, detail));
}

/** Modes of cloud credentials by platform. */
const CREDENTIALS_MODES: Readonly<Record<string, readonly string[]>> = {
  aws: ['Manual', 'Mint', 'Passthrough'],
  azure: ['Manual', 'Passthrough'],
  gcp: ['Manual', 'Mint', 'Passthrough'],
  openstack: ['Passthrough'],
  ibmcloud: ['Manual'],
  powervc: ['Passthrough'],
  powervs: ['Manual'],
  nutanix: ['Manual'],
};

function checkCredentialsMode({ platform, credentialsMode }: InstallConfigValues, findings: RuleFindings): void {
  if (credentialsMode === '') return;
  const active = activePlatform(platform);
  const modes = CREDENTIALS_MODES[active];
  const path = ['credentialsMode'];
  if (modes === undefined) {
    const message = invalid(path, credentialsMode, `cannot be set when using the "${active}" platform`);
    findings.error('credentials-mode', message, path, 'Remove `credentialsMode`.');
  } else if (!modes.includes(credentialsMode)) {
    const message = unsupported(path, credentialsMode, modes);
    findings.error('credentials-mode', message, path, `Write ${modes[0]}.`);
  }
}

export function checkCapabilities({ capabilities, platform }: InstallConfigValues, findings: RuleFindings): void {
  if (capabilities === undefined) return;
  const { baselineCapabilitySet: baseline, additionalEnabledCapabilities: additional } = capabilities;
  const path = ['capabilities'];
  const sets = Object.keys(CAPABILITY_SETS);
  if (!sets.includes(baseline)) {
    const where = [...path, 'baselineCapabilitySet'];
    findings.error('capabilities', unsupported(where, baseline, sets), where, 'Write vCurrent.');
  }
  for (const [index, capability] of additional.entries()) {
    if (CAPABILITIES.includes(capability)) continue;
    const where = [...path, 'additionalEnabledCapabilities', index];
    findings.error('capabilities', unsupported(where, capability, CAPABILITIES), where, 'Remove it.');
  }
  const enabled = new Set([...(CAPABILITY_SETS[baseline === '' ? 'vCurrent' : baseline] ?? []), ...additional]);
  const written = {
    ...(baseline === '' ? {} : { baselineCapabilitySet: baseline }),
    ...(additional.length === 0 ? {} : { additionalEnabledCapabilities: additional }),
  };
  const list = ['additionalEnabledCapabilities'];
  // Go prints an absent list as null.
  const shown = additional.length === 0 ? null : additional;
  const where = [...path, 'additionalEnabledCapabilities'];
  if (enabled.has('marketplace') && !enabled.has('OperatorLifecycleManager')) {
    const detail = 'the marketplace capability requires the OperatorLifecycleManager capability';
    findings.error('capabilities', invalid(list, shown, detail), where, 'Add OperatorLifecycleManager.');
  }
  if (baseline === 'None' && platform.baremetal && !additional.includes('baremetal')) {
    const message = invalid(list, shown, 'platform baremetal requires the baremetal capability');
    findings.error('capabilities', message, where, 'Add baremetal.');
  }
  const refuse = (detail: string, name: string): void =>
    findings.error('capabilities', invalid(path, written, detail), where, `Add ${name}.`);
  const isBare = platform.none !== undefined || platform.baremetal !== undefined;
  if (!enabled.has('CloudCredential') && !isBare)
    refuse('disabling CloudCredential capability available only for baremetal platforms', 'CloudCredential');
  if (!enabled.has('CloudControllerManager')) {
    const name = 'CloudControllerManager';
    if (!isBare && platform.external === undefined)
      refuse(
        'disabling CloudControllerManager is only supported on the Baremetal, None, or External platform with cloudControllerManager value none',
        name,
      );
    if (platform.external?.cloudControllerManager === 'External')
      refuse(
        'disabling CloudControllerManager on External platform supported only with cloudControllerManager value none',
        name,
      );
  }
  if (!enabled.has('Ingress')) refuse('the Ingress capability is required', 'Ingress');
}

const FEATURE_SETS = ['', 'CustomNoUpgrade', 'DevPreviewNoUpgrade', 'OKD', 'TechPreviewNoUpgrade'];

/** Whether two machines that fence each other may form the control plane: by default they may. */
export function allowsPairs({ featureSet, featureGates }: InstallConfigValues): boolean {
  if (featureSet !== 'CustomNoUpgrade') return true;
  return !featureGates.some((gate) => /^DualReplica=(?:0|f|F|false|FALSE|False)$/.test(gate));
}

export function checkFeatures(config: InstallConfigValues, findings: RuleFindings): void {
  const { featureSet, featureGates, controlPlane, osImageStream } = config;
  let isSound = true;
  const add = (message: string, path: readonly (string | number)[], help: string): void => {
    isSound = false;
    findings.error('features', message, path, help);
  };
  if (!FEATURE_SETS.includes(featureSet))
    add(unsupported(['featureSet'], featureSet, FEATURE_SETS), ['featureSet'], 'Remove it.');
  if (featureSet === 'OKD') {
    const message = forbidden(['featureSet'], 'OKD featureset is not supported on OpenShift clusters');
    add(message, ['featureSet'], 'Remove it.');
  }
  if (featureGates.length > 0 && featureSet !== 'CustomNoUpgrade') {
    const message = forbidden(['featureGates'], 'featureGates can only be used with the CustomNoUpgrade feature set');
    add(message, ['featureGates'], 'Write `featureSet: CustomNoUpgrade`; such a cluster cannot be upgraded.');
  }
  for (const [index, gate] of featureGates.entries()) {
    const path = ['featureGates', index];
    const parts = gate.split('=');
    const format = 'must match the format <feature-name>=<bool>';
    if (parts.length !== 2) add(invalid(path, gate, format), path, `Write ${gate}=true.`);
    else if (!/^(?:1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(parts[1] ?? ''))
      add(invalid(path, gate, `${format}, could not parse boolean value`), path, `Write ${parts[0]}=true.`);
  }
  if (isSound && controlPlane?.fencing !== undefined && !allowsPairs(config)) {
    const detail =
      'this field is protected by the DualReplica feature gate which must be enabled through either the TechPreviewNoUpgrade or CustomNoUpgrade feature set';
    const message = forbidden(['platform', 'none', 'fencingCredentials'], detail);
    add(message, ['controlPlane', 'fencing'], 'Remove DualReplica=false from `featureGates`.');
  }
  const streams = ['rhel-9', 'rhel-10'];
  if (!streams.includes(osImageStream)) {
    const path = ['osImageStream'];
    findings.error('os-image-stream', unsupported(path, osImageStream, streams), path, 'Remove it.');
  }
}
