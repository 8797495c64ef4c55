import { goQuote } from '@coreiso/diagnostics/go';
import { invalid, pullSecretFault } from '@coreiso/nodes-config/document';
import type { InstallConfigValues } from '../install-config/table.ts';
import { hostProblem } from './names.ts';
import type { Report } from './report.ts';

export function checkMirrors(config: InstallConfigValues, report: Report): void {
  const { imageContentSources, imageDigestSources, publish } = config;
  for (const name of ['imageContentSources', 'imageDigestSources'] as const) {
    for (const [index, { source, mirrors, sourcePolicy }] of config[name].entries()) {
      const path = [name, index];
      checkRepository(source, [...path, 'source'], report);
      for (const [position, mirror] of mirrors.entries())
        checkRepository(mirror, [...path, 'mirrors', position], report);
      if (name === 'imageDigestSources') checkSourcePolicy(sourcePolicy, mirrors, [...path, 'sourcePolicy'], report);
    }
  }
  noteMissingCredentials(config, report);
  if (imageContentSources.length === 0) return;
  const path = ['imageContentSources'];
  const cure = 'Rename it to `imageDigestSources`.';
  if (imageDigestSources.length > 0) {
    const detail = 'cannot set imageContentSources and imageDigestSources at the same time';
    report.error('mirrors', invalid(path, publish, detail), path, 'Move all entries to `imageDigestSources`.');
  }
  report.warning('mirrors', 'imageContentSources is deprecated, please use ImageDigestSources', path, cure);
}

/** Images of a registry without credentials can be pulled only if it asks for none. */
function noteMissingCredentials(config: InstallConfigValues, report: Report): void {
  const known = registriesOf(config.pullSecret);
  if (known === undefined) return;
  for (const name of ['imageContentSources', 'imageDigestSources'] as const) {
    for (const [index, { mirrors }] of config[name].entries()) {
      for (const [position, mirror] of mirrors.entries()) {
        const [registry = ''] = mirror.split('/');
        if (known.includes(registry)) continue;
        const message = `Mirror registry ${goQuote(registry)} is not found in pullSecret`;
        const cure = 'Add credentials of the mirror to the pull secret, unless it asks for none.';
        report.warning('mirrors', message, [name, index, 'mirrors', position], cure);
      }
    }
  }
}

/** Names of registries alone; undefined where the pull secret is refused anyway. */
function registriesOf(pullSecret: string): readonly string[] | undefined {
  if (pullSecretFault(pullSecret) !== undefined) return undefined;
  const { auths }: { auths: object } = JSON.parse(pullSecret);
  return Object.keys(auths);
}

function checkSourcePolicy(
  policy: string,
  mirrors: readonly string[],
  path: readonly (string | number)[],
  report: Report,
): void {
  if (policy === '') return;
  if (mirrors.length === 0) {
    const message = invalid(path, policy, 'sourcePolicy cannot be configured without a mirror');
    report.error('mirrors', message, path, 'Add `mirrors`.');
  }
  if (policy === 'NeverContactSource' || policy === 'AllowContactingSource') return;
  const detail = 'supported values are "NeverContactSource" and "AllowContactingSource"';
  report.error('mirrors', invalid(path, policy, detail), path, 'Write NeverContactSource or AllowContactingSource.');
}

function checkRepository(text: string, path: readonly (string | number)[], report: Report): void {
  const problem = repositoryProblem(text);
  if (problem === undefined) return;
  const cure = 'Write HOST/REPOSITORY in lower case, without a scheme, tag or digest.';
  report.error('mirrors', invalid(path, text, problem), path, cure);
}

const DOMAIN =
  '(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?';
const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*(:\\w[\\w.-]{0,127})?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

/** How the reference library of container images reads a name, and what the installer makes of it. */
function repositoryProblem(text: string): string | undefined {
  const invalidFormat = 'failed to parse: invalid reference format';
  const slash = text.indexOf('/');
  const first = slash === -1 ? '' : text.slice(0, slash);
  const hasDomain = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const remainder = hasDomain ? text.slice(slash + 1) : text;
  const [repository = ''] = remainder.split(':');
  if (/^[a-f0-9]{64}$/.test(text))
    return `failed to parse: invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`;
  if (repository !== repository.toLowerCase()) return `${invalidFormat}: repository name must be lowercase`;
  const match = REFERENCE.exec(hasDomain ? text : `docker.io/${text.includes('/') ? '' : 'library/'}${text}`);
  if (match === null) return invalidFormat;
  // Names that lack a host mean Docker's; the installer takes them for hosts.
  if (!hasDomain) {
    const problem = hostProblem(text.replace(/:[^:]*$/, ''));
    return problem && `the repository provided is invalid: ${problem}`;
  }
  return match[1] === undefined && match[2] === undefined ? undefined : 'must be repository--not reference';
}
