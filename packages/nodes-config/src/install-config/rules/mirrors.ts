import { goQuote } from '@coreiso/peers/go';
import { pullSecretFault } from '../../facts/pull-secret.ts';
import type { InstallConfigValues } from '../../generated/values.ts';
import { invalid } from '../../text/field-errors.ts';
import { hostProblem } from './names.ts';
import type { RuleFindings } from './rule-findings.ts';

export function checkMirrors(config: InstallConfigValues, findings: RuleFindings): void {
  const { imageContentSources, imageDigestSources, publish } = config;
  for (const name of ['imageContentSources', 'imageDigestSources'] as const) {
    for (const [index, { source, mirrors, sourcePolicy }] of config[name].entries()) {
      const path = [name, index];
      checkRepository(source, [...path, 'source'], findings);
      for (const [position, mirror] of mirrors.entries())
        checkRepository(mirror, [...path, 'mirrors', position], findings);
      if (name === 'imageDigestSources') checkSourcePolicy(sourcePolicy, mirrors, [...path, 'sourcePolicy'], findings);
    }
  }
  noteMissingCredentials(config, findings);
  if (imageContentSources.length === 0) return;
  const path = ['imageContentSources'];
  const help = 'Rename it to `imageDigestSources`.';
  if (imageDigestSources.length > 0) {
    const detail = 'cannot set imageContentSources and imageDigestSources at the same time';
    findings.error('mirrors', invalid(path, publish, detail), path, 'Move all entries to `imageDigestSources`.');
  }
  findings.warning('mirrors', 'imageContentSources is deprecated, please use ImageDigestSources', path, help);
}

/** Images of a registry without credentials can be pulled only if it requires none. */
function noteMissingCredentials(config: InstallConfigValues, findings: RuleFindings): void {
  const known = registriesOf(config.pullSecret);
  if (known === undefined) return;
  for (const name of ['imageContentSources', 'imageDigestSources'] as const) {
    const told = new Set<string>();
    for (const [index, { mirrors }] of config[name].entries()) {
      for (const [position, mirror] of mirrors.entries()) {
        if (repositoryProblem(mirror) !== undefined) continue;
        const registry = registryOf(mirror);
        if (known.has(registry) || told.has(registry)) continue;
        told.add(registry);
        const message = `Mirror registry ${goQuote(registry)} is not found in pullSecret`;
        const help =
          'Add credentials of the mirror to the pull secret, unless it asks for none and is not that of the release.';
        findings.warning('mirrors', message, [name, index, 'mirrors', position], help);
      }
    }
  }
}

/** Only the names of registries; undefined if the pull secret is refused anyway. */
function registriesOf(pullSecret: string): ReadonlySet<string> | undefined {
  if (pullSecretFault(pullSecret) !== undefined) return undefined;
  const secret: Readonly<Record<string, object>> = JSON.parse(pullSecret);
  const auths = Object.entries(secret).findLast(([name]) => name.toLowerCase() === 'auths')?.[1];
  return new Set(Object.keys(auths ?? {}));
}

function checkSourcePolicy(
  policy: string,
  mirrors: readonly string[],
  path: readonly (string | number)[],
  findings: RuleFindings,
): void {
  if (policy === '') return;
  if (mirrors.length === 0) {
    const message = invalid(path, policy, 'sourcePolicy cannot be configured without a mirror');
    findings.error('mirrors', message, path, 'Add `mirrors`.');
  }
  if (policy === 'NeverContactSource' || policy === 'AllowContactingSource') return;
  const detail = 'supported values are "NeverContactSource" and "AllowContactingSource"';
  findings.error('mirrors', invalid(path, policy, detail), path, 'Write NeverContactSource or AllowContactingSource.');
}

function checkRepository(text: string, path: readonly (string | number)[], findings: RuleFindings): void {
  const problem = repositoryProblem(text);
  if (problem === undefined) return;
  const help = 'Write HOST/REPOSITORY in lower case, without a scheme, tag or digest.';
  findings.error('mirrors', invalid(path, text, problem), path, help);
}

const DOMAIN =
  '(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?';
const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*(:\\w[\\w.-]{0,127})?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

interface Repository {
  readonly domain: string;
  /** Whether the library would write the name unchanged. */
  readonly isCanonical: boolean;
  readonly remainder: string;
}

/** Splits a name as the reference library of container images does: a name without a host is Docker's. */
function splitRepository(text: string): Repository {
  const slash = text.indexOf('/');
  const first = slash === -1 ? '' : text.slice(0, slash);
  const hasDomain = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const domain = hasDomain ? first : '';
  const remainder = hasDomain ? text.slice(slash + 1) : text;
  const isDockers = domain === 'index.docker.io' || (domain === 'docker.io' && !remainder.includes('/'));
  return { domain, isCanonical: hasDomain && !isDockers, remainder };
}

/** Names without a host are used unchanged. */
function registryOf(text: string): string {
  const { domain, isCanonical } = splitRepository(text);
  return isCanonical ? domain : text;
}

/** The registry of an image according to the library: Docker's if the name has none. */
export function registryOfImage(image: string): string {
  const { domain } = splitRepository(image);
  return domain === '' || domain === 'index.docker.io' ? 'docker.io' : domain;
}

/** The installer's complaint about a name that the library reads. */
function repositoryProblem(text: string): string | undefined {
  const invalidFormat = 'failed to parse: invalid reference format';
  const { domain, isCanonical, remainder } = splitRepository(text);
  const [repository = ''] = remainder.split(':');
  if (/^[a-f0-9]{64}$/.test(text))
    return `failed to parse: invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`;
  if (repository !== repository.toLowerCase()) return `${invalidFormat}: repository name must be lowercase`;
  const whole = domain === '' ? `docker.io/${text.includes('/') ? '' : 'library/'}${text}` : text;
  const match = REFERENCE.exec(whole);
  if (match === null) return invalidFormat;
  // The installer reads a name that is not canonical as a host, with or without a port.
  if (!isCanonical) {
    const problem = hostProblem(text.replace(/^([^:]*):[^:]*$/, '$1'));
    return problem && `the repository provided is invalid: ${problem}`;
  }
  return match[1] === undefined && match[2] === undefined ? undefined : 'must be repository--not reference';
}
