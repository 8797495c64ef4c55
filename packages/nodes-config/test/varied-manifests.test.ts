// Recorded directories with one change, and the result that the installer's own types give.
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { differencesOf, type Json } from '../../../test/support/varied.ts';
import { replayManifests } from './replay/manifests.ts';
import { replayZtp } from './replay/ztp.ts';

const installs = new Goldens(new URL('goldens/agent-manifests.json', import.meta.url));
const goldens = new Goldens(new URL('goldens/ztp-manifests.json', import.meta.url));

test.each([
  ['says null for a pull secret that it does not name', '', 'pullSecretRef: null'],
  ['keeps a delay of no seconds', 'networkDiscoveryDelaySeconds: 0', 'networkDiscoveryDelaySeconds: 0'],
  ['keeps who approves agents', 'agentApproval: {autoApprove: true}', 'agentApproval:\n    autoApprove: true'],
  ['keeps a refusal to approve agents', 'agentApproval: {autoApprove: false}', 'agentApproval: {}'],
])('an InfraEnv that is written again %s', async (_, given, written) => {
  const secret = /\n {2}pullSecretRef:\n {4}name: \S+/;
  const differences = await differencesOf(replayZtp, goldens, 'ok-arbiter-agents', ({ inputs, files }) => {
    const path = 'cluster-manifests/infraenv.yaml';
    const image = files.find((file: { path: string }) => file.path.endsWith('/infraenv.yaml'));
    const isSecret = written.startsWith('pullSecretRef');
    inputs[path] = isSecret ? inputs[path].replace(secret, '') : inputs[path].replace(/\nspec:\n/, `$&  ${given}\n`);
    if (isSecret) image.text = image.text.replace(secret, `\n  ${written}`);
    else {
      const lines = written.split('\n');
      const spec = image.text.split('\n');
      const isBehind = (line: string): boolean => /^ {2}[a-z]/.test(line) && line > `  ${lines[0]}`;
      const at = spec.findIndex((line: string, index: number) => index > spec.indexOf('spec:') && isBehind(line));
      spec.splice(at, 0, `  ${lines[0]}`, ...lines.slice(1));
      image.text = spec.join('\n');
    }
  });
  expect(differences).toEqual([]);
});

/** Replaces a text in the overrides of a manifest. */
function override(files: Json, from: string, to: string): void {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  expect(files[path]).toContain(from);
  files[path] = files[path].replace(from, to);
}

test('networks of another plugin are written with all of their fields, old and new', async () => {
  const differences = await differencesOf(replayManifests, installs, 'network-type-other', ({ inputs, files }) => {
    const path = 'install-config.yaml';
    inputs[path] = inputs[path].replace(
      /^networking:\n(?: .*\n|-.*\n)+/m,
      `networking:
  type: Calico
  machineCIDR: 192.0.2.0/24
  serviceCIDR: 172.30.0.0/16
  clusterNetworks:
  - {cidr: 10.128.0.0/14, hostSubnetLength: 9}
`,
    );
    const entry = '{"cidr":"10.128.0.0/14","hostPrefix":23,"hostSubnetLength":9}';
    const old = `"machineCIDR":"192.0.2.0/24","type":"Calico","serviceCIDR":"172.30.0.0/16","clusterNetworks":[${entry}]`;
    override(files, '{"cidr":"10.128.0.0/14","hostPrefix":23}', entry);
    override(files, '"serviceNetwork":["172.30.0.0/16"]', `"serviceNetwork":["172.30.0.0/16"],${old}`);
  });
  expect(differences).toEqual([]);
});
