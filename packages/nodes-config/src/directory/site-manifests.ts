// The manifests beside AgentClusterInstall: pull secret, InfraEnv, networks, names and release.
import { formatPath, type Path, writeGoYaml } from '@coreiso/diagnostics';
import { lineFault } from '@coreiso/peers/file-name';
import { compareBytes, goJson, rpmName } from '@coreiso/peers/go';
import { HIDDEN } from '@coreiso/peers/hidden';
import { INFRA_ENV } from '../documents/document-tables.ts';
import { parseNMStateConfig } from '../documents/nmstate-config.ts';
import type { NMStateConfig } from '../documents/types.ts';
import { pullSecretFault } from '../facts/pull-secret.ts';
import { encodeSection } from '../install-config/encode.ts';
import { architectureProblem } from '../rules/architecture.ts';
import { type FileDiagnostic, isUpstream, type Mode } from '../text/config-findings.ts';
import { invalid, required } from '../text/field-errors.ts';
import type { ConfigSource } from '../text/read-text.ts';
import type { ClusterDirectory } from './cluster-directory.ts';
import { CLUSTER_DEPLOYMENT, CLUSTER_IMAGE_SET, SECRET } from './manifest-tables.ts';
import { type Judge, type Reading, readManifest, refuse, withStatus } from './read-manifest.ts';
import { refuseDeployment, refuseInfraEnv, refusePullSecret } from './service-refusals.ts';

const DOCKER_CONFIG = '.dockerconfigjson';

/** Returns the manifest in the installer's own form, and the secret. */
export function readPullSecret(
  file: string,
  source: ConfigSource,
  mode: Mode,
): Reading<{ text: string; secret: string }> {
  const { values, diagnostics } = readManifest(file, source, SECRET, mode, ({ stringData }, findings) => {
    const path = ['stringData'];
    const help = `Put the JSON of the pull secret below \`stringData\`, as \`${DOCKER_CONFIG}\`.`;
    const secret = stringData[DOCKER_CONFIG];
    const missing =
      Object.keys(stringData).length === 0
        ? 'the pull secret is empty'
        : secret === undefined
          ? `the pull secret key '${DOCKER_CONFIG}' is not defined`
          : secret === ''
            ? 'the pull secret does not contain any data'
            : undefined;
    if (missing !== undefined) refuse(findings, 'pull-secret', required(path, missing), path, help);
    const fault = missing === undefined ? pullSecretFault(secret ?? '') : undefined;
    if (fault !== undefined) refuse(findings, 'pull-secret', invalid(path, HIDDEN, fault.message), path, fault.help);
    refusePullSecret(secret ?? '', [...path, DOCKER_CONFIG], findings);
  });
  if (values === undefined) return { value: undefined, diagnostics };
  const secret = goJson(JSON.parse(values.stringData[DOCKER_CONFIG] ?? '{}'), 2);
  const text = writeGoYaml(
    encodeSection(SECRET, { ...values, stringData: { ...values.stringData, [DOCKER_CONFIG]: secret } }),
  );
  return { value: { text, secret }, diagnostics };
}

const INFRA_ENV_STATUS = {
  agentLabelSelector: {},
  bootArtifacts: { discoveryIgnitionURL: '', initrd: '', ipxeScript: '', kernel: '', rootfs: '' },
  debugInfo: { eventsURL: '' },
};

export function readInfraEnv(file: string, source: ConfigSource, mode: Mode): Reading<ClusterDirectory['infraEnv']> {
  const { values, diagnostics } = readManifest(file, source, INFRA_ENV, mode, (infraEnv, findings) => {
    const { spec } = infraEnv;
    const problem = architectureProblem(spec.cpuArchitecture);
    const path = ['spec', 'cpuArchitecture'];
    if (problem !== undefined)
      refuse(findings, 'architecture', problem, path, 'Write x86_64, aarch64, ppc64le or s390x.');
    checkLines(spec, findings);
    refuseInfraEnv(infraEnv, findings);
  });
  if (values === undefined) return { value: undefined, diagnostics };
  const { spec } = values;
  const architecture = rpmName(spec.cpuArchitecture);
  const written = { ...values, spec: { ...spec, cpuArchitecture: architecture } };
  return {
    value: {
      text: writeGoYaml(withStatus(encodeSection(INFRA_ENV, written), INFRA_ENV_STATUS)),
      architecture: architecture || 'x86_64',
      labels: spec.nmStateConfigLabelSelector.matchLabels,
      sshKey: spec.sshAuthorizedKey,
      ntpSources: spec.additionalNTPSources,
      proxy: spec.proxy,
    },
    diagnostics,
  };
}

/** Refuses texts that would add lines to files of the live system. */
function checkLines(
  { additionalNTPSources, proxy = {} }: { additionalNTPSources: readonly string[]; proxy: object | undefined },
  findings: Judge,
): void {
  const texts: [Path, string][] = [
    ...additionalNTPSources.map((source, index): [Path, string] => [['spec', 'additionalNTPSources', index], source]),
    ...Object.entries(proxy).map(([name, value]): [Path, string] => [['spec', 'proxy', name], String(value)]),
  ];
  for (const [path, text] of texts) {
    const fault = lineFault(text);
    if (fault === undefined) continue;
    const message = `${formatPath(path)} cannot be written into one line: ${fault}`;
    findings.note('error', { code: 'nodes-config/line-break', message, path, help: 'Write it on one line.' });
  }
}

export function readClusterDeployment(
  file: string,
  source: ConfigSource,
  mode: Mode,
  platform: string,
): Reading<{ domain: string }> {
  const { values, diagnostics } = readManifest(file, source, CLUSTER_DEPLOYMENT, mode, (deployment, findings) =>
    refuseDeployment(deployment, platform, findings),
  );
  return { value: values && { domain: `${values.spec.clusterName}.${values.spec.baseDomain}` }, diagnostics };
}

export function readClusterImageSet(file: string, source: ConfigSource, image: string, mode: Mode): Reading<true> {
  const { values, diagnostics } = readManifest(file, source, CLUSTER_IMAGE_SET, mode, ({ spec }, findings) => {
    const path = ['spec', 'releaseImage'];
    if (spec.releaseImage === image) return;
    const message = invalid(path, spec.releaseImage, `value must be equal to ${image}`);
    refuse(findings, 'release-image', message, path, 'Write that image, or install with another release.');
  });
  return { value: values && true, diagnostics };
}

export function readNetworks(file: string, source: string, mode: Mode): Reading<readonly NMStateConfig[]> {
  const outcome = parseNMStateConfig(source, { mode });
  const diagnostics = outcome.diagnostics.map((one) => ({ ...one, upstream: isUpstream(one), file }));
  return { value: outcome.ok ? outcome.value.items : undefined, diagnostics };
}

/** Labels as Go prints a map. */
function goMap(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).sort(([a], [b]) => compareBytes(a, b));
  return `map[${entries.map(([name, value]) => `${name}:${value}`).join(' ')}]`;
}

/** Checks that every network belongs to the InfraEnv: its labels have to equal the selector. */
export function checkLabels(
  file: string,
  labels: Readonly<Record<string, string>>,
  networks: readonly NMStateConfig[],
): FileDiagnostic[] {
  const expected = goMap(labels);
  return networks.flatMap((network): FileDiagnostic[] => {
    const found = goMap(network.labels);
    if (found === expected) return [];
    const path = ['spec', 'nmStateConfigLabelSelector', 'matchLabels'];
    const detail = `infraEnv and ${network.name} NMState Config labels do not match. Expected: ${expected} Found: ${found}`;
    const help = 'Give the NMStateConfig exactly the labels that the InfraEnv selects.';
    const message = required(path, detail);
    return [{ severity: 'error', code: 'nodes-config/labels', message, path, help, upstream: true, file }];
  });
}
