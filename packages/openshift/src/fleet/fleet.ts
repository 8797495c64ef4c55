import { type ByteSource, IsoError, type LiveImage } from '@coreiso/iso';
import { entityTag } from '@coreiso/iso/http';
import type { HostPlans } from '@coreiso/nodes-config';
import type { NamedOutput } from '../images/changes.ts';
import { type HostImages, type HostImagesOptions, openHostImages } from '../images/host-images.ts';
import type { BuildReport } from '../images/report.ts';
import { FleetError } from './errors.ts';

/** How the images of a fleet are made: as `nodes image --per-host` makes them. */
export type FleetOptions = HostImagesOptions;

/** What one host boots from, or what all of them share. */
export interface FleetImage {
  /** What the names of the host's files begin with; `undefined` for what all hosts share. */
  readonly host: string | undefined;
  /** In the order in which they may appear: what names the others comes last. */
  readonly files: readonly NamedOutput[];
  /** What people should know, one sentence each. */
  readonly notes: readonly string[];
}

/** The images of a plan: first what all hosts share, then one host after the other. Each is made when it is asked for. */
export interface Fleet extends AsyncIterable<FleetImage> {
  /** The bytes that all images are made of. */
  readonly base: ByteSource;
  /** How many hosts there are. */
  readonly hosts: number;
  /** Opens the base; later calls give the same. */
  open(): Promise<HostImages>;
  /** What was made so far, as `nodes image` reports it. */
  report(): Promise<BuildReport>;
}

/**
 * One image for each host of a plan. Nothing is read before somebody asks for the first image, and nothing of an image is kept.
 *
 * @example
 * ```ts
 * for await (const { host, files } of fleet(await fileSource('rhcos-live.iso'), plan)) console.log(host, files[0]?.name);
 * ```
 */
export function fleet(base: ByteSource | LiveImage, plan: HostPlans, options: FleetOptions = {}): Fleet {
  if (typeof base !== 'object' || base === null || !('read' in base || 'initrd' in base)) {
    throw new TypeError('base must be a ByteSource or an open LiveImage');
  }
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planHosts returns');
  let opening: Promise<HostImages> | undefined;
  const open = (): Promise<HostImages> => {
    opening ??= openHostImages(base, plan, options);
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    base: 'initrd' in base ? base.source : base,
    hosts: plan.hosts.length,
    open,
    report: async () => (await open()).report(),
    async *[Symbol.asyncIterator]() {
      const images = await open();
      if (images.shared.length > 0) yield { host: undefined, files: images.shared, notes: [] };
      for (const [position, host] of images.prefixes.entries()) {
        const { outputs, notes } = await images.make(position);
        yield { host, files: outputs, notes };
      }
    },
  };
}

/** The way in which images are made and stored: another one makes other objects. */
const VERSION = 1;

/** A digest of what a file of a fleet is made of: the identity of the base, what the plan puts into it, and our own version. */
export async function digestOf({ name, source }: NamedOutput, signal?: AbortSignal): Promise<string> {
  const tag = await entityTag(source, signal).catch((cause: unknown) => {
    if (!(cause instanceof IsoError) || cause.code !== 'ISO_CHANGED') throw cause;
    throw new FleetError('FLEET_BASE_CHANGED', cause.message, { cause, file: name });
  });
  if (tag !== undefined) return `${VERSION}-${tag.slice(1, -1)}`;
  const message =
    'nobody can tell what the base is; open it with fileSource, httpSource or s3Source, or name it with identified';
  throw new FleetError('FLEET_NO_IDENTITY', message, { file: name });
}
