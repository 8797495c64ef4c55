// A certificate request of the kubelet: one block of PEM inside an object of the API.
import { type PemBlock, pemBlocks, pemText } from '@coreiso/peers/der';
import { decodeBase64 } from '@coreiso/peers/go';
import { type KubeObject, listOf, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';
import { type ContentReading, type RequestContent, readContent } from './request-content.ts';

/** The kubelet's first request: a client certificate for the API. */
export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
/** The kubelet's second request: its serving certificate. */
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

/** A parsed CertificateSigningRequest of the API. */
export interface CertificateRequest {
  readonly name: string;
  readonly signer: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  /** Whether it has no condition yet. */
  readonly isPending: boolean;
  /** Whether the request is PEM; Kubernetes ignores any other. */
  readonly isPem: boolean;
  /** Undefined if the encoding is ambiguous; `problem` says why. */
  readonly content: RequestContent | undefined;
  readonly problem?: string;
  /** Users that the request names anywhere; not reliable without `content`. */
  readonly mentions: readonly string[];
  /** The object as it was read, so that exactly this one is approved. */
  readonly object: KubeObject;
}

/**
 * Reads a request. It has content only if it is exactly one PEM block as kubelets write it, and PKCS#10 to the last byte, so that
 * the signer cannot find another request in the same text.
 *
 * @example
 * const { items } = await cluster.list('/apis/certificates.k8s.io/v1/certificatesigningrequests');
 * console.log(items.map((item) => readRequest(item).content?.subject));
 */
export function readRequest(object: KubeObject): CertificateRequest {
  const bytes = decodeBase64(textOf(object, 'spec', 'request'));
  const text = bytes.ok ? latin1(bytes.bytes) : '';
  const blocks = pemBlocks(text);
  const reading = readBlock(text, blocks[0]);
  return {
    name: nameOf(object),
    signer: textOf(object, 'spec', 'signerName'),
    username: textOf(object, 'spec', 'username'),
    groups: listOf(object, 'spec', 'groups').filter((group) => typeof group === 'string'),
    usages: listOf(object, 'spec', 'usages').filter((usage) => typeof usage === 'string'),
    isPending:
      objectsOf(object, 'status', 'conditions').length === 0 && memberOf(object, 'status', 'certificate') === undefined,
    isPem: blocks[0]?.content !== undefined,
    content: reading.ok ? reading.content : undefined,
    ...(reading.ok ? {} : { problem: reading.problem }),
    mentions: reading.ok
      ? reading.content.commonNames
      : blocks.flatMap(({ content }) => mentionedUsers(latin1(content ?? new Uint8Array()))),
    object,
  };
}

const LABEL = 'CERTIFICATE REQUEST';

/** Parsers disagree about several blocks, headers and loose base64, so exactly one block without headers is accepted, in Go's base64. */
function readBlock(text: string, block: PemBlock | undefined): ContentReading {
  if (block === undefined) return { ok: false, problem: 'it is not a PEM block' };
  if (block.label !== LABEL) return { ok: false, problem: `its PEM block is not labelled ${LABEL}` };
  if (block.start > 0) return { ok: false, problem: 'there is text before its PEM block' };
  if (!/^\n?$/.test(text.slice(block.end))) return { ok: false, problem: 'there is text after its PEM block' };
  if (block.content === undefined || `${text.trimEnd()}\n` !== pemText(LABEL, block.content)) {
    return { ok: false, problem: 'its PEM block differs from those that kubelets write' };
  }
  return readContent(block.content);
}

/** Texts in DER that begin like user names of nodes; the byte before each is its length. */
function mentionedUsers(der: string): string[] {
  return Array.from(der.matchAll(/system:node:/g), ({ index }) => der.slice(index, index + der.charCodeAt(index - 1)));
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
