import { goName } from '@coreiso/peers/go';
import type { NodesPlan } from '../join/strategy.ts';

/** The cluster data of upstream's report. */
export function inspection({ cluster, architecture }: NodesPlan): object {
  const { version = '', releaseImage = '', platform = '' } = cluster;
  return {
    Version: version,
    ReleaseImage: releaseImage,
    PlatformType: platform,
    Architecture: goName(architecture ?? ''),
  };
}
