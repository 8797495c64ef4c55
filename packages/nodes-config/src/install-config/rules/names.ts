// Names, keys and certificates of the cluster.

import { utf8Length } from '@coreiso/peers/go';
import { HIDDEN } from '@coreiso/peers/hidden';
import { parseAddress } from '@coreiso/peers/ip';
import { pullSecretFault } from '../../facts/pull-secret.ts';
import { expiredCertificates, trustBundleProblem } from '../../facts/trust-bundle.ts';
import type { InstallConfigValues } from '../../generated/values.ts';
import { looksPublic, readSshKey, sshKeyProblem } from '../../rules/ssh-key.ts';
import { forbidden, invalid } from '../../text/field-errors.ts';
import type { RuleFindings } from './rule-findings.ts';

const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_SUBDOMAIN = 253;
/** 63 for a label, minus the nine of `\052.apps` in DNS records. */
const LONGEST_NAME = 54;

/** Kubernetes's complaint about a name that does not follow RFC 1123 section 2.1. */
export function subdomainProblem(text: string): string | undefined {
  const problems: string[] = [];
  if (utf8Length(text) > LONGEST_SUBDOMAIN) problems.push(`must be no more than ${LONGEST_SUBDOMAIN} characters`);
  if (!SUBDOMAIN.test(text)) {
    problems.push(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    );
  }
  return problems.length > 1 ? `[${problems.join(', ')}]` : problems[0];
}

/** Upstream's complaint about a host of a URL. */
export function hostProblem(text: string): string | undefined {
  return parseAddress(text) === undefined ? subdomainProblem(text) : undefined;
}

export function checkNames(config: InstallConfigValues, findings: RuleFindings): void {
  const { metadata, baseDomain } = config;
  const nameProblem = clusterNameProblem(config);
  if (nameProblem !== undefined) {
    const path = ['metadata', 'name'];
    const help = 'Take lower-case letters, digits and hyphens, at most 54 of them.';
    findings.error('cluster-name', invalid(path, metadata.name, nameProblem), path, help);
  }
  const path = ['baseDomain'];
  const help = 'Write a domain in lower case, such as example.com.';
  const domain = baseDomain.replace(/\.$/, '');
  const domainProblem = subdomainProblem(domain);
  if (domainProblem !== undefined) findings.error('base-domain', invalid(path, baseDomain, domainProblem), path, help);
  if (nameProblem !== undefined || domainProblem !== undefined) return;
  const whole = `${metadata.name}.${domain}`;
  const problem = subdomainProblem(whole);
  if (problem !== undefined) findings.error('base-domain', invalid(path, whole, problem), path, 'Shorten the domain.');
}

function clusterNameProblem({ metadata: { name }, platform }: InstallConfigValues): string | undefined {
  const { vsphere, baremetal, openstack, nutanix, powervc, gcp, azure } = platform;
  const hasOwnDns = (vsphere ?? baremetal ?? openstack ?? nutanix ?? powervc) !== undefined;
  const startsWithLetter = (gcp ?? azure) !== undefined && !hasOwnDns;
  if (startsWithLetter && !/^[a-z]/.test(name)) return 'cluster name must begin with a lower-case letter';
  if (hasOwnDns && name.includes('.')) return "cluster name must not contain '.'";
  if (utf8Length(name) > LONGEST_NAME) return `must be no more than ${LONGEST_NAME} characters`;
  return subdomainProblem(name);
}

export interface HostChecks {
  /** Whether the environment turns off the check of the build host's own FIPS mode. */
  readonly skipHostCrypt: boolean;
}

const FIPS_HOST = `target cluster is in FIPS mode, use the FIPS-capable installer binary for RHEL 9 on a host with FIPS enabled.
To obtain a suitable binary, download the openshift-install-rhel9 archive from the client mirror, or extract the openshift-install-fips command from the release payload.`;

export function checkKeys(config: InstallConfigValues, { skipHostCrypt }: HostChecks, findings: RuleFindings): void {
  const { sshKey, fips, additionalTrustBundle, additionalTrustBundlePolicy, pullSecret } = config;
  const help = 'Paste the content of the public key file, one line such as `ssh-ed25519 AAAA… name`.';
  const path = ['sshKey'];
  const lines = fips ? [sshKey] : sshKey.split('\n');
  for (const line of lines.filter((one) => one !== '')) {
    const problem = fips ? fipsKeyProblem(line) : sshKeyProblem(line);
    // A wrong file that is pasted here may be the private key.
    if (problem !== undefined)
      findings.error('ssh-key', invalid(path, looksPublic(line) ? line : HIDDEN, problem), path, help);
  }
  if (fips) {
    const hostHelp =
      'Set OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION=1 where the mode of this machine does not matter.';
    if (skipHostCrypt) findings.warning('fips-host', FIPS_HOST, ['fips'], 'Nothing needs to be done.');
    else findings.error('fips-host', forbidden(['fips'], FIPS_HOST), ['fips'], hostHelp);
  }
  checkBundle(additionalTrustBundle, findings);
  if (!['Proxyonly', 'Always'].includes(additionalTrustBundlePolicy)) {
    const policy = ['additionalTrustBundlePolicy'];
    const message = invalid(policy, additionalTrustBundlePolicy, 'supported values "Proxyonly", "Always"');
    findings.error('trust-bundle-policy', message, policy, 'Write Proxyonly or Always.');
  }
  const fault = pullSecretFault(pullSecret);
  if (fault !== undefined)
    findings.error('pull-secret', invalid(['pullSecret'], HIDDEN, fault.message), ['pullSecret'], fault.help);
}

function fipsKeyProblem(key: string): string | undefined {
  const reading = readSshKey(key);
  if (!reading.ok) return `Fatal error trying to parse configured public key: ${reading.message}`;
  return /^(?:ecdsa-sha2-nistp\d{3}|ssh-rsa)$/.test(reading.type)
    ? undefined
    : `SSH key type ${reading.type} unavailable when FIPS is enabled. Please use rsa or ecdsa.`;
}

function checkBundle(bundle: string, findings: RuleFindings): void {
  if (bundle === '') return;
  const path = ['additionalTrustBundle'];
  for (const expired of expiredCertificates(bundle, new Date()))
    findings.doubt('trust-bundle', expired, path, 'Replace the certificate, or remove it.');
  const problem = trustBundleProblem(bundle);
  if (problem === undefined) return;
  if (problem.kind === 'too-long') {
    const help = 'Keep the certificates of your own registries and proxies.';
    findings.refused(path, { text: problem.message, help });
    return;
  }
  const shown = bundle.includes('PRIVATE KEY') ? HIDDEN : bundle;
  const detail = problem.kind === 'no-pem' ? 'invalid block' : problem.message;
  const help = 'Paste PEM certificates, with nothing after the last one.';
  findings.error('trust-bundle', invalid(path, shown, detail), path, help);
}
