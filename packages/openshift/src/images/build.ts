import type { Diagnostic } from '@coreiso/diagnostics';
import type { ByteSource, LiveImage, WorkOptions } from '@coreiso/iso';
import { liveConfig } from '../join/live-config.ts';
import type { NodesPlan } from '../join/strategy.ts';
import type { BuiltImage, NamedOutput } from './changes.ts';
import { configImage } from './config-image.ts';
import { DigestCheck } from './digest-check.ts';
import { checkArguments, type ImageSetOptions, isLiveImage } from './image-builder.ts';
import { openImages } from './image-set.ts';
import type { BuildReport } from './report.ts';

/** All images of a plan. */
export interface NodesImage {
  readonly outputs: readonly NamedOutput[];
  readonly report: BuildReport;
  /** Findings about hosts, with their paths in the config. */
  readonly diagnostics: readonly Diagnostic[];
  /** Notes for the user, one sentence each, for example that an image grew. */
  readonly notes: readonly string[];
}

/**
 * Computes the image of a plan, or its network-boot files: all outputs of `openImages` at once. The base stays unchanged.
 *
 * @example const { outputs, report } = await buildNodesImage(await fileSource('rhcos-live.iso'), planNodes(config))
 */
export async function buildNodesImage(
  base: ByteSource | LiveImage,
  plan: NodesPlan,
  options: Omit<ImageSetOptions, 'baseSha256'> & {
    /** Expected digest of the base image, in hexadecimal; compared while the outputs are read. */
    readonly baseSha256?: string | undefined;
    /** Number of computed images, and of all images. */
    readonly onProgress?: WorkOptions['onProgress'];
  } = {},
): Promise<NodesImage> {
  checkArguments(base, plan, options);
  const { baseSha256, onProgress, ...rest } = options;
  const source = isLiveImage(base) ? base.source : base;
  const check = baseSha256 === undefined ? undefined : new DigestCheck(source, baseSha256);
  const images = await openImages(check?.source ?? base, plan, rest);
  const built: NamedOutput[] = [];
  const notes: string[] = [];
  for (const position of images.names.keys()) {
    const image = await images.build(position);
    built.push(...image.outputs);
    notes.push(...image.notes);
    onProgress?.({ done: position + 1, total: images.names.length });
  }
  const outputs = rest.form === 'pxe' ? [...built, ...images.shared] : [...images.shared, ...built];
  return {
    outputs: check === undefined ? outputs : outputs.map(({ name, source }) => ({ name, source: check.guard(source) })),
    report: images.report(),
    diagnostics: images.diagnostics,
    notes: [...new Set(notes)],
  };
}

/**
 * Computes the config image of a plan that joins through the service. Machines that booted an image without settings read them
 * from it.
 *
 * @example const { outputs } = await buildNodesConfigImage(planNodes(config, { cluster, credentials, join: 'service' }))
 */
export async function buildNodesConfigImage(plan: NodesPlan): Promise<BuiltImage> {
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planNodes returns');
  if (plan.service === undefined) throw new RangeError(`plan must join through the service, not ${plan.join}`);
  const source = await configImage(liveConfig(plan));
  return { host: undefined, outputs: [{ name: 'node-config.noarch.iso', source }], notes: [] };
}
