import type { Findings } from './findings.ts';
import type { InstallConfig } from './install-config.ts';
import type { HostValues } from './tables.ts';

/** Hosts by role against what the install config wants; too many is an error, too few only a warning. */
export function checkReplicas(hosts: readonly HostValues[], install: InstallConfig, findings: Findings): void {
  if (hosts.length === 0) return;
  const pools = [
    { role: 'master', title: 'ControlPlane', wanted: install.controlPlaneReplicas },
    { role: 'arbiter', title: 'Arbiter', wanted: install.arbiterReplicas },
    { role: 'worker', title: 'Compute', wanted: install.computeReplicas },
  ];
  let free = hosts.filter(({ role }) => role === '').length;
  for (const [index, { role, title, wanted }] of pools.entries()) {
    const given = hosts.filter((host) => host.role === role).length;
    // Hosts without a role fill what is missing; whatever is left over are workers.
    const isLast = index === pools.length - 1;
    const filled = isLast ? free : Math.min(free, Math.max(0, wanted - given));
    free -= filled;
    const defined = given + filled;
    if (defined > wanted) {
      findings.upstream('replicas', {
        code: 'nodes-config/too-many-hosts',
        message: `the number of ${role} hosts defined (${defined}) exceeds the configured ${title} replicas (${wanted})`,
        path: ['hosts'],
        cure: `Remove hosts, or raise the replicas in install-config.yaml to ${defined}.`,
      });
    } else if (defined > 0 && defined < wanted) {
      findings.upstreamWarning('replicas', {
        code: 'nodes-config/too-few-hosts',
        message: `not enough ${role} hosts defined (${defined}) to support all the configured ${title} replicas (${wanted})`,
        path: ['hosts'],
        cure: 'Machines that are not listed can join by DHCP; add them here to give them names and addresses.',
      });
    }
  }
}
