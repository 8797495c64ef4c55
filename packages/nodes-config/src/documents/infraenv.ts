import { type Outcome, valueOrThrow } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { architectureProblem, imageArchitecture } from '../rules/architecture.ts';
import { noteIgnoredDocuments } from '../rules/host-list.ts';
import { sshKeyProblem } from '../rules/ssh-key.ts';
import { Findings, type Mode } from '../text/config-findings.ts';
import { decodeDocument, emptyValues } from '../text/decode.ts';
import { sourceOf } from '../text/lookup.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import { INFRA_ENV, PROXY } from './document-tables.ts';
import { adviceFor } from './misplaced-keys.ts';
import type { InfraEnv } from './types.ts';

const PREFIX = 'failed to unmarshal cluster-manifests/infraenv.yaml: ';

/**
 * Reads and checks an `infraenv.yaml`.
 *
 * @example parseInfraEnv(await readFile('infraenv.yaml'))
 */
export function parseInfraEnv(
  source: ConfigSource,
  options: { readonly mode?: Mode | undefined } = {},
): Outcome<InfraEnv> {
  checkArgument('options', options, 'object');
  const { mode = 'strict' } = options;
  const read = readFirst(source, PREFIX, mode);
  if (!read.ok) return { ok: false, diagnostics: read.findings.diagnostics() };
  const [document] = read.documents;
  const text = sourceOf(document);
  const findings = new Findings({ mode, locate: text.locate, steps: [{ name: 'architecture' }] });
  const values = decodeDocument(document, INFRA_ENV, findings, {
    advise: adviceFor('infraenv'),
    prefix: PREFIX,
    strict: true,
  });
  noteIgnoredDocuments(read, findings);
  const { metadata, spec } = values;
  const problem = architectureProblem(spec.cpuArchitecture);
  if (problem !== undefined) {
    findings.upstream('architecture', {
      code: 'nodes-config/architecture',
      message: problem,
      path: ['spec', 'cpuArchitecture'],
      help: 'Write x86_64, aarch64, ppc64le or s390x.',
    });
  }
  const keyProblem = spec.sshAuthorizedKey === '' ? undefined : sshKeyProblem(spec.sshAuthorizedKey);
  if (keyProblem !== undefined) {
    findings.own({
      code: 'nodes-config/ssh-key',
      message: `the SSH key cannot be used to log in: ${keyProblem}`,
      path: ['spec', 'sshAuthorizedKey'],
      help: 'Paste the content of the public key file, one line such as `ssh-ed25519 AAAA… name`.',
    });
  }
  return findings.outcome<InfraEnv>({
    kind: 'infraenv',
    name: metadata.name,
    namespace: metadata.namespace,
    sshAuthorizedKey: spec.sshAuthorizedKey,
    cpuArchitecture: spec.cpuArchitecture,
    imageArchitecture: imageArchitecture(spec.cpuArchitecture),
    pullSecretName: spec.pullSecretRef?.name ?? '',
    nmStateConfigLabels: spec.nmStateConfigLabelSelector.matchLabels,
    additionalNTPSources: spec.additionalNTPSources,
    additionalTrustBundle: spec.additionalTrustBundle,
    ignitionConfigOverride: spec.ignitionConfigOverride,
    kernelArguments: spec.kernelArguments,
    proxy: spec.proxy ?? emptyValues(PROXY),
    source: text,
  });
}

/**
 * Like `parseInfraEnv`, but throws a `DiagnosticsError` if the text is refused.
 *
 * @example parseInfraEnvOrThrow(await readFile('infraenv.yaml'))
 */
export function parseInfraEnvOrThrow(
  source: ConfigSource,
  options: { readonly mode?: Mode | undefined } = {},
): InfraEnv {
  return valueOrThrow(parseInfraEnv(source, options));
}
