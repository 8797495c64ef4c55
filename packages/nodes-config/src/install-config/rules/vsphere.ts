// Requirements of vSphere if credentials and failure domains are given.

import { cleanPath } from '@coreiso/peers/go';
import { parseCidr } from '@coreiso/peers/ip';
import { duplicate, invalid, required } from '../../text/field-errors.ts';
import type { VSphereValues } from '../install-config-table.ts';
import { hostProblem } from './names.ts';
import type { RuleFindings } from './rule-findings.ts';

type FailureDomain = VSphereValues['failureDomains'][number];
type Topology = FailureDomain['topology'];
type Path = readonly (string | number)[];

const BASE = ['platform', 'vsphere'] as const;
const DOMAINS = [...BASE, 'failureDomains'];
const TAG =
  /^(urn):(vmomi):(InventoryServiceTag):([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}):([^:]+)$/;
const MOST_TAGS = 10;
const DISK_TYPES = ['eagerZeroedThick', 'thick', 'thin'];

export function checkVSphere(values: VSphereValues, findings: RuleFindings): void {
  const { diskType } = values;
  if (diskType !== '' && !DISK_TYPES.includes(diskType)) {
    const path = [...BASE, 'diskType'];
    const detail = `diskType must be one of [${DISK_TYPES.join(' ')}]`;
    findings.error('vsphere', invalid(path, diskType, detail), path, 'Write thin.');
  }
  const [first] = values.vcenters;
  if (first && first.user !== '' && first.password !== '' && first.server !== '' && first.datacenters.length > 0)
    checkVCenters(values, findings);
  if (hasOwnDomains(values)) new DomainRules(values, findings).check();
  checkNodeNetworking(values, findings);
}

/** Failure domains that the installer generates itself are not checked. */
function hasOwnDomains({ failureDomains: [first] }: VSphereValues): boolean {
  return (
    first !== undefined &&
    first.name !== 'generated-failure-domain' &&
    first.zone !== 'generated-zone' &&
    first.region !== 'generated-region'
  );
}

/** The paths of failure domains as the installer stores them after its checks. */
export function withCleanPaths(values: VSphereValues): VSphereValues {
  if (!hasOwnDomains(values)) return values;
  const clean = (path: string): string => (path === '' ? '' : path.startsWith('/') ? cleanPath(path) : path);
  const failureDomains = values.failureDomains.map((domain) => {
    const { datastore, computeCluster, resourcePool, template } = domain.topology;
    const paths = { datastore, computeCluster, resourcePool, template };
    const cleaned = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, clean(path)]));
    return { ...domain, topology: { ...domain.topology, ...cleaned } };
  });
  return { ...values, failureDomains };
}

function checkVCenters({ vcenters }: VSphereValues, findings: RuleFindings): void {
  for (const [index, { server, user, password, datacenters }] of vcenters.entries()) {
    const at = [...BASE, 'vcenters', index];
    const add = (message: string, path: Path, help: string): void => findings.error('vcenter', message, path, help);
    const where = [...at, 'server'];
    const detail = 'must be the domain name or IP address of the vCenter';
    const help = 'Write a name or an address, without a scheme.';
    if (server === '') add(required(where, detail), where, help);
    else if (hostProblem(server) !== undefined) add(invalid(where, server, detail), where, help);
    if (user === '') add(required([...at, 'username'], 'must specify the username'), [...at, 'user'], 'Add `user`.');
    if (password === '') {
      const path = [...at, 'password'];
      add(required(path, 'must specify the password'), path, 'Add `password`.');
    }
    if (datacenters.length === 0) {
      const path = [...at, 'datacenters'];
      add(required(path, 'must specify at least one datacenter'), path, 'Add `datacenters`.');
    }
  }
}

class DomainRules {
  readonly #values: VSphereValues;
  readonly #findings: RuleFindings;
  readonly #names = new Set<string>();
  /** Once a domain names an existing vCenter, upstream does not check the servers of later domains. */
  #knowsServer = false;

  constructor(values: VSphereValues, findings: RuleFindings) {
    this.#values = values;
    this.#findings = findings;
  }

  /** Some faults end the check of all domains. */
  check(): void {
    for (const [index, domain] of this.#values.failureDomains.entries()) {
      if (this.#checkKinds(domain, index) === 'end') return;
      this.#checkNames(domain, index);
      if (this.#checkTopology(domain.topology, index) === 'end') return;
    }
  }

  /** Upstream's paths have no positions; coreiso's need them to find the place in the text. */
  #add(message: string, index: number, steps: readonly string[], help: string): void {
    this.#findings.error('vsphere', message, [...DOMAINS, index, ...steps], help);
  }

  #require(index: number, steps: readonly string[], detail: string): void {
    this.#add(required([...DOMAINS, ...steps], detail), index, steps, `Add \`${steps.at(-1)}\`.`);
  }

  #checkKinds({ regionType, zoneType, topology }: FailureDomain, index: number): 'end' | undefined {
    if (regionType === '' && zoneType !== '')
      this.#require(index, ['regionType'], 'must specify regionType if zoneType is defined');
    if (regionType !== '' && zoneType === '')
      this.#require(index, ['zoneType'], 'must specify zoneType if regionType is defined');
    if (regionType === 'HostGroup') {
      this.#require(index, ['regionType'], 'region type cannot be used for host group failure domains');
      return 'end';
    }
    if (zoneType === 'HostGroup' && topology.hostGroup === '')
      this.#require(index, ['hostGroup'], 'must not be empty if zoneType is HostGroup');
    if (regionType !== 'ComputeCluster' || zoneType === 'HostGroup') return undefined;
    this.#require(index, ['regionType'], 'zoneType must be HostGroup');
    this.#require(index, ['zoneType'], 'something something...');
    return 'end';
  }

  #checkNames({ name, server, zone, region }: FailureDomain, index: number): void {
    if (name === '') this.#require(index, ['name'], 'must specify the name');
    else if (this.#names.has(name))
      this.#add(duplicate([...DOMAINS, 'name', index], name), index, ['name'], 'Give every domain a name of its own.');
    this.#names.add(name);
    if (server === '') this.#require(index, ['server'], 'must specify a vCenter server');
    else {
      this.#knowsServer ||= this.#values.vcenters.some((center) => center.server === server);
      const message = invalid([...DOMAINS, 'server'], server, 'server does not exist in vcenters');
      if (!this.#knowsServer) this.#add(message, index, ['server'], 'Write the `server` of one of the `vcenters`.');
    }
    if (zone === '') this.#require(index, ['zone'], 'must specify zone tag value');
    if (region === '') this.#require(index, ['region'], 'must specify region tag value');
  }

  #checkTopology(topology: Topology, index: number): 'end' | undefined {
    const { datacenter, datastore, networks, folder, computeCluster, resourcePool } = topology;
    const refuse = (name: string, value: string, detail: string): 'end' => {
      const steps = ['topology', name];
      this.#add(invalid([...DOMAINS, ...steps], value, detail), index, steps, `Write a path below /${datacenter}.`);
      return 'end';
    };
    const lack = (name: string, detail: string): void => this.#require(index, ['topology', name], detail);
    if (datacenter === '') lack('datacenter', 'must specify a datacenter');
    if (datastore === '') lack('datastore', 'must specify a datastore');
    else if (!/^\/(.*?)\/datastore\/(.*?)$/.test(datastore))
      return refuse(
        'datastore',
        datastore,
        'full path of datastore must be provided in format /<datacenter/datastore/<datastore>',
      );
    else if (!datastore.includes(datacenter))
      return refuse('datastore', datastore, 'the datastore defined does not exist in the correct datacenter');
    this.#checkTags(topology, index);
    // Configs in the old form, without `network` and `cluster`, may omit the networks.
    const { network, cluster, vCenter } = this.#values;
    const isOld = network === '' && cluster === '' && vCenter !== '';
    if (networks.length === 0) {
      if (isOld)
        this.#warn('network field empty is now deprecated, in later releases this field will be required.', index);
      else lack('networks', 'must specify a network');
    }
    if (folder !== '' && !/^\/(.*?)\/vm\/(.*?)$/.test(folder))
      return refuse('folder', folder, 'full path of folder must be provided in format /<datacenter>/vm/<folder>');
    if (folder !== '' && !folder.includes(datacenter))
      return refuse('folder', folder, 'the folder defined does not exist in the correct datacenter');
    if (computeCluster === '') {
      if (isOld)
        this.#warn('cluster field empty is not deprecated, in later releases this field will be required.', index);
      else lack('computeCluster', 'must specify a computeCluster');
    } else {
      const parts = /^\/(.*?)\/host\/(.*?)$/.exec(computeCluster);
      const format = 'full path of compute cluster must be provided in format /<datacenter>/host/<cluster>';
      if (parts === null) return refuse('computeCluster', computeCluster, format);
      if (datacenter !== '' && !datacenter.includes(parts[1] ?? ''))
        return refuse('computeCluster', computeCluster, `compute cluster must be in datacenter ${datacenter}`);
    }
    if (resourcePool === '') return undefined;
    const parts = /^\/(.*?)\/host\/(.*?)\/(.*?)$/.exec(resourcePool);
    const format = 'full path of resource pool must be provided in format /<datacenter>/host/<cluster>/...';
    if (parts === null) return refuse('resourcePool', resourcePool, format);
    if (datacenter !== '' && !datacenter.includes(parts[1] ?? ''))
      return refuse('resourcePool', resourcePool, `resource pool must be in datacenter ${datacenter}`);
    if (computeCluster !== '' && !computeCluster.includes(parts[2] ?? ''))
      return refuse('resourcePool', resourcePool, `resource pool must be in compute cluster ${computeCluster}`);
    return undefined;
  }

  #warn(message: string, index: number): void {
    this.#findings.warning('vsphere', message, [...DOMAINS, index, 'topology'], 'Write it down.');
  }

  #checkTags({ tagIDs }: Topology, index: number): void {
    const steps = ['topology', 'tagIDs'];
    const refuse = (detail: string): void =>
      this.#add(invalid([...DOMAINS, ...steps], tagIDs, detail), index, steps, 'Write the URNs of at most ten tags.');
    if (tagIDs.length > MOST_TAGS) refuse('a maximum of 10 tags are allowed');
    if (tagIDs.some((tag) => !TAG.test(tag)))
      refuse('tag ID must be in the format of urn:vmomi:InventoryServiceTag:<UUID>:GLOBAL');
  }
}

/** Checks which of its addresses a node uses. */
function checkNodeNetworking({ nodeNetworking, failureDomains }: VSphereValues, findings: RuleFindings): void {
  if (nodeNetworking === undefined) return;
  const known = failureDomains.flatMap(({ topology }) => topology.networks);
  for (const side of ['internal', 'external'] as const) {
    const base = [...BASE, 'nodeNetworking', side];
    const { network, networkSubnetCidr, excludeNetworkSubnetCidr } = nodeNetworking[side];
    for (const [name, networks] of Object.entries({ networkSubnetCidr, excludeNetworkSubnetCidr })) {
      const path = [...base, name];
      for (const one of networks) checkSubnet(one, path, findings);
    }
    if (network === '' || known.includes(network)) continue;
    const path = [...base, 'network'];
    const message = invalid(path, network, 'network must be defined in topology');
    findings.error('vsphere', message, path, 'Write one of the networks of the failure domains.');
  }
}

function checkSubnet(text: string, path: Path, findings: RuleFindings): void {
  const help = 'Write an address and a prefix length, such as 192.0.2.0/24.';
  if (text === '') findings.error('vsphere', required(path, 'must specify a IP address with CIDR'), path, help);
  else if (parseCidr(text) === undefined)
    findings.error('vsphere', invalid(path, text, `invalid CIDR address: ${text}`), path, help);
}
