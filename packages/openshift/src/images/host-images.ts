import type { ByteSource, LiveImage } from '@coreiso/iso';
import type { HostPlan, HostPlans } from '@coreiso/nodes-config';
import { STATUS_PORT } from '../join/units.ts';
import { hostChanges, hostPrefixes, type Made, type NamedOutput } from './changes.ts';
import { DigestCheck } from './digest-check.ts';
import { HostConfigs } from './host-configs.ts';
import { inspection } from './inspection.ts';
import { type BuildReport, ReportWriter } from './report.ts';
import { checkArguments, isLiveImage, openBase, openWorkshop, siteOfPlan, type WorkshopOptions } from './workshop.ts';

/** How images of single hosts are made. */
export interface HostImagesOptions extends WorkshopOptions {
  /** What the base image must be, in hexadecimal; it is read whole before anything is made. */
  readonly baseSha256?: string;
  /** The clock of the report. */
  readonly now?: () => Date;
}

/** What one host boots from. */
export interface HostImage extends Made {
  readonly host: HostPlan;
}

/** The images of the hosts of a plan, each made when it is asked for and forgotten. */
export interface HostImages {
  /** The base, as it was opened. */
  readonly base: LiveImage;
  /** What the names of each host's files begin with, in the order of the plan. */
  readonly prefixes: readonly string[];
  /** What all hosts boot from besides their own: kernel and root file system. */
  readonly shared: readonly NamedOutput[];
  /** The image of the host at this position of the plan. */
  make(position: number): Promise<HostImage>;
  /** What `buildNodesImage` reports, as of now. */
  report(): BuildReport;
}

/**
 * The images that `buildNodesImage` makes with `perHost`, one at a time: what they share is read and made once, and nothing is kept.
 *
 * @example
 * ```ts
 * const images = await openHostImages(await fileSource('rhcos-live.iso'), plan);
 * for (const position of plan.hosts.keys()) await writeOutputs(await images.make(position), '/srv/images');
 * ```
 */
export async function openHostImages(
  base: ByteSource | LiveImage,
  plan: HostPlans,
  options: HostImagesOptions = {},
): Promise<HostImages> {
  checkArguments(base, plan, options);
  const { form = 'iso', baseSha256, now = () => new Date() } = options;
  const report = new ReportWriter(now);
  if (baseSha256 !== undefined) {
    await new DigestCheck(isLiveImage(base) ? base.source : base, baseSha256).verify(options.signal);
  }
  await report.stage('add-nodes-cluster-inspection', () => plan, inspection);
  const configs = await report.stage(
    'ignition',
    () => new HostConfigs(plan),
    () => (plan.expires === undefined ? undefined : { Expires: plan.expires }),
  );
  const image = await report.stage('fetch-base-iso', () => openBase(base, plan, options));
  const begun = now();
  const workshop = await openWorkshop(image, siteOfPlan(plan), { ...options, images: 'per-host' });
  const prefixes = hostPrefixes(plan);
  return {
    base: image,
    prefixes,
    shared: workshop.shared,
    async make(position) {
      const host = plan.hosts[position];
      const prefix = prefixes[position];
      if (host === undefined || prefix === undefined)
        throw new RangeError(`position must be that of a host, not ${position}`);
      options.signal?.throwIfAborted();
      return { host, ...(await workshop.make({ prefix, changes: hostChanges(configs, host) })) };
    },
    report: () =>
      report.finish(plan.statusToken === undefined ? undefined : { port: STATUS_PORT, token: plan.statusToken }, {
        id: form === 'pxe' ? 'generate-pxe' : 'generate-iso',
        begun,
      }),
  };
}
