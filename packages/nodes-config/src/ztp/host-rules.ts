// Rules for hosts of BareMetalHosts and of the controller that makes agents of them.
import type { Path } from '@coreiso/diagnostics';
import { parseConfig } from '@coreiso/ignition';
import { canonicalMac } from '@coreiso/peers/go';
import { hideUsers } from '@coreiso/peers/hidden';
import type { ZtpSiteValues } from '../generated/values.ts';
import { subdomainProblem } from '../install-config/rules/names.ts';
import { driverProblem } from '../install-config/rules/provisioning.ts';
import { macProblem } from '../rules/mac.ts';
import type { Rule } from '../text/codes.ts';
import type { Findings } from '../text/config-findings.ts';
import type { ZtpHostValues } from './site-table.ts';

/** RFC 1123 section 2.1, one label; objects are named after hosts. */
const NAMED = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_NAME = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** The annotation from which the controller copies labels. */
const ANNOTATION = 'bmac.agent-install.openshift.io.node-label.';
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

export function checkZtpHosts({ hosts }: ZtpSiteValues, findings: Findings): void {
  if (hosts.length === 0) refuse(findings, 'no-hosts', 'a cluster needs hosts', ['hosts'], 'Add `hosts`.');
  const controllers = new Map<string, string>();
  for (const [index, host] of hosts.entries()) {
    const path = ['hosts', index];
    checkIdentity(host, path, findings);
    checkController(host, [...path, 'bmc'], controllers, findings);
    checkBootCard(host, [...path, 'bootMACAddress'], findings);
    checkLabels(host, [...path, 'nodeLabels'], findings);
    checkOverride(host, [...path, 'ignitionConfigOverride'], findings);
  }
}

function refuse(findings: Findings, rule: Rule, message: string, path: Path, help: string): void {
  findings.own({ code: `nodes-config/${rule}`, message, path, help });
}

function checkIdentity({ hostname, role, remote }: ZtpHostValues, path: Path, findings: Findings): void {
  if (hostname === '') {
    const message = 'a host without a name cannot be a BareMetalHost';
    refuse(findings, 'hostname', message, path, 'Add `hostname`.');
  } else if (!NAMED.test(hostname)) {
    const message = `${hostname} cannot be the name of a BareMetalHost: ${subdomainProblem(hostname)}`;
    refuse(findings, 'hostname', message, [...path, 'hostname'], 'Take lower-case letters, digits, hyphens and dots.');
  }
  if (role === '') {
    const message = 'the number of machines of each role must be known before the installation';
    refuse(findings, 'role', message, path, 'Add `role`, master or worker.');
  }
  if (remote === true && role !== 'worker') {
    const message = 'only workers can be outside the machine networks: the control plane keeps the virtual addresses';
    refuse(findings, 'remote-role', message, [...path, 'remote'], 'Remove it, or make the host a worker.');
  }
}

function checkController(
  { bmc }: ZtpHostValues,
  path: Path,
  controllers: Map<string, string>,
  findings: Findings,
): void {
  const { address, credentialsName } = bmc;
  const problem = driverProblem(address);
  if (problem !== undefined) {
    const help = 'Write an address of virtual media, such as redfish-virtualmedia://HOST/redfish/v1/Systems/1.';
    const at = address === '' ? path : [...path, 'address'];
    refuse(findings, 'bmc', `the machine cannot boot the image of the site: ${problem}`, at, help);
  } else if (/^[A-Za-z][\w+.-]*:\/\/[^/]*@/.test(address)) {
    const message = `${hideUsers(address)} holds a user or a password`;
    refuse(findings, 'bmc', message, [...path, 'address'], 'Put them into the Secret that `credentialsName` names.');
  } else if (controllers.has(address)) {
    const message = `${hideUsers(address)} is the controller of another host already`;
    refuse(findings, 'bmc', message, [...path, 'address'], 'Every host has a controller of its own.');
  }
  controllers.set(address, address);
  if (credentialsName !== '' && !NAMED.test(credentialsName)) {
    const message = `${credentialsName} cannot be the name of a Secret`;
    refuse(findings, 'bmc', message, [...path, 'credentialsName'], 'Take lower-case letters, digits and hyphens.');
  }
}

function checkBootCard({ bootMACAddress, interfaces }: ZtpHostValues, path: Path, findings: Findings): void {
  if (bootMACAddress === '') return;
  const mac = canonicalMac(bootMACAddress);
  const known = interfaces.map(({ macAddress }) => canonicalMac(macAddress));
  if (macProblem(bootMACAddress) !== undefined || mac === undefined) {
    refuse(findings, 'boot-mac', `${bootMACAddress} is not a MAC address`, path, 'Write it as 52:54:00:e7:05:72.');
  } else if (!known.includes(mac)) {
    const message = `${bootMACAddress} belongs to no interface of the host, so the agent will not be found`;
    refuse(findings, 'boot-mac', message, path, 'Add it to `interfaces`, or name one of them.');
  }
}

function checkLabels({ nodeLabels }: ZtpHostValues, path: Path, findings: Findings): void {
  for (const [name, value] of Object.entries(nodeLabels)) {
    const isName = LABEL_NAME.test(name) && LABEL_NAME.test(`${ANNOTATION}${name}`);
    if (isName && LABEL_VALUE.test(value)) continue;
    const message = `${name}=${value} is not a label of Kubernetes`;
    const help = 'Take at most 63 letters, digits, dots, hyphens and underscores for the name and for the value.';
    refuse(findings, 'node-label', message, [...path, name], help);
  }
}

function checkOverride({ ignitionConfigOverride: text }: ZtpHostValues, path: Path, findings: Findings): void {
  if (text === '') return;
  const { diagnostics } = parseConfig(text);
  for (const { severity, message } of diagnostics) {
    if (severity !== 'error') continue;
    refuse(
      findings,
      'ignition',
      `the override is not an Ignition config: ${message}`,
      path,
      'See coreiso ignition validate.',
    );
  }
}
