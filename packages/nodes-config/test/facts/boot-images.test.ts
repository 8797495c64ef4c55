import { expect, test } from 'vitest';
import { readBootImages } from '../../src/facts/boot-images.ts';
import { ObjectStore } from '../../src/facts/objects.ts';

const NAMESPACE = 'openshift-machine-config-operator';

const image = (name: string, digit: string, architecture = 'x86_64'): object => {
  const disk = { location: `https://rhcos.example.test/${name}.iso`, sha256: digit.repeat(64), signature: 's' };
  const formats = { iso: { disk }, pxe: { kernel: disk } };
  const artifacts = { metal: { release: name, formats }, qemu: { release: name, formats } };
  return { stream: name, architectures: { [architecture]: { artifacts, images: { aws: {} } } } };
};

const [NINE, TEN] = [image('rhel-9.8', 'A'), image('rhel-10.2', 'b', 'aarch64')];
const NINE_IMAGE = {
  architecture: 'x86_64',
  location: 'https://rhcos.example.test/rhel-9.8.iso',
  sha256: 'a'.repeat(64),
};
const TEN_IMAGE = {
  architecture: 'aarch64',
  location: 'https://rhcos.example.test/rhel-10.2.iso',
  sha256: 'b'.repeat(64),
};

const configMap = (data: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  kind: 'ConfigMap',
  metadata: { name: 'coreos-bootimages', namespace: NAMESPACE },
  data,
});

test.each<[string, Readonly<Record<string, unknown>>, readonly object[]]>([
  ['one, as clusters before 4.22 have it', { stream: JSON.stringify(NINE) }, [NINE_IMAGE]],
  [
    'all of them by name',
    { stream: JSON.stringify(NINE), streams: JSON.stringify({ 'rhel-10': TEN, 'rhel-9': NINE }) },
    [
      { stream: 'rhel-10', ...TEN_IMAGE },
      { stream: 'rhel-9', ...NINE_IMAGE },
    ],
  ],
  ['none without a name', { streams: '{}', stream: JSON.stringify(NINE) }, [NINE_IMAGE]],
  [
    'the others where one has no digest',
    { streams: JSON.stringify({ a: image('x', 'g'), b: NINE }) },
    [{ stream: 'b', ...NINE_IMAGE }],
  ],
  ['nothing of text that is no JSON', { stream: '{', streams: '{{' }, []],
  ['nothing of other values', { stream: 7, streams: 'null' }, []],
  ['nothing of another form', { stream: '{"architectures":[{"artifacts":7}]}', streams: '[]' }, []],
  ...(
    [
      ['the root file system of that build', 'rhel-9.8', 'https://rhcos.example.test/rootfs.img', true],
      ['no root file system of an unknown build', '', 'https://rhcos.example.test/rootfs.img', false],
      ['no root file system without an address', 'rhel-9.8', '/rootfs.img', false],
    ] as const
  ).map(([title, release, rootfs, isKnown]): [string, Readonly<Record<string, unknown>>, readonly object[]] => {
    const { location, sha256, architecture } = NINE_IMAGE;
    const formats = { iso: { disk: { location, sha256 } }, pxe: { rootfs: { location: rootfs } } };
    const stream = { architectures: { [architecture]: { artifacts: { metal: { release, formats } } } } };
    return [title, { stream: JSON.stringify(stream) }, [{ ...NINE_IMAGE, ...(isKnown && { build: release, rootfs }) }]];
  }),
])('live images of a cluster: %s', (_, data, images) => {
  expect(readBootImages(new ObjectStore([configMap(data)])).bootImages).toEqual(images);
});

const pool = (name: string, stream: unknown): Record<string, unknown> => ({
  kind: 'MachineConfigPool',
  metadata: { name },
  spec: { osImageStream: stream },
});
const own = (spec: unknown, status: unknown): Record<string, unknown> => ({
  kind: 'OSImageStream',
  metadata: { name: 'cluster' },
  spec: { defaultStream: spec },
  status: { defaultStream: status },
});

test.each<[string, readonly Record<string, unknown>[], string]>([
  ['their pool says', [own('rhel-9', 'rhel-9'), pool('worker', { name: 'rhel-10' })], 'rhel-10'],
  [
    'no other pool says',
    [own('rhel-9', 'rhel-9'), pool('far', { name: 'rhel-10' }), pool('worker', undefined)],
    'rhel-9',
  ],
  ['the cluster has', [own('rhel-9', 'rhel-10')], 'rhel-10'],
  ['the cluster is to have', [own('rhel-10', undefined)], 'rhel-10'],
  ['nothing says', [pool('worker', null), own(7, {})], ''],
])('new workers get the stream that %s', (_, objects, stream) => {
  expect(readBootImages(new ObjectStore(objects)).osStream).toBe(stream);
});
