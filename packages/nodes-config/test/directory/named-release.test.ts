import { namedRelease } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';

const set = (image: string, name = 'openshift-4.20.3'): Record<string, string> => ({
  'cluster-manifests/cluster-image-set.yaml': `metadata: {name: ${name}}\nspec: {releaseImage: '${image}'}\n`,
});
const DIGEST = 'quay.io/ocp/release@sha256:55';
const TAG = 'quay.io/ocp/release:4.19.1-x86_64';

test.each<[string, Record<string, string>, Parameters<typeof namedRelease>[1], unknown]>([
  ['its tag', set(TAG), {}, { image: TAG, version: '4.19.1' }],
  ['its name', set(DIGEST), {}, { image: DIGEST, version: '4.20.3' }],
  ['what is given', set(DIGEST), { version: '4.20.9' }, { image: DIGEST, version: '4.20.9' }],
  ['the image that is given, and no other name', set(DIGEST), { image: 'a.test/b@sha256:66' }, undefined],
  ['the tag of the image that is given', {}, { image: TAG }, { image: TAG, version: '4.19.1' }],
  ['nothing that is a version', set(DIGEST, 'release'), {}, undefined],
  ['nothing where no image is named', set(''), {}, undefined],
  ['nothing in a text that cannot be read', { 'cluster-manifests/cluster-image-set.yaml': 'a: [' }, {}, undefined],
  ['nothing in an empty directory', {}, {}, undefined],
])('the release of a directory is named by %s', (_, files, given, expected) => {
  expect(namedRelease(files, given)).toEqual(expected);
});
