import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path/posix';
import { type BootProof, bytesSource, IsoError, verifyImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import type { Recordings, Verdict } from '../../../../test/support/replay.ts';
import { output } from '../../../../test/support/tools.ts';

/** A change of an image; `README.md` beside the cases explains each member. */
interface Patch {
  readonly offset: number;
  readonly hex?: string | null;
  readonly base64?: string | null;
  readonly text?: string | null;
  readonly bytes?: readonly number[] | string | null;
  readonly zeros?: number | null;
}

interface Case {
  readonly name?: string | null;
  readonly image: string;
  readonly patches?: readonly Patch[] | Patch | null;
  readonly size?: number | null;
  readonly boots: boolean | readonly string[] | Readonly<Record<string, boolean>>;
  readonly link?: string | readonly string[] | null;
  readonly arguments?: string | Readonly<Record<string, string>> | null;
  readonly initrds?: readonly string[] | null;
}

/** Judges changed images, and compares the result with the known one: whether they boot, and which link is broken. */
export async function* replayBootProof(recordings: Recordings): AsyncGenerator<Verdict> {
  const images = new Map<string, Promise<Uint8Array>>();
  for (const path of recordings.paths(/\.jsonl?$/)) {
    const folder = path.replace(/[^/]*$/, '');
    const cases = casesOf(recordings.text(path), path);
    for (const [index, each] of cases.entries()) {
      const image = images.get(`${folder} ${each.image}`) ?? imageOf(recordings, folder, each.image);
      images.set(`${folder} ${each.image}`, image);
      const name = `${path}${cases.length > 1 ? `, case ${index + 1}` : ''}${each.name == null ? '' : `: ${each.name}`}`;
      yield { name, differences: await judged(each, image) };
    }
  }
}

async function judged(each: Case, image: Promise<Uint8Array>): Promise<string[]> {
  try {
    return differencesOf(each, await proofOf(patched(await image, each)));
  } catch (error) {
    return [`cannot be judged: ${error}`];
  }
}

function casesOf(text: string, path: string): readonly Case[] {
  const lines = path.endsWith('l') ? text.split('\n').filter((line) => line.trim() !== '') : undefined;
  const found: unknown = lines === undefined ? JSON.parse(text) : lines.map((line) => JSON.parse(line));
  if (Array.isArray(found)) return found;
  const { cases } = found as { cases?: readonly Case[] };
  return cases ?? [found as Case];
}

async function imageOf(recordings: Recordings, folder: string, image: string): Promise<Uint8Array> {
  if (image.startsWith('sample:')) {
    const source = await sampleIso({ kind: image.slice('sample:'.length) });
    return source.read(0, source.size);
  }
  const bytes = isAbsolute(image) ? readFileSync(image) : recordings.bytes(join(folder, image));
  const program = { gz: 'gzip', xz: 'xz', zst: 'zstd' }[image.split('.').at(-1) ?? ''];
  return program === undefined ? bytes : new Uint8Array(output(program, ['-dc'], { input: bytes }));
}

function patched(image: Uint8Array, { patches, size }: Case): Uint8Array {
  const changes = [patches ?? []].flat().map((patch) => ({ offset: patch.offset, bytes: bytesOf(patch) }));
  const bytes = new Uint8Array(
    Math.max(size ?? image.length, ...changes.map((each) => each.offset + each.bytes.length)),
  );
  bytes.set(image.subarray(0, Math.min(size ?? image.length, image.length)));
  for (const change of changes) bytes.set(change.bytes, change.offset);
  return bytes;
}

function bytesOf({ hex, base64, text, bytes, zeros }: Patch): ArrayLike<number> {
  const digits = hex ?? (typeof bytes === 'string' ? bytes : undefined);
  if (digits !== undefined) return Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
  if (base64 != null) return Buffer.from(base64, 'base64');
  if (text != null) return Buffer.from(text);
  return Array.isArray(bytes) ? bytes : new Uint8Array(zeros ?? 0);
}

/** The proof of an image; an unreadable image has a broken volume. */
async function proofOf(bytes: Uint8Array): Promise<BootProof> {
  try {
    return (await verifyImage(bytesSource(bytes))).boot;
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    const link = { name: 'volume', state: 'broken', detail: error.message } as const;
    return { verdict: 'broken', ways: [{ firmware: 'bios', medium: 'cd', verdict: 'broken', links: [link] }] };
  }
}

const wayName = ({ firmware, medium }: Pick<BootProof['ways'][number], 'firmware' | 'medium'>): string =>
  `${firmware}-${medium}`;

function differencesOf({ boots, link, arguments: words, initrds }: Case, proof: BootProof): string[] {
  const differences: string[] = [];
  const broken = proof.ways.flatMap((way) =>
    way.links.filter(({ state }) => state === 'broken').map((each) => ({ way: wayName(way), ...each })),
  );
  const found = broken.map(({ way, name, detail }) => `${way}: ${name}: ${detail}`).join('; ');
  if (typeof boots === 'boolean') {
    if (boots && broken.length > 0) differences.push(`boots, and was called broken: ${found}`);
    if (!boots && broken.length === 0) differences.push(`does not boot, and was called ${proof.verdict}`);
  } else differences.push(...differencesByWay(boots, proof, found));
  const links = [link ?? []].flat();
  if (links.length > 0 && !broken.some(({ name }) => links.includes(name))) {
    differences.push(`expected ${links.join(' or ')} to be broken, found ${found === '' ? 'nothing' : found}`);
  }
  for (const way of proof.ways) {
    const wanted = typeof words === 'string' ? words : words?.[wayName(way)];
    if (wanted !== undefined && way.boots?.arguments !== wanted)
      differences.push(`${wayName(way)}: expected the arguments ${wanted}, found ${way.boots?.arguments}`);
    if (initrds != null && way.boots !== undefined && way.boots.initrds.join() !== initrds.join()) {
      differences.push(
        `${wayName(way)}: expected the initrds ${initrds.join(', ')}, found ${way.boots.initrds.join(', ')}`,
      );
    }
  }
  return differences;
}

/** Compares `boots` by way or by firmware; a list names those that boot, and all others do not. */
function differencesByWay(boots: Exclude<Case['boots'], boolean>, { ways }: BootProof, found: string): string[] {
  const names = ways.map(wayName);
  const listed = (name: string): boolean => Object.hasOwn(boots, name);
  const expected: [string, boolean][] = Array.isArray(boots)
    ? [...new Set([...names, ...boots])].map((name) => [name, boots.some((each) => isWay(name, each))])
    : Object.entries(boots as Readonly<Record<string, boolean>>);
  return expected.flatMap(([name, isBootable]) => {
    const meant = ways.filter((way) => isWay(wayName(way), name) && (wayName(way) === name || !listed(wayName(way))));
    const isBroken = meant.length === 0 || meant.some(({ verdict }) => verdict === 'broken');
    if (isBootable !== isBroken) return [];
    return [
      `${name} ${isBootable ? 'boots, and was called broken' : 'does not boot, and was not called broken'}: ${found}`,
    ];
  });
}

/** Whether `name` is the way, or its firmware alone. */
function isWay(way: string, name: string): boolean {
  return way === name || way.startsWith(`${name}-`);
}
