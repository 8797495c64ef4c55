// Certificates as the installer makes them, RFC 5280: fields in the order of Go's x509 package.
import { DER, pemText } from '@coreiso/peers/der';
import {
  bitString,
  element,
  integer,
  joined,
  objectId,
  octetString,
  printableString,
  sequence,
  TRUE,
  time,
} from './der-writer.ts';
import type { KeyPair } from './keys.ts';

/** A certificate and the key that belongs to it, both in PEM. */
export interface CertifiedKey {
  readonly certificate: string;
  /** Secret. */
  readonly key: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** RFC 4519, in the order in which Go writes the attributes. */
const ATTRIBUTES = { organization: '2.5.4.10', unit: '2.5.4.11', commonName: '2.5.4.3' } as const;

type Name = Readonly<Partial<Record<keyof typeof ATTRIBUTES, string>>>;

/** A certificate authority or another signer. */
export interface Authority {
  readonly name: Name;
  readonly keys: KeyPair;
}

/** Certificates of authorities and of clients differ in their key usage. */
export async function signAuthority(authority: Authority, validity: Validity): Promise<CertifiedKey> {
  const usage = authority.keys.algorithm === 'RSA' ? ['sign', 'encipher', 'certify'] : ['sign', 'certify'];
  const extensions = [
    keyUsage(usage as KeyUse[]),
    extension('2.5.29.19', sequence(TRUE), 'critical'),
    extension('2.5.29.14', octetString(await authority.keys.keyId())),
  ];
  return await certify(authority, authority, validity, extensions);
}

export async function signClient(issuer: Authority, client: Authority, validity: Validity): Promise<CertifiedKey> {
  const authorityKeyId = element(0x80, await issuer.keys.keyId());
  const extensions = [
    keyUsage(['sign', 'encipher']),
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2'))),
    extension('2.5.29.19', sequence(), 'critical'),
    extension('2.5.29.14', octetString(await client.keys.keyId())),
    extension('2.5.29.35', sequence(authorityKeyId)),
  ];
  return await certify(issuer, client, validity, extensions);
}

async function certify(
  issuer: Authority,
  subject: Authority,
  { notBefore, notAfter }: Validity,
  extensions: readonly Uint8Array[],
): Promise<CertifiedKey> {
  const body = joined(
    sequence(
      element(0xa0, integer(Uint8Array.of(2))),
      integer(serial()),
      issuer.keys.signatureAlgorithm,
      nameText(issuer.name),
      sequence(time(notBefore), time(notAfter)),
      nameText(subject.name),
      subject.keys.publicKeyInfo,
      element(0xa3, sequence(...extensions)),
    ),
  );
  const signature = await issuer.keys.sign(body);
  const whole = sequence(body, issuer.keys.signatureAlgorithm, bitString(signature));
  return { certificate: pemText('CERTIFICATE', whole), key: await subject.keys.privatePem() };
}

/** A positive number of 63 bits. */
function serial(): Uint8Array {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  bytes[7] = (bytes[7] ?? 0) | 1;
  return bytes;
}

function nameText(name: Name): Uint8Array {
  const parts = Object.entries(ATTRIBUTES).flatMap(([key, id]) => {
    const value = name[key as keyof Name];
    return value === undefined ? [] : [element(DER.set, sequence(objectId(id), printableString(value)))];
  });
  return sequence(...parts);
}

/** The first bits of RFC 5280 4.2.1.3, from the left. */
const KEY_USES = { sign: 0x80, encipher: 0x20, certify: 0x04 } as const;
type KeyUse = keyof typeof KEY_USES;

function keyUsage(uses: readonly KeyUse[]): Uint8Array {
  const bits = uses.reduce((sum, use) => sum | KEY_USES[use], 0);
  const unused = 31 - Math.clz32(bits & -bits);
  return extension('2.5.29.15', bitString(Uint8Array.of(bits), unused), 'critical');
}

function extension(id: string, value: Uint8Array, importance?: 'critical'): Uint8Array {
  return sequence(objectId(id), ...(importance === undefined ? [] : [TRUE]), octetString(value));
}
