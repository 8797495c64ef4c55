// Images of one base: the builder reads and makes shared parts when it opens; each image is then a small edit.

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
} from '@coreiso/iso';
import { checkArgument } from '@coreiso/peers/arguments';
import { lineFault } from '@coreiso/peers/file-name';
import { hideUsers } from '@coreiso/peers/hidden';
import { OpenshiftError } from '../errors.ts';
import type { NodesPlan } from '../join/strategy.ts';
import type { BootTarget, ImageBuilder, NamedOutput } from './changes.ts';
import { pxeBuilder } from './pxe-set.ts';
import type { ReportWriter } from './report.ts';

/** Options of the images of a plan. */
export interface ImageSetOptions {
  /** `iso` by default; `minimal-iso` and `pxe` fetch the root file system when they boot. */
  readonly form?: 'iso' | 'minimal-iso' | 'pxe' | undefined;
  /** Whether an image may grow if its area is too small. */
  readonly grow?: boolean | undefined;
  /** `gzip` by default, and `sharedGzip` for images of single hosts. */
  readonly compression?: Compression | undefined;
  /** Address of the boot files, instead of the plan's; a function returns it for the name of each image. */
  readonly bootArtifactsBaseURL?: string | ((name: string) => string) | undefined;
  /** Address of the root file system of a minimal image, if it is elsewhere. */
  readonly rootfsUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** One image per host, with its network profiles in place; the machine then need not be identified. */
  readonly perHost?: boolean | undefined;
  /** Expected SHA-256 digest of the base image, in hexadecimal; the base is read completely before any image is made. */
  readonly baseSha256?: string | undefined;
  /** The clock of the report. */
  readonly now?: (() => Date) | undefined;
  /** A report with earlier stages, to continue. */
  readonly report?: ReportWriter | undefined;
}

/** How images are made, regardless of their contents. */
export type ImageOptions = Pick<ImageSetOptions, 'form' | 'grow' | 'compression' | 'bootArtifactsBaseURL' | 'signal'>;

interface ResolvedSettings {
  readonly prefix: string;
  readonly architecture: string;
  /** Address of an image's files, without a trailing slash; empty if not given. */
  readonly baseUrlOf: (name: string) => string;
  readonly rootfsUrl: string;
}

/** Default if the architecture of the machines is unknown, as upstream guesses it. */
const DEFAULT_ARCHITECTURE = 'x86_64';

const FORMS: readonly ImageOptions['form'][] = ['iso', 'minimal-iso', 'pxe', undefined];

/** Refuses arguments that are not a base and a plan. */
export function checkArguments(base: ByteSource | LiveImage, plan: NodesPlan, options: ImageOptions): void {
  checkBase(base);
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planNodes returns');
  checkArgument('options', options, 'object');
  const { form } = options;
  if (!FORMS.includes(form)) throw new RangeError(`form must be iso, minimal-iso or pxe, not ${String(form)}`);
}

/** Refuses arguments that are not a base. */
export function checkBase(base: ByteSource | LiveImage): void {
  if (typeof base !== 'object' || base === null || !('read' in base || 'initrd' in base)) {
    throw new TypeError('base must be a ByteSource or an open LiveImage');
  }
}

/** Whether a base was opened before. */
export function isLiveImage(base: ByteSource | LiveImage): base is LiveImage {
  return 'initrd' in base;
}

/** The base; throws if it is for another architecture. */
export async function openBase(
  base: ByteSource | LiveImage,
  { architecture: wanted, signal }: Pick<ImageSettings, 'architecture'> & Pick<ImageOptions, 'signal'>,
): Promise<LiveImage> {
  const image = isLiveImage(base) ? base : await openLiveImage(base, { signal });
  const { architecture: found } = image;
  if (wanted !== undefined && found !== undefined && wanted !== found) {
    const message = `the hosts are ${wanted} machines and the base image is for ${found}`;
    throw new OpenshiftError('OPENSHIFT_WRONG_ARCHITECTURE', message);
  }
  return image;
}

/** Common parts of the images of one base. */
export interface ImageSettings {
  /** File name prefix of files that all images share. */
  readonly prefix: string;
  /** Architecture of the machines (default: that of the base). */
  readonly architecture: string | undefined;
  /** Address of the files for network boot; may be empty. */
  readonly bootArtifactsBaseURL: string;
  /** Address of the root file system, if it is elsewhere. */
  readonly rootfsUrl?: string | undefined;
  /** Kernel arguments to append if they are missing. */
  readonly kernelArguments: readonly string[];
}

/** A cluster in FIPS mode accepts only nodes that booted in FIPS mode from the start. */
export function settingsOfPlan({ architecture, bootArtifactsBaseURL, cluster }: NodesPlan): ImageSettings {
  return {
    prefix: 'node',
    architecture,
    bootArtifactsBaseURL,
    kernelArguments: cluster.fips === true ? ['fips=1'] : [],
  };
}

/** Reads the parts that all images need, then makes each image. */
export async function openImageBuilder(
  image: LiveImage,
  settings: ImageSettings,
  options: ImageOptions & { readonly images: 'all-hosts' | 'per-host' },
): Promise<ImageBuilder> {
  checkArgument('image', image, 'object');
  checkArgument('settings', settings, 'object');
  checkArgument('options', options, 'object');
  const resolved = resolveSettings(settings, image, options);
  const { images, compression = images === 'per-host' ? sharedGzip() : gzip } = options;
  const open = options.form === 'pxe' ? pxeBuilder : isoBuilder;
  const { shared, make } = await open(image, { ...options, ...resolved, compression });
  return { shared, make: (target) => make(addKargs(target, image, settings)) };
}

function resolveSettings(
  settings: ImageSettings,
  image: LiveImage,
  { form, bootArtifactsBaseURL }: ImageOptions,
): ResolvedSettings {
  const { prefix, rootfsUrl = '' } = settings;
  if (settings.kernelArguments.some((word) => lineFault(word) !== undefined))
    throw new RangeError('kernelArguments must be words of one line');
  checkBootUrl(rootfsUrl, form);
  const baseUrlOf = (name: string): string => {
    const own = typeof bootArtifactsBaseURL === 'function' ? bootArtifactsBaseURL(name) : bootArtifactsBaseURL;
    const baseUrl = (own ?? settings.bootArtifactsBaseURL).replace(/^\/+|\/+$/g, '');
    checkBootUrl(baseUrl, form);
    if (form === 'minimal-iso' && baseUrl === '' && rootfsUrl === '') {
      throw noBootUrl('a minimal image has to know where its root file system will be: set bootArtifactsBaseURL');
    }
    return baseUrl;
  };
  if (typeof bootArtifactsBaseURL !== 'function') baseUrlOf(prefix);
  return {
    prefix,
    architecture: settings.architecture ?? image.architecture ?? DEFAULT_ARCHITECTURE,
    baseUrlOf,
    rootfsUrl,
  };
}

/** The address becomes a word of GRUB's and iPXE's languages, where these characters end the word or have a meaning. */
const UNSAFE = {
  iso: undefined,
  'minimal-iso': /[\s\p{Cc}\p{Cs}\p{Z}$\\'"`;|&<>{}]/u,
  pxe: /[\s\p{Cc}\p{Cs}\p{Z}$\\'"`]|\|\||&&/u,
} as const;

function checkBootUrl(url: string, form: ImageOptions['form'] = 'iso'): void {
  if (UNSAFE[form]?.test(url)) throw noBootUrl(`${hideUsers(url)} is not an address that a machine can boot from`);
}

function noBootUrl(message: string): OpenshiftError {
  return new OpenshiftError('OPENSHIFT_NO_BOOT_URL', message);
}

function addKargs(target: BootTarget, { kargs }: LiveImage, { kernelArguments }: ImageSettings): BootTarget {
  const there = kargs?.current.split(' ') ?? [];
  const append = kernelArguments.filter((word) => !there.includes(word));
  return append.length === 0 ? target : { ...target, changes: { ...target.changes, kargs: { append } } };
}

async function isoBuilder(image: LiveImage, options: ImageOptions & ResolvedSettings): Promise<ImageBuilder> {
  const { architecture, grow = false, compression = gzip } = options;
  const work = { signal: options.signal };
  const { shared, liveFor, uploads } =
    options.form === 'minimal-iso'
      ? await minimalImages(image, options)
      : { shared: [], liveFor: (): LiveImage => image, uploads: () => [] };
  return {
    shared,
    async make({ prefix, changes }) {
      const name = `${prefix}.${architecture}.iso`;
      const { overlay, summary } = await edit(await liveFor(prefix), changes, { ...work, grow, compression });
      const { growth } = summary;
      return {
        outputs: [{ name, source: overlay }],
        notes: [...(growth === undefined ? [] : [`${name}: ${describeGrowth(growth)}`]), ...uploads(prefix)],
      };
    },
  };
}

interface MinimalImages {
  /** The root file system, served beside the images. */
  readonly shared: readonly NamedOutput[];
  /** The image without the root file system; it contains the address of that file system for this target. */
  readonly liveFor: (prefix: string) => Promise<LiveImage>;
  /** Notes on uploads that are due before this target boots. */
  readonly uploads: (prefix: string) => readonly string[];
}

async function minimalImages(image: LiveImage, options: ImageOptions & ResolvedSettings): Promise<MinimalImages> {
  const { prefix: shares, architecture, baseUrlOf } = options;
  const work = { signal: options.signal };
  const name = `${shares}.${architecture}-rootfs.img`;
  const isBeside = baseUrlOf(shares) !== '';
  let last: { readonly rootfsUrl: string; readonly live: Promise<LiveImage> } | undefined;
  const liveFor = async (prefix: string): Promise<LiveImage> => {
    const baseUrl = baseUrlOf(prefix);
    const rootfsUrl = baseUrl === '' ? options.rootfsUrl : `${baseUrl}/${name}`;
    if (last?.rootfsUrl !== rootfsUrl) {
      const live = extractMinimal(image, { ...work, rootfsUrl }).then((minimal) => openLiveImage(minimal, work));
      last = { rootfsUrl, live };
    }
    return last.live;
  };
  await liveFor(shares);
  const uploads = (prefix: string): string[] =>
    baseUrlOf(prefix) === '' ? [] : [`Upload ${name} to ${baseUrlOf(prefix)} before machines boot.`];
  return {
    uploads,
    shared: isBeside ? [{ name, source: await rootfs(image.source, work) }] : [],
    liveFor,
  };
}
