import type { HostPlans } from '@coreiso/nodes-config';
import { goName } from '@coreiso/peers/go';

/** What upstream's report says of the cluster. */
export function inspection({ cluster, architecture }: HostPlans): object {
  const { version = '', releaseImage = '', platform = '' } = cluster;
  return {
    Version: version,
    ReleaseImage: releaseImage,
    PlatformType: platform,
    Architecture: goName(architecture ?? ''),
  };
}
