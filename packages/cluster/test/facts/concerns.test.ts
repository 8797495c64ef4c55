import { describe, expect, test } from 'vitest';
import { clusterConcerns } from '../../src/facts/concerns.ts';
import { redactFacts, secretMembers } from '../../src/facts/redact.ts';
import type { KubeObject } from '../../src/objects.ts';

/** Made with openssl; expires on 16 December 2026. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcDCCARegAwIBAgIUdCJR/Ai4lTSK94PB/Pb37/1ug+gwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDbWNzMB4XDTI2MTExNjE4MzU0MloXDTI2MTIxNjE4MzU0Mlow
DjEMMAoGA1UEAwwDbWNzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECMUrI7s0
8IPN5nBzCVRCBjGivmxEa4o23GMNdtIgBevEfLeVeRmsceJb+b4epQycO/dmKruj
aVCehyXE7/T0AqNTMFEwHQYDVR0OBBYEFC3Xh+pYDzk2amUQUzyDSBqGZN9KMB8G
A1UdIwQYMBaAFC3Xh+pYDzk2amUQUzyDSBqGZN9KMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDRwAwRAIgRURSdPSmJudJZBJ5iuUosqtcXpvPlENtR0je6PTb
47UCIECoiUsKpljPoEcqRnxkApTm7k5zSuAZaGn/EM4hHK9j
-----END CERTIFICATE-----
`;
const END = Date.parse('2026-12-16T18:35:42Z');
const DAY = 24 * 60 * 60_000;

function codes(objects: readonly KubeObject[], now = 0): string[] {
  return clusterConcerns({ facts: { ok: false, diagnostics: [] }, objects }, now).map(({ code }) => code);
}

describe('conditions that block new nodes', () => {
  const secret = (name: string) => ({ kind: 'Secret', metadata: { name }, data: { 'tls.crt': btoa(CERTIFICATE) } });
  const server = [secret('machine-config-server-tls')];
  const version = (state: string) => ({ kind: 'ClusterVersion', status: { history: [{ state, version: '4.20.4' }] } });
  const pool = (paused: boolean, degraded: string) => ({
    kind: 'MachineConfigPool',
    metadata: { name: 'worker' },
    spec: { paused },
    status: { conditions: [{ type: 'Degraded', status: degraded, message: 'node a is off' }] },
  });

  test.each<[string, readonly KubeObject[], number, readonly string[]]>([
    ['a whole version is fine', [version('Completed')], 0, []],
    ['an upgrade that is under way is said', [version('Partial')], 0, ['cluster/upgrade']],
    ['a sound pool is fine', [pool(false, 'False')], 0, []],
    [
      'a paused and degraded pool is said twice',
      [pool(true, 'True')],
      0,
      ['cluster/pool-paused', 'cluster/pool-degraded'],
    ],
    ['a certificate with eight days left is fine', server, END - 8 * DAY, []],
    ['one with six days left is said', server, END - 6 * DAY, ['cluster/server-certificate']],
    ['one that ended is said', server, END + DAY, ['cluster/server-certificate']],
    ['certificates of others are none of our business', [secret('another')], END + DAY, []],
    [
      'a cluster that makes its own machines is said',
      [{ kind: 'MachineSet' }, { kind: 'MachineSet' }],
      0,
      ['cluster/machine-sets'],
    ],
  ])('%s', (_, objects, now, expected) => {
    expect(codes(objects, now)).toEqual(expected);
  });
});

test('redacts all secrets from facts, keeps the rest, and lists the secret members', () => {
  const proxy = { httpProxy: 'http://user:p%40ss@proxy.example.test:3128', noProxy: 'a@b' };
  const facts = { name: 'harbor', pullSecret: 'planted-secret', proxy };
  expect(secretMembers(facts)).toEqual(['pullSecret', 'proxy.httpProxy']);
  expect(secretMembers(redactFacts({ name: 'harbor' }))).toEqual([]);
  const merge = (user: string) => ({
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: `https://${user}@api-int.example.test:22623/config` }] },
    },
  });
  const odd = { proxy: { httpsProxy: 'http:!/user:p@ss@proxy.example.test' }, workerUserData: merge('user:pass') };
  expect(secretMembers(odd)).toEqual(['proxy.httpsProxy', 'workerUserData']);
  expect(redactFacts(odd)).toEqual({
    proxy: { httpsProxy: '<redacted>@proxy.example.test' },
    workerUserData: merge('<redacted>'),
  });
  expect(redactFacts(facts)).toEqual({
    name: 'harbor',
    pullSecret: '<redacted>',
    proxy: { httpProxy: 'http://<redacted>@proxy.example.test:3128', noProxy: 'a@b' },
  });
});
