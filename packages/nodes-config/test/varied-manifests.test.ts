// Recorded directories in which one thing is different, with what the installer's own types lead to.
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { differencesOf } from '../../../test/support/varied.ts';
import { replayZtp } from './replay/ztp.ts';

const goldens = new Goldens(new URL('goldens/ztp-manifests.json', import.meta.url));

test.each([
  ['says null for a pull secret that it does not name', '', 'pullSecretRef: null'],
  ['keeps a delay of no seconds', 'networkDiscoveryDelaySeconds: 0', 'networkDiscoveryDelaySeconds: 0'],
  ['keeps who approves agents', 'agentApproval: {autoApprove: true}', 'agentApproval:\n    autoApprove: true'],
  ['keeps a refusal to approve agents', 'agentApproval: {autoApprove: false}', 'agentApproval: {}'],
])('an InfraEnv that is written anew %s', async (_, given, written) => {
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
