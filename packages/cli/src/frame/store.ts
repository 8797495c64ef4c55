// Object stores on the command line: addresses, and a client with the settings of the AWS tools.
import type { S3Client } from '@aws-sdk/client-s3';
import { Failure, hasCode } from './failure.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** A bucket and a key or a prefix of keys. */
export interface StoreAddress {
  readonly bucket: string;
  /** Empty, or with a slash at the end for a directory. */
  readonly key: string;
}

/** Whether an argument is an address in an object store. */
export function isStore(path: string): boolean {
  return /^s3:\/\//i.test(path);
}

/** Parses `s3://BUCKET/KEY`. */
export function parseStore(address: string): StoreAddress {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/is.exec(address) ?? [];
  if (bucket === undefined) throw new UsageError(`expected s3://BUCKET/PREFIX/, found '${address}'`);
  return { bucket, key };
}

/** Parses a directory, and adds a missing slash: without it, the directory's name would become a prefix of image names. */
export function parseFolder(address: string): { readonly bucket: string; readonly prefix: string } {
  const { bucket, key } = parseStore(address);
  return { bucket, prefix: key === '' || key.endsWith('/') ? key : `${key}/` };
}

const PEER = '@aws-sdk/client-s3';

/**
 * Loads the code for stores, and makes a client: endpoint, region and credentials come from the environment or the files of
 * the AWS tools.
 */
export async function openStore(
  terminal: Terminal,
): Promise<{ readonly client: S3Client; readonly s3: typeof import('@coreiso/openshift/s3') }> {
  const { env } = terminal.io;
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: session } = env;
  try {
    const [sdk, s3] = [await import('@aws-sdk/client-s3'), await import('@coreiso/openshift/s3')];
    const client = new sdk.S3Client({
      // A private store rarely has a host name per bucket, and may not use regions.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
      ...(region === undefined ? {} : { region }),
      ...(accessKeyId === undefined || secretAccessKey === undefined
        ? {}
        : {
            credentials: { accessKeyId, secretAccessKey, ...(session === undefined ? {} : { sessionToken: session }) },
          }),
      // The code for stores retries itself.
      maxAttempts: 1,
    });
    return { client, s3 };
  } catch (cause) {
    if (!hasCode(cause, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) throw cause;
    throw new Failure(`object stores need the package ${PEER}`, {
      help: `npm install -g ${PEER}, or without -g where coreiso is not global`,
    });
  }
}
