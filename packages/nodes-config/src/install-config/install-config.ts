import { type Outcome, valueOrThrow, writeGoYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { InstallConfigValues } from '../generated/values.ts';
import type { Mode } from '../text/config-findings.ts';
import type { SourceText } from '../text/lookup.ts';
import type { ConfigSource } from '../text/read-text.ts';
import { convertOldFields } from './convert.ts';
import { withDefaults } from './defaults.ts';
import { encodeSection } from './encode.ts';
import { INSTALL_CONFIG } from './install-config-table.ts';
import { CREATE, type InstallConfigReading, readInstallConfig } from './read.ts';
import { checkAgentPlatform, checkArchitectures, checkCounts, noteIgnored, noteUnread } from './rules/agent.ts';
import { checkJoinSubnet } from './rules/join-subnet.ts';
import { checkMirrors } from './rules/mirrors.ts';
import { checkKeys, checkNames } from './rules/names.ts';
import { NetworkRules } from './rules/networks.ts';
import { checkPlatform, checkVips } from './rules/platforms.ts';
import { checkPools } from './rules/pools.ts';
import { RuleFindings } from './rules/rule-findings.ts';
import { checkService } from './rules/service.ts';
import { checkCapabilities, checkFeatures, checkProxy, checkPublishing } from './rules/services.ts';
import { withCleanPaths } from './rules/vsphere.ts';

/** Options of checking an install config. */
export interface InstallConfigOptions {
  /** Environment variables that the installer reads: `OPENSHIFT_INSTALL_INVOKER`, `OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The architecture of the release image, as Go names it, or `multi`; not compared if unknown. */
  readonly releaseArchitecture?: string | undefined;
  /** The release image, if known: the service requires credentials for its registry. */
  readonly releaseImage?: string | undefined;
  /** The version to install; by default a version 4 release. */
  readonly version?: string | undefined;
  readonly mode?: Mode | undefined;
}

/** An install config with old fields converted and defaults filled in. */
export interface InstallConfig {
  readonly kind: 'install-config';
  readonly values: InstallConfigValues;
  /** The text that the installer stores; it contains the pull secret. */
  readonly effective: string;
  readonly source: SourceText;
}

/**
 * Reads and checks an `install-config.yaml` as the agent-based installer does, and reports all findings at once.
 *
 * @example parseInstallConfig(await readFile('install-config.yaml'), { version: '4.20.3' })
 */
export function parseInstallConfig(source: ConfigSource, options: InstallConfigOptions = {}): Outcome<InstallConfig> {
  checkArgument('options', options, 'object');
  const { environment = {}, mode = 'strict' } = options;
  return judgeInstallConfig(readInstallConfig(source, { environment, mode }), options);
}

/** Checks a config that was read, with old fields converted and defaults filled in. */
export function judgeInstallConfig(
  reading: InstallConfigReading,
  options: InstallConfigOptions,
): Outcome<InstallConfig> {
  const { findings } = reading;
  if (!reading.ok) return { ok: false, diagnostics: findings.diagnostics() };
  const { environment = {}, releaseArchitecture, releaseImage, version = '' } = options;
  // Values that could not be read cannot be checked either.
  if (findings.diagnostics().some(({ code }) => code === 'nodes-config/wrong-type'))
    return { ok: false, diagnostics: findings.diagnostics() };
  const converted = convertOldFields(reading.values);
  if ('message' in converted) {
    const message = `${CREATE}failed to upconvert install config: ${converted.message}`;
    reading.findings.upstream('convert', { ...converted, message });
    return { ok: false, diagnostics: findings.diagnostics() };
  }
  const rules = new RuleFindings(reading.findings);
  noteUnread(reading.values, rules);
  const values = withDefaults(converted, version);
  const skipHostCrypt = Boolean(environment['OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION']);
  checkRules(values, { skipHostCrypt, releaseArchitecture }, rules);
  checkService(values, { image: releaseImage, architecture: releaseArchitecture, version }, rules);
  const judged = afterRules(values);
  const written = judged.fips && skipHostCrypt ? withBypassNote(judged) : judged;
  return findings.outcome<InstallConfig>({
    kind: 'install-config',
    values: judged,
    effective: writeGoYaml(encodeSection(INSTALL_CONFIG, written)),
    source: reading.source,
  });
}

/**
 * Like `parseInstallConfig`, but throws a `DiagnosticsError` if the text is refused.
 *
 * @example parseInstallConfigOrThrow(await readFile('install-config.yaml'))
 */
export function parseInstallConfigOrThrow(source: ConfigSource, options: InstallConfigOptions = {}): InstallConfig {
  return valueOrThrow(parseInstallConfig(source, options));
}

/** Applies the installer's rules that also change values. */
function afterRules(values: InstallConfigValues): InstallConfigValues {
  const { vsphere } = values.platform;
  return vsphere ? { ...values, platform: { ...values.platform, vsphere: withCleanPaths(vsphere) } } : values;
}

/** If the check of the build host is skipped, the installer notes that in the config. */
function withBypassNote(values: InstallConfigValues): InstallConfigValues {
  const annotations = { ...values.metadata.annotations, 'install.openshift.io/hostcrypt-check-bypassed': 'true' };
  return { ...values, metadata: { ...values.metadata, annotations } };
}

interface Surroundings {
  readonly skipHostCrypt: boolean;
  readonly releaseArchitecture: string | undefined;
}

/** Upstream's order: the rules for every install config, then those of the agent-based installer. */
function checkRules(
  values: InstallConfigValues,
  { skipHostCrypt, releaseArchitecture }: Surroundings,
  findings: RuleFindings,
): void {
  const { networking } = values;
  checkKeys(values, { skipHostCrypt }, findings);
  checkNames(values, findings);
  if (networking !== undefined) {
    new NetworkRules(networking, findings).check(values);
    checkVips(values, networking, findings);
    checkJoinSubnet(networking, findings);
    checkProxy(values, networking, findings);
  }
  checkPlatform(values, findings);
  checkPools(values, findings);
  checkMirrors(values, findings);
  checkPublishing(values, findings);
  checkCapabilities(values, findings);
  checkFeatures(values, findings);
  checkAgentPlatform(values, findings);
  checkArchitectures(values, releaseArchitecture, findings);
  noteIgnored(values, findings);
  checkCounts(values, findings);
}
