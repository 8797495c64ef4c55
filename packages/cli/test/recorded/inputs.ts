import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesOf } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import type { Input, Inputs } from './recording.ts';
import { unxz } from './unxz.ts';

/** Writes files as a recording describes them; third-party images and archives come from `fixtures`. */
export async function layOut(directory: string, inputs: Inputs = {}, fixtures?: string): Promise<void> {
  for (const [name, input] of Object.entries(inputs)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (input.dir) mkdirSync(path, { recursive: true });
    else if (input.link !== undefined) symlinkSync(input.link, path);
    else writeFileSync(path, await contents(input, fixtures));
  }
}

export async function contents(input: Input, fixtures?: string): Promise<Buffer> {
  const bytes = await original(input, fixtures);
  for (const { find, with: replacement } of input.replace ?? []) replaceAll(bytes, find, replacement);
  for (const patch of input.patch ?? []) {
    const { at, hex, zero } = patch;
    if (zero !== undefined) bytes.fill(0, at, at + zero);
    else bytes.set(hex === undefined ? await contents(patch, fixtures) : Buffer.from(hex, 'hex'), at);
  }
  const cut = input.truncate === undefined ? bytes : bytes.subarray(0, input.truncate);
  return input.extend === undefined ? cut : Buffer.concat([cut, Buffer.alloc(input.extend)]);
}

async function original(input: Input, fixtures?: string): Promise<Buffer> {
  if (input.text !== undefined) return Buffer.from(input.text);
  if (input.base64 !== undefined) return Buffer.from(input.base64, 'base64');
  if (input.xz !== undefined) return unxz(Buffer.from(input.xz, 'base64'));
  if (input.fixture !== undefined) return Buffer.from(fixture(input.fixture, fixtures));
  if (input.sample !== undefined) return Buffer.from(await sample(input.sample));
  if (input.repeat !== undefined) return Buffer.from(input.repeat.text.repeat(input.repeat.count));
  if (input.stream !== undefined) return noise(input.stream);
  if (input.concat !== undefined) {
    return Buffer.concat(await Promise.all(input.concat.map((part) => contents(part, fixtures))));
  }
  throw new Error(`no input: ${JSON.stringify(input)}`);
}

const noises = new Map<string, Buffer>();

/** Returns the SHA-256 digests of `SEED:0`, `SEED:1`, … one after the other. */
function noise({ seed, bytes, encode }: NonNullable<Input['stream']>): Buffer {
  const key = `${seed} ${bytes}`;
  const whole = noises.get(key) ?? makeNoise(seed, bytes);
  noises.set(key, whole);
  return encode === undefined ? Buffer.from(whole) : Buffer.from(whole.toString(encode));
}

function makeNoise(seed: string, bytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, index) =>
    createHash('sha256').update(`${seed}:${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

function replaceAll(bytes: Buffer, find: string, replacement: string): void {
  const [before, after] = [Buffer.from(find), Buffer.from(replacement)];
  let at = bytes.indexOf(before);
  if (before.length !== after.length || at === -1) throw new Error(`cannot replace ${find}`);
  for (; at !== -1; at = bytes.indexOf(before, at + 1)) bytes.set(after, at);
}

const samples = new Map<string, Promise<Uint8Array>>();

function sample(options: NonNullable<Input['sample']>): Promise<Uint8Array> {
  const known = samples.get(options.kind) ?? sampleIso(options).then((image) => bytesOf(image));
  samples.set(options.kind, known);
  return known;
}

const unpacked = new Map<string, Buffer>();

function fixture(name: string, fixtures = ''): Buffer {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const packed = name.endsWith('.xz') ? name : `${name}.xz`;
  const found = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.endsWith(`/${name}`) || path.endsWith(`/${packed}`),
  );
  if (found === undefined || !existsSync(join(fixtures, found))) throw new Error(`no fixture named ${name}`);
  const raw = readFileSync(join(fixtures, found));
  const bytes = found.endsWith(`/${name}`) ? raw : unxz(raw);
  unpacked.set(name, bytes);
  return bytes;
}
