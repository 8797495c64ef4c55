import {
  type ClusterPlan,
  type FileDiagnostic,
  parseInstallFiles,
  planCluster,
  readDirectory,
  simulateBoot,
} from '@coreiso/nodes-config';
import { planAgentConfig, type ServiceListing } from '@coreiso/openshift';
import { showLine } from '@coreiso/peers/controls';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { bootData, readMachines } from '../nodes/plan.ts';
import { bootText, describeHost } from '../nodes/plan-text.ts';
import { columns } from '../nodes/profiles.ts';
import { givenRelease, noRelease, readSiteDirectory, type SiteDirectory } from './directory.ts';
import { showSiteFindings, siteFindingData } from './site-findings.ts';

/** `coreiso agent plan`: validates as upstream does. */
export const planSite: Action = async (args, terminal) => {
  const directory = await readSiteDirectory(args, terminal);
  const machines = await readMachines(args, terminal);
  const { plan, diagnostics: found } = planSiteDirectory(directory, args, terminal);
  const diagnostics = [...directory.diagnostics, ...found];
  if (args.has('json')) {
    const boots = plan === undefined ? [] : machines.map((machine) => bootData(plan.hostPlans, machine));
    const { hostPlans: _, ...data } = plan ?? { hostPlans: undefined };
    const ignition = plan === undefined ? null : plannedConfig(directory, args, terminal);
    await terminal.printJson({
      ...siteFindingData(diagnostics),
      plan: plan === undefined ? null : data,
      boots,
      ignition,
    });
  } else {
    showSiteFindings(terminal, directory, diagnostics);
    if (plan !== undefined) {
      const boots = machines.map((machine) => bootText(machine, simulateBoot(plan.hostPlans, machine)));
      await terminal.showText([clusterText(plan), ...boots].join('\n'));
    }
  }
  return plan === undefined ? 1 : 0;
};

/** The config that machines will boot with, without secrets that do not exist yet; null if the release is unknown. */
function plannedConfig({ files, previous }: SiteDirectory, args: Arguments, terminal: Terminal): ServiceListing | null {
  const release = givenRelease(args, terminal, { files });
  if (release === undefined) return null;
  const environment = terminal.io.env;
  const options = { environment, version: release.version, mode: 'compatible', release, previous } as const;
  const outcome = readDirectory(files, options);
  return outcome.ok ? planAgentConfig({ directory: outcome.value, release }) : null;
}

interface PlannedSite {
  readonly plan: ClusterPlan | undefined;
  readonly diagnostics: readonly FileDiagnostic[];
}

/** Plans from the manifests if the user edited them or there is no install config, else from the configs. */
export function planSiteDirectory(
  { files, previous }: SiteDirectory,
  args: Arguments,
  terminal: Terminal,
): PlannedSite {
  const environment = terminal.io.env;
  const release = givenRelease(args, terminal, { files });
  const options = { environment, version: release?.version, mode: 'compatible' } as const;
  const installConfig = files['install-config.yaml'];
  const hasManifests = Object.keys(files).some((path) => path.startsWith('cluster-manifests/'));
  if (installConfig === undefined || (hasManifests && release !== undefined)) {
    if (release === undefined) throw noRelease('read manifests');
    const outcome = readDirectory(files, { ...options, release, previous });
    return { plan: outcome.ok ? planCluster(outcome.value) : undefined, diagnostics: outcome.diagnostics };
  }
  const outcome = parseInstallFiles({ installConfig, agentConfig: files['agent-config.yaml'] }, options);
  return { plan: outcome.ok ? planCluster(outcome.value) : undefined, diagnostics: outcome.diagnostics };
}

function clusterText(plan: ClusterPlan): string {
  const { domain, platform, machines, topology, virtualAddresses, rendezvous, unlisted } = plan;
  const { address = 'unknown', host, reason } = rendezvous;
  const rows: [string, string][] = [
    ['Machines', countText(machines)],
    ['Platform', platform],
    ['Topology', `${topology.controlPlane}, ingress on ${topology.ingressPlacement}`],
    ['API', `api.${domain} at ${addressText(virtualAddresses.api, machines)}`],
    ['Ingress', `*.apps.${domain} at ${addressText(virtualAddresses.ingress, machines)}`],
    ['Rendezvous', `${address}${host === undefined ? '' : `, ${host}`}: ${reason}`],
  ];
  const hosts = plan.hosts.flatMap((planned, index) => {
    const own = plan.hostPlans.hosts[index];
    return own === undefined ? [] : [describeHost({ ...own, name: planned.name }, planned.boots)];
  });
  const others =
    unlisted === 0
      ? []
      : [
          `${unlisted} more ${unlisted === 1 ? 'machine' : 'machines'} that the files do not list: network from DHCP, role from the service`,
        ];
  return `${[`${showLine(domain)}\n${columns(rows, '  ')}`, ...hosts, ...others].join('\n\n')}\n`;
}

function countText({ controlPlane, arbiter, compute }: ClusterPlan['machines']): string {
  const counts = [
    { count: controlPlane, title: 'control plane' },
    { count: arbiter, title: 'arbiter' },
    { count: compute, title: 'worker' },
  ];
  return counts.flatMap(({ count, title }) => (count === 0 ? [] : [`${count} ${title}`])).join(', ');
}

function addressText(vips: readonly string[], { controlPlane }: ClusterPlan['machines']): string {
  if (vips.length > 0) return vips.join(', ');
  return controlPlane === 1 ? 'the address of the node, by your DNS' : 'a load balancer of your own, by your DNS';
}
