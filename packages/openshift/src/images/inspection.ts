import { goName } from '@coreiso/peers/go';
import type { NodesPlan } from '../join/strategy.ts';

/** What upstream's report says of the cluster. */
export function inspection({ cluster, architecture }: NodesPlan): object {
  const { version = '', releaseImage = '', platform = '' } = cluster;
  return {
    Version: version,
    ReleaseImage: releaseImage,
    PlatformType: platform,
    Architecture: goName(architecture ?? ''),
  };
}
