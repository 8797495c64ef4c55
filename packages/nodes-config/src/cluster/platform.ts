import { unsupported } from '../text/field-errors.ts';

/** Platforms on which nodes can be added, as the install config spells them. */
const SUPPORTED = ['baremetal', 'vsphere', 'nutanix', 'none', 'external'] as const;

/** What the Infrastructure object says, and the name that the install config has for it. */
const NAMES: Readonly<Record<string, string>> = {
  BareMetal: 'baremetal',
  VSphere: 'vsphere',
  Nutanix: 'nutanix',
  None: 'none',
  External: 'external',
  AWS: 'aws',
  Azure: 'azure',
  GCP: 'gcp',
  IBMCloud: 'ibmcloud',
  OpenStack: 'openstack',
  PowerVS: 'powervs',
};

/** Architectures that only exist without a platform. */
const BARE_ARCHITECTURES: ReadonlySet<string> = new Set(['ppc64le', 's390x']);

/** The name a platform type converts to, or undefined for one that upstream does not know. */
export function platformName(type: string): string | undefined {
  return Object.hasOwn(NAMES, type) ? NAMES[type] : undefined;
}

/** Upstream's complaints about a platform, for nodes of an architecture by its Go name. */
export function platformProblems(name: string, architecture: string): string[] {
  const problems: string[] = [];
  if (!SUPPORTED.some((supported) => supported === name)) problems.push(unsupported(['platform'], name, SUPPORTED));
  if (BARE_ARCHITECTURES.has(architecture) && name !== 'none') {
    problems.push(
      `platform: Invalid value: "${name}": CPU architecture "${architecture}" only supports platform "none".`,
    );
  }
  return problems;
}
