import { isOverlay } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { type NodesPlan, openImages, planNodes } from '@coreiso/openshift';
import type { Bench, Measure } from '../frame.ts';

function planned(hosts: number): NodesPlan {
  const entries = Array.from({ length: hosts }, (_, n) => {
    const tail = [n >> 8, n & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
    return `- { hostname: worker-${n}, interfaces: [{ name: eno1, macAddress: "52:54:00:00:${tail}" }] }`;
  });
  return planNodes(parseNodesConfigOrThrow(`hosts:\n${entries.join('\n')}\n`));
}

/** Makes the images of a fleet without reading them. */
function images(hosts: number, measure: (perImage: { cpu: number; bytes: number }) => number): Measure {
  const plan = planned(hosts);
  return async () => {
    const base = await sampleIso({ size: 1024 ** 3 });
    const start = process.cpuUsage();
    let bytes = 0;
    for await (const { outputs } of await openImages(base, plan, { perHost: true })) {
      for (const { source } of outputs) {
        const patches = isOverlay(source) ? source.patches : [];
        for (const patch of patches) bytes += patch.bytes instanceof Uint8Array ? patch.bytes.length : patch.bytes.size;
      }
    }
    const { user, system } = process.cpuUsage(start);
    return measure({ cpu: (user + system) / 1000 / hosts, bytes: bytes / hosts });
  };
}

const cpu: Bench = {
  name: 'plan-image',
  about: 'processor time to plan one of 1,000 images per host, against one of 100',
  unit: 'ms',
  limits: { ours: 0.15 },
  setUp: async () => ({ ours: images(1000, (each) => each.cpu), peer: images(100, (each) => each.cpu) }),
};

const bytes: Bench = {
  name: 'plan-bytes',
  about: 'what one of 1,000 images per host has of its own, against one of 100',
  unit: 'KB',
  limits: { ours: 16, ratio: 1.01 },
  setUp: async () => ({
    ours: images(1000, (each) => each.bytes / 1000),
    peer: images(100, (each) => each.bytes / 1000),
  }),
};

/** Many images of one base. */
export const fleetBenches: readonly Bench[] = [cpu, bytes];
