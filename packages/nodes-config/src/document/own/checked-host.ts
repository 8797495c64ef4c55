import type { Path } from '@coreiso/diagnostics';
import type { HostValues } from '../tables.ts';

/** A host and where it stands. */
export interface CheckedHost {
  readonly path: Path;
  readonly values: Pick<HostValues, 'hostname' | 'rootDeviceHints' | 'interfaces' | 'networkConfig'>;
}
