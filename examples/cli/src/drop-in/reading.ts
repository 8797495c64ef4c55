import type { ReadArchivesOptions } from '@coreiso/iso';
import { nativeInflate } from '@coreiso/iso/node';

/** coreos-installer takes adjacent zstd frames for one archive. */
export const AS_UPSTREAM = { zstdFrames: 'joined', inflate: nativeInflate } as const satisfies ReadArchivesOptions;
