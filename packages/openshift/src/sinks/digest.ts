import { IsoError } from '@coreiso/iso';
import { entityTag } from '@coreiso/iso/http';
import { OpenshiftError } from '../errors.ts';
import type { NamedOutput } from '../images/changes.ts';

/** Version of the format in which images are made and stored: another version makes other objects. */
const VERSION = 1;

/** A digest of the sources of a fleet's file: the identity of the base, the plan's additions, and our own version. */
export async function digestOf({ name, source }: NamedOutput, signal?: AbortSignal): Promise<string> {
  const tag = await entityTag(source, signal).catch((cause: unknown) => {
    if (!(cause instanceof IsoError) || cause.code !== 'ISO_CHANGED') throw cause;
    throw new OpenshiftError('OPENSHIFT_BASE_CHANGED', cause.message, { cause, file: name });
  });
  if (tag !== undefined) return `${VERSION}-${tag.slice(1, -1)}`;
  const message =
    'the base has no identity; open it with fileSource, httpSource or s3Source, or name it with identified';
  throw new OpenshiftError('OPENSHIFT_NO_IDENTITY', message, { file: name });
}
