import { openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import { buildNodesImage } from '../../src/images/build.ts';
import { openImages } from '../../src/images/image-set.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';

const FACTS = {
  apiServerUrl: 'https://api.cove.example.test:6443',
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};
const host = (name: string, mac: string): string => `- hostname: ${name}
  interfaces: [{ name: eth0, macAddress: "${mac}" }]
  networkConfig:
    interfaces: [{ name: eth0, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }]
`;
const text = `bootArtifactsBaseURL: http://boot.example.test\nhosts:\n${host('a', '52:54:00:ab:00:01')}${host('b', '52:54:00:ab:00:02')}`;
const plan = planNodes(parseNodesConfigOrThrow(text, { cluster: FACTS, mode: 'compatible' }), { cluster: FACTS });
const now = (): Date => new Date(1e12);

test.each(['iso', 'minimal-iso', 'pxe'] as const)(
  'has the same bytes, names and report one at a time as all at once, with form %s',
  async (form) => {
    const base = await sampleIso();
    const options = { form, now };
    const whole = await buildNodesImage(base, plan, { ...options, perHost: true });
    const images = await openImages(base, plan, { ...options, perHost: true });
    const made = [...images.shared];
    for (const position of plan.hosts.keys()) made.push(...(await images.build(position)).outputs);
    const sorted = (outputs: typeof made) => outputs.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(sorted(made).map(({ name }) => name)).toEqual(sorted([...whole.outputs]).map(({ name }) => name));
    for (const [index, { source }] of sorted(made).entries()) {
      const other = sorted([...whole.outputs])[index]!.source;
      expect(Buffer.from(await source.read(0, source.size)).equals(await other.read(0, other.size))).toBe(true);
    }
    expect(images.report()).toEqual(whole.report);
    expect(images.names).toEqual(['a', 'b']);
  },
);

test('detects a wrong base before it makes an image', async () => {
  const opening = openImages(await sampleIso(), plan, { baseSha256: '0'.repeat(64) });
  await expect(opening).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BASE' });
});

test('refuses a position out of range', async () => {
  const images = await openImages(await openLiveImage(await sampleIso()), plan);
  await expect(images.build(2)).rejects.toThrow(RangeError);
});
