// Derives mirrors and registries from the name of a release image.
import { checkArgument } from '@coreiso/peers/arguments';
import type { ImageMirror } from './facts.ts';

/**
 * Splits a release image into the repository that the installer looks up, and the rest: at the first colon, even that
 * of a port.
 *
 * @example dividedImage('a.test/ocp@sha256:…') // { source: 'a.test/ocp', version: '@sha256:…' }
 */
export function dividedImage(image: string): { readonly source: string; readonly version: string } {
  const [, source = image, digest = '', rest = ''] = /^(.+?)(@sha256)?:(.+)/.exec(image) ?? [];
  return { source, version: rest === '' ? '' : `${digest}:${rest}` };
}

/**
 * The first mirror of the image's own repository, with its tag or digest; empty if there is none.
 *
 * @example releaseImageMirror('a.test/ocp@sha256:…', [{ source: 'a.test/ocp', mirrors: ['b.test/ocp'] }]) // 'b.test/ocp@sha256:…'
 */
export function releaseImageMirror(image: string, mirrors: readonly Pick<ImageMirror, 'source' | 'mirrors'>[]): string {
  checkArgument('image', image, 'text');
  checkArgument('mirrors', mirrors, 'array');
  const { source: place, version } = dividedImage(image);
  const [mirror] = mirrors.find(({ source }) => source === place)?.mirrors ?? [];
  return mirror === undefined ? '' : `${mirror}${version}`;
}

/**
 * The registries that are mirrored, separated by commas; empty if there are none. Upstream skips an entry that the
 * text so far contains, even as a part of another.
 *
 * @example mirroredRegistries([{ source: 'a.test/ocp' }, { source: 'a.test/art' }]) // 'a.test'
 */
export function mirroredRegistries(mirrors: readonly Pick<ImageMirror, 'source' | 'mirrors'>[]): string {
  checkArgument('mirrors', mirrors, 'array');
  let text = '';
  for (const [index, mirror] of mirrors.entries()) {
    checkArgument(`mirrors[${index}].source`, mirror?.source, 'text');
    const { source } = mirror;
    const [host = ''] = source.split('/');
    if (host !== '' && !text.includes(host)) text += text === '' ? host : `,${host}`;
  }
  return text;
}
