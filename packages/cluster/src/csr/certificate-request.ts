// A certificate request of the kubelet: PKCS#10 (RFC 2986) inside an object of the API.
import { DER, type DerElement, derElements, objectIdText, pemBlocks } from '@coreiso/diagnostics/der';
import { bytesOfBase64, hex } from '@coreiso/diagnostics/go';
import { formatAddress } from '@coreiso/diagnostics/ip';
import { type KubeObject, listOf, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';

/** The kubelet's first request, for a certificate of its own towards the API. */
export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
/** The kubelet's second request, for the certificate that it serves with. */
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

/** What a request for a certificate says of itself. */
export interface RequestContent {
  /** As RFC 4514 writes names, the last part first. */
  readonly subject: string;
  readonly commonNames: readonly string[];
  readonly organizations: readonly string[];
  /** Parts of the subject that are neither. */
  readonly otherParts: number;
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  /** Alternative names that are neither DNS names nor addresses. */
  readonly otherNames: number;
  /** Extensions and attributes beside the alternative names. */
  readonly otherExtensions: readonly string[];
  /** The public key, as it is hashed. */
  readonly publicKey: Uint8Array;
}

/** A CertificateSigningRequest of the API, read. */
export interface CertificateRequest {
  readonly name: string;
  readonly signer: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  /** No condition yet. */
  readonly isPending: boolean;
  /** Whether the request is PEM at all; the peer passes over others without a word. */
  readonly isPem: boolean;
  readonly content: RequestContent | undefined;
  /** The object as it was read, for approving exactly that. */
  readonly object: KubeObject;
}

/**
 * Reads a request; its content is undefined where it is not PKCS#10.
 *
 * @example
 * const { items } = await cluster.list('/apis/certificates.k8s.io/v1/certificatesigningrequests');
 * console.log(items.map((item) => readRequest(item).content?.subject));
 */
export function readRequest(object: KubeObject): CertificateRequest {
  const der = pemContent(textOf(object, 'spec', 'request'));
  const content = der === undefined ? undefined : readContent(der);
  return {
    name: nameOf(object),
    signer: textOf(object, 'spec', 'signerName'),
    username: textOf(object, 'spec', 'username'),
    groups: listOf(object, 'spec', 'groups').filter((group) => typeof group === 'string'),
    usages: listOf(object, 'spec', 'usages').filter((usage) => typeof usage === 'string'),
    isPending:
      objectsOf(object, 'status', 'conditions').length === 0 && memberOf(object, 'status', 'certificate') === undefined,
    isPem: der !== undefined,
    content,
    object,
  };
}

/** The bytes of the first PEM block. */
function pemContent(encoded: string): Uint8Array | undefined {
  const text = bytesOfBase64(encoded);
  if (text === undefined) return undefined;
  return pemBlocks(latin1(text))[0]?.content;
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/** RFC 4514 section 3. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  [COMMON_NAME]: 'CN',
  [ORGANIZATION]: 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.17': 'POSTALCODE',
};
/** RFC 2985 section 5.4.2. */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
/** RFC 5280 section 4.2.1.6. */
const ALTERNATIVE_NAMES = '2.5.29.17';
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
/** The attributes of a request: implicit context tag 0. */
const ATTRIBUTES = 0xa0;

/** RFC 2986 section 4: version, subject, key, attributes; signed as a whole. */
function readContent(der: Uint8Array): RequestContent | undefined {
  const [request, ...behind] = derElements(der) ?? [];
  const [info, algorithm, signature] = children(request, DER.sequence);
  const [version, subject, key, attributes] = children(info, DER.sequence);
  if (behind.length > 0 || version?.tag !== DER.integer || subject?.tag !== DER.sequence) return undefined;
  if (key?.tag !== DER.sequence || algorithm?.tag !== DER.sequence || signature?.tag !== DER.bitString)
    return undefined;
  const parts = children(subject, DER.sequence).map((set) =>
    children(set, DER.set).map((part) => {
      const [type, value] = children(part, DER.sequence);
      return { type: objectIdText(type?.content ?? new Uint8Array()), value: textIn(value) };
    }),
  );
  const flat = parts.flat();
  const valuesOf = (type: string) => flat.filter((part) => part.type === type).map(({ value }) => value);
  return {
    subject: [...parts]
      .reverse()
      .map((set) => set.map(({ type, value }) => `${SHORT_NAMES[type] ?? type}=${value}`).join('+'))
      .join(','),
    commonNames: valuesOf(COMMON_NAME),
    organizations: valuesOf(ORGANIZATION),
    otherParts: flat.filter(({ type }) => type !== COMMON_NAME && type !== ORGANIZATION).length,
    ...alternativeNames(attributes),
    publicKey: key.whole,
  };
}

type Names = Pick<RequestContent, 'dnsNames' | 'addresses' | 'otherNames' | 'otherExtensions'>;

function alternativeNames(attributes: DerElement | undefined): Names {
  const dnsNames: string[] = [];
  const addresses: string[] = [];
  const otherExtensions: string[] = [];
  let otherNames = 0;
  for (const attribute of children(attributes, ATTRIBUTES)) {
    const [type, values] = children(attribute, DER.sequence);
    const attributeType = objectIdText(type?.content ?? new Uint8Array());
    if (attributeType !== EXTENSION_REQUEST) {
      otherExtensions.push(attributeType);
      continue;
    }
    const extensions = children(values, DER.set).flatMap((list) => children(list, DER.sequence));
    for (const extension of extensions) {
      const members = children(extension, DER.sequence);
      const id = objectIdText(members[0]?.content ?? new Uint8Array());
      const value = members.at(-1);
      if (id !== ALTERNATIVE_NAMES || value?.tag !== DER.octetString) {
        otherExtensions.push(id);
        continue;
      }
      const [names] = derElements(value.content) ?? [];
      for (const { tag, content } of children(names, DER.sequence)) {
        if (tag === DNS_NAME) dnsNames.push(latin1(content));
        else if (tag === IP_ADDRESS) addresses.push(addressText(content));
        else otherNames++;
      }
    }
  }
  return { dnsNames, addresses, otherNames, otherExtensions };
}

function children(element: DerElement | undefined, tag: number): readonly DerElement[] {
  return element?.tag === tag ? (derElements(element.content) ?? []) : [];
}

/** Every byte counts: a name with a mark before it is another name. */
function textIn(element: DerElement | undefined): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(element?.content);
}

/** RFC 5280 section 4.2.1.6: four bytes or sixteen. Anything else reads as no address that a node has. */
function addressText(bytes: Uint8Array): string {
  const digits = hex(bytes);
  const version = ({ 4: 4, 16: 6 } as const)[bytes.length];
  return version === undefined ? digits : formatAddress({ version, value: BigInt(`0x${digits}`) });
}
