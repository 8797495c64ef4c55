import { DER, derElements, pemText } from '@coreiso/peers/der';
import { integer, objectId, sequence } from './der-writer.ts';

/** The kind of a signer's key. */
export type SignerKey =
  | { readonly algorithm: 'RSA'; readonly size: 2048 | 3072 | 4096 | 5120 | 6144 | 7168 | 8192 }
  | { readonly algorithm: 'ECDSA'; readonly curve: 'P-256' | 'P-384' | 'P-521' };

/** A key pair and its signature algorithm. */
export class KeyPair {
  readonly algorithm: SignerKey['algorithm'];
  /** `AlgorithmIdentifier` of its signatures, RFC 4055 and RFC 5758. */
  readonly signatureAlgorithm: Uint8Array;
  /** The public key as `SubjectPublicKeyInfo`. */
  readonly publicKeyInfo: Uint8Array;
  readonly #privateKey: CryptoKey;
  readonly #hash: string;

  private constructor(kind: SignerKey, publicKeyInfo: Uint8Array, privateKey: CryptoKey) {
    this.algorithm = kind.algorithm;
    this.publicKeyInfo = publicKeyInfo;
    this.#privateKey = privateKey;
    this.#hash = kind.algorithm === 'RSA' ? 'SHA-256' : CURVES[kind.curve].hash;
    this.signatureAlgorithm =
      kind.algorithm === 'RSA'
        ? sequence(objectId('1.2.840.113549.1.1.11'), NULL)
        : sequence(objectId(CURVES[kind.curve].signature));
  }

  static async make(kind: SignerKey): Promise<KeyPair> {
    const parameters =
      kind.algorithm === 'RSA'
        ? {
            name: 'RSASSA-PKCS1-v1_5',
            hash: 'SHA-256',
            modulusLength: kind.size,
            publicExponent: Uint8Array.of(1, 0, 1),
          }
        : { name: 'ECDSA', namedCurve: kind.curve };
    const pair = (await crypto.subtle.generateKey(parameters, true, ['sign', 'verify'])) as CryptoKeyPair;
    const info = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
    return new KeyPair(kind, info, pair.privateKey);
  }

  /** The form in certificates: ECDSA as a sequence of two integers, RFC 3279 2.2.3. */
  async sign(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const raw = await this.signRaw(message);
    if (this.algorithm === 'RSA') return raw;
    return sequence(integer(raw.subarray(0, raw.length / 2)), integer(raw.subarray(raw.length / 2)));
  }

  /** The form in tokens: ECDSA as two numbers of the same length, RFC 7518 3.4. */
  async signRaw(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const parameters = this.algorithm === 'RSA' ? 'RSASSA-PKCS1-v1_5' : { name: 'ECDSA', hash: this.#hash };
    return new Uint8Array(await crypto.subtle.sign(parameters, this.#privateKey, message));
  }

  /** PKCS#8, in PEM. */
  async privatePem(): Promise<string> {
    return pemText('PRIVATE KEY', new Uint8Array(await crypto.subtle.exportKey('pkcs8', this.#privateKey)));
  }

  /** SHA-1 of the PKCS#1 public key (for ECDSA, of the point): RFC 5280 4.2.1.2, method 1. */
  async keyId(): Promise<Uint8Array> {
    const [info] = derElements(this.publicKeyInfo) ?? [];
    const key = derElements(info?.content ?? new Uint8Array())?.find(({ tag }) => tag === DER.bitString);
    const bytes = Uint8Array.from(key?.content.subarray(1) ?? []);
    return new Uint8Array(await crypto.subtle.digest('SHA-1', bytes));
  }
}

const NULL = Uint8Array.of(5, 0);

/** The hash that Go signs with, by curve. */
const CURVES = {
  'P-256': { hash: 'SHA-256', signature: '1.2.840.10045.4.3.2' },
  'P-384': { hash: 'SHA-384', signature: '1.2.840.10045.4.3.3' },
  'P-521': { hash: 'SHA-512', signature: '1.2.840.10045.4.3.4' },
} as const;
