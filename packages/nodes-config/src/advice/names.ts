// Checks that a new node can reach the cluster: DNS for its names, and a route out of its own network.
import { missingDefaultRoute, missingServers } from '../rules/missing-network.ts';
import type { Finding } from './advice.ts';
import type { HostView } from './host-view.ts';
import { clusterRecords } from './ingress.ts';
import { joinNames, type Surroundings } from './surroundings.ts';

export function adviseNames(around: Surroundings): Finding[] {
  return [
    ...around.hosts.flatMap((host) => [...withoutServers(host, around), ...withoutDefaultRoute(host)]),
    ...privateNames(around),
  ];
}

function withoutServers({ name, networkPath, dnsServers, isToldServers }: HostView, around: Surroundings): Finding[] {
  const [wanted] = around.namesToResolve;
  if (wanted === undefined || dnsServers.length > 0 || isToldServers) return [];
  return [
    {
      severity: 'warning',
      code: 'no-dns-server',
      message: `${name} has no DNS server, and gets its config from ${wanted}: it will not find it`,
      path: networkPath,
      help: missingServers(wanted),
      manifests: recordsFor([wanted], around),
    },
  ];
}

function withoutDefaultRoute({ name, networkPath, addresses, hasDefaultRoute }: HostView): Finding[] {
  if (hasDefaultRoute || addresses.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'no-default-route',
      message: `${name} has no default route: the service refuses such hosts (has-default-route), and the node reaches nothing beyond its own network`,
      path: networkPath,
      help: missingDefaultRoute(addresses.some((one) => one.address.version === 4) ? 4 : 6),
      manifests: [],
    },
  ];
}

/** The control plane of a single node resolves names itself that other DNS servers may not know. */
function privateNames(around: Surroundings): Finding[] {
  const { facts, workers } = around;
  if (facts.controlPlaneDnsmasq !== true) return [];
  const unknown = around.namesToResolve.filter((name) => around.record(name) === undefined);
  const own = new Set(around.addressesOf(around.controlPlane));
  const doubtful = workers.filter(
    ({ dnsServers, isToldServers }) =>
      (dnsServers.length > 0 || isToldServers) && !dnsServers.some((server) => own.has(server)),
  );
  const [first] = doubtful;
  if (unknown.length === 0 || first === undefined) return [];
  const servers = [...new Set(doubtful.flatMap(({ dnsServers }) => dnsServers))];
  const asked = servers.length === 0 ? 'the DNS servers of its site' : joinNames(servers);
  return [
    {
      severity: 'warning',
      code: 'private-names',
      message: `${joinNames(unknown)} may be known to the control plane alone, which has a dnsmasq of its own; ${joinNames(doubtful.map(({ name }) => name))} will ask ${asked}`,
      path: first.dnsServers.length === 0 ? first.networkPath : [...first.networkPath, 'dns-resolver'],
      help: `Have the records in that DNS, or make ${own.size === 0 ? 'the control-plane node' : joinNames([...own])} a server in dns-resolver. What the DNS answers can be said by the fact dnsRecords.`,
      manifests: recordsFor(unknown, around),
    },
  ];
}

function recordsFor(names: readonly string[], around: Surroundings): Finding['manifests'] {
  const { facts, domain } = around;
  if (around.isSingleNode) return clusterRecords(around);
  const { apiVIPs = [] } = facts;
  return names
    .filter((name) => name === `api-int.${domain}`)
    .map((name) => ({
      kind: 'dns',
      name,
      addresses: apiVIPs,
      why: 'The API and the machine config server, for nodes.',
    }));
}
