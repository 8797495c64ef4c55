import type { HostPlans } from '../hosts/plan.ts';
import type { RpmArchitecture } from '../rules/architecture.ts';

const GO_NAMES: Readonly<Record<RpmArchitecture, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

/** What upstream's report says of the cluster. */
export function inspection({ cluster, architecture }: HostPlans): object {
  const { version = '', releaseImage = '', platform = '' } = cluster;
  return {
    Version: version,
    ReleaseImage: releaseImage,
    PlatformType: platform,
    Architecture: architecture === undefined ? '' : GO_NAMES[architecture],
  };
}
