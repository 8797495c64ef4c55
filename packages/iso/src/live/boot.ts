// How a live image boots: `verifyImage` reports it, and an edit that writes outside the areas must not break it.
import type { BootAreas } from '../boot/areas.ts';
import type { ProofOptions } from '../boot/boot-context.ts';
import type { BootProof } from '../boot/links.ts';
import { proveBoot } from '../boot/proof.ts';
import { newlyBroken, summarizeBoot } from '../boot/words.ts';
import { type Overlay, overlay } from '../bytes/overlay.ts';
import type { ByteSource, OwnBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { openByRules } from '../iso9660/reader.ts';
import type { LiveImage } from './image.ts';
import { locateInitrd } from './initrd-area.ts';
import { kargsPlaces, locateKargs, readKargsInfo } from './kargs-area.ts';
import { openLiveIso } from './live-iso.ts';

export { summarizeBoot };

/** Proves how an image boots, even if it is not a live CoreOS. */
export async function bootProofOf(source: ByteSource, options: ProofOptions): Promise<BootProof> {
  const { signal } = options;
  return proveBoot(await openByRules(source, 'forgiving', { signal }), await areasOf(source, signal), options);
}

/** The areas of an image, if there are any; only their places if they contradict one another. */
async function areasOf(source: ByteSource, signal: AbortSignal | undefined): Promise<BootAreas> {
  let initrd: BootAreas['initrd'];
  let kargs: BootAreas['kargs'];
  try {
    const iso = await openLiveIso(source, signal, 'forgiving');
    initrd = await locateInitrd(iso, signal);
    const info = await readKargsInfo(iso, signal);
    if (info !== undefined) kargs = { length: info.size, areas: await kargsPlaces(iso, info, signal) };
    return { initrd, kargs: await locateKargs(iso, signal) };
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    return { initrd, kargs, problem: error };
  }
}

interface CachedProof {
  readonly source: ByteSource;
  readonly proof: Promise<BootProof>;
}

/** Cached boot proofs, once per base image. */
const known = new WeakMap<LiveImage, CachedProof>();

/** Refuses an edited image if the edit broke a link of the boot chain. */
export async function refuseUnbootable(base: LiveImage, edited: Overlay, signal?: AbortSignal): Promise<void> {
  const options: ProofOptions = { depth: 'structure', signal };
  let before = known.get(base);
  if (before === undefined) {
    const source = withReadCache(edited.base);
    before = { source, proof: bootProofOf(base.source === edited.base ? source : base.source, options) };
    known.set(base, before);
    // An abort must affect only one edit.
    before.proof.catch(() => known.delete(base));
  }
  const { patches, keep, tail } = edited;
  const after = await bootProofOf(overlay(before.source, patches, { keep, tail: [tail] }), options);
  const problem = newlyBroken(await before.proof, after);
  if (problem === undefined) return;
  throw new IsoError('ISO_WOULD_NOT_BOOT', `the edited image would not boot: ${problem}`, {
    help: 'omit grow, or give the config by its address (ignition.config.url)',
  });
}

const LARGEST_READ = 128 * 1024;
const KEPT_BYTES = 4 * 1024 * 1024;

/** The same bytes with small reads cached, because both proofs read nearly the same parts. */
function withReadCache(source: ByteSource): ByteSource {
  const kept = new Map<string, OwnBytes>();
  let room = KEPT_BYTES;
  return {
    size: source.size,
    async read(offset, length, signal) {
      const key = `${offset}:${length}`;
      const found = kept.get(key);
      if (found !== undefined) return found;
      const bytes = await source.read(offset, length, signal);
      if (length <= LARGEST_READ && length <= room) {
        kept.set(key, bytes);
        room -= length;
      }
      return bytes;
    },
  };
}
