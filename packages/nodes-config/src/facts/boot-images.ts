// Which live images belong to a cluster. Entries with an unexpected form are left out: the release has an image, too.
import { parseJson } from '@coreiso/diagnostics';
import { isObject, memberOf, textOf } from '@coreiso/peers/members';
import type { ClusterFacts } from './facts.ts';
import type { KubeObject, ObjectStore } from './objects.ts';

const ADDRESS = /^https?:\/\//i;

type BootImages = NonNullable<ClusterFacts['bootImages']>;

/** The stream of new workers, and the live images of all streams. */
export function readBootImages(store: ObjectStore): Pick<ClusterFacts, 'osStream' | 'bootImages'> {
  const own = store.find('OSImageStream', 'cluster');
  const osStream =
    osStreamOf(store.find('MachineConfigPool', 'worker')) ||
    textOf(own, 'status', 'defaultStream') ||
    textOf(own, 'spec', 'defaultStream');
  const data = memberOf(store.find('ConfigMap', 'coreos-bootimages', 'openshift-machine-config-operator'), 'data');
  const streams = objectIn(textOf(data, 'streams'));
  const named = Object.entries(streams).flatMap(([stream, value]) =>
    liveImages(value).map((image) => ({ stream, ...image })),
  );
  return { osStream, bootImages: named.length > 0 ? named : liveImages(objectIn(textOf(data, 'stream'))) };
}

/** The stream that a MachineConfigPool names; empty if it uses the cluster's stream. */
export function osStreamOf(pool: KubeObject | undefined): string {
  return textOf(pool, 'spec', 'osImageStream', 'name');
}

function liveImages(stream: unknown): BootImages {
  const architectures = memberOf(stream, 'architectures');
  return Object.entries(isObject(architectures) ? architectures : {}).flatMap(([architecture, described]) => {
    const metal = memberOf(described, 'artifacts', 'metal');
    const disk = memberOf(metal, 'formats', 'iso', 'disk');
    const [location, sha256] = [textOf(disk, 'location'), textOf(disk, 'sha256')];
    const isUsable = ADDRESS.test(location) && /^[0-9a-f]{64}$/i.test(sha256);
    return isUsable ? [{ architecture, location, sha256: sha256.toLowerCase(), ...rootfsOf(metal) }] : [];
  });
}

/** An address without its build is useless: the kernel that it belongs to would be unknown. */
function rootfsOf(metal: unknown): Pick<BootImages[number], 'build' | 'rootfs'> {
  const build = textOf(metal, 'release');
  const rootfs = textOf(metal, 'formats', 'pxe', 'rootfs', 'location');
  return build !== '' && ADDRESS.test(rootfs) ? { build, rootfs } : {};
}

function objectIn(text: string): KubeObject {
  const value: unknown = text !== '' && parseJson(text).ok ? JSON.parse(text) : undefined;
  return isObject(value) ? value : {};
}
