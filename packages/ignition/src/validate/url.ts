import { parseGoUrl, queryValue } from '@coreiso/peers/go';
import { dataUrlFault } from '../codec/data-url-fault.ts';
import { SOURCE_SCHEMES, within } from '../spec/fields.ts';

/** The scheme of a URL in lower case, empty if it has none; undefined if Ignition cannot read the URL. */
export function schemeOf(url: string): string | undefined {
  const reading = parseGoUrl(url);
  return reading.ok ? reading.url.scheme : undefined;
}

/** The fault of a source; it has a `message` only if the rule alone is not enough. */
export interface SourceFault {
  readonly rule: 'url-unparsable' | 'url-scheme' | 's3-version-id' | 's3-arn' | 'data-url';
  readonly detail?: string;
}

/** Checks a source under the rules of one version. */
export function sourceFault(source: string, minor: number): SourceFault | undefined {
  const reading = parseGoUrl(source);
  if (!reading.ok) return { rule: 'url-unparsable' };
  const { url } = reading;
  if (!Object.hasOwn(SOURCE_SCHEMES, url.scheme) || !within(SOURCE_SCHEMES[url.scheme], minor)) {
    return { rule: 'url-scheme' };
  }
  if (url.scheme === 'data') {
    const detail = dataUrlFault(source);
    return detail === undefined ? undefined : { rule: 'data-url', detail };
  }
  if (url.scheme === 'arn' && !isS3Arn(`arn:${url.opaque}`)) return { rule: 's3-arn' };
  if ((url.scheme === 'arn' || url.scheme === 's3') && queryValue(url.query, 'versionId') === '') {
    return { rule: 's3-version-id' };
  }
  return undefined;
}

function isS3Arn(arn: string): boolean {
  const [, , service, , , ...rest] = arn.split(':');
  if (rest.length === 0 || service !== 's3') return false;
  const needed = rest.join(':').startsWith('accesspoint/') ? 3 : 2;
  return arn.split('/', needed).length === needed;
}
