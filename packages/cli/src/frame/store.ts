// Object stores on the command line: addresses, and a client as the AWS tools would set one up.
import type { S3Client } from '@aws-sdk/client-s3';
import { Failure, hasCode } from './failure.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** A bucket, and what the keys in it begin with. */
export interface StoreAddress {
  readonly bucket: string;
  /** Empty, or ending in a slash where it names a folder. */
  readonly key: string;
}

/** Whether an argument names something in an object store. */
export function isStore(path: string): boolean {
  return /^s3:\/\//i.test(path);
}

/** The parts of `s3://BUCKET/KEY`. */
export function parseStore(address: string): StoreAddress {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/is.exec(address) ?? [];
  if (bucket === undefined) throw new UsageError(`expected s3://BUCKET/PREFIX/, found '${address}'`);
  return { bucket, key };
}

/** A folder: without a slash at the end images would get names that begin with its name. */
export function parseFolder(address: string): { readonly bucket: string; readonly prefix: string } {
  const { bucket, key } = parseStore(address);
  return { bucket, prefix: key === '' || key.endsWith('/') ? key : `${key}/` };
}

const PEER = '@aws-sdk/client-s3';

/** The code for stores, and a client: endpoint, region and credentials from the environment or the files that AWS tools read. */
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
      // A store of one's own rarely has a name for each bucket, and need not know regions.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
      ...(region === undefined ? {} : { region }),
      ...(accessKeyId === undefined || secretAccessKey === undefined
        ? {}
        : {
            credentials: { accessKeyId, secretAccessKey, ...(session === undefined ? {} : { sessionToken: session }) },
          }),
      // The sink is patient itself.
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
