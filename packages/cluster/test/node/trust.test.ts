import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { trustAuthority } from '../../src/node/trust.ts';

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${btoa(text)}\n-----END CERTIFICATE-----\n`;
const [OWN, INGRESS] = [pem('own'), pem('ingress')];
const SECRET = 'planted-secret-never-shown';

let folder: string;
let file: string;
beforeEach(() => {
  folder = scratchFolder();
  file = join(folder, 'kubeconfig');
});

const kubeconfig = (data: string) => `# ours
clusters:
- cluster:
    certificate-authority-data: ${data}
    server: https://api.reef.example.test:6443
  name: reef
users:
- name: admin
  user: {client-key-data: ${SECRET}}
`;

function bundle(): string {
  const [, data = ''] = /certificate-authority-data: (\S+)/.exec(readFileSync(file, 'utf8')) ?? [];
  return atob(data);
}

test.each([
  ['as it is', btoa(OWN)],
  ['in quotes', `"${btoa(OWN)}"`],
])('puts an authority before the others, %s, and changes nothing else', async (_, data) => {
  writeFileSync(file, kubeconfig(data));
  chmodSync(file, 0o600);
  await trustAuthority(file, INGRESS);
  expect(bundle()).toBe(INGRESS + OWN);
  expect(readFileSync(file, 'utf8')).toBe(kubeconfig(btoa(INGRESS + OWN)));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['kubeconfig']);
});

test('does not repeat a trusted authority', async () => {
  writeFileSync(file, kubeconfig(btoa(OWN)));
  await trustAuthority(file, INGRESS);
  await trustAuthority(file, INGRESS);
  expect(bundle()).toBe(INGRESS + OWN);
});

test.each([
  ['text that is no certificate', kubeconfig(btoa(OWN)), 'nothing', /not valid PEM format/],
  [
    'a kubeconfig that trusts nobody',
    kubeconfig(btoa(OWN)).replace(/ {4}certificate.*\n/, ''),
    INGRESS,
    /CertificateAuthorityData not found/,
  ],
  [
    'a kubeconfig whose bundle is none',
    kubeconfig(btoa('x')),
    INGRESS,
    /cluster CA found in kubeconfig not valid PEM format/,
  ],
])('refuses %s, and keeps the file', async (_, text, added, words) => {
  writeFileSync(file, text);
  const error = await trustAuthority(file, added).catch((reason: unknown) => reason as Error);
  expect(error).toMatchObject({ code: 'CLUSTER_KUBECONFIG', message: expect.stringMatching(words) });
  expect(String(error)).not.toContain(SECRET);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('changes certificates once that clusters share by an alias', async () => {
  const shared = `users: []
x: &ca ${btoa(OWN)}
clusters:
- {name: b, cluster: {certificate-authority-data: ${btoa(pem('b'))}}}
- {name: a, cluster: {certificate-authority-data: *ca}}
- {name: c, cluster: {certificate-authority-data: *ca}}
`;
  writeFileSync(file, shared);
  await trustAuthority(file, INGRESS);
  expect(readFileSync(file, 'utf8')).toBe(
    shared.replace(btoa(OWN), btoa(INGRESS + OWN)).replace(btoa(pem('b')), btoa(INGRESS + pem('b'))),
  );
});
