import { pemText } from '@coreiso/peers/der';
import type { KubeObject } from '../../src/objects.ts';

/** One element of DER; its content is shorter than 256 bytes. */
function element(tag: number, ...content: readonly (Uint8Array | string)[]): Uint8Array {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part as string, 'latin1')));
  return Uint8Array.from([tag, ...(bytes.length < 0x80 ? [bytes.length] : [0x81, bytes.length]), ...bytes]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const IDS = { CN: '\x55\x04\x03', O: '\x55\x04\x0a', OU: '\x55\x04\x0b' } as const;

export interface RequestForm {
  /** Default: the extensions of a node's request. */
  readonly subject?: readonly (readonly [part: keyof typeof IDS, value: string])[];
  readonly dnsNames?: readonly string[];
  readonly addresses?: readonly (readonly number[])[];
  /** Distinguishes keys. */
  readonly key?: string;
}

/** The bytes of an unsigned request. */
export function makeRequest(name: string, form: RequestForm = {}): Uint8Array {
  const { dnsNames = [], addresses = [], key = 'k' } = form;
  const subject = form.subject ?? [
    ['O', 'system:nodes'],
    ['CN', `system:node:${name}`],
  ];
  const parts = subject.map(([part, value]) => {
    const text = element(UTF8_STRING, Buffer.from(value).toString('latin1'));
    return element(SET, element(SEQUENCE, element(OBJECT_ID, IDS[part]), text));
  });
  const names = [
    ...dnsNames.map((one) => element(0x82, one)),
    ...addresses.map((bytes) => element(0x87, Uint8Array.from(bytes))),
  ];
  const extension = element(SEQUENCE, element(OBJECT_ID, '\x55\x1d\x11'), element(0x04, element(SEQUENCE, ...names)));
  const extensionRequest = element(OBJECT_ID, '\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e');
  const attributes =
    names.length === 0 ? [] : [element(SEQUENCE, extensionRequest, element(SET, element(SEQUENCE, extension)))];
  const algorithm = element(SEQUENCE, element(OBJECT_ID, '\x2b\x65\x70'));
  const info = element(
    SEQUENCE,
    element(0x02, '\0'),
    element(SEQUENCE, ...parts),
    element(SEQUENCE, algorithm, element(0x03, `\0${key}`)),
    element(0xa0, ...attributes),
  );
  return element(SEQUENCE, info, algorithm, element(0x03, '\0s'));
}

/** A request as kubelets write it, in base64 as in the API. */
export function encodedRequest(der: Uint8Array): string {
  return btoa(pemText('CERTIFICATE REQUEST', der));
}

/** The object that the kubelet of a node posts: `first` for its client certificate, `second` for its serving certificate. */
export function requestObject(
  name: string,
  kind: 'first' | 'second',
  node: string,
  request: string = encodedRequest(makeRequest(node)),
): KubeObject {
  const first = {
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    username: 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
    usages: ['digital signature', 'client auth'],
  };
  const second = {
    signerName: 'kubernetes.io/kubelet-serving',
    username: `system:node:${node}`,
    usages: ['digital signature', 'server auth'],
  };
  return { metadata: { name }, spec: { ...(kind === 'first' ? first : second), request }, status: {} };
}
