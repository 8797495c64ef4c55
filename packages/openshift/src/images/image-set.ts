import type { Diagnostic } from '@coreiso/diagnostics';
import type { ByteSource, LiveImage } from '@coreiso/iso';
import type { NodesPlan } from '../join/strategy.ts';
import { STATUS_PORT } from '../join/units.ts';
import { type BuiltImage, bootTargets, type NamedOutput } from './changes.ts';
import { DigestCheck } from './digest-check.ts';
import { earlyNetworkFindings } from './early-network.ts';
import {
  checkArguments,
  type ImageSetOptions,
  isLiveImage,
  openBase,
  openImageBuilder,
  settingsOfPlan,
} from './image-builder.ts';
import { inspection } from './inspection.ts';
import { type BuildReport, ReportWriter } from './report.ts';

/** The images of a plan. Each is made when it is requested, and not kept. Iterating yields the shared files first, then all images. */
export interface ImageSet extends AsyncIterable<BuiltImage> {
  /** The opened base. */
  readonly base: LiveImage;
  /** The prefix of each image's file names: hosts in the order of the plan, or `node` for one image of all hosts. */
  readonly names: readonly string[];
  /** Files that all images need: kernel and root file system. */
  readonly shared: readonly NamedOutput[];
  /** Findings about hosts, with their paths in the config. */
  readonly diagnostics: readonly Diagnostic[];
  /** Builds the image at this position of `names`. */
  build(position: number): Promise<BuiltImage>;
  /** The report so far, in the format of `oc adm node-image create`. */
  report(): BuildReport;
}

/**
 * Opens a base image for the images of a plan. Shared parts are read and made once; sinks store or serve the images.
 *
 * @example
 * ```ts
 * const images = await openImages(await fileSource('rhcos-live.iso'), plan, { perHost: true });
 * for await (const image of images) await writeOutputs(image, '/srv/images');
 * ```
 */
export async function openImages(
  base: ByteSource | LiveImage,
  plan: NodesPlan,
  options: ImageSetOptions = {},
): Promise<ImageSet> {
  checkArguments(base, plan, options);
  const { form = 'iso', perHost = false, baseSha256, signal, now = () => new Date() } = options;
  const images = perHost ? 'per-host' : 'all-hosts';
  const report = options.report ?? new ReportWriter(now);
  if (baseSha256 !== undefined) {
    await new DigestCheck(isLiveImage(base) ? base.source : base, baseSha256).verify(signal);
  }
  await report.stage('add-nodes-cluster-inspection', () => plan, inspection);
  const targets = await report.stage(
    'ignition',
    () => bootTargets(plan, images),
    () => (plan.expires === undefined ? undefined : { Expires: plan.expires }),
  );
  const image = await report.stage('fetch-base-iso', () => openBase(base, { architecture: plan.architecture, signal }));
  report.begin(form === 'pxe' ? 'generate-pxe' : 'generate-iso');
  const builder = await openImageBuilder(
    image,
    { ...settingsOfPlan(plan), rootfsUrl: options.rootfsUrl },
    { ...options, images },
  );
  const { names } = targets;
  const build = async (position: number): Promise<BuiltImage> => {
    const host = names[position];
    if (host === undefined) throw new RangeError(`position must be that of an image, not ${position}`);
    signal?.throwIfAborted();
    return { host, ...(await builder.make(targets.target(position))) };
  };
  return {
    base: image,
    names,
    shared: builder.shared,
    diagnostics: perHost || (form === 'iso' && !fetchesRootfs(image)) ? [] : earlyNetworkFindings(plan),
    build,
    async *[Symbol.asyncIterator]() {
      if (builder.shared.length > 0) yield { host: undefined, outputs: builder.shared, notes: [] };
      for (const position of names.keys()) yield await build(position);
    },
    report: () =>
      report.finish(plan.statusToken === undefined ? undefined : { port: STATUS_PORT, token: plan.statusToken }),
  };
}

/** A minimal image as base gives minimal images. */
function fetchesRootfs({ kargs }: LiveImage): boolean {
  return kargs?.current.split(' ').some((word) => word.startsWith('coreos.live.rootfs_url=')) === true;
}
