// Reads archives without coreiso: zlib and the program xz decompress them, a reader of a few lines splits them.
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { RecordedArchive, RecordedMember } from './recording.ts';
import { unxz } from './unxz.ts';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Member {
  readonly name: string;
  readonly mode: number;
  readonly data: Buffer;
}

/** Reads one archive, plain or compressed, followed only by zeros. */
export function openArchive(bytes: Buffer): { readonly cpio: Buffer; readonly members: Member[] } {
  const plain = decompress(bytes);
  const members: Member[] = [];
  for (let at = 0; ; ) {
    if (plain.toString('latin1', at, at + 6) !== '070701') throw new Error(`no member at ${at}`);
    const field = (index: number): number =>
      Number.parseInt(plain.toString('latin1', at + 6 + 8 * index, at + 14 + 8 * index), 16);
    const [mode, size, nameSize] = [field(1), field(6), field(11)];
    const start = aligned(at + 110 + nameSize);
    const name = plain.toString('utf8', at + 110, at + 110 + nameSize - 1);
    if (name === 'TRAILER!!!') return { cpio: plain.subarray(0, start), members };
    members.push({ name, mode, data: plain.subarray(start, start + size) });
    at = aligned(start + size);
  }
}

function aligned(position: number): number {
  return Math.ceil(position / 4) * 4;
}

function decompress(bytes: Buffer): Buffer {
  if (bytes[0] === 0x1f) return gunzipSync(bytes);
  return bytes[0] === 0xfd ? unxz(bytes) : bytes;
}

/** Whether the contents are a config from `customize`. */
export function isGenerated(text: string): boolean {
  return text.startsWith('{') && text.includes('"data:;base64,');
}

/** Parses a config and unpacks its data URLs at any depth; keeps the order of keys, and nulls. */
export function openConfig(text: string): unknown {
  return openValue(JSON.parse(text));
}

function openValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openValue);
  if (typeof value !== 'object' || value === null) return value;
  const { source, compression } = value as { source?: unknown; compression?: unknown };
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'source' && typeof source === 'string' ? openUrl(source, compression) : openValue(member),
    ]),
  );
}

function openUrl(source: string, compression: unknown): unknown {
  const [, base64, data] = /^data:(;base64)?,(.*)$/s.exec(source) ?? [];
  if (data === undefined) return source;
  const raw = base64 === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
  const bytes = compression === 'gzip' ? gunzipSync(raw) : raw;
  if (!isText(bytes)) return { base64: bytes.toString('base64') };
  const text = bytes.toString('utf8');
  return /^\{"ignition":/.test(text) ? { config: openConfig(text) } : { text };
}

const TEXT_CONTROLS = '\t\n\r\u001b';

function isText(data: Buffer): boolean {
  return [...data.toString('utf8')].every((character) =>
    character < ' ' ? TEXT_CONTROLS.includes(character) : character !== '\ufffd',
  );
}

/** Describes an archive for a recording. */
export function describeArchive(bytes: Buffer): RecordedArchive {
  const { cpio, members } = openArchive(bytes);
  return { cpio: { bytes: cpio.length, sha256: sha256(cpio) }, members: members.map(describeMember) };
}

const DIRECTORY = 0o040000;
const TYPE = 0o170000;

function describeMember({ name, mode, data }: Member): RecordedMember {
  const head = { name, mode: mode.toString(8).padStart(7, '0') };
  if ((mode & TYPE) === DIRECTORY) return head;
  const text = data.toString('utf8');
  return { ...head, sha256: sha256(data), ...(isGenerated(text) ? { opened: openConfig(text) } : {}) };
}
