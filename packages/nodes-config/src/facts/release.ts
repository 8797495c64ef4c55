// What follows from the name of a release image.
import { checkArgument } from '@coreiso/peers/arguments';
import type { ImageMirror } from './facts.ts';

/**
 * The place that the installer looks up for a release image, and what follows it: at the first colon, be it that of a port.
 *
 * @example dividedImage('a.test/ocp@sha256:…') // { source: 'a.test/ocp', version: '@sha256:…' }
 */
export function dividedImage(image: string): { readonly source: string; readonly version: string } {
  const [, source = image, digest = '', rest = ''] = /^(.+?)(@sha256)?:(.+)/.exec(image) ?? [];
  return { source, version: rest === '' ? '' : `${digest}:${rest}` };
}

/**
 * The first mirror of the image's own repository, with its tag or digest; empty where there is none.
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
 * The registries that are mirrored, with commas between; empty where none is. Upstream skips an entry that the text so far contains,
 * be it as a part of another.
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
