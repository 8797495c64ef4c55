import { type Outcome, valueOrThrow } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { buildInterfaces, buildNetwork } from '../rules/host.ts';
import { checkNetwork } from '../rules/network-rules.ts';
import { OwnRules } from '../rules/own/own-rules.ts';
import { Findings, type Mode } from '../text/config-findings.ts';
import { decodeDocument } from '../text/decode.ts';
import { required } from '../text/field-errors.ts';
import { type SourceText, sourceOf } from '../text/lookup.ts';
import { type ConfigSource, readAll } from '../text/read-text.ts';
import { NMSTATE_CONFIG, type NMStateConfigValues } from './document-tables.ts';
import { adviceFor } from './misplaced-keys.ts';
import type { NMStateConfig, NMStateConfigs } from './types.ts';

const PREFIX = 'could not decode YAML for cluster-manifests/nmstateconfig.yaml: Error reading multiple YAMLs: ';

/**
 * Reads and checks an `nmstateconfig.yaml` of any number of manifests.
 *
 * @example parseNMStateConfig(await readFile('nmstateconfig.yaml'))
 */
export function parseNMStateConfig(
  source: ConfigSource,
  options: { readonly mode?: Mode | undefined } = {},
): Outcome<NMStateConfigs> {
  checkArgument('options', options, 'object');
  const { mode = 'strict' } = options;
  const read = readAll(source, PREFIX, mode);
  if (!read.ok) return { ok: false, diagnostics: read.findings.diagnostics() };
  let current: SourceText | undefined;
  const findings = new Findings({
    mode,
    locate: (path) => current?.locate(path),
    steps: [{ name: 'network' }, { name: 'labels' }],
  });
  const own = new OwnRules(findings);
  const items: NMStateConfig[] = [];
  for (const document of read.documents) {
    if (document.root === undefined) continue;
    const text = sourceOf(document);
    current = text;
    const options = { advise: adviceFor('nmstateconfig'), prefix: PREFIX, strict: false };
    const values = decodeDocument(document, NMSTATE_CONFIG, findings, options);
    items.push(checkManifest(values, { text, number: items.length }, own, findings));
  }
  return findings.outcome<NMStateConfigs>({ kind: 'nmstateconfig', items });
}

/**
 * Like `parseNMStateConfig`, but throws a `DiagnosticsError` if the text is refused.
 *
 * @example parseNMStateConfigOrThrow(await readFile('nmstateconfig.yaml'))
 */
export function parseNMStateConfigOrThrow(
  source: ConfigSource,
  options: { readonly mode?: Mode | undefined } = {},
): NMStateConfigs {
  return valueOrThrow(parseNMStateConfig(source, options));
}

interface Manifest {
  readonly text: SourceText;
  readonly number: number;
}

function checkManifest(
  { metadata, spec }: NMStateConfigValues,
  { text, number }: Manifest,
  own: OwnRules,
  findings: Findings<'network' | 'labels'>,
): NMStateConfig {
  const { interfaces, config } = spec;
  const path = ['spec'];
  const profiles = checkNetwork({ number, path, interfaces, network: config, isElsewhere: false }, findings);
  own.check({ path, manifest: number + 1, values: { hostname: '', interfaces, networkConfig: config } });
  if (Object.keys(metadata.labels).length === 0) {
    findings.upstream('labels', {
      code: 'nodes-config/no-labels',
      message: required(['labels'], `${metadata.name} does not have any label set`),
      path: ['metadata', 'labels'],
      help: 'Add the labels that `nmStateConfigLabelSelector` of the InfraEnv selects.',
    });
  }
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    labels: metadata.labels,
    interfaces: buildInterfaces(interfaces, path),
    config: config && buildNetwork(config, profiles),
    source: text,
  };
}
