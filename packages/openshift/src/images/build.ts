import { type Diagnostic, diagnostic } from '@coreiso/diagnostics';
import type { ByteSource, LiveImage, Progress } from '@coreiso/iso';
import type { HostPlan, HostPlans } from '@coreiso/nodes-config';
import { STATUS_PORT } from '../join/units.ts';
import { bootTargets, type NamedOutput } from './changes.ts';
import { DigestCheck } from './digest-check.ts';
import { inspection } from './inspection.ts';
import { type BuildReport, ReportWriter } from './report.ts';
import { checkArguments, isLiveImage, openBase, openWorkshop, siteOfPlan, type WorkshopOptions } from './workshop.ts';

/** How to make an image of a plan. */
export interface NodesImageOptions extends WorkshopOptions {
  /** One image per host: its profiles are in place from the beginning, and nothing has to find out which host a machine is. */
  readonly perHost?: boolean;
  /** What the base image must be, in hexadecimal; compared while the outputs are read. */
  readonly baseSha256?: string;
  /** The clock of the report. */
  readonly now?: () => Date;
  /** Images that are computed, of all that there will be. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface NodesImage {
  readonly outputs: readonly NamedOutput[];
  readonly report: BuildReport;
  /** About hosts by their paths in the config. */
  readonly diagnostics: readonly Diagnostic[];
  /** What people should know, one sentence each: that an image grew, for example. */
  readonly notes: readonly string[];
}

/**
 * Computes the image of a plan, or the files that machines boot over the network. The base, open already or not, is not touched.
 *
 * @example const { outputs, report } = await buildNodesImage(await fileSource('rhcos-live.iso'), planHosts(config))
 */
export async function buildNodesImage(
  base: ByteSource | LiveImage,
  plan: HostPlans,
  options: NodesImageOptions = {},
): Promise<NodesImage> {
  checkArguments(base, plan, options);
  const { form = 'iso', perHost = false, baseSha256 } = options;
  const images = perHost ? 'per-host' : 'all-hosts';
  const report = new ReportWriter(options.now ?? (() => new Date()));
  const check =
    baseSha256 === undefined ? undefined : new DigestCheck(isLiveImage(base) ? base.source : base, baseSha256);
  await report.stage('add-nodes-cluster-inspection', () => plan, inspection);
  const targets = await report.stage(
    'ignition',
    () => bootTargets(plan, images),
    () => (plan.expires === undefined ? undefined : { Expires: plan.expires }),
  );
  const progress = counter(targets.length, options);
  const image = await report.stage('fetch-base-iso', () => openBase(check?.source ?? base, plan, options));
  const notes: string[] = [];
  const outputs = await report.stage(form === 'pxe' ? 'generate-pxe' : 'generate-iso', async () => {
    const workshop = await openWorkshop(image, siteOfPlan(plan), { ...options, images });
    const made: NamedOutput[] = [];
    for (const target of targets) {
      const one = await workshop.make(target);
      made.push(...one.outputs);
      notes.push(...one.notes);
      progress();
    }
    return form === 'pxe' ? [...made, ...workshop.shared] : [...workshop.shared, ...made];
  });
  return {
    outputs: check === undefined ? outputs : outputs.map(({ name, source }) => ({ name, source: check.guard(source) })),
    report: report.finish(plan.statusToken === undefined ? undefined : { port: STATUS_PORT, token: plan.statusToken }),
    diagnostics: perHost || (form === 'iso' && !fetchesRootfs(image)) ? [] : earlyNetworkFindings(plan),
    notes,
  };
}

/** What to call after each image. */
function counter(total: number, { onProgress }: NodesImageOptions): () => void {
  let done = 0;
  return () => onProgress?.({ done: ++done, total });
}

/** A minimal image as base is still one afterwards. */
function fetchesRootfs({ kargs }: LiveImage): boolean {
  return kargs?.current.split(' ').some((word) => word.startsWith('coreos.live.rootfs_url=')) === true;
}

/** Warns of hosts that would have to fetch their root file system before they have their address. */
function earlyNetworkFindings({ hosts }: HostPlans): Diagnostic[] {
  return hosts.filter(hasStaticAddress).map(({ name, path }) =>
    diagnostic({
      severity: 'warning',
      code: 'nodes-config/static-before-rootfs',
      message: `${name} has a static address, but the root file system is fetched before its profile is chosen`,
      path: [...path, 'networkConfig'],
      help: 'Serve DHCP on that network, build one image per host, add an `ip=` kernel argument, or boot the full ISO image.',
    }),
  );
}

function hasStaticAddress({ network }: HostPlan): boolean {
  return network?.keyfiles.some(({ content }) => /^method=manual$/m.test(content)) === true;
}
