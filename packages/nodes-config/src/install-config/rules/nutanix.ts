// Requirements of Nutanix: the addresses of Prism, and the networks of machines.
import { goYaml, type Node, toPlain } from '@coreiso/diagnostics';
import { listOf, textOf } from '@coreiso/peers/members';
import { duplicate, invalid, required, tooMany } from '../../text/field-errors.ts';
import type { NutanixValues } from '../install-config-table.ts';
import { hostProblem } from './names.ts';
import type { RuleFindings } from './rule-findings.ts';

const MOST_SUBNETS = 32;
const NAME = /[a-z0-9]([-a-z0-9]*[a-z0-9])?/;

type Path = readonly (string | number)[];

/**
 * Checks all rules for Nutanix, even those that the agent-based installer skips: the rules for every install config
 * include them.
 */
export function checkNutanix(values: NutanixValues, findings: RuleFindings): void {
  const base = ['platform', 'nutanix'];
  const central = [...base, 'prismCentral'];
  const add = (message: string, path: Path, help: string): void => findings.error('nutanix', message, path, help);
  const { endpoint, username, password } = values.prismCentral;
  checkEndpoint(endpoint, { path: central, at: central, title: 'Prism Central', name: 'Prism Central' }, findings);
  if (username === '') {
    const path = [...central, 'username'];
    add(required(path, 'must specify the Prism Central username'), path, 'Add `username`.');
  }
  if (password === '') {
    const path = [...central, 'password'];
    add(required(path, 'must specify the Prism Central password'), path, 'Add `password`.');
  }
  const elements = [...base, 'prismElements'];
  if (values.prismElements.length !== 1)
    add(required(elements, 'must specify one Prism Element'), elements, 'Keep exactly one.');
  for (const [index, element] of values.prismElements.entries()) {
    const at = [...elements, index];
    if (element.uuid === '') {
      const message = required([...elements, 'uuid'], 'must specify the Prism Element UUID');
      add(message, [...at, 'uuid'], 'Add `uuid`.');
    }
    const names = { title: 'Prism Element', name: 'Prism Element (cluster)' };
    checkEndpoint(element.endpoint, { path: elements, at, ...names }, findings);
  }
  checkSubnets(values.subnetUUIDs, [...base, 'subnetUUIDs'], findings);
  const { prismAPICallTimeout: timeout } = values;
  if (timeout !== undefined && timeout <= 0) {
    const path = [...base, 'prismAPICallTimeout'];
    add(invalid(path, timeout, 'must be a positive integer value'), path, 'Remove it: nothing reads it.');
  }
  if (values.failureDomains) checkFailureDomains(values.failureDomains, base, findings);
}

interface EndpointPlace {
  /** The path as upstream names it, without positions in lists. */
  readonly path: Path;
  readonly at: Path;
  readonly title: string;
  readonly name: string;
}

function checkEndpoint(
  { address, port }: { readonly address: string; readonly port: number },
  { path, at, title, name }: EndpointPlace,
  findings: RuleFindings,
): void {
  const where = [...path, 'endpoint', 'address'];
  const place = [...at, 'endpoint', 'address'];
  const help = 'Write a name or an address, without a scheme and without a port.';
  if (address === '')
    findings.error('nutanix', required(where, `must specify the ${title} endpoint address`), place, help);
  else if (hostProblem(address) !== undefined)
    findings.error(
      'nutanix',
      invalid(where, address, `must be the domain name or IP address of the ${name}`),
      place,
      help,
    );
  if (port >= 1 && port <= 65535) return;
  const detail = `The ${title} endpoint port is invalid, must be in the range of 1 to 65535`;
  findings.error(
    'nutanix',
    invalid([...path, 'endpoint', 'port'], port, detail),
    [...at, 'endpoint', 'port'],
    'Write 9440.',
  );
}

function checkSubnets(uuids: readonly string[], path: Path, findings: RuleFindings): void {
  const add = (message: string, help: string): void => findings.error('nutanix', message, path, help);
  if (uuids.length === 0 || uuids[0] === '') {
    add(required(path, 'must specify at least one subnet'), 'Add the UUID of a subnet.');
  } else if (uuids.length > MOST_SUBNETS) {
    add(tooMany(path, uuids.length, MOST_SUBNETS), `Keep at most ${MOST_SUBNETS}.`);
  } else {
    for (const [index, uuid] of uuids.entries()) {
      if (uuids.indexOf(uuid) < index)
        add(invalid(path, uuid, 'should not configure duplicate value'), 'Remove one of them.');
    }
  }
}

/** Failure domains are checked first and ignored later. */
function checkFailureDomains(node: Node, base: Path, findings: RuleFindings): void {
  const list = toPlain(node, goYaml);
  const domains: readonly unknown[] = Array.isArray(list) ? list : [];
  const at = [...base, 'failureDomains'];
  const path = [...base, 'failureDomain'];
  const help = 'Remove `failureDomains`: nothing reads them.';
  const add = (message: string): void => findings.error('nutanix', message, at, help);
  const topologies = new Map<string, string>();
  const names = new Set<string>();
  for (const domain of domains) {
    const name = textOf(domain, 'name');
    if (!NAME.test(name)) {
      const detail = 'failureDomain name should match the pattern "[a-z0-9]([-a-z0-9]*[a-z0-9])?".';
      add(invalid([...path, 'name'], name, detail));
    }
    if (names.has(name)) add(duplicate([...path, 'name'], name));
    names.add(name);
    const uuid = textOf(domain, 'prismElement', 'uuid');
    const subnets = listOf(domain, 'subnetUUIDs').map((subnet) => textOf(subnet));
    const topology = JSON.stringify([uuid, subnets.toSorted()]);
    const twin = topologies.get(topology);
    if (twin === undefined) topologies.set(topology, name);
    else {
      const detail = `failureDomain has the same topology (prismElement "${uuid}" and subnetUUIDs) as failureDomain "${twin}", each failureDomain must reference distinct infrastructure`;
      add(invalid([...path, 'name'], name, detail));
    }
    if (uuid === '')
      add(required([...path, 'prismElement', 'uuid'], 'failureDomain prismElement uuid cannot be empty'));
    checkSubnets(subnets, [...path, 'subnetUUIDs'], findings);
  }
}
