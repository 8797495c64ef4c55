import { type Compression, gzip } from '@coreiso/iso';
import type { Io } from '../frame/command.ts';

/** The name by which the program promises to write what coreos-installer writes. */
const IMITATED = 'coreos-installer';

/** How archives are written: xz to the byte as coreos-installer does where that is asked for, gzip otherwise. */
export async function compressionFor({ env, invokedAs }: Io): Promise<Compression> {
  const wanted = env['COREISO_COMPRESSION'] || (invokedAs === IMITATED ? 'xz' : 'gzip');
  if (wanted === 'gzip') return gzip;
  if (wanted === 'xz') return (await import('@coreiso/iso/xz')).xz;
  throw new Error(`COREISO_COMPRESSION is ${JSON.stringify(wanted)}; it can be "gzip" or "xz"`);
}
