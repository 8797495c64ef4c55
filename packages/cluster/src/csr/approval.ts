// Which certificate requests may be approved: those of planned nodes, checked in every part that a stranger could forge.
import { requireList } from '@coreiso/diagnostics/arguments';
import { hex } from '@coreiso/diagnostics/go';
import { canonicalAddress } from '@coreiso/diagnostics/ip';
import { type KubeObject, nameOf, objectsOf, textOf } from '../objects.ts';
import { type CertificateRequest, CLIENT_SIGNER, type RequestContent, SERVING_SIGNER } from './certificate-request.ts';

/** A node that is expected: its exact name, and the addresses that its plan gives it. */
export interface PlannedNode {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** The judgement of one request, with each thing that was looked at. */
export interface ApprovalVerdict {
  readonly request: CertificateRequest;
  /** Which planned node it speaks for. */
  readonly node: string;
  readonly kind: 'client' | 'serving';
  readonly checks: readonly ApprovalCheck[];
  readonly isApprovable: boolean;
  /** SHA-256 of the public key, in hexadecimal digits. */
  readonly fingerprint: string;
}

export interface ApprovalCheck {
  readonly what: string;
  readonly passed: boolean;
  /** What was found. */
  readonly found: string;
}

const BOOTSTRAPPER = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
const CLIENT_USAGES = ['client auth', 'digital signature'];
const SERVING_USAGES = ['digital signature', 'server auth'];

/**
 * Judges the pending requests that speak for planned nodes; others are left out. Of two requests for one name with different keys
 * neither passes.
 *
 * @example
 * for (const { node, isApprovable } of await judgeRequests(requests, nodes, planned)) console.log(node, isApprovable);
 */
export async function judgeRequests(
  requests: readonly CertificateRequest[],
  nodes: readonly KubeObject[],
  planned: readonly PlannedNode[],
): Promise<readonly ApprovalVerdict[]> {
  requireList('requests', requests);
  requireList('nodes', nodes);
  requireList('planned', planned);
  const claims = requests
    .filter(({ isPending }) => isPending)
    .flatMap((request) => planned.filter((node) => speaksFor(request, node)).map((node) => ({ request, node })));
  return Promise.all(
    claims.map(async ({ request, node }) => {
      const kind = request.signer === CLIENT_SIGNER ? 'client' : 'serving';
      const existing = nodes.find((one) => nameOf(one) === node.name);
      const checks = kind === 'client' ? clientChecks(request, node, existing) : servingChecks(request, node, existing);
      const rivals = claims.filter(
        (other) => other.node === node && other.request.signer === request.signer && !sameKey(other.request, request),
      );
      checks.push(
        check(
          'no other request for this name has another key',
          rivals.length === 0,
          rivals.map((rival) => rival.request.name).join(', '),
        ),
      );
      return {
        request,
        node: node.name,
        kind,
        checks,
        isApprovable: checks.every(({ passed }) => passed),
        fingerprint: await fingerprintOf(request.content),
      } as const;
    }),
  );
}

/** Whether a request speaks for a node: by what it says, however wrong the rest may be. */
function speaksFor({ signer, username, content }: CertificateRequest, { name }: PlannedNode): boolean {
  const subject = `system:node:${name}`;
  if (signer !== CLIENT_SIGNER && signer !== SERVING_SIGNER) return false;
  return username === subject || content?.commonNames.includes(subject) === true;
}

function clientChecks(
  request: CertificateRequest,
  { name }: PlannedNode,
  existing: KubeObject | undefined,
): ApprovalCheck[] {
  const { content } = request;
  return [
    check('the requester is the node bootstrapper', request.username === BOOTSTRAPPER, request.username),
    usages(request, CLIENT_USAGES),
    ...subjectChecks(content, name),
    check(
      'there are no alternative names',
      content !== undefined && alternatives(content) === '',
      content ? alternatives(content) : '',
    ),
    check('there is no such node yet', existing === undefined, existing === undefined ? '' : `node ${name} exists`),
  ];
}

function servingChecks(
  request: CertificateRequest,
  planned: PlannedNode,
  existing: KubeObject | undefined,
): ApprovalCheck[] {
  const { content } = request;
  const own =
    existing === undefined ? [] : objectsOf(existing, 'status', 'addresses').map((entry) => textOf(entry, 'address'));
  const names = new Set([planned.name, ...own]);
  const addresses = new Set(
    [...planned.addresses, ...own].map((text) => canonicalAddress(text)).filter((text) => text !== undefined),
  );
  const strangeNames = (content?.dnsNames ?? []).filter((name) => !names.has(name));
  const strangeAddresses = (content?.addresses ?? []).filter((text) => !addresses.has(canonicalAddress(text) ?? ''));
  const strange = [...strangeNames, ...strangeAddresses];
  const other =
    content === undefined ? '' : content.otherNames > 0 ? 'names of another kind' : content.otherExtensions.join(', ');
  return [
    check('the requester is that node', request.username === `system:node:${planned.name}`, request.username),
    usages(request, SERVING_USAGES),
    ...subjectChecks(content, planned.name),
    check(
      'the first request was granted: the node exists',
      existing !== undefined,
      existing === undefined ? 'no such node' : '',
    ),
    check(
      'all names and addresses are its own',
      content !== undefined && strange.length === 0 && other === '',
      [...strange, other].filter((text) => text !== '').join(', '),
    ),
  ];
}

function subjectChecks(content: RequestContent | undefined, name: string): ApprovalCheck[] {
  const subject = content?.subject ?? 'not a certificate request';
  const isNode = content?.commonNames.length === 1 && content.commonNames[0] === `system:node:${name}`;
  const isGroup =
    content?.organizations.length === 1 && content.organizations[0] === 'system:nodes' && content.otherParts === 0;
  return [
    check(`the common name is system:node:${name}`, isNode, subject),
    check('the organisation is exactly system:nodes', isGroup, subject),
  ];
}

function usages({ usages: asked }: CertificateRequest, allowed: readonly string[]): ApprovalCheck {
  // kubelets with RSA keys ask for key encipherment too.
  const rest = asked.filter((usage) => usage !== 'key encipherment').sort();
  return check(`the usages are ${allowed.join(' and ')}`, rest.join() === allowed.join(), asked.join(', '));
}

function alternatives({ dnsNames, addresses, otherNames, otherExtensions }: RequestContent): string {
  const other = otherNames > 0 ? ['names of another kind'] : [];
  return [...dnsNames, ...addresses, ...other, ...otherExtensions].join(', ');
}

function check(what: string, passed: boolean, found: string): ApprovalCheck {
  return { what, passed, found };
}

function sameKey(a: CertificateRequest, b: CertificateRequest): boolean {
  const [one, two] = [a.content?.publicKey, b.content?.publicKey];
  return (
    one !== undefined && two !== undefined && one.length === two.length && one.every((byte, at) => byte === two[at])
  );
}

async function fingerprintOf(content: RequestContent | undefined): Promise<string> {
  if (content === undefined) return '';
  const digest = await crypto.subtle.digest('SHA-256', content.publicKey.slice());
  return hex(new Uint8Array(digest));
}
