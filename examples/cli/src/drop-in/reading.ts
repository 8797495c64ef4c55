import type { ReadArchivesOptions } from '@coreiso/iso';
import { nativeInflate } from '@coreiso/iso/node';

/** How archives are read: coreos-installer takes adjacent zstd frames for one; gzip is faster by Node's own zlib. */
export const AS_UPSTREAM = { zstdFrames: 'joined', inflate: nativeInflate } as const satisfies ReadArchivesOptions;
