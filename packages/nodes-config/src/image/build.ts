import { type Diagnostic, diagnostic } from '@coreiso/diagnostics';
import {
  type ByteSource,
  type Compression,
  describeGrowth,
  edit,
  extractMinimal,
  type LiveChanges,
  type LiveImage,
  openLiveImage,
  type Progress,
  rootfs,
  type WorkOptions,
} from '@coreiso/iso';
import { NodesConfigError } from '../errors.ts';
import type { HostPlan, HostPlans } from '../hosts/plan.ts';
import { STATUS_PORT } from '../join/units.ts';
import type { RpmArchitecture } from '../rules/architecture.ts';
import { type BootTarget, bootTargets, type NamedOutput } from './changes.ts';
import { DigestCheck } from './digest-check.ts';
import { pxeSet } from './pxe-set.ts';
import { type BuildReport, ReportWriter } from './report.ts';

/** How to make an image of a plan. */
export interface NodesImageOptions {
  /** `iso` by default; `minimal-iso` and `pxe` fetch the root file system when they boot. */
  readonly form?: 'iso' | 'minimal-iso' | 'pxe';
  /** One image per host: its profiles are in place from the beginning, and nothing has to find out which host a machine is. */
  readonly perHost?: boolean;
  /** Whether an image may become longer when its area is too small. */
  readonly grow?: boolean;
  /** `gzip` by default. */
  readonly compression?: Compression;
  /** What the base image must be, in hexadecimal; compared while the outputs are read. */
  readonly baseSha256?: string;
  /** Where the files will be found, instead of the plan's own. */
  readonly bootArtifactsBaseURL?: string;
  /** The clock of the report. */
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
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

/** Where nothing says what machines these are, upstream's guess. */
const DEFAULT_ARCHITECTURE = 'x86_64';

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
  const report = new ReportWriter(options.now ?? (() => new Date()));
  const check =
    baseSha256 === undefined ? undefined : new DigestCheck(isLiveImage(base) ? base.source : base, baseSha256);
  await report.stage('add-nodes-cluster-inspection', () => plan, inspection);
  const targets = await report.stage(
    'ignition',
    () => bootTargets(plan, perHost ? 'per-host' : 'all-hosts'),
    () => (plan.expires === undefined ? undefined : { Expires: plan.expires }),
  );
  const progress = counter(targets.length, options);
  const image = await report.stage('fetch-base-iso', () => openBase(check?.source ?? base, plan, options));
  const site = siteOf(plan, image, options);
  const notes: string[] = [];
  const outputs = await report.stage(form === 'pxe' ? 'generate-pxe' : 'generate-iso', () => {
    const withKargs = targets.map((target) => addKargs(target, image, plan));
    return form === 'pxe'
      ? pxeSet(image, withKargs, { ...options, ...site, onTarget: progress })
      : isoImages(image, withKargs, site, { ...options, onTarget: progress }, notes);
  });
  return {
    outputs: check === undefined ? outputs : outputs.map(({ name, source }) => ({ name, source: check.guard(source) })),
    report: report.finish(plan.statusToken === undefined ? undefined : { port: STATUS_PORT, token: plan.statusToken }),
    diagnostics: perHost || (form === 'iso' && !fetchesRootfs(image)) ? [] : earlyNetworkFindings(plan),
    notes,
  };
}

const GO_NAMES: Readonly<Record<RpmArchitecture, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

/** What upstream's report says of the cluster. */
function inspection({ cluster, architecture }: HostPlans): object {
  const { version = '', releaseImage = '', platform = '' } = cluster;
  return {
    Version: version,
    ReleaseImage: releaseImage,
    PlatformType: platform,
    Architecture: architecture === undefined ? '' : GO_NAMES[architecture],
  };
}

function isLiveImage(base: ByteSource | LiveImage): base is LiveImage {
  return 'initrd' in base;
}

const FORMS: readonly NodesImageOptions['form'][] = ['iso', 'minimal-iso', 'pxe', undefined];

function checkArguments(base: ByteSource | LiveImage, plan: HostPlans, { form }: NodesImageOptions): void {
  if (typeof base !== 'object' || base === null || !('read' in base || 'initrd' in base)) {
    throw new TypeError('base must be a ByteSource or an open LiveImage');
  }
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planHosts returns');
  if (!FORMS.includes(form)) throw new RangeError(`form must be iso, minimal-iso or pxe, not ${String(form)}`);
}

/** What to call after each image. */
function counter(total: number, { onProgress }: NodesImageOptions): () => void {
  let done = 0;
  return () => onProgress?.({ done: ++done, total });
}

async function openBase(base: ByteSource | LiveImage, plan: HostPlans, options: NodesImageOptions): Promise<LiveImage> {
  const image = isLiveImage(base) ? base : await openLiveImage(base, workOf(options));
  const { architecture: wanted } = plan;
  const { architecture: found } = image;
  if (wanted !== undefined && found !== undefined && wanted !== found) {
    const message = `the hosts are ${wanted} machines and the base image is for ${found}`;
    throw new NodesConfigError('NODES_WRONG_ARCHITECTURE', message);
  }
  return image;
}

interface Site {
  readonly architecture: string;
  readonly baseUrl: string;
}

function siteOf(plan: HostPlans, image: LiveImage, { form, bootArtifactsBaseURL }: NodesImageOptions): Site {
  const baseUrl = (bootArtifactsBaseURL ?? plan.bootArtifactsBaseURL).replace(/^\/+|\/+$/g, '');
  // It becomes a word of boot loaders' languages, in which these characters end it or mean something else.
  if (form !== undefined && form !== 'iso' && /[\s$\\'"]/.test(baseUrl)) {
    throw noBootUrl(`${baseUrl} is no address that a machine can boot from`);
  }
  if (form === 'minimal-iso' && baseUrl === '') {
    throw noBootUrl('a minimal image has to know where its root file system will be: set bootArtifactsBaseURL');
  }
  return { architecture: plan.architecture ?? image.architecture ?? DEFAULT_ARCHITECTURE, baseUrl };
}

function noBootUrl(message: string): NodesConfigError {
  return new NodesConfigError('NODES_NO_BOOT_URL', message);
}

/** A cluster in FIPS mode takes nodes only that have been in it from their first boot. */
function addKargs(target: BootTarget, { kargs }: LiveImage, { cluster }: HostPlans): BootTarget {
  const isThere = kargs?.current.split(' ').includes('fips=1') === true;
  if (cluster.fips !== true || isThere) return target;
  return { ...target, changes: { ...target.changes, kargs: { append: ['fips=1'] } } };
}

async function isoImages(
  image: LiveImage,
  targets: readonly BootTarget[],
  { architecture, baseUrl }: Site,
  options: NodesImageOptions & { readonly onTarget: () => void },
  notes: string[],
): Promise<NamedOutput[]> {
  const work = workOf(options);
  const outputs: NamedOutput[] = [];
  let live = image;
  if (options.form === 'minimal-iso') {
    const name = `node.${architecture}-rootfs.img`;
    const rootfsUrl = `${baseUrl}/${name}`;
    live = await openLiveImage(await extractMinimal(image, { ...work, rootfsUrl }), work);
    outputs.push({ name, source: await rootfs(image.source, work) });
  }
  for (const { prefix, changes } of targets) {
    outputs.push(await isoImage(live, `${prefix}.${architecture}.iso`, changes, options, notes));
    options.onTarget();
  }
  return outputs;
}

async function isoImage(
  image: LiveImage,
  name: string,
  changes: LiveChanges,
  options: NodesImageOptions,
  notes: string[],
): Promise<NamedOutput> {
  const { grow = false, compression } = options;
  const { overlay, summary } = await edit(image, changes, {
    ...workOf(options),
    grow,
    ...(compression === undefined ? {} : { compression }),
  });
  if (summary.growth !== undefined) notes.push(`${name}: ${describeGrowth(summary.growth)}`);
  return { name, source: overlay };
}

function workOf({ signal }: NodesImageOptions): Pick<WorkOptions, 'signal'> {
  return signal === undefined ? {} : { signal };
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
      cure: 'Serve DHCP on that network, build one image per host, add an `ip=` kernel argument, or boot the full ISO image.',
    }),
  );
}

function hasStaticAddress({ network }: HostPlan): boolean {
  return network?.keyfiles.some(({ content }) => /^method=manual$/m.test(content)) === true;
}
