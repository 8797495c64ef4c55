import type { BootProof } from '../../boot/links.ts';
import { type ByteSource, toHex } from '../../bytes/source.ts';
import { IsoError } from '../../errors.ts';
import { openIso } from '../../iso9660/reader.ts';
import { reset } from '../edit.ts';
import { openLiveImage } from '../image.ts';
import { type Inspection, inspect, messagesOf } from '../inspect.ts';
import { type DigestOptions, digestOf, unpackMinimal } from '../minimal/unpack.ts';

/** One check of an image. */
type ImageCheck = Verification['checks'][number];

/** The result of verifying an image: a plain object, ready for JSON. */
export interface Verification {
  readonly ok: boolean;
  readonly checks: readonly {
    /** The checked part: `volume`, `files`, `areas`, `partitions`, `boot`, `minimal`, `base`. */
    readonly name: string;
    readonly ok: boolean;
    /** The finding of the check. */
    readonly detail: string;
  }[];
  /** The chain from the firmware to the live system, link by link. */
  readonly boot: BootProof;
  /** SHA-256 digest of the image as it was built, if `base` was checked. */
  readonly pristineSha256?: string;
}

type VerifyOptions = DigestOptions & { readonly base?: readonly string[] | undefined };

/** The result of `verifyImage`. */
export async function verificationOf(source: ByteSource, options: VerifyOptions): Promise<Verification> {
  const { base } = options;
  const inspection = await inspect(source, options);
  // Loaded on use, like all code that only checks of the whole image need.
  const { bootProofOf, summarizeBoot } = await import('../boot.ts');
  const boot = await bootProofOf(source, { depth: 'everything', signal: options.signal });
  const checks = [
    checkVolume(inspection),
    await checked('files', () => lookAtFiles(source, options)),
    checkAreas(inspection),
    await checked('partitions', () => lookAtPartitions(source, options)),
    { name: 'boot', ok: boot.verdict !== 'broken', detail: summarizeBoot(boot) },
  ];
  if (inspection.minimal !== undefined) checks.push(await checked('minimal', () => lookAtMinimal(source, options)));
  let pristineSha256: string | undefined;
  if (base !== undefined) {
    checks.push(
      await checked('base', async () => {
        pristineSha256 = toHex(await digestOf(await pristineImage(source, options), options));
        return compareWithBase(pristineSha256, base);
      }),
    );
  }
  const ok = checks.every((check) => check.ok);
  return { ok, checks, boot, ...(pristineSha256 === undefined ? {} : { pristineSha256 }) };
}

/** The result of the check, or an `IsoError`. */
async function checked(name: string, look: () => Promise<string>): Promise<ImageCheck> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    return { name, ok: false, detail: messagesOf(error).join(': ') };
  }
}

function checkVolume({ volumeId, size, volumeSize, complete }: Inspection): ImageCheck {
  const detail = complete
    ? `${volumeId}, ${size} bytes`
    : `the volume has ${volumeSize} bytes, and ${volumeSize - size} of them are missing`;
  return { name: 'volume', ok: complete, detail };
}

function checkAreas({ initrd, kargs, problems }: Inspection): ImageCheck {
  if (problems.length > 0)
    return { name: 'areas', ok: false, detail: problems.map((each) => each.join(': ')).join('; ') };
  const members = initrd?.members.filter(({ kind }) => kind === 'file').length ?? 0;
  const customized = kargs === undefined ? 'none' : kargs.current === kargs.default ? 'default' : 'changed';
  return { name: 'areas', ok: true, detail: `${members} embedded files, kernel arguments: ${customized}` };
}

async function lookAtFiles(source: ByteSource, options: VerifyOptions): Promise<string> {
  const iso = await openIso(source, options);
  let count = 0;
  for await (const { kind, path, extents } of iso.walk(options)) {
    count++;
    const outside = kind === 'file' ? extents.find(({ offset, length }) => offset + length > source.size) : undefined;
    if (outside === undefined) continue;
    throw new IsoError('ISO_BAD_EXTENT', `${path} ends past the end of the image`, { offset: outside.offset });
  }
  return `${count} files and directories`;
}

async function lookAtPartitions(source: ByteSource, { signal }: VerifyOptions): Promise<string> {
  const { readPartitions } = await import('../../iso9660/partitions/tables.ts');
  const { mbr, gpt } = await readPartitions(source, signal);
  if (gpt === undefined) return mbr === undefined ? 'none' : `MBR with ${mbr.partitions.length}`;
  if (!gpt.intact) throw new IsoError('ISO_BAD_RECORD', 'a checksum of the GUID partition table is wrong');
  if (gpt.backup !== 'intact')
    throw new IsoError('ISO_BAD_RECORD', `the backup of the GUID partition table is ${gpt.backup}`);
  return `GPT with ${gpt.partitions.length}, and its backup`;
}

/** Rebuilds the minimal image. Its digest covers everything but the root file system. */
async function lookAtMinimal(source: ByteSource, options: VerifyOptions): Promise<string> {
  const pristine = await pristineImage(source, options);
  const recipe = await (await openLiveImage(pristine, options)).minimal(options);
  if (recipe === undefined) return 'none';
  const { size } = await unpackMinimal(pristine, recipe, options);
  return `${size} bytes, whose digest is right`;
}

/** The image as it was built, according to its areas. */
async function pristineImage(source: ByteSource, options: VerifyOptions): Promise<ByteSource> {
  return (await reset(await openLiveImage(source, options), options)).overlay;
}

function compareWithBase(digest: string, base: readonly string[]): string {
  if (base.length === 0 || base.some((each) => each.toLowerCase() === digest)) {
    return `without its customisations the image has the SHA-256 digest ${digest}`;
  }
  const should = `${base.slice(0, 3).join(' or ')}${base.length > 3 ? ' or another' : ''}`;
  const message = `without its customisations the image has the SHA-256 digest ${digest}, but should have ${should}`;
  throw new IsoError('ISO_WRONG_DIGEST', message);
}
