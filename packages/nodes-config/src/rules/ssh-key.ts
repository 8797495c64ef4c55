// OpenSSH's authorized_keys format, as golang.org/x/crypto/ssh reads it. Only the length of elliptic points is
// checked, not whether they are on the curve; of certificates only the type.
import { decodeBase64 } from '@coreiso/peers/go';

/** The kind of the first public key of a text, or upstream's complaint. */
export type SshKeyReading =
  | { readonly ok: true; readonly type: string }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the first public key of a text; unreadable lines before it are skipped.
 *
 * @example readSshKey('ssh-rsa') // { ok: false, message: 'ssh: no key found' }
 */
export function readSshKey(text: string): SshKeyReading {
  let last: string | undefined;
  for (const raw of text.split('\n')) {
    const line = trim(raw.replace(/\r$/, ''));
    if (line.startsWith('#')) continue;
    // The line may begin with options.
    for (const candidate of [line, trim(line.slice(optionsLength(line)))]) {
      const end = candidate.search(/[ \t]/);
      if (end === -1) break;
      const type = candidate.slice(0, end);
      last = fieldProblem(type, candidate.slice(end));
      if (last === undefined) return { ok: true, type };
    }
  }
  const tail = last === undefined ? '' : `; last parsing error for ignored line: ${last}`;
  return { ok: false, message: `ssh: no key found${tail}` };
}

/**
 * Upstream's complaint about a text without a public key.
 *
 * @example sshKeyProblem('ssh-rsa') // 'ssh: no key found'
 */
export function sshKeyProblem(text: string): string | undefined {
  const reading = readSshKey(text);
  return reading.ok ? undefined : reading.message;
}

/**
 * Whether a text begins like a public key, so that nothing in it needs to be hidden.
 *
 * @example looksPublic('ssh-ed25519 AAAAC3Nz core@example') // true
 */
export function looksPublic(text: string): boolean {
  return /^\s*(?:ssh-|ecdsa-|sk-)\S+\s+AAAA\S*(?:[ \t][^\n]*)?\s*$/.test(text);
}

function trim(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}

/** Options end at the first blank outside quotes. */
function optionsLength(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (!isQuoted && (character === ' ' || character === '\t')) return at;
    if (character === '"' && line[at - 1] !== '\\') isQuoted = !isQuoted;
  }
  return line.length;
}

function fieldProblem(type: string, rest: string): string | undefined {
  const [field = ''] = trim(rest).split(/[ \t]/);
  const blob = decodeBase64(field);
  if (!blob.ok) return `illegal base64 data at input byte ${blob.offset}`;
  const reader = new BlobReader(blob.bytes);
  const inner = reader.text();
  if (inner === undefined) return 'ssh: short read';
  const read = KEY_TYPES[inner] ?? (/-cert-v0\d@openssh\.com$/.test(inner) ? readAnything : undefined);
  if (read === undefined) return `ssh: unknown key algorithm: ${inner}`;
  if (!read(reader)) return 'ssh: short read';
  if (!reader.isAtEnd()) return 'ssh: trailing junk in public key';
  return type === inner ? undefined : `ssh: authorized keys key type mismatch: "${type}" vs "${inner}"`;
}

type KeyReader = (reader: BlobReader) => boolean;

const ED25519_SIZE = 32;

/** RFC 4253 section 6.6, RFC 5656, RFC 8709, and OpenSSH's PROTOCOL.u2f. */
const KEY_TYPES: Readonly<Record<string, KeyReader>> = {
  'ssh-rsa': (reader) => reader.bytes() !== undefined && reader.bytes() !== undefined,
  'ssh-dss': (reader) => [1, 2, 3, 4].every(() => reader.bytes() !== undefined),
  'ssh-ed25519': (reader) => reader.bytes()?.length === ED25519_SIZE,
  'ecdsa-sha2-nistp256': ellipticKey('nistp256', 65),
  'ecdsa-sha2-nistp384': ellipticKey('nistp384', 97),
  'ecdsa-sha2-nistp521': ellipticKey('nistp521', 133),
  'sk-ssh-ed25519@openssh.com': (reader) => reader.bytes()?.length === ED25519_SIZE && reader.bytes() !== undefined,
  'sk-ecdsa-sha2-nistp256@openssh.com': (reader) => ellipticKey('nistp256', 65)(reader) && reader.bytes() !== undefined,
};

function ellipticKey(curve: string, pointSize: number): KeyReader {
  return (reader) => reader.text() === curve && reader.bytes()?.length === pointSize;
}

function readAnything(reader: BlobReader): boolean {
  return reader.skip();
}

/** RFC 4251 section 5: strings with their length before them. */
class BlobReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bytes(): Uint8Array | undefined {
    if (this.#at + 4 > this.#bytes.length) return undefined;
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    const start = this.#at + 4;
    const end = start + view.getUint32(this.#at);
    if (end > this.#bytes.length) return undefined;
    this.#at = end;
    return this.#bytes.subarray(start, end);
  }

  text(): string | undefined {
    const bytes = this.bytes();
    return bytes && new TextDecoder('latin1').decode(bytes);
  }

  skip(): boolean {
    this.#at = this.#bytes.length;
    return true;
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
