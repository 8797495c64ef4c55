import type { Path } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { certificateDates } from '@coreiso/peers/der';
import { decodeBase64 } from '@coreiso/peers/go';
import type { Config } from '../spec/generated/types.ts';
import { decodePem, ENCODED_PEM, piecesOf } from './contents.ts';

/** A credential in a config with an expiry date. */
export interface Expiry {
  readonly kind: 'certificate' | 'token';
  /** The subject of a certificate, or the subject or issuer of a token; empty if it has none. */
  readonly name: string;
  readonly notBefore: Date | undefined;
  readonly notAfter: Date;
  readonly path: Path;
  /** The files and units that contain it, outermost first. */
  readonly within: readonly string[];
}

type ValidityPeriod = Pick<Expiry, 'kind' | 'name' | 'notBefore' | 'notAfter'>;

/**
 * Finds certificates (X.509) and tokens (JWT) with an expiry date anywhere in a config, the earliest first.
 *
 * @example const [first] = findExpiries(config); // what ends first: first?.notAfter
 */
export function findExpiries(config: Config): Expiry[] {
  checkArgument('config', config, 'object');
  const found: Expiry[] = [];
  for (const { path, within, bytes } of piecesOf(config)) {
    for (const dated of validityPeriodsIn(new TextDecoder().decode(bytes))) found.push({ ...dated, path, within });
  }
  return found.sort((a, b) => a.notAfter.getTime() - b.notAfter.getTime());
}

function* validityPeriodsIn(text: string): Generator<ValidityPeriod> {
  yield* certificatesIn(text);
  for (const [encoded] of text.matchAll(ENCODED_PEM)) yield* certificatesIn(decodePem(encoded));
  // RFC 7519: three parts in base64url; the first one is an object.
  for (const [, payload = ''] of text.matchAll(/(?<![\w.-])eyJ[\w-]+\.([\w-]+)\.[\w-]*/g)) {
    const token = readToken(payload);
    if (token !== undefined) yield token;
  }
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

function* certificatesIn(text: string): Generator<ValidityPeriod> {
  for (let begin = text.indexOf(BEGIN); begin !== -1; begin = text.indexOf(BEGIN, begin)) {
    begin += BEGIN.length;
    const end = text.indexOf(END, begin);
    if (end === -1) return;
    const der = decodeBase64(text.slice(begin, end).replace(/\s+|\\n/g, ''), { padding: 'optional' });
    const certificate = der.ok ? certificateDates(der.bytes) : undefined;
    if (certificate !== undefined) {
      const { subject, notBefore, notAfter } = certificate;
      yield { kind: 'certificate', name: subject, notBefore, notAfter };
    }
    begin = end;
  }
}

function readToken(payload: string): ValidityPeriod | undefined {
  const reading = decodeBase64(payload, { alphabet: 'url', padding: 'optional' });
  if (!reading.ok) return undefined;
  try {
    const claims = JSON.parse(new TextDecoder().decode(reading.bytes)) as Record<string, unknown>;
    const notAfter = readSeconds(claims['exp']);
    if (notAfter === undefined) return undefined;
    const name = [claims['sub'], claims['iss']].find((claim) => typeof claim === 'string' && claim !== '');
    return {
      kind: 'token',
      name: typeof name === 'string' ? name : '',
      notBefore: readSeconds(claims['nbf']),
      notAfter,
    };
  } catch {
    return undefined;
  }
}

function readSeconds(claim: unknown): Date | undefined {
  const date = typeof claim === 'number' ? new Date(claim * 1000) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}
