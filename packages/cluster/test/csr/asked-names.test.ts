import type { ClusterNetworks } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { judgeRequests } from '../../src/csr/approval.ts';
import type { PlannedNode } from '../../src/csr/asked-names.ts';
import { readRequest } from '../../src/csr/certificate-request.ts';
import type { KubeObject } from '../../src/objects.ts';
import { encodedRequest, makeRequest, requestObject } from './make-request.ts';

type Claims = readonly (readonly [type: string, address: string])[];

const node = (name: string, ...claims: Claims): KubeObject => ({
  metadata: { name },
  status: { addresses: claims.map(([type, address]) => ({ type, address })) },
});

const MASTER = node('master-0', ['InternalIP', '192.0.2.2'], ['Hostname', 'master-0'], ['InternalIP', '2001:DB8::2']);
const NETWORKS: ClusterNetworks = {
  apiServerUrl: 'https://w1.reef.test:6443',
  apiServerInternalUrl: 'https://w1-int.reef.test:6443',
  apiVIPs: ['192.0.2.5'],
  ingressVIPs: ['192.0.2.6'],
  machineNetworks: ['192.0.2.0/24', '2001:db8::/64'],
  serviceNetworks: ['172.30.0.0/16', '192.0.2.192/26'],
};
/** The plan leaves the addresses of this node to DHCP. */
const OPEN: PlannedNode = { name: 'w1', addresses: [] };
const FIXED: PlannedNode = { name: 'w1', addresses: ['192.0.2.50'] };

const bytes = (text: string): number[] =>
  text.includes(':')
    ? [0x20, 0x01, 0x0d, 0xb8, ...new Array(11).fill(0), Number(text.split('::')[1])]
    : text.split('.').map(Number);

interface Asked {
  readonly planned?: PlannedNode;
  readonly others?: readonly PlannedNode[];
  readonly says?: Claims;
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
  readonly networks?: ClusterNetworks | undefined;
  readonly nodes?: readonly KubeObject[];
}

/** The verdict about a second request of w1. */
async function judged({ planned = OPEN, others = [], says = [], dns = [], ip = [], nodes = [MASTER], ...rest }: Asked) {
  const request = makeRequest('w1', { dnsNames: dns, addresses: ip.map(bytes) });
  const object = requestObject('csr', 'second', 'w1', encodedRequest(request));
  const networks = 'networks' in rest ? rest.networks : NETWORKS;
  const all = [...nodes, node('w1', ...says)];
  const [verdict] = await judgeRequests([readRequest(object)], all, [planned, ...others], networks);
  return verdict;
}

describe('a name in a request for a serving certificate', () => {
  test('is accepted, with its source, if it is in the plan', async () => {
    const verdict = await judged({ planned: FIXED, dns: ['w1'], ip: ['192.0.2.50'] });
    expect(verdict).toMatchObject({ isApprovable: true });
    expect(verdict?.names).toEqual([
      { value: 'w1', origin: 'plan', reason: 'it is in the plan' },
      { value: '192.0.2.50', origin: 'plan', reason: 'it is in the plan' },
    ]);
  });

  test('is accepted with a domain if the node reports it and no other node has it', async () => {
    const says: Claims = [['Hostname', 'w1.site.test']];
    const verdict = await judged({ says, dns: ['w1.site.test'] });
    expect(verdict?.isApprovable).toBe(true);
    expect(verdict?.names[0]).toMatchObject({
      origin: 'node',
      reason: expect.stringContaining('no other node has it'),
    });
  });

  test.each<[string, Asked, string]>([
    ['of another node', { says: [['InternalDNS', 'master-0']], dns: ['master-0'] }, 'node master-0 has it'],
    ['of another node in capitals', { says: [['Hostname', 'MASTER-0']], dns: ['MASTER-0'] }, 'node master-0 has it'],
    ['that only the node knows', { says: [['Hostname', 'api.site.test']], dns: ['api.site.test'] }, 'it is not w1'],
    ['that begins alike', { says: [['Hostname', 'w10.site.test']], dns: ['w10.site.test'] }, 'it is not w1'],
    ['of the API', { says: [['Hostname', 'w1.reef.test']], dns: ['w1.reef.test'] }, 'the API has it'],
    ['with a dot at its end', { says: [['Hostname', 'w1.a.']], dns: ['w1.a.'] }, 'it is not w1'],
    ['for many', { says: [['Hostname', 'w1.*']], dns: ['w1.*'] }, 'it is not w1'],
    ['that nobody knows', { dns: ['w1.site.test'] }, 'neither the plan nor the node has it'],
    ['given as an address', { says: [['InternalIP', 'w1.a']], dns: ['w1.a'] }, 'neither the plan nor the node has it'],
    [
      'of another planned node',
      { others: [{ name: 'w1.b', addresses: [] }], says: [['Hostname', 'w1.b']], dns: ['w1.b'] },
      'planned node w1.b has it',
    ],
    [
      'of the plan that another node claims, too',
      { dns: ['w1'], nodes: [node('evil', ['Hostname', 'w1'])] },
      'node evil has it',
    ],
  ])('%s is refused', async (_, asked, reason) => {
    const verdict = await judged(asked);
    expect(verdict?.isApprovable).toBe(false);
    expect(verdict?.names.map((name) => name.reason)).toEqual([expect.stringContaining(reason)]);
    expect(verdict?.checks.find(({ passed }) => !passed)?.found).toContain(reason);
  });
});

describe('an address in a request for a serving certificate', () => {
  const asking = (address: string, more: Asked = {}): Asked => ({
    says: [['InternalIP', address]],
    ip: [address],
    ...more,
  });

  test("is accepted from the node's report if the plan leaves it open, it is in a machine network and no other node has it", async () => {
    const verdict = await judged(asking('192.0.2.77'));
    expect(verdict?.isApprovable).toBe(true);
    expect(verdict?.names[0]).toEqual({
      value: '192.0.2.77',
      origin: 'node',
      reason: 'the node says so, it is in 192.0.2.0/24, and no other node has it',
    });
    expect((await judged(asking('2001:db8::7')))?.isApprovable).toBe(true);
    const both: PlannedNode = { ...FIXED, dynamicVersions: [4] };
    expect((await judged(asking('192.0.2.77', { planned: both })))?.isApprovable).toBe(true);
  });

  test.each<[string, Asked, string]>([
    ['of another node', asking('192.0.2.2'), 'node master-0 has it'],
    ['of another node in another spelling', asking('2001:db8::2'), 'node master-0 has it'],
    ['of the API', asking('192.0.2.5'), 'the API has it'],
    ['of the ingress', asking('192.0.2.6'), 'the ingress has it'],
    ['of a service', asking('192.0.2.200'), 'the service network 192.0.2.192/26 has it'],
    ['from elsewhere', asking('198.51.100.7'), 'it is not in 192.0.2.0/24 or 2001:db8::/64'],
    ['that is not in its status', { ip: ['192.0.2.77'] }, 'neither the plan nor the node has it'],
    ['beside those of the plan', asking('192.0.2.77', { planned: FIXED }), 'the plan has 192.0.2.50'],
    [
      'of the version of IP that the plan does not leave open',
      asking('192.0.2.77', { planned: { ...FIXED, dynamicVersions: [6] } }),
      'the plan has 192.0.2.50',
    ],
    [
      'of another planned node',
      asking('192.0.2.51', { others: [{ name: 'w2', addresses: ['192.0.2.51'] }] }),
      'planned node w2 has it',
    ],
    [
      'of the plan that another node has, too',
      { planned: { name: 'w1', addresses: ['192.0.2.2'] }, ip: ['192.0.2.2'] },
      'node master-0 has it',
    ],
    ['in a cluster that nobody could read', asking('192.0.2.77', { networks: undefined }), 'let this account read'],
    [
      'in a cluster without a machine network',
      asking('192.0.2.77', { networks: { serviceNetworks: ['172.30.0.0/16'] } }),
      'the machine network is not known; give the node a fixed address',
    ],
    [
      'in a cluster without a service network',
      asking('192.0.2.77', { networks: { machineNetworks: ['192.0.2.0/24'] } }),
      'the service network is not known',
    ],
  ])('%s is refused', async (_, asked, reason) => {
    const verdict = await judged(asked);
    expect(verdict?.isApprovable).toBe(false);
    expect(verdict?.names.map((name) => name.reason)).toEqual([expect.stringContaining(reason)]);
  });
});

test('refuses a text with two requests for the node that it names, with the reason', async () => {
  const [own, other] = ['w1', 'master-0'].map((name) => atob(encodedRequest(makeRequest(name))));
  for (const text of [`x${own}${other}`, ` ${own}${other}`, `${own}${other}`, `${other}${own}`, `${own}\n`]) {
    const request = readRequest(requestObject('csr', 'first', 'w1', btoa(text)));
    const verdicts = await judgeRequests([request], [], [OPEN]);
    expect(verdicts.filter(({ isApprovable }) => isApprovable)).toEqual([]);
    if (text.startsWith('x') || text.startsWith(' ')) continue;
    expect(verdicts[0]?.checks[0]).toEqual({
      what: 'its encoding is unambiguous',
      passed: false,
      found: 'there is text after its PEM block',
    });
  }
});

test('escapes a subject so that it cannot move the cursor, begin a line, or look like another part', async () => {
  const subject = [['OU', 'a\u001b[2J\n  ok   x,CN=y\u202e#\u009b']] as const;
  const request = readRequest(requestObject('csr', 'first', 'w1', encodedRequest(makeRequest('w1', { subject }))));
  expect(request.content?.subject).toBe('OU=a\\1b[2J\\0a  ok   x\\,CN=y\\e2\\80\\ae#\\c2\\9b');
});
