import { describe, expect, test } from 'vitest';
import { credentialsOf } from '../../src/base/credentials.ts';
import { placesFor, type RegistryMirror } from '../../src/base/mirrors.ts';
import { formatReference, parseReference } from '../../src/base/reference.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;

describe('names of images', () => {
  test.each([
    ['quay.io/a/b:4.20', { registry: 'quay.io', repository: 'a/b', tag: '4.20', digest: undefined }],
    [`localhost/a@${DIGEST}`, { registry: 'localhost', repository: 'a', tag: undefined, digest: DIGEST }],
    [`[::1]:5000/a:x@${DIGEST}`, { registry: '[::1]:5000', repository: 'a', tag: 'x', digest: DIGEST }],
    [
      'Mirror.example:443/a__b/c-d/e.f',
      { registry: 'Mirror.example:443', repository: 'a__b/c-d/e.f', tag: undefined, digest: undefined },
    ],
  ])('%s', (text, expected) => {
    expect(parseReference(text)).toEqual(expected);
  });

  test.each([
    ['', /does not begin with a registry/],
    ['busybox', /does not begin with a registry/],
    ['library/busybox', /does not begin with a registry/],
    ['https://quay.io/a', /does not begin with a registry|repository is invalid/],
    ['quay.io/', /repository is invalid/],
    ['quay.io/A', /repository is invalid/],
    ['quay.io/a/../b', /repository is invalid/],
    ['quay.io/a?x=1', /repository is invalid/],
    ['quay.io/a:', /tag is invalid/],
    ['quay.io/a:b c', /tag is invalid/],
    ['quay.io/a@sha256:12', /not a SHA-256 digest/],
    [`quay.io/a@${DIGEST}@${DIGEST}`, /not a SHA-256 digest/],
    ['user:pw@quay.io/a', /not a SHA-256 digest/],
    ['quay.io/a\n/b', /repository is invalid/],
  ])('%j is refused', (text, message) => {
    expect(() => parseReference(text)).toThrow(
      expect.objectContaining({ code: 'ISO_BAD_REFERENCE', message: expect.stringMatching(message) }),
    );
  });
});

describe('places of an image', () => {
  const places = (name: string, mirrors: readonly RegistryMirror[]): string[] =>
    placesFor(parseReference(name), mirrors).map(formatReference);
  const image = `quay.io/ocp/release@${DIGEST}`;

  test.each<[string, readonly RegistryMirror[], readonly string[]]>([
    ['without mirrors its own', [], [image]],
    [
      'mirrors first, in their order',
      [{ source: 'quay.io/ocp', mirrors: ['a.example/x', 'b.example:5000'] }],
      [`a.example/x/release@${DIGEST}`, `b.example:5000/release@${DIGEST}`, image],
    ],
    [
      'of sources the longest',
      [
        { source: 'quay.io', mirrors: ['short.example'] },
        { source: 'quay.io/ocp/release', mirrors: ['long.example/r'] },
      ],
      [`long.example/r@${DIGEST}`, image],
    ],
    [
      'all mirrors of one source, each once',
      [
        { source: 'quay.io/ocp', mirrors: ['a.example/x'] },
        { source: 'quay.io/ocp', mirrors: ['a.example/x', 'c.example/y'] },
      ],
      [`a.example/x/release@${DIGEST}`, `c.example/y/release@${DIGEST}`, image],
    ],
    ['nothing of a name that only begins alike', [{ source: 'quay.io/oc', mirrors: ['a.example'] }], [image]],
    [
      'never the source, where that is said',
      [{ source: 'quay.io/ocp', mirrors: ['a.example/x'], sourcePolicy: 'NeverContactSource' }],
      [`a.example/x/release@${DIGEST}`],
    ],
    [
      'all registries below a name',
      [{ source: '*.io', mirrors: ['a.example/io'] }],
      [`a.example/io/ocp/release@${DIGEST}`, image],
    ],
    [
      'the source where it really is',
      [{ source: 'quay.io/ocp', location: 'real.example/o' }],
      [`real.example/o/release@${DIGEST}`],
    ],
  ])('%s', (_, mirrors, expected) => {
    expect(places(image, mirrors)).toEqual(expected);
  });

  test('by tag uses only mirrors that allow tags', () => {
    const mirror = { source: 'quay.io', mirrors: ['a.example'] };
    expect(places('quay.io/r:1', [mirror])).toEqual(['quay.io/r:1']);
    expect(places('quay.io/r:1', [{ ...mirror, tags: true }])).toEqual(['a.example/r:1', 'quay.io/r:1']);
  });
});

describe('a pull secret', () => {
  const find = credentialsOf(
    JSON.stringify({
      auths: {
        'quay.io': { auth: 'cXVheQ==' },
        'quay.io/ocp': { auth: 'b2Nw' },
        'https://index.example/v1/': { username: 'ü', password: 'p' },
        'empty.example': {},
        'https://old.example/v2/': { auth: 'b2xk' },
        'old.example': {},
        'blank.example': { auth: '', username: 'u', password: 'p' },
        'half.example': { username: 'u' },
        'other-half.example': { password: 'p' },
      },
    }),
  );
  test.each([
    ['quay.io/other/x', 'cXVheQ=='],
    ['quay.io/ocp/release', 'b2Nw'],
    ['quay.io/ocpx/release', 'cXVheQ=='],
    ['index.example/x', Buffer.from('ü:p').toString('base64')],
    ['empty.example/x', undefined],
    ['old.example/x', 'b2xk'],
    ['blank.example/x', Buffer.from('u:p').toString('base64')],
    ['half.example/x', undefined],
    ['other-half.example/x', undefined],
    ['elsewhere.example/x', undefined],
  ])('has for %s %s', (name, expected) => {
    expect(find(parseReference(name))).toBe(expected);
  });

  test.each(['{"auths": {"quay.io": {"auth": "c2VjcmV0"', '{"secret":1}', 'null', '{"auths":{"a":"c2VjcmV0"}}'])(
    'that is malformed is refused without quoting it: %s',
    (text) => {
      expect(() => credentialsOf(text)).toThrow(
        expect.objectContaining({ code: 'ISO_REMOTE', message: expect.not.stringMatching(/c2VjcmV0|secret":/) }),
      );
    },
  );
});
