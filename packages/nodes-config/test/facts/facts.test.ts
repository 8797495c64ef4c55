import { type ClusterFacts, factExpiries, factsFromObjects, parseClusterFacts } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../../test/support/certificates.ts';
import { Goldens } from '../../../../test/support/goldens.ts';

import { type ClusterCase, clusterCaseDifferences } from './cluster-cases.ts';
import { kubeObjects } from './kube-objects.ts';

const configs = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
const ignitions = new Goldens(new URL('../../../openshift/test/goldens/node-ignition.json', import.meta.url));
const plain = configs.json<ClusterFacts>('_clusters/default.json');

const recorded = ignitions.json<{ nodesConfig: string; cases: ClusterCase[] }>('cluster-errors.json');

describe('the real installer\u2019s messages about a cluster', () => {
  test.each(recorded.cases)('$what', (one) => {
    expect(clusterCaseDifferences(recorded.nodesConfig, one)).toEqual([]);
  });
});

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUfuMGMuTiJn4WzIPzBCwmLfPsmUAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbWFkZSB1cCAxMB4XDTI2MTExNjAzNTUzMloXDTM2MTExMzAz
NTUzMlowFDESMBAGA1UEAwwJbWFkZSB1cCAxMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEObIeWZ4qODRdRKVxxPUD7hMYyjTHJJPJCzh7JucWz3QOm52yJPfuXk7m
Xnw7DgmR26X6qtA4oQjLYpwyaMcQ56NTMFEwHQYDVR0OBBYEFN2IuQn8N1i0lBN0
6XyHY+YhuW2oMB8GA1UdIwQYMBaAFN2IuQn8N1i0lBN06XyHY+YhuW2oMA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgIpstRyR2jPEmjJCp6+UFFuwb
9CT5i3BFI/qTOWunFMcCIQCK42j/mGKaIS8+itftlinJTjalpAJRaOJeg5t1IovD
zg==
-----END CERTIFICATE-----
`;

const full: ClusterFacts = {
  ...plain,
  proxy: { httpProxy: 'http://proxy.example.test:3128', noProxy: '.example.test,192.0.2.0/24' },
  imageDigestMirrors: [{ source: 'quay.example.test/ocp', mirrors: ['mirror.example.test/ocp'] }],
  trustBundle: CERTIFICATE,
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.harbor.example.test:22623/config/worker' }] },
      security: { tls: { certificateAuthorities: [{ source: 'data:text/plain;charset=utf-8;base64,bWFkZS11cA==' }] } },
    },
  },
  sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRUumdNxUzz0Ux53zzPC0eg+K4Apj7/Q3kLt1+RmDLC ops@example.test',
  fips: true,
  chronyConf: 'server ntp.example.test iburst\n',
  registryTrust: { 'mirror.example.test:5000': CERTIFICATE, 'cache.example.test': CERTIFICATE },
  insecureRegistries: ['lab.example.test:5000'],
  multiArchitecture: true,
};

describe('facts from exported objects', () => {
  test.each([
    ['parsed', (objects: unknown[]) => objects],
    ['as one List', (objects: unknown[]) => ({ kind: 'List', items: objects })],
    ['as JSON text', (objects: unknown[]) => JSON.stringify({ kind: 'List', items: objects })],
    ['as a list of texts', (objects: unknown[]) => objects.map((object) => JSON.stringify(object))],
    [
      'as texts and objects, mixed',
      (objects: unknown[]) => objects.map((object, index) => (index % 2 === 0 ? object : JSON.stringify(object))),
    ],
    ['as YAML documents', (objects: unknown[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n')],
  ])('are the same %s', (_, shape) => {
    const outcome = factsFromObjects(shape([...kubeObjects(full).values()]));
    expect(outcome).toMatchObject({ ok: true, value: full });
  });

  test('a text of a list that cannot be read is reported with its position', () => {
    expect(factsFromObjects([JSON.stringify({ kind: 'List', items: [] }), 'a: [b'])).toMatchObject({
      ok: false,
      diagnostics: [{ path: [1] }],
    });
  });

  test('repeated certificates are left out, and so are repeated and blank entries of noProxy', () => {
    const facts = { ...full, trustBundle: CERTIFICATE + CERTIFICATE, proxy: { noProxy: ' a.test,,b.test, a.test' } };
    const outcome = factsFromObjects([...kubeObjects(facts).values()]);
    expect(outcome).toMatchObject({ ok: true, value: { proxy: { noProxy: 'a.test,b.test' } } });
    expect(outcome.ok && outcome.value.trustBundle?.trim()).toBe(CERTIFICATE.trim());
    const messages = outcome.diagnostics.map(({ message }) => message);
    expect(messages).toContain('Duplicates detected in noProxy: [a.test]');
  });

  test('the expiry of every certificate is reported', () => {
    const expected = { what: 'trust bundle', kind: 'certificate', notAfter: new Date('2036-11-13T03:55:32Z') };
    expect(factExpiries(full)).toMatchObject([expected]);
    const outcome = factsFromObjects([...kubeObjects(full).values()]);
    expect(outcome.diagnostics).toMatchObject([{ severity: 'info', code: 'nodes-config/valid-until' }]);
  });

  test.each([
    ['an empty text', ''],
    ['a list of numbers', [1, 2, 3]],
    ['nothing', undefined],
    ['text that is no YAML', 'a: [b'],
    ['objects whose members have other types', [{ kind: 'Secret', metadata: { name: 'pull-secret' }, data: 'x' }]],
  ])('%s is refused with a reason', (_, objects) => {
    const outcome = factsFromObjects(objects);
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics[0]?.message).toMatch(/not found|cannot read the exported objects/);
  });
});

describe('stored facts', () => {
  test.each([
    ['as JSON', JSON.stringify(full)],
    ['as data', full],
    ['as exported objects', JSON.stringify([...kubeObjects(full).values()])],
  ])('are read %s', (_, source) => {
    expect(parseClusterFacts(source)).toMatchObject({ ok: true, value: full });
  });

  test.each([
    ['nothing', '', 'the cluster facts must be a map', 1, 1],
    ['a number', '42', 'the cluster facts must be a map', 1, 1],
    ['text for a list', 'version: "4.20"\nnodes: x\n', 'nodes of the cluster facts must be a list', 2, 8],
    [
      'a number among certificates',
      'registryTrust: { a.test: 7 }\n',
      'registryTrust.a.test of the cluster facts must be text',
      1,
      26,
    ],
    ['a number for text', 'platform: 7\n', 'platform of the cluster facts must be text', 1, 11],
    [
      'a node without a name',
      'nodes:\n- master: true\n',
      'nodes[0] of the cluster facts must be a map with `name`',
      2,
      3,
    ],
  ])('%s is refused', (_, source, message, line, column) => {
    const { ok, diagnostics } = parseClusterFacts(source);
    expect(ok).toBe(false);
    const start = source === '' ? undefined : { line, column };
    expect(diagnostics).toMatchObject([{ message, ...(start === undefined ? {} : { range: { start } }) }]);
  });

  test('a misspelt name is reported', () => {
    const { ok, diagnostics } = parseClusterFacts('plattform: None\n');
    expect(ok).toBe(true);
    expect(diagnostics).toMatchObject([{ severity: 'warning', help: 'Did you mean `platform`?' }]);
  });
});

test('a secret that a person wrote has its data in `stringData`', () => {
  const pullSecret = '{"auths":{"q.test":{"auth":"YTpi"}}}';
  const secret = {
    kind: 'Secret',
    metadata: { name: 'pull-secret', namespace: 'openshift-config' },
    stringData: { '.dockerconfigjson': pullSecret },
    data: { '.dockerconfigjson': Buffer.from('{}').toString('base64') },
  };
  const objects = kubeObjects(plain).set('/api/v1/namespaces/openshift-config/secrets/pull-secret', secret);
  expect(factsFromObjects([...objects.values()])).toMatchObject({ ok: true, value: { pullSecret } });
});

test('expiries are reported in order, with their place and their owner', () => {
  const source = `data:text/plain;charset=utf-8;base64,${Buffer.from(CERTIFICATES.api).toString('base64')}`;
  const facts: ClusterFacts = {
    ...full,
    trustBundle: CERTIFICATES.longLived,
    workerUserData: {
      ignition: {
        version: '3.2.0',
        config: { merge: [{ source: 'https://api-int.example.test:22623/config/worker' }] },
        security: { tls: { certificateAuthorities: [{ source }] } },
      },
    },
  };
  const { diagnostics } = factsFromObjects([...kubeObjects(facts).values()]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'worker user data (api.example.test) is valid until 2026-03-04T05:06:07.000Z',
    'trust bundle (Long Lived) is valid until 2076-03-04T05:06:07.000Z',
  ]);
});
