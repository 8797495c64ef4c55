import { type InstallFiles, parseInstallFiles, renderManifests } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { expectReadAlike } from '../../../../test/support/js-yaml.ts';

const RELEASE = { version: '4.20.3', image: 'quay.io/ocp/release@sha256:55' };

function site(changes: object = {}): InstallFiles {
  const installConfig = {
    apiVersion: 'v1',
    baseDomain: 'example.test',
    metadata: { name: 'reef' },
    controlPlane: { replicas: 1 },
    compute: [{ name: 'worker', replicas: 0 }],
    platform: { none: {} },
    pullSecret: '{"auths":{"b.test":{"auth":"eDp5"},"a.test":{"auth":"eDp5","email":"<&>"}}}',
    ...changes,
  };
  const outcome = parseInstallFiles({
    installConfig,
    agentConfig: { apiVersion: 'v1beta1', rendezvousIP: '10.0.0.9' },
  });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return outcome.value;
}

test('js-yaml reads the manifests as coreiso does', () => {
  const { files } = renderManifests(site({ osImageStream: 'rhel-10' }), RELEASE);
  const manifests = Object.keys(files).filter((name) => name.endsWith('.yaml'));
  expect(manifests).toHaveLength(5);
  for (const name of manifests) expectReadAlike(files[name] ?? '');
});

test('a pull secret is written with sorted keys and escaped markup', () => {
  const text = renderManifests(site(), RELEASE).files['cluster-manifests/pull-secret.yaml'] ?? '';
  expect(text.indexOf('a.test')).toBeLessThan(text.indexOf('b.test'));
  expect(text).toContain('"email": "\\u003c\\u0026\\u003e"');
});

test.each([
  ['4.20.3', 'openshift-4.20.3'],
  ['v4.20.3', 'openshift-4.20.3'],
  ['v1.5.2', 'openshift-5.2'],
])('version %s gives the image set %s', (version, name) => {
  const files = renderManifests(site(), { ...RELEASE, version }).files;
  expect(files['cluster-manifests/cluster-image-set.yaml']).toContain(`name: ${name}\n`);
});

test('the image stream of another release is written as an override', () => {
  const files = renderManifests(site({ osImageStream: 'rhel-10' }), RELEASE).files;
  expect(files['cluster-manifests/agent-cluster-install.yaml']).toContain(`'{"osImageStream":"rhel-10"}'`);
});

test.each(['version', 'image'])('a release without %s is refused as a wrong argument', (name) => {
  expect(() => renderManifests(site(), { ...RELEASE, [name]: '' })).toThrow(`release.${name} must be`);
});

/** Made by openssl with the serial number 0x00ab12 and CA:FALSE. */
const LEAF = `-----BEGIN CERTIFICATE-----
MIIBYTCCAQegAwIBAgIDAKsSMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBGxlYWYw
IBcNMjYxMTE3MDQ0MjQ3WhgPMjEyNjEwMjQwNDQyNDdaMA8xDTALBgNVBAMMBGxl
YWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARkPjt3IW50SXumC+fdMtUNVeMD
p7YW4hY3chbw3O6iyPHlCbHY6BDT+qMfw3uJ5ldiYOL71Qg3oitpblKeA9cao1Aw
TjAdBgNVHQ4EFgQUJ4y3UMcvPHXwpS6m8hOZLEnXUbUwHwYDVR0jBBgwFoAUJ4y3
UMcvPHXwpS6m8hOZLEnXUbUwDAYDVR0TAQH/BAIwADAKBggqhkjOPQQDAgNIADBF
AiBuzZDTzPzoRyAfEQdQv+W5/+lEWXAwStXWjbissnHO+AIhAPRsyn/dUHVTsqIW
78WIuXNjsBbbXa6Rk+Yrk/tZS0uS
-----END CERTIFICATE-----
`;

test('a certificate that is not an authority is reported with its number', () => {
  const { files, diagnostics } = renderManifests(site({ additionalTrustBundle: `# mine\n${LEAF}` }), RELEASE);
  expect(diagnostics).toMatchObject([
    {
      message: 'Certificate AB12 from additionalTrustBundle is x509 v3 but not a certificate authority',
      upstream: true,
    },
  ]);
  expect(files['mirror/ca-bundle.crt']).toBe(LEAF);
});

test('sources without mirrors give a file without registries', () => {
  const { files, diagnostics } = renderManifests(site({ imageDigestSources: [{ source: 'quay.io/x' }] }), RELEASE);
  expect(files['mirror/registries.conf']).not.toContain('[[registry]]');
  expect(diagnostics).toMatchObject([{ code: 'nodes-config/mirrors' }]);
});

test.each([
  [{ type: 'UserManaged' }, 'UserManaged', ['10.0.0.2']],
  [{ type: 'OpenShiftManagedDefault' }, 'ClusterManaged', ['10.0.0.3']],
  [undefined, undefined, ['10.0.0.3']],
])('the load balancer %j is written as %s', (loadBalancer, type, ingressVIPs) => {
  const baremetal = { apiVIPs: ['10.0.0.2'], ingressVIPs, ...(loadBalancer && { loadBalancer }) };
  const changes = { controlPlane: { replicas: 3 }, platform: { baremetal } };
  const text = renderManifests(site(changes), RELEASE).files['cluster-manifests/agent-cluster-install.yaml'];
  expect(/^ {2}loadBalancer:\n {4}type: (.*)$/m.exec(text ?? '')?.[1]).toBe(type);
});
