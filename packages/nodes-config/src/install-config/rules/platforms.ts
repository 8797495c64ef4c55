// The platform: which one, its virtual addresses, and the requirements of bare metal and vSphere.

import { goQuote } from '@coreiso/peers/go';
import { type Cidr, cidrContains, formatCidr, type IpAddress, parseAddressAsGo } from '@coreiso/peers/ip';
import type { InstallConfigValues } from '../../generated/values.ts';
import { invalid, required, tooMany, unsupported } from '../../text/field-errors.ts';
import {
  activePlatform,
  type BareMetalValues,
  type NetworkingValues,
  type PlatformValues,
} from '../install-config-table.ts';
import { type Families, familiesOf } from './networks.ts';
import { checkNutanix } from './nutanix.ts';
import type { RuleFindings } from './rule-findings.ts';
import { checkVSphere } from './vsphere.ts';

const KNOWN =
  'aws, azure, baremetal, external, gcp, ibmcloud, none, nutanix, openstack, powervc, powervs, vsphere' as const;

/** Platforms that have rules of their own: upstream reports a second one of these. */
const JUDGED: readonly (keyof PlatformValues)[] = [
  ...(['aws', 'azure', 'gcp', 'ibmcloud', 'openstack', 'powervc', 'powervs'] as const),
  ...(['vsphere', 'baremetal', 'ovirt', 'nutanix'] as const),
];

const CHOOSE = 'Keep one of baremetal, vsphere, nutanix, none and external.';

export function checkPlatform({ platform }: InstallConfigValues, findings: RuleFindings): void {
  const active = activePlatform(platform);
  const path = ['platform'];
  if (active === '') {
    const message = invalid(path, '', `must specify one of the platforms (${KNOWN})`);
    findings.error(
      'platform',
      message,
      path,
      'Add one of baremetal, vsphere, nutanix, none and external, such as:\nplatform:\n  none: {}',
    );
  }
  for (const name of JUDGED) {
    if (name === active || platform[name] === undefined || [name, active].includes('powervc')) continue;
    const detail = `must only specify a single type of platform; cannot use both "${active}" and "${name}"`;
    findings.error('platform', invalid(path, active, detail), ['platform', name], CHOOSE);
  }
  if (platform.vsphere) checkVSphere(platform.vsphere, findings);
  if (platform.baremetal) checkBareMetal(platform.baremetal, findings);
  if (platform.nutanix) checkNutanix(platform.nutanix, findings);
  for (const name of ['baremetal', 'vsphere', 'nutanix'] as const) {
    const values = platform[name];
    if (values !== undefined) checkLoadBalancer(name, values, findings);
  }
}

function checkLoadBalancer(
  name: string,
  { loadBalancer, dnsRecordsType }: Pick<BareMetalValues, 'loadBalancer' | 'dnsRecordsType'>,
  findings: RuleFindings,
): void {
  const type = loadBalancer?.type;
  if (type !== undefined && type !== 'OpenShiftManagedDefault' && type !== 'UserManaged') {
    const where = ['platform', name, 'loadBalancer', 'type'];
    const help = 'Write OpenShiftManagedDefault or UserManaged.';
    findings.error('load-balancer', invalid(where, type, 'invalid load balancer type'), where, help);
  }
  if (dnsRecordsType !== 'External' || type === 'UserManaged') return;
  const where = ['platform', name, 'dnsRecordsType'];
  const detail = 'external DNS records can only be configured with user-managed loadbalancers';
  findings.error('load-balancer', invalid(where, dnsRecordsType, detail), where, 'Remove it.');
}

const PROVISIONING = ['Disabled', 'Managed', 'Unmanaged'];

function checkBareMetal(values: BareMetalValues, findings: RuleFindings): void {
  const { provisioningNetwork } = values;
  const path = ['platform', 'baremetal', 'provisioningNetwork'];
  if (!PROVISIONING.includes(provisioningNetwork)) {
    const message = unsupported(path, provisioningNetwork, PROVISIONING);
    findings.error('provisioning', message, path, 'Write Disabled unless you want a provisioning network.');
  }
  for (const name of ['bootstrapProvisioningIP', 'clusterProvisioningIP'] as const) {
    const address = values[name];
    if (address === '' || parseAddressAsGo(address) !== undefined) continue;
    const where = ['platform', 'baremetal', name];
    const help = 'Write an address, without a prefix length.';
    findings.error('provisioning', invalid(where, address, `${goQuote(address)} is not a valid IP`), where, help);
  }
}

interface VipTerms {
  readonly apiVIPs: readonly string[];
  readonly ingressVIPs: readonly string[];
}

/** Checks the addresses of API and ingress of the first platform that has some. */
export function checkVips(
  { platform }: InstallConfigValues,
  networking: NetworkingValues,
  findings: RuleFindings,
): void {
  const name = (['baremetal', 'nutanix', 'vsphere'] as const).find((one) => platform[one] !== undefined);
  const values = name && platform[name];
  if (name === undefined || values === undefined) return;
  const terms = { apiVIPs: values.apiVIPs, ingressVIPs: values.ingressVIPs };
  if (name === 'nutanix') checkStacks(terms, findings);
  const isUserManaged = values.loadBalancer?.type === 'UserManaged';
  const rules = new VipRules(name, terms, networking, findings);
  rules.check('API', isUserManaged ? 'anywhere' : 'near');
  rules.check('Ingress', isUserManaged ? 'anywhere' : 'near');
}

interface VipEntry {
  readonly vip: string;
  readonly index: number;
  /** The path of the list: upstream does not name the entry. */
  readonly path: readonly string[];
}

class VipRules {
  readonly #platform: string;
  readonly #terms: VipTerms;
  readonly #machines: readonly Cidr[];
  readonly #families: Families;
  readonly #findings: RuleFindings;

  constructor(platform: string, terms: VipTerms, networking: NetworkingValues, findings: RuleFindings) {
    this.#platform = platform;
    this.#terms = terms;
    this.#machines = networking.machineNetwork.flatMap(({ cidr }) => cidr ?? []);
    this.#families = familiesOf(networking);
    this.#findings = findings;
  }

  /** The addresses of the user's own load balancer may be `anywhere`. */
  check(title: 'API' | 'Ingress', place: 'near' | 'anywhere'): void {
    const { apiVIPs, ingressVIPs } = this.#terms;
    const [own, others, field] =
      title === 'API' ? [apiVIPs, ingressVIPs, 'apiVIPs'] : [ingressVIPs, apiVIPs, 'ingressVIPs'];
    const path = ['platform', this.#platform, field];
    const add = (help: string, message: string): void => this.#findings.error('vip', message, path, help);
    const addOne = `Add an address of the machine network to platform.${this.#platform}:\n${field}:\n- ADDRESS`;
    if (own.length === 0) {
      add(addOne, required(path, `must specify at least one VIP for the ${title}`));
      if (others.length > 0 && others.length <= 2) {
        const other = title === 'API' ? 'ingress' : 'API';
        const mine = title === 'API' ? 'API' : 'ingress';
        add(addOne, required(path, `must specify VIP for ${mine}, when VIP for ${other} is set`));
      }
      return;
    }
    if (own.length > 2) {
      add('Keep one of each family.', tooMany(path, own.length, 2));
      return;
    }
    for (const [index, vip] of own.entries()) this.#checkOne({ vip, index, path }, title, place);
    this.#checkFamily(own, title, path);
    const stranger = own.length === 2 ? unreadableVip(own) : undefined;
    if (stranger !== undefined) {
      const written = { API: listOrNull(apiVIPs), Ingress: listOrNull(ingressVIPs) };
      add('Write two addresses.', invalid(path.slice(0, -1), written, stranger));
    }
    if (own.length === 2 && (stranger !== undefined || new Set(own.map(familyOf)).size !== 2)) {
      const detail = `If two ${title} VIPs are given, one must be an IPv4 address, the other an IPv6`;
      add('Keep one of each family.', invalid(path, own, detail));
    }
  }

  #checkOne({ vip, index, path }: VipEntry, title: 'API' | 'Ingress', place: 'near' | 'anywhere'): void {
    const address = parseAddressAsGo(vip);
    const add = (detail: string, help: string): void =>
      this.#findings.error('vip', invalid(path, vip, detail), [...path, index], help);
    if (address === undefined) add(`${goQuote(vip)} is not a valid IP`, 'Write an address, without a prefix length.');
    if (place === 'anywhere') return;
    if (title === 'API') {
      for (const other of this.#terms.ingressVIPs) {
        if (address !== undefined && isSame(address, parseAddressAsGo(other)))
          add('VIP for API must not be one of the Ingress VIPs', 'Take two different addresses.');
      }
    }
    const networks = this.#machines.map(formatCidr).join(',');
    if (!isWithin(this.#machines, address))
      add(`IP expected to be in one of the machine networks: ${networks}`, `Take a free address of ${networks}.`);
  }

  /** The first address has to have the family of the first network in each list. */
  #checkFamily(own: readonly string[], title: string, path: readonly string[]): void {
    if (!this.#families.isDual) return;
    const [first = ''] = own;
    for (const { name, networks } of this.#families.lists) {
      if (networks[0]?.address.version === familyOf(first)) continue;
      const detail = `${name} primary IP Family and primary IP family for the ${title} VIP should match`;
      this.#findings.error('vip', invalid(path, first, detail), path, 'List the families in one order everywhere.');
    }
  }
}

/** Go prints an absent list as null. */
function listOrNull(vips: readonly string[]): readonly string[] | null {
  return vips.length === 0 ? null : vips;
}

/** The message of the library that looks for two families; it accepts leading zeros, as Go once did. */
function unreadableVip(vips: readonly string[]): string | undefined {
  const index = vips.findIndex((vip) => parseAddressAsGo(withoutZeros(vip)) === undefined);
  return index === -1 ? undefined : `invalid IP[${index}]: <nil>`;
}

/** Nutanix needs IPv4 first, and upstream moves it there. */
function checkStacks(terms: VipTerms, findings: RuleFindings): void {
  for (const field of ['apiVIPs', 'ingressVIPs'] as const) {
    const vips = terms[field];
    const path = ['platform', 'nutanix', field];
    const isDual = new Set(vips.map(familyOf)).size === 2;
    const wrongNumber = 'wrong number of VIPs given. Expecting 2 VIPs for dual stack';
    const detail = unreadableVip(vips) ?? (isDual && vips.length !== 2 ? wrongNumber : undefined);
    if (detail !== undefined) findings.error('vip', invalid(path, vips, detail), path, 'Keep one of each family.');
  }
}

/** A text that is not an address counts as IPv4. */
function familyOf(text: string): 4 | 6 {
  return parseAddressAsGo(withoutZeros(text))?.version ?? 4;
}

function withoutZeros(address: string): string {
  return address.replace(/(?<![0-9A-Fa-f])0+(?=[0-9]+(?:\.|$))/g, '');
}

function isSame(a: IpAddress, b: IpAddress | undefined): boolean {
  return b !== undefined && a.version === b.version && a.value === b.value;
}

export function isWithin(networks: readonly Cidr[], address: IpAddress | undefined): boolean {
  return address !== undefined && networks.some((network) => cidrContains(network, address));
}
