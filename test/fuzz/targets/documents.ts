// OpenShift's documents: nodes-config, agent-config, install-config, manifests, sites, cluster facts; host plans and their boots.
import {
  adviseNodes,
  agentConfigTemplate,
  detectKind,
  factsFromObjects,
  hostFromForm,
  hostToForm,
  makeManifests,
  type NodesConfig,
  networksFromObjects,
  parseAgentConfig,
  parseClusterFacts,
  parseInfraEnv,
  parseInstallConfig,
  parseInstallFiles,
  parseNMStateConfig,
  parseNodesConfig,
  parseZtpSite,
  planCluster,
  planHosts,
  readDirectory,
  renderManifests,
  renderZtpSite,
  samples,
  simulateBoot,
} from '@coreiso/nodes-config';
import { recorded } from '../goldens.ts';
import { allowed, assertHolds, jsonOf, type Target, textOf, textsOf } from '../target.ts';

const STEPS = { base: 4_000_000, perByte: 8_000 };
const MEMORY = 256 * 1024 * 1024;
const { facts } = samples;
const RELEASE = { version: '4.20.3', image: `quay.io/openshift-release-dev/ocp-release@sha256:${'ab'.repeat(32)}` };
const CLUSTER = { installConfig: samples.installConfig, agentConfig: samples.agentConfig };

const yamls = (set: string, longest = 900) =>
  recorded(`packages/nodes-config/test/goldens/${set}.json`, /^[^_].*\.yaml$/, longest);

/** Short texts are tried more often. */
const bare = (text: string) => text.replace(/^\s*#.*\n/gm, '').replace(/ +#.*$/gm, '');

interface Reading {
  readonly ok: boolean;
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly range?:
      | { readonly start: { readonly offset: number }; readonly end: { readonly offset: number } }
      | undefined;
  }[];
}

function document(name: string, seeds: Target['seeds'], read: (text: string) => void, longest = 2500): Target {
  return {
    name: `documents/${name}`,
    shape: 'tree',
    longest,
    steps: STEPS,
    memory: MEMORY,
    seeds,
    run: (input) => read(textOf(input)),
  };
}

/** A refusal has an error, and its findings are in the text. */
function sound<T extends Reading>(outcome: T, text: string): T {
  assertHolds(
    outcome.ok !== outcome.diagnostics.some(({ severity }) => severity === 'error'),
    'a document is refused where there is an error, and only there',
  );
  for (const { range } of outcome.diagnostics)
    assertHolds(
      range === undefined || (range.start.offset <= range.end.offset && range.end.offset <= text.length),
      'a finding lies in the text',
    );
  return outcome;
}

function plans(config: NodesConfig): void {
  const plan = allowed(() => planHosts(config));
  if (plan === undefined) return;
  adviseNodes(plan, facts);
  const paths = plan.files.map(({ path }) => path);
  assertHolds(new Set(paths).size === paths.length, 'files of a plan have paths of their own');
  for (const host of plan.hosts.slice(0, 3)) {
    const nics = Object.fromEntries(host.interfaces.map(({ macAddress }, index) => [`eno${index}`, macAddress]));
    const { host: found } = simulateBoot(plan, { nics });
    if (host.interfaces.length > 0)
      assertHolds(found !== undefined, 'a machine with the addresses of a host is one of the hosts');
  }
}

export const targets: readonly Target[] = [
  document(
    'nodes-config',
    () => [bare(samples.nodesConfig), ...yamls('nodes-config'), ...yamls('host-network')],
    (text) => {
      const outcome = sound(parseNodesConfig(text, { cluster: facts }), text);
      if (text.length % 8 === 0) parseNodesConfig(text, { mode: 'compatible' });
      if (outcome.ok) plans(outcome.value);
    },
  ),
  document(
    'agent-config',
    () => [bare(samples.agentConfig), bare(agentConfigTemplate()), ...yamls('agent-install-config').slice(0, 20)],
    (text) => {
      sound(parseAgentConfig(text), text);
      // Both files together take ten times as long.
      if (text.length % 8 !== 0) return;
      parseInstallFiles({ installConfig: samples.installConfig, agentConfig: text }, { version: RELEASE.version });
    },
  ),
  document(
    'install-config',
    () => [bare(samples.installConfig), ...yamls('agent-install-config')],
    (text) => {
      sound(parseInstallConfig(text), text);
      if (text.length % 8 !== 0) return;
      const outcome = parseInstallFiles(
        { installConfig: text, agentConfig: samples.agentConfig },
        { version: RELEASE.version },
      );
      if (outcome.ok) allowed(() => renderManifests(outcome.value, RELEASE));
    },
  ),
  document(
    'directory',
    () => {
      const made = makeManifests(
        { 'install-config.yaml': CLUSTER.installConfig, 'agent-config.yaml': CLUSTER.agentConfig },
        { release: RELEASE },
      );
      const texts = made.ok ? made.value.files : {};
      return [texts, { 'install-config.yaml': CLUSTER.installConfig, 'agent-config.yaml': CLUSTER.agentConfig }].map(
        (files) => Object.entries(files).flat().join('\0'),
      );
    },
    (text) => {
      const parts = text.split('\0');
      const files = Object.fromEntries(
        parts.flatMap((name, index) => (index % 2 === 0 && name !== '' ? [[name, parts[index + 1] ?? '']] : [])),
      );
      const outcome = readDirectory(files, { release: RELEASE });
      if (!outcome.ok) return assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
      allowed(() => planCluster(outcome.value));
    },
    24_000,
  ),
  document(
    'manifests',
    () => [
      ...recorded('packages/nodes-config/test/goldens/ztp-manifests.json', /\.ya?ml$/, 4000).slice(0, 60),
      'apiVersion: agent-install.openshift.io/v1beta1\nkind: InfraEnv\nmetadata:\n  name: a\nspec: {}\n',
      'apiVersion: agent-install.openshift.io/v1beta1\nkind: NMStateConfig\nmetadata:\n  labels: {a: b}\nspec:\n  config:\n    interfaces: []\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:00:00:01\n',
    ],
    (text) => {
      sound(parseInfraEnv(text), text);
      sound(parseNMStateConfig(text), text);
      detectKind(text);
    },
  ),
  document(
    'site',
    () => [bare(samples.site)],
    (text) => {
      const outcome = sound(parseZtpSite(text), text);
      if (outcome.ok) allowed(() => renderZtpSite(outcome.value));
    },
  ),
  document(
    'facts',
    () => [JSON.stringify(facts), ...recorded('packages/cluster/test/goldens/cluster-info.json', /\.json$/, 5000)],
    (text) => {
      parseClusterFacts(text);
      const objects = jsonOf(new TextEncoder().encode(text));
      factsFromObjects(objects);
      networksFromObjects(objects);
    },
  ),
  {
    ...document(
      'host-form',
      () => [`${bare(samples.nodesConfig)}\0${bare(samples.nodesConfig)}`],
      () => {},
    ),
    run: (input) => {
      const [text = '', other = text] = textsOf(input);
      const form = allowed(() => hostToForm(text, 0));
      if (form === undefined) return;
      const same = allowed(() => hostFromForm(form, text, 0));
      if (same?.ok && parseNodesConfig(text).ok)
        assertHolds(same.value === text, 'a form that nobody touched changes nothing');
      const theirs = allowed(() => hostToForm(other, 0));
      if (theirs !== undefined) allowed(() => hostFromForm(theirs, text, 1));
    },
  },
];
