// Images of one base: what they share is read and made when the workshop opens, and each is then a small edit.
import {
  type ByteSource,
  type Compression,
  describeGrowth,
  edit,
  extractMinimal,
  gzip,
  type LiveImage,
  openLiveImage,
  rootfs,
  sharedGzip,
  type WorkOptions,
} from '@coreiso/iso';
import { NodesConfigError } from '../errors.ts';
import type { HostPlans } from '../hosts/plan.ts';
import type { BootTarget, NamedOutput, Workshop } from './changes.ts';
import { pxeWorkshop } from './pxe-set.ts';

/** How images of a plan are made. */
export interface WorkshopOptions {
  /** `iso` by default; `minimal-iso` and `pxe` fetch the root file system when they boot. */
  readonly form?: 'iso' | 'minimal-iso' | 'pxe';
  /** Whether an image may become longer when its area is too small. */
  readonly grow?: boolean;
  /** `gzip` by default, and `sharedGzip` for images of single hosts. */
  readonly compression?: Compression;
  /** Where the files will be found, instead of the plan's own. */
  readonly bootArtifactsBaseURL?: string;
  readonly signal?: AbortSignal;
}

interface Site {
  readonly architecture: string;
  readonly baseUrl: string;
}

/** Where nothing says what machines these are, upstream's guess. */
const DEFAULT_ARCHITECTURE = 'x86_64';

const FORMS: readonly WorkshopOptions['form'][] = ['iso', 'minimal-iso', 'pxe', undefined];

/** Refuses what is no base or no plan. */
export function checkArguments(base: ByteSource | LiveImage, plan: HostPlans, { form }: WorkshopOptions): void {
  if (typeof base !== 'object' || base === null || !('read' in base || 'initrd' in base)) {
    throw new TypeError('base must be a ByteSource or an open LiveImage');
  }
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planHosts returns');
  if (!FORMS.includes(form)) throw new RangeError(`form must be iso, minimal-iso or pxe, not ${String(form)}`);
}

/** Whether a base was opened before. */
export function isLiveImage(base: ByteSource | LiveImage): base is LiveImage {
  return 'initrd' in base;
}

/** The base, refused where it is for other machines. */
export async function openBase(
  base: ByteSource | LiveImage,
  plan: HostPlans,
  options: WorkshopOptions,
): Promise<LiveImage> {
  const image = isLiveImage(base) ? base : await openLiveImage(base, workOf(options));
  const { architecture: wanted } = plan;
  const { architecture: found } = image;
  if (wanted !== undefined && found !== undefined && wanted !== found) {
    const message = `the hosts are ${wanted} machines and the base image is for ${found}`;
    throw new NodesConfigError('NODES_WRONG_ARCHITECTURE', message);
  }
  return image;
}

/** Reads what all images need. */
export async function openWorkshop(
  image: LiveImage,
  plan: HostPlans,
  options: WorkshopOptions & { readonly images: 'all-hosts' | 'per-host' },
): Promise<Workshop> {
  const site = siteOf(plan, image, options);
  const { images, compression = images === 'per-host' ? sharedGzip() : gzip } = options;
  const open = options.form === 'pxe' ? pxeWorkshop : isoWorkshop;
  const { shared, make } = await open(image, { ...options, ...site, compression });
  return { shared, make: (target) => make(addKargs(target, image, plan)) };
}

function siteOf(plan: HostPlans, image: LiveImage, { form, bootArtifactsBaseURL }: WorkshopOptions): Site {
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

async function isoWorkshop(image: LiveImage, options: WorkshopOptions & Site): Promise<Workshop> {
  const { architecture, baseUrl, grow = false, compression = gzip } = options;
  const work = workOf(options);
  const shared: NamedOutput[] = [];
  let live = image;
  if (options.form === 'minimal-iso') {
    const name = `node.${architecture}-rootfs.img`;
    live = await openLiveImage(await extractMinimal(image, { ...work, rootfsUrl: `${baseUrl}/${name}` }), work);
    shared.push({ name, source: await rootfs(image.source, work) });
  }
  return {
    shared,
    async make({ prefix, changes }) {
      const name = `${prefix}.${architecture}.iso`;
      const { overlay, summary } = await edit(live, changes, { ...work, grow, compression });
      const { growth } = summary;
      return {
        outputs: [{ name, source: overlay }],
        notes: growth === undefined ? [] : [`${name}: ${describeGrowth(growth)}`],
      };
    },
  };
}

function workOf({ signal }: WorkshopOptions): Pick<WorkOptions, 'signal'> {
  return signal === undefined ? {} : { signal };
}
