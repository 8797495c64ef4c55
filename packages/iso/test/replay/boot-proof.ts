import { type BootProof, bytesSource, IsoError, verifyImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import type { Recordings, Verdict } from '../../../../test/support/replay.ts';

/** A change of an image; `README.md` beside the cases says what each member means. */
interface Patch {
  readonly offset: number;
  readonly hex?: string;
  readonly base64?: string;
  readonly text?: string;
  readonly bytes?: readonly number[];
  readonly zeros?: number;
}

interface Case {
  readonly name?: string;
  readonly image: string;
  readonly patches?: readonly Patch[];
  readonly size?: number;
  readonly boots: boolean | Readonly<Record<string, boolean>>;
  readonly link?: string | readonly string[];
  readonly arguments?: string | Readonly<Record<string, string>>;
  readonly initrds?: readonly string[];
}

/** Judges changed images, and compares with what is known of them: whether they boot, and which link is broken. */
export async function* replayBootProof(recordings: Recordings): AsyncGenerator<Verdict> {
  const images = new Map<string, Promise<Uint8Array>>();
  for (const path of recordings.paths(/\.jsonl?$/)) {
    const folder = path.replace(/[^/]*$/, '');
    const cases = casesOf(recordings.text(path), path);
    for (const [index, each] of cases.entries()) {
      const key = each.image.startsWith('sample:') ? each.image : `${folder}${each.image}`;
      const image = images.get(key) ?? imageOf(recordings, key);
      images.set(key, image);
      const name = `${path}${cases.length > 1 ? `, case ${index + 1}` : ''}${each.name === undefined ? '' : `: ${each.name}`}`;
      yield { name, differences: differencesOf(each, await proofOf(patched(await image, each))) };
    }
  }
}

function casesOf(text: string, path: string): readonly Case[] {
  const lines = path.endsWith('l') ? text.split('\n').filter((line) => line.trim() !== '') : undefined;
  const found: unknown = lines === undefined ? JSON.parse(text) : lines.map((line) => JSON.parse(line));
  if (Array.isArray(found)) return found;
  const { cases } = found as { cases?: readonly Case[] };
  return cases ?? [found as Case];
}

async function imageOf(recordings: Recordings, key: string): Promise<Uint8Array> {
  if (!key.startsWith('sample:')) return recordings.bytes(key);
  const source = await sampleIso({ kind: key.slice('sample:'.length) });
  return source.read(0, source.size);
}

function patched(image: Uint8Array, { patches = [], size = image.length }: Case): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(image.subarray(0, size));
  for (const { offset, hex, base64, text, bytes: numbers, zeros } of patches) {
    const change =
      hex !== undefined
        ? Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
        : base64 !== undefined
          ? Buffer.from(base64, 'base64')
          : text !== undefined
            ? new TextEncoder().encode(text)
            : (numbers ?? new Uint8Array(zeros ?? 0));
    bytes.set(change, offset);
  }
  return bytes;
}

/** What cannot be opened at all has a broken volume. */
async function proofOf(bytes: Uint8Array): Promise<BootProof> {
  try {
    return (await verifyImage(bytesSource(bytes))).boot;
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    const link = { name: 'volume', state: 'broken', detail: error.message } as const;
    return { verdict: 'broken', ways: [{ firmware: 'bios', medium: 'cd', verdict: 'broken', links: [link] }] };
  }
}

function differencesOf({ boots, link, arguments: words, initrds }: Case, proof: BootProof): string[] {
  const differences: string[] = [];
  const wayName = ({ firmware, medium }: BootProof['ways'][number]): string => `${firmware}-${medium}`;
  const broken = proof.ways.flatMap((way) =>
    way.links.filter(({ state }) => state === 'broken').map((each) => ({ way: wayName(way), ...each })),
  );
  const found = broken.map(({ way, name, detail }) => `${way}: ${name}: ${detail}`).join('; ');
  if (typeof boots === 'boolean') {
    if (boots && broken.length > 0) differences.push(`boots, and was called broken: ${found}`);
    if (!boots && broken.length === 0) differences.push(`does not boot, and was called ${proof.verdict}`);
  } else {
    for (const [way, isBootable] of Object.entries(boots)) {
      const isBroken = broken.some((each) => each.way === way) || !proof.ways.some((each) => wayName(each) === way);
      if (isBootable === isBroken)
        differences.push(
          `${way} ${isBootable ? 'boots, and was called broken' : 'does not boot, and was not called broken'}: ${found}`,
        );
    }
  }
  const links = link === undefined ? [] : [link].flat();
  if (links.length > 0 && !broken.some(({ name }) => links.includes(name))) {
    differences.push(`expected ${links.join(' or ')} to be broken, found ${found === '' ? 'nothing' : found}`);
  }
  for (const way of proof.ways) {
    const wanted = typeof words === 'string' ? words : words?.[wayName(way)];
    if (wanted !== undefined && way.boots?.arguments !== wanted)
      differences.push(`${wayName(way)}: expected the arguments ${wanted}, found ${way.boots?.arguments}`);
    if (initrds !== undefined && way.boots !== undefined && way.boots.initrds.join() !== initrds.join()) {
      differences.push(
        `${wayName(way)}: expected the initrds ${initrds.join(', ')}, found ${way.boots.initrds.join(', ')}`,
      );
    }
  }
  return differences;
}
