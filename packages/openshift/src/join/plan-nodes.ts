import type { Diagnostic } from '@coreiso/diagnostics';
import {
  type BootOutline,
  type ClusterFacts,
  type HostPlan,
  type HostPlans,
  type NodesConfig,
  planHosts,
} from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { openshiftDiagnostic } from '../codes.ts';
import { OpenshiftError } from '../errors.ts';
import { strategyOf } from './strategies.ts';
import { JOINS, type JoinStrategy, type NodesPlan, type NodesPlanOptions } from './strategy.ts';

/** Cluster facts that every live system, and the report of its image, needs. The pull secret is not one of them. */
const COMMON_FACTS: readonly (keyof ClusterFacts)[] = [
  'proxy',
  'imageDigestMirrors',
  'repositoryDigestMirrors',
  'trustBundle',
  'releaseImage',
  'chronyConf',
  'fips',
  'platform',
  'version',
];

/** The default strategy, and its fallback if hosts or facts do not allow it. */
const PREFERRED = 'direct';
const FALLBACK = 'network-only';

/** yescrypt, bcrypt, SHA-512 and SHA-256. */
const CRYPT_HASH = /^\$(?:y|gy|7|2[aby]|6|5)\$[./A-Za-z0-9$=,-]+$/;

/**
 * Plans the settings of every host of a checked config, and how it joins. Throws an `OpenshiftError` if hosts cannot join in the
 * requested way.
 *
 * @example const plan = planNodes(parseNodesConfigOrThrow(text, { cluster }), { cluster })
 */
export function planNodes(config: NodesConfig, options: NodesPlanOptions = {}): NodesPlan {
  const hosts = planHosts(config);
  checkArgument('options', options, 'object');
  const { cluster = {}, passwordHash } = options;
  if (passwordHash !== undefined && !CRYPT_HASH.test(passwordHash)) {
    throw new RangeError('passwordHash must be a crypt(5) hash, for example from openssl passwd -6');
  }
  const { join, diagnostics } = options.join === undefined ? choose(config, cluster) : asked(options.join);
  const strategy = strategyOf(join);
  const obstacle = strategy.obstacle?.(config, cluster);
  if (obstacle !== undefined) {
    const { code, message, finding } = obstacle;
    // Missing facts have no place in the user's text.
    const diagnostics =
      finding === undefined || finding.path.length === 0 ? [] : [openshiftDiagnostic({ ...finding, message })];
    throw new OpenshiftError(code, message, { diagnostics });
  }
  checkHostIgnition(hosts, options.hostIgnition, join);
  const prepared = strategy.prepare?.(config, options) ?? {};
  return {
    ...hosts,
    files: [...hosts.files, ...(prepared.files ?? [])],
    join,
    outcome: strategy.outcome,
    diagnostics: [
      ...hosts.diagnostics,
      ...diagnostics,
      ...withoutLogin(config, passwordHash),
      ...(prepared.diagnostics ?? []),
    ],
    expires: prepared.expires,
    statusToken: prepared.statusToken,
    service: prepared.service,
    credentials: prepared.credentials,
    cluster: { ...factsOf(strategy, cluster), ...prepared.cluster },
    passwordHash,
  };
}

/** Refuses configs that would reach no host. */
function checkHostIgnition({ hosts }: HostPlans, hostIgnition: NodesPlanOptions['hostIgnition'], join: string): void {
  const [stranger] = Object.keys(hostIgnition ?? {}).filter((name) => !hosts.some((host) => host.name === name));
  if (stranger !== undefined)
    throw new RangeError(`hostIgnition must name hosts of the config: ${hosts.map(({ name }) => name).join(', ')}`);
  const takesHostIgnition = JOINS.some(({ name, takes }) => name === join && takes.includes('hostIgnition'));
  if (hostIgnition !== undefined && Object.keys(hostIgnition).length > 0 && !takesHostIgnition)
    throw new RangeError(`hostIgnition must be left out with join ${join}: hosts do not install themselves`);
}

/**
 * Describes what happens to a machine of this host at its first, its second and its later boots.
 *
 * @example for (const host of plan.hosts) console.log(outlineBoots(plan, host).first)
 */
export function outlineBoots(plan: NodesPlan, host: HostPlan): BootOutline {
  checkArgument('plan', plan, 'object');
  checkArgument('host', host, 'object');
  return strategyOf(plan.join).boots(plan, host);
}

interface Choice {
  readonly join: string;
  readonly diagnostics: readonly Diagnostic[];
}

const asked = (join: string): Choice => ({ join, diagnostics: [] });

/**
 * A caller who passes a cluster's worker config expects workers; without enough facts the machine only gets its network, so a
 * finding says that.
 */
function choose(config: NodesConfig, cluster: ClusterFacts): Choice {
  const obstacle = strategyOf(PREFERRED).obstacle?.(config, cluster);
  if (obstacle === undefined) return asked(PREFERRED);
  const only = 'machines that boot the image get their network and their name, and nothing is installed';
  const { finding } = obstacle;
  if (finding === undefined) return asked(FALLBACK);
  const message = `${finding.message}: ${only}`;
  return { join: FALLBACK, diagnostics: [openshiftDiagnostic({ ...finding, severity: 'warning', message })] };
}

function withoutLogin({ imageSshKey }: NodesConfig, passwordHash: string | undefined): Diagnostic[] {
  if (imageSshKey !== '' || passwordHash !== undefined) return [];
  return [
    openshiftDiagnostic({
      severity: 'warning',
      code: 'openshift/no-login',
      message: 'no one can log in to the live system: it has neither an SSH key nor a password',
      help: 'Set `sshKey`, or give the hash of a password for the console.',
    }),
  ];
}

function factsOf({ facts }: JoinStrategy, cluster: ClusterFacts): ClusterFacts {
  const wanted = [...COMMON_FACTS, ...facts];
  return Object.fromEntries(wanted.filter((fact) => cluster[fact] !== undefined).map((fact) => [fact, cluster[fact]]));
}
