// Checks detached OpenPGP signatures while the file streams through.
import type { Key, Signature } from 'openpgp';
import type { Terminal } from '../terminal.ts';

/** The verdict of one signature on a file. */
export interface Verdict {
  /** `unknown`: the key is not known. */
  readonly outcome: 'good' | 'bad' | 'unknown';
  readonly created: Date;
  /** The name in gpg: `RSA`, `EDDSA`. */
  readonly algorithm: string;
  /** Fingerprint of the signing key in upper case, or its key ID if the signature has only that. */
  readonly key: string;
  readonly signer?: {
    readonly name: string;
    /** Fingerprint of the primary key in upper case. */
    readonly fingerprint: string;
    readonly isExpired: boolean;
  };
}

const ALGORITHMS: Readonly<Record<number, string>> = {
  1: 'RSA',
  3: 'RSA',
  17: 'DSA',
  19: 'ECDSA',
  22: 'EDDSA',
  27: 'EDDSA',
};

/** Returns public keys besides those of Fedora and Red Hat, if the environment names a file of them. */
export async function signingKeys(terminal: Terminal): Promise<string> {
  const file = terminal.io.env['COREISO_SIGNING_KEYS'] || undefined;
  if (file === undefined) return '';
  const { readText } = await import('../text.ts');
  return await readText(terminal, file);
}

/** A parsed signature file. */
export class DetachedSignature {
  readonly #openpgp: typeof import('openpgp');
  readonly #signature: Signature;
  readonly #keys: readonly Key[];

  private constructor(openpgp: typeof import('openpgp'), signature: Signature, keys: readonly Key[]) {
    this.#openpgp = openpgp;
    this.#signature = signature;
    this.#keys = keys;
  }

  /**
   * Parses a signature, armored or not; undefined if it is none. `moreKeys` are public keys besides those of Fedora and Red
   * Hat.
   */
  static async read(bytes: Uint8Array, moreKeys = ''): Promise<DetachedSignature | undefined> {
    const openpgp = await import('openpgp');
    const { PUBLIC_KEYS } = await import('./keys.ts');
    const keys = await readKeys(openpgp, `${PUBLIC_KEYS}\n${moreKeys}`);
    const text = new TextDecoder('latin1').decode(bytes);
    try {
      const signature = text.trimStart().startsWith('-----BEGIN PGP SIGNATURE')
        ? await openpgp.readSignature({ armoredSignature: text })
        : await openpgp.readSignature({ binarySignature: Uint8Array.from(bytes) });
      if (signature.packets.length === 0) return undefined;
      // The library reports unsupported methods only here; later it would leave the file unread.
      const message = await openpgp.createMessage({ binary: new Uint8Array() });
      await openpgp.verify({ message, signature, verificationKeys: [...keys], format: 'binary' });
      return new DetachedSignature(openpgp, signature, keys);
    } catch {
      return undefined;
    }
  }

  /** Returns the verdicts of a file's signatures after reading the whole file. */
  async verdicts(file: ReadableStream<Uint8Array>): Promise<readonly Verdict[]> {
    const { createMessage, verify } = this.#openpgp;
    const message = await createMessage({ binary: file });
    const signature = this.#signature;
    const { data, signatures } = await verify({
      message,
      signature,
      verificationKeys: [...this.#keys],
      format: 'binary',
    });
    // The library hashes only data that is read.
    const reader = (data as unknown as ReadableStream<Uint8Array>).getReader();
    while (!(await reader.read()).done);
    return await Promise.all(
      signatures.map(async ({ verified, signature: one, keyID }): Promise<Verdict> => {
        const [packet] = (await one).packets;
        const { created, publicKeyAlgorithm, issuerFingerprint } = packet ?? {};
        const [signer] = this.#keys.filter((key) => key.getKeys(keyID).length > 0);
        const isGood = await verified.then(
          () => true,
          () => false,
        );
        return {
          outcome: signer === undefined ? 'unknown' : isGood ? 'good' : 'bad',
          created: created ?? new Date(0),
          algorithm: ALGORITHMS[publicKeyAlgorithm ?? 0] ?? `algorithm ${publicKeyAlgorithm}`,
          key: (issuerFingerprint ? Buffer.from(issuerFingerprint).toString('hex') : keyID.toHex()).toUpperCase(),
          ...(signer && { signer: await describe(signer) }),
        };
      }),
    );
  }
}

/** Reads all armored blocks; the library's `readKeys` reads only the first. */
async function readKeys(openpgp: typeof import('openpgp'), armored: string): Promise<Key[]> {
  const blocks = armored.match(/-----BEGIN PGP PUBLIC KEY BLOCK-----[\s\S]*?-----END PGP PUBLIC KEY BLOCK-----/g) ?? [];
  const keys = await Promise.all(blocks.map((armoredKeys) => openpgp.readKeys({ armoredKeys })));
  return keys.flat();
}

async function describe(key: Key): Promise<NonNullable<Verdict['signer']>> {
  const expires = await key.getExpirationTime();
  const { user } = await key.getPrimaryUser(key.getCreationTime()).catch(() => ({ user: undefined }));
  return {
    name: user?.userID?.userID ?? key.getUserIDs()[0] ?? 'a key without a name',
    fingerprint: key.getFingerprint().toUpperCase(),
    isExpired: expires instanceof Date && expires <= new Date(),
  };
}
