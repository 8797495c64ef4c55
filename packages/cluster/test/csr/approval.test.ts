import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { describeWith, hasProgram } from '../../../../test/support/tools.ts';
import { judgeRequests } from '../../src/csr/approval.ts';
import { readRequest } from '../../src/csr/certificate-request.ts';
import type { KubeObject } from '../../src/objects.ts';

const BOOTSTRAPPER = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
const NODE = 'system:node:worker-0';
const SUBJECT = `/O=system:nodes/CN=${NODE}`;
const PLANNED = [{ name: 'worker-0', addresses: ['192.0.2.10', '2001:db8::a'] }];
const NODES: readonly KubeObject[] = [
  { metadata: { name: 'worker-0' }, status: { addresses: [{ type: 'Hostname', address: 'worker-0.site.test' }] } },
];

/** A request made by openssl; empty if openssl is missing, because tables of skipped tests are filled anyway. */
function pem(subject: string, ...extensions: readonly string[]): string {
  if (!hasProgram('openssl')) return '';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null', '-utf8'];
  const added = extensions.flatMap((extension) => ['-addext', extension]);
  return execFileSync('openssl', ['req', '-new', ...key, '-subj', subject, ...added], { stdio: 'pipe' }).toString(
    'base64',
  );
}

interface Form {
  readonly request?: string;
  readonly username?: string;
  readonly usages?: readonly string[];
  readonly signer?: string;
  readonly nodes?: readonly KubeObject[];
}

describeWith(['openssl'], 'a request for a planned node', () => {
  const plain = pem(SUBJECT);
  const own = pem(SUBJECT, 'subjectAltName=DNS:worker-0,DNS:worker-0.site.test,IP:192.0.2.10,IP:2001:db8:0::a');

  /** The failed checks; undefined if the request belongs to no planned node. */
  async function failures(kind: 'first' | 'second', form: Form): Promise<string[] | undefined> {
    const isFirst = kind === 'first';
    const { usages = ['digital signature', isFirst ? 'client auth' : 'server auth'] } = form;
    const signerName =
      form.signer ?? (isFirst ? 'kubernetes.io/kube-apiserver-client-kubelet' : 'kubernetes.io/kubelet-serving');
    const { request = isFirst ? plain : own, username = isFirst ? BOOTSTRAPPER : NODE } = form;
    const object = { metadata: { name: 'csr' }, spec: { request, username, usages, signerName }, status: {} };
    const [verdict] = await judgeRequests([readRequest(object)], form.nodes ?? (isFirst ? [] : NODES), PLANNED);
    expect(verdict?.isApprovable ?? false).toBe(verdict?.checks.every(({ passed }) => passed) ?? false);
    return verdict?.checks.filter(({ passed }) => !passed).map(({ what }) => what);
  }

  const subject = ['the organisation is exactly system:nodes'];
  const name = [`the common name is ${NODE}`];
  const names = ['there are no alternative names'];

  test.each<[string, Form, readonly string[] | undefined]>([
    ['passes', {}, []],
    ['passes with a key of the other kind', { usages: ['key encipherment', 'digital signature', 'client auth'] }, []],
    [
      'of somebody else fails',
      { username: 'system:serviceaccount:a:node-bootstrapper' },
      ['the requester is the node bootstrapper'],
    ],
    [
      'for a server fails',
      { usages: ['digital signature', 'server auth'] },
      ['the usages are client auth and digital signature'],
    ],
    [
      'for more fails',
      { usages: ['digital signature', 'client auth', 'server auth'] },
      ['the usages are client auth and digital signature'],
    ],
    ['of masters fails', { request: pem(`/O=system:masters/CN=${NODE}`) }, subject],
    ['of nodes and masters fails', { request: pem(`/O=system:nodes/O=system:masters/CN=${NODE}`) }, subject],
    ['with more in its subject fails', { request: pem(`/O=system:nodes/OU=x/CN=${NODE}`) }, subject],
    ['with two names fails', { request: pem(`${SUBJECT}/CN=system:admin`) }, name],
    ['with alternative names fails', { request: own }, names],
    ['with another kind of name fails', { request: pem(SUBJECT, 'subjectAltName=email:a@b.test') }, names],
    ['with another extension fails', { request: pem(SUBJECT, 'basicConstraints=critical,CA:TRUE') }, names],
    ['of a node that is there fails', { nodes: NODES }, ['the node does not exist yet']],
    ['with a name that begins alike is nobody’s', { request: pem(`${SUBJECT}0`) }, undefined],
    ['with a mark before its name is nobody’s', { request: pem(`/O=system:nodes/CN=\ufeff${NODE}`) }, undefined],
    ['for another signer is nobody’s', { signer: 'kubernetes.io/kube-apiserver-client' }, undefined],
    ['that is none is nobody’s', { request: btoa('-----BEGIN A-----\nAAAA\n-----END A-----') }, undefined],
  ])('of the first kind: %s', async (_, form, expected) => {
    expect(await failures('first', form)).toEqual(expected);
  });

  test.each<[string, Form, readonly string[]]>([
    ['passes with names and addresses of the plan and of the node', {}, []],
    ['passes with none at all', { request: plain }, []],
    ['of another node fails', { username: 'system:node:worker-1' }, ['the requester is that node']],
    [
      'before the node is there fails',
      { nodes: [], request: plain },
      ['the first request was granted: the node exists'],
    ],
    [
      'with the name of another fails',
      { request: pem(SUBJECT, 'subjectAltName=DNS:api.site.test') },
      ['all names and addresses are its own'],
    ],
    [
      'with the address of another fails',
      { request: pem(SUBJECT, 'subjectAltName=IP:192.0.2.1') },
      ['all names and addresses are its own'],
    ],
    [
      'for a client fails',
      { usages: ['digital signature', 'client auth'] },
      ['the usages are digital signature and server auth'],
    ],
  ])('of the second kind: %s', async (_, form, expected) => {
    expect(await failures('second', form)).toEqual(expected);
  });
});
