// Builds the outputs of a plan, and lists those that can be saved. Everything is computed only when an output is read.
import { bytesSource, describeGrowth, edit, isOverlay } from '@coreiso/iso';
import { keyfileOf } from '@coreiso/nmstate';
import { type MadeManifests, makeManifests } from '@coreiso/nodes-config';
import { buildAgentImage, buildNodesImage, makeCredentials, type NamedOutput, signerKeyOf } from '@coreiso/openshift';
import { FILE_NAMES, imageName } from '../project.ts';
import { save as texts } from '../texts/save.ts';
import type { CallOptions } from './calls.ts';
import type { BuiltFacts, OutputFacts } from './facts.ts';
import type { OpenBase, PlannedDocuments, PlannerState } from './state.ts';

interface BuildResult {
  readonly outputs: readonly NamedOutput[];
  readonly notes: readonly string[];
}

/** Builds the outputs of the project; `state.built` keeps them until the next build. */
export async function build(state: PlannerState, options: CallOptions): Promise<BuiltFacts> {
  const { base, planned, project } = state;
  if (base === undefined || planned === undefined || project === undefined) throw new Error(texts.nothing);
  const { outputs, notes } = await buildPlanned(state, base, planned, options);
  state.built = outputs;
  return { revision: project.revision, outputs: outputs.map(factsOf), notes, expires: planned.facts.expires };
}

function factsOf({ name, source }: NamedOutput, position: number): OutputFacts {
  const changed =
    'base' in source && isOverlay(source)
      ? source.patches.reduce((sum, { bytes }) => sum + ('length' in bytes ? bytes.length : bytes.size), 0) +
        source.tail.size
      : undefined;
  return { position, name, size: source.size, changed };
}

async function buildPlanned(
  state: PlannerState,
  base: OpenBase,
  planned: PlannedDocuments,
  options: CallOptions,
): Promise<BuildResult> {
  const { signal, onProgress } = options;
  const { choices } = state.project ?? {};
  const form = choices?.form ?? 'iso';
  const url = choices?.artifactsUrl || undefined;
  const { nodes, site, customization } = planned;
  if (nodes !== undefined) {
    const perHost = choices?.images === 'per-host';
    return await buildNodesImage(base.image, nodes, {
      form,
      perHost,
      grow: true,
      bootArtifactsBaseURL: url,
      signal,
      onProgress,
    });
  }
  if (site !== undefined) {
    const credentials = await makeCredentials({ clock: () => new Date(), signerKey: signerKeyOf(site) });
    const image = await buildAgentImage(base.image, site, credentials, {
      ...(form === 'iso' ? {} : { form }),
      bootArtifactsBaseURL: url,
      signal,
    });
    const beside = Object.entries(image.files).map(([path, { text }]) => textOutput(path.replaceAll('/', '-'), text));
    return { outputs: [...image.outputs, ...beside], notes: image.notes };
  }
  if (customization === undefined) throw new Error(texts.nothing);
  const { overlay, summary } = await edit(base.image, customization.changes, { grow: true, modes: 'private', signal });
  return {
    outputs: [{ name: imageName(base.name), source: overlay }],
    notes: summary.growth === undefined ? [] : [describeGrowth(summary.growth)],
  };
}

function textOutput(name: string, text: string): NamedOutput {
  return { name, source: bytesSource(new TextEncoder().encode(text)) };
}

/** Keyfiles of all hosts, or the manifests of a new cluster: path → text. */
export function textFiles({ planned, project }: PlannerState): Readonly<Record<string, string>> {
  if (planned?.nodes !== undefined) {
    const entries = planned.nodes.hosts.flatMap(({ name, network }) =>
      (network?.profiles ?? []).map(keyfileOf).map((keyfile) => [`${name}/${keyfile.name}`, keyfile.content] as const),
    );
    return Object.fromEntries(entries);
  }
  if (planned?.site !== undefined && project !== undefined) {
    const { release } = planned.site;
    const sources = (['install-config', 'agent-config'] as const)
      .filter((kind) => project.documents[kind].trim() !== '')
      .map((kind) => [FILE_NAMES[kind], project.documents[kind]] as const);
    const made = makeManifests(Object.fromEntries(sources), { version: release.version, release });
    return made.ok ? (made.value satisfies MadeManifests).files : {};
  }
  const keyfiles = planned?.customization?.changes.keyfiles ?? [];
  const decoder = new TextDecoder();
  return Object.fromEntries(
    keyfiles.map(({ name, content }) => [name, typeof content === 'string' ? content : decoder.decode(content)]),
  );
}
