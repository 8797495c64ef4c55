// Requirements of a hub's assisted service to make the image of a site.

import type { ZtpSiteValues } from '../generated/values.ts';
import { subdomainProblem } from '../install-config/rules/names.ts';
import type { Findings } from '../text/config-findings.ts';

/** Quantities of Kubernetes, as used for storage. */
const QUANTITY = /^[1-9]\d*(?:\.\d+)?(?:[KMGTPE]i?)?$/;

/** The service uses the images' names of architectures, except for one. */
function serviceArchitecture(name: string): string {
  return name === 'aarch64' ? 'arm64' : name || 'x86_64';
}

export function checkService({ service, openshiftVersion, cpuArchitecture }: ZtpSiteValues, findings: Findings): void {
  const [minor = ''] = /^\d+\.\d+/.exec(openshiftVersion) ?? [];
  const architecture = serviceArchitecture(cpuArchitecture);
  const path = ['service', 'osImages'];
  const isThere = service.osImages.some(
    (image) => image.openshiftVersion === minor && serviceArchitecture(image.cpuArchitecture) === architecture,
  );
  if (!isThere) {
    const message = `the service has no live image for OpenShift ${minor} on ${architecture}, and makes no image of this site`;
    const help = `Add an entry with openshiftVersion "${minor}" and cpuArchitecture ${architecture}.`;
    findings.own({ code: 'nodes-config/os-image', message, path, help });
  }
  for (const [index, { openshiftVersion: version, url, rootFSUrl, version: system }] of service.osImages.entries()) {
    const faults: readonly (readonly [string, boolean, string])[] = [
      ['openshiftVersion', /^\d+\.\d+$/.test(version), 'Write major and minor version in quotes, such as "4.20".'],
      ['url', /^https?:\/\/[^/\s]+/.test(url), 'Write the address of the live image.'],
      [
        'rootFSUrl',
        rootFSUrl === '' || /^https?:\/\/[^/\s]+/.test(rootFSUrl),
        'Write the address of the root file system.',
      ],
      ['version', system !== '', 'Write the version of the operating system, as the release names it.'],
    ];
    for (const [name, isRight, help] of faults) {
      const message = `${name} of a live image is missing or malformed`;
      if (!isRight) findings.own({ code: 'nodes-config/os-image', message, path: [...path, index, name], help });
    }
  }
  const classProblem = service.storageClassName === '' ? undefined : subdomainProblem(service.storageClassName);
  if (classProblem !== undefined) {
    const message = `${service.storageClassName} is not the name of a storage class: ${classProblem}`;
    const help = 'List the classes of the hub: oc get storageclass.';
    findings.own({ code: 'nodes-config/storage', message, path: ['service', 'storageClassName'], help });
  }
  for (const name of ['databaseStorage', 'filesystemStorage', 'imageStorage'] as const) {
    if (QUANTITY.test(service[name])) continue;
    const message = `${service[name]} is not a quantity of storage`;
    findings.own({ code: 'nodes-config/storage', message, path: ['service', name], help: 'Write it as 100Gi.' });
  }
}
