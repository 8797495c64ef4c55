// Certificate requests that may be approved: those of planned nodes, with every part checked that a stranger could forge.

import type { ClusterNetworks } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { hex } from '@coreiso/peers/go';
import { type KubeObject, nameOf } from '../objects.ts';
import { type AskedName, askedNames, type NodeSurroundings, type PlannedNode } from './asked-names.ts';
import { type CertificateRequest, CLIENT_SIGNER, SERVING_SIGNER } from './certificate-request.ts';
import type { RequestContent } from './request-content.ts';

/** The verdict on one request, with every check behind it. */
export interface ApprovalVerdict {
  readonly request: CertificateRequest;
  /** The planned node that the request is for. */
  readonly node: string;
  readonly kind: 'client' | 'serving';
  /** The checks and their results. */
  readonly checks: readonly {
    readonly what: string;
    readonly passed: boolean;
    /** The result of the check. */
    readonly found: string;
  }[];
  /** The requested names and addresses, and the source of each. */
  readonly names: readonly AskedName[];
  readonly isApprovable: boolean;
  /** SHA-256 of the public key, in hexadecimal digits. */
  readonly fingerprint: string;
}

type ApprovalCheck = ApprovalVerdict['checks'][number];

const BOOTSTRAPPER = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
const CLIENT_USAGES = ['client auth', 'digital signature'];
const SERVING_USAGES = ['digital signature', 'server auth'];

/**
 * Judges the pending requests for planned nodes and leaves out all others. If two requests for one name have different keys,
 * neither passes. Names and addresses must be in the plan. If the plan leaves an address open, the address that the node reports
 * is accepted, provided that `networks` (from `readNetworks` or cluster facts) show it in a machine network and unused.
 *
 * @example
 * const verdicts = await judgeRequests(requests, nodes, planned, networks);
 * for (const { node, isApprovable } of verdicts) console.log(node, isApprovable);
 */
export async function judgeRequests(
  requests: readonly CertificateRequest[],
  nodes: readonly KubeObject[],
  planned: readonly PlannedNode[],
  networks?: ClusterNetworks | undefined,
): Promise<readonly ApprovalVerdict[]> {
  checkArgument('requests', requests, 'array');
  checkArgument('nodes', nodes, 'array');
  checkArgument('planned', planned, 'array');
  if (networks !== undefined) checkArgument('networks', networks, 'object');
  const users = new Map(planned.map((node) => [`system:node:${node.name}`, node]));
  const existing = new Map(nodes.map((node) => [nameOf(node), node]));
  const claims = requests
    .filter(({ isPending, signer }) => isPending && (signer === CLIENT_SIGNER || signer === SERVING_SIGNER))
    .flatMap((request) => claimedNodes(request, users).map((node) => ({ request, node })));
  return Promise.all(
    claims.map(async ({ request, node }) => {
      const kind = request.signer === CLIENT_SIGNER ? 'client' : 'serving';
      const around = { planned: node, node: existing.get(node.name), nodes, plan: planned, networks };
      const names = kind === 'client' || !request.content ? [] : askedNames(request.content, around);
      const checks = kind === 'client' ? clientChecks(request, around) : servingChecks(request, around, names);
      const competitors = claims.filter(
        (other) =>
          other.node === node &&
          other.request !== request &&
          other.request.signer === request.signer &&
          !sameKey(other.request, request),
      );
      checks.push(
        check(
          'no other request for this name has another key',
          competitors.length === 0,
          competitors.map((competitor) => competitor.request.name).join(', '),
        ),
      );
      return {
        request,
        node: node.name,
        kind,
        checks,
        names,
        isApprovable: checks.every(({ passed }) => passed),
        fingerprint: await fingerprintOf(request.content),
      } as const;
    }),
  );
}

/** The planned nodes that a request names, however invalid the rest is. */
function claimedNodes(
  { username, mentions }: CertificateRequest,
  users: ReadonlyMap<string, PlannedNode>,
): readonly PlannedNode[] {
  return [...new Set([username, ...mentions])].flatMap((user) => users.get(user) ?? []);
}

/** Kubernetes signs the request that Go finds in the text; the text must not contain another. */
function readable({ problem }: CertificateRequest): ApprovalCheck {
  return check('its encoding is unambiguous', problem === undefined, problem ?? '');
}

function clientChecks(request: CertificateRequest, { planned: { name }, node }: NodeSurroundings): ApprovalCheck[] {
  const { content } = request;
  return [
    readable(request),
    check('the requester is the node bootstrapper', request.username === BOOTSTRAPPER, request.username),
    usages(request, CLIENT_USAGES),
    ...subjectChecks(content, name),
    check(
      'there are no alternative names',
      content !== undefined && alternatives(content) === '',
      content ? alternatives(content) : '',
    ),
    check('the node does not exist yet', node === undefined, node === undefined ? '' : `node ${name} exists`),
  ];
}

function servingChecks(
  request: CertificateRequest,
  { planned: { name }, node }: NodeSurroundings,
  names: readonly AskedName[],
): ApprovalCheck[] {
  const { content } = request;
  const strange = names.filter(({ origin }) => origin === 'refused').map(({ value, reason }) => `${value} (${reason})`);
  const other =
    content === undefined ? [] : content.otherNames > 0 ? ['names of another kind'] : content.otherExtensions;
  return [
    readable(request),
    check('the requester is that node', request.username === `system:node:${name}`, request.username),
    usages(request, SERVING_USAGES),
    ...subjectChecks(content, name),
    check(
      'the first request was granted: the node exists',
      node !== undefined,
      node === undefined ? 'no such node' : '',
    ),
    check(
      'all names and addresses are its own',
      content !== undefined && strange.length === 0 && other.length === 0,
      [...strange, ...other].join(', '),
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
  // kubelets with RSA keys also request key encipherment.
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
