import { openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { openImages, planNodes } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { hostPrefixes } from '../../src/images/changes.ts';

import { type ImageSettings, openImageBuilder } from '../../src/images/image-builder.ts';
import { inspection } from '../../src/images/inspection.ts';

const SITE: ImageSettings = { prefix: 'lab', architecture: undefined, bootArtifactsBaseURL: '', kernelArguments: [] };
const image = async () => openLiveImage(await sampleIso());
const open = async (site: Partial<ImageSettings>, options: object = {}) =>
  openImageBuilder(await image(), { ...SITE, ...site }, { images: 'all-hosts', ...options });
const made = async (site: Partial<ImageSettings>, options: object = {}): Promise<string[]> => {
  const { shared, make } = await open(site, options);
  const { outputs } = await make({ prefix: 'one', changes: {} });
  return [...shared, ...outputs].map(({ name }) => name);
};

test.each<[string, () => Promise<unknown>]>([
  ['image', () => openImageBuilder(7 as never, SITE, { images: 'all-hosts' })],
  ['settings', async () => openImageBuilder(await image(), 7 as never, { images: 'all-hosts' })],
  ['options', async () => openImageBuilder(await image(), SITE, 7 as never)],
])('names the misuse of %s', async (name, call) => {
  await expect(call()).rejects.toThrow(new RegExp(`^${name} must be `));
});

test.each(['a\nb', 'a\rb', 'a\0b'])('refuses kernel argument %j', async (word) => {
  await expect(open({ kernelArguments: [word] })).rejects.toThrow('kernelArguments must be words of one line');
});

describe('the files of a builder', () => {
  test.each<[string, Partial<ImageSettings>, object, string[]]>([
    ['an image, by the architecture of the base', {}, {}, ['one.x86_64.iso']],
    ['an image, by that of the site', { architecture: 'other' }, { form: 'iso' }, ['one.other.iso']],
    [
      'a minimal image and its root file system',
      { bootArtifactsBaseURL: 'http://a.test/x' },
      { form: 'minimal-iso' },
      ['lab.x86_64-rootfs.img', 'one.x86_64.iso'],
    ],
    [
      'a minimal image whose root file system is elsewhere',
      { rootfsUrl: 'http://a.test/r' },
      { form: 'minimal-iso' },
      ['one.x86_64.iso'],
    ],
    ['an image of any address that nothing is fetched from', { bootArtifactsBaseURL: 'a b' }, {}, ['one.x86_64.iso']],
  ])('are %s', async (_, site, options, names) => {
    expect(await made(site, options)).toEqual(names);
  });

  test.each(["'", '"', '\\', '$', ' ', '\t', '\0'])('are refused with %j in an address', async (character) => {
    for (const form of ['minimal-iso', 'pxe']) {
      for (const key of ['bootArtifactsBaseURL', 'rootfsUrl']) {
        await expect(open({ [key]: `http://a.test/${character}` }, { form })).rejects.toMatchObject({
          code: 'OPENSHIFT_NO_BOOT_URL',
        });
      }
    }
  });

  test('have the address from the options, without slashes around it', async () => {
    const options = { form: 'pxe', bootArtifactsBaseURL: '//http://b.test/x//' };
    const { make } = await open({ bootArtifactsBaseURL: 'http://a.test' }, options);
    const { outputs } = await make({ prefix: 'one', changes: {} });
    const script = outputs.find(({ name }) => name === 'one.x86_64.ipxe')!.source;
    expect(new TextDecoder().decode(await script.read(0, script.size))).toContain(
      'initrd --name initrd http://b.test/x/one.x86_64-initrd.img\n',
    );
  });
});

test('reports architectures by their Go names', () => {
  const plan = planNodes(
    parseNodesConfigOrThrow('hosts:\n- interfaces: [{name: a, macAddress: "52:54:00:a1:00:01"}]\n'),
  );
  const named = (architecture: string | undefined) => inspection({ ...plan, architecture: architecture as never });
  const empty = { Version: '', ReleaseImage: '', PlatformType: '' };
  expect(['x86_64', 'aarch64', 'ppc64le', 's390x', undefined].map(named)).toEqual(
    ['amd64', 'arm64', 'ppc64le', 's390x', ''].map((Architecture) => ({ ...empty, Architecture })),
  );
  const cluster = { version: 'v', releaseImage: 'r', platform: 'p' };
  expect(inspection({ ...plan, cluster })).toMatchObject({ Version: 'v', ReleaseImage: 'r', PlatformType: 'p' });
});

test('names files after hosts with unique names', () => {
  const names = ['a', 'A', 'b c', '-d', 'host-5', 'e.f'];
  expect(hostPrefixes({ hosts: names.map((name) => ({ name })) } as never)).toEqual([
    ...['a', 'host-1', 'host-2', 'host-3', 'host-5', 'e.f'],
  ]);
});

test('stops the images of hosts on abort', async () => {
  const plan = planNodes(
    parseNodesConfigOrThrow('hosts:\n- interfaces: [{name: a, macAddress: "52:54:00:a1:00:01"}]\n'),
  );
  const aborting = new AbortController();
  const images = await openImages(await image(), plan, { signal: aborting.signal });
  aborting.abort();
  await expect(images.build(0)).rejects.toThrow();
});
