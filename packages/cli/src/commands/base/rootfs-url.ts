// Where machines that boot a minimal image fetch its root file system if no one serves it beside the image.
import { IsoError, type LiveImage } from '@coreiso/iso';
import { parseStream, pickStreamFile, readRelease, type Stream } from '@coreiso/iso/base';
import type { BaseFacts, Bases } from '../../frame/base.ts';
import { Failure } from '../../frame/failure.ts';
import { parseValues } from '../../frame/values.ts';

interface RootfsRequest {
  /** As the user gave it; undefined for the base image of the cluster. */
  readonly base: string | undefined;
  readonly image: Pick<LiveImage, 'volumeId'>;
  readonly facts?: BaseFacts | undefined;
}

/** Returns the address to use for `--rootfs-url`; throws, rather than guesses, if no known address belongs to this base. */
export async function rootfsUrlOf(bases: Bases, wanted: RootfsRequest): Promise<string> {
  const url = await verifiedUrl(bases, wanted);
  if (url !== undefined) return url;
  const { volumeId } = wanted.image;
  throw new Failure(`no RootFSURL found for ${bases.architecture}: nothing names the root file system of ${volumeId}`, {
    help: 'pass its address with --rootfs-url, or with --artifacts-url the one that you will serve it from',
  });
}

/** Finds an address of the same build: a kernel and a root file system of different builds do not boot. */
async function verifiedUrl(bases: Bases, { base, image, facts }: RootfsRequest): Promise<string | undefined> {
  // The same metadata names the base and the root file system.
  if (base?.startsWith('stream:') === true) return rootfsIn(await bases.stream(base), bases)?.location;
  const build = buildOf(image);
  const named = facts?.bootImages?.find((each) => each.architecture === bases.architecture && each.build === build);
  if (named?.rootfs !== undefined) return named.rootfs;
  const isOfRelease = base?.startsWith('release:') ?? facts?.releaseImage !== undefined;
  const rootfs = isOfRelease ? await inRelease(base ?? 'release:', bases) : undefined;
  return rootfs?.release === build ? rootfs?.location : undefined;
}

/** Volume labels are the product and its build: `rhcos-9.6.20250523-0`. */
function buildOf({ volumeId }: RootfsRequest['image']): string {
  return volumeId.replace(/^(?:[a-z]+-)+/, '');
}

function rootfsIn(stream: Stream, { architecture }: Bases): Stream['files'][number] | undefined {
  const choice = { architecture, artifact: 'metal', format: 'pxe', part: 'rootfs' } as const;
  const isThere = stream.files.some((file) =>
    Object.entries(choice).every(([key, value]) => file[key as 'part'] === value),
  );
  return isThere ? pickStreamFile(stream, choice) : undefined;
}

/** Reads the stream metadata of the release, which lists the images that its installer boots. */
async function inRelease(spec: string, bases: Bases): Promise<Stream['files'][number] | undefined> {
  try {
    const options = { ...(await bases.registry()), ...(await bases.remote()) };
    const manifest = await (await readRelease(bases.pullspec(spec), options)).bootImages();
    if (manifest === undefined) return undefined;
    const [value] = parseValues(manifest, 'coreos-bootimages');
    return rootfsIn(parseStream((value ?? {}) as object, { osStream: bases.osStream }), bases);
  } catch (error) {
    // The image may come from elsewhere or from the cache: the caller then asks the user for the address.
    if (error instanceof IsoError && ['ISO_REMOTE', 'ISO_NOT_FOUND', 'ISO_BAD_STREAM'].includes(error.code))
      return undefined;
    throw error;
  }
}
