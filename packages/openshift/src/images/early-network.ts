import type { Diagnostic } from '@coreiso/diagnostics';
import { settingOf } from '@coreiso/nmstate';
import type { HostPlan } from '@coreiso/nodes-config';
import { openshiftDiagnostic } from '../codes.ts';
import type { NodesPlan } from '../join/strategy.ts';

/** Warns of hosts that would fetch their root file system before their address is set. */
export function earlyNetworkFindings({ hosts }: NodesPlan): Diagnostic[] {
  return hosts.filter(hasStaticAddress).map(({ name, path }) =>
    openshiftDiagnostic({
      severity: 'warning',
      code: 'openshift/static-before-rootfs',
      message: `${name} has a static address, but the root file system is fetched before its profile is chosen`,
      path: [...path, 'networkConfig'],
      help: 'Serve DHCP on that network, build one image per host, add an `ip=` kernel argument, or boot the full ISO image.',
    }),
  );
}

function hasStaticAddress({ network }: HostPlan): boolean {
  return (network?.profiles ?? []).some((profile) =>
    ['ipv4', 'ipv6'].some((family) => settingOf(profile, family, 'method') === 'manual'),
  );
}
