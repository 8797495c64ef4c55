// Problems of new nodes that a correct image does not prevent, reported before anything boots.

import { DiagnosticsError, type Path, type Range, writeGoYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { ClusterFacts } from '../facts/facts.ts';
import { collectObjects } from '../facts/objects.ts';
import { configDiagnostic } from '../text/codes.ts';
import type { Advice, AdvisedChange, Finding } from './advice.ts';
import { adviseBareMetal } from './bare-metal.ts';
import { adviseEgress } from './egress.ts';
import type { AdvisedHost } from './host-view.ts';
import { adviseIngress } from './ingress.ts';
import { adviseLinks } from './links.ts';
import { adviseNames } from './names.ts';
import { adviseRemote } from './remote.ts';
import { Surroundings } from './surroundings.ts';

/** Options of advice. */
export interface AdviceOptions {
  /** `install` for hosts of a new cluster, `add` (the default) for an existing one. */
  readonly day?: 'add' | 'install' | undefined;
  /** Objects that will be applied, or that are part of the installation: as text or parsed, alone or in lists. */
  readonly manifests?: unknown | undefined;
  /** Names of hosts at a remote site, if their addresses do not show it. */
  readonly remoteHosts?: readonly string[] | undefined;
  /** Finds places in the nodes-config: `config.source.locate`. */
  readonly locate?: ((path: Path) => Range | undefined) | undefined;
}

type Rule = (around: Surroundings) => Finding[];

const RULES: readonly Rule[] = [adviseNames, adviseIngress, adviseRemote, adviseLinks, adviseEgress, adviseBareMetal];

const NO_MANIFESTS: readonly object[] = [];

/**
 * Finds problems around new nodes, with solutions. Checks whose facts are absent are skipped. Throws a `DiagnosticsError` if a
 * given manifest cannot be read.
 *
 * @example
 * for (const { message, manifests } of adviseNodes(planHosts(config, { cluster }), cluster, { locate: config.source.locate })) {
 *   console.log(message, manifests);
 * }
 */
export function adviseNodes(
  plan: { readonly hosts: readonly AdvisedHost[] },
  facts: ClusterFacts,
  options: AdviceOptions = {},
): readonly Advice[] {
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planHosts returns');
  if (typeof facts !== 'object' || facts === null) throw new TypeError('facts must be cluster facts');
  const { day = 'add', manifests = NO_MANIFESTS, remoteHosts = [], locate = () => undefined } = options;
  const collected = collectObjects(manifests);
  if (!collected.ok) throw new DiagnosticsError(collected.diagnostics);
  const around = new Surroundings({ hosts: plan.hosts, facts, day, objects: collected.value, remoteHosts });
  return RULES.flatMap((rule) => rule(around)).map(({ manifests, ...finding }) => {
    const range = finding.path.length === 0 ? undefined : locate(finding.path);
    return { ...configDiagnostic({ ...finding, code: `nodes-config/${finding.code}` }, range), manifests };
  });
}

/**
 * The recommended manifests and files, name to text, each once and with a comment that says why. They contain no secrets.
 *
 * @example Object.keys(manifestFiles(adviseNodes(plan, cluster))) // ['ingresscontroller-default.yaml']
 */
export function manifestFiles(advice: readonly Advice[]): Readonly<Record<string, string>> {
  checkArgument('advice', advice, 'array');
  for (const [index, one] of advice.entries()) checkArgument(`advice[${index}].manifests`, one?.manifests, 'array');
  return Object.fromEntries(advice.flatMap(({ manifests }) => manifests).flatMap(fileOf));
}

function fileOf(help: AdvisedChange): [string, string][] {
  if (help.kind === 'manifest') return [[help.name, `# ${help.why}\n${writeGoYaml(help.object)}`]];
  // JSON has no comments, and `oc apply` on a folder would read the .json file as an object.
  if (help.kind === 'file')
    return [[help.name, help.name.endsWith('.ign') ? help.text : `# ${help.why}\n${help.text}`]];
  return [];
}
