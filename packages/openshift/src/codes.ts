import { type Diagnostic, diagnostic, type Finding } from '@coreiso/diagnostics';

/** Every finding code of this package (with the prefix `openshift/`) and its meaning; the README has the same list. */
export const CODES = {
  'no-worker-user-data': 'The cluster facts do not say where workers get their config.',
  'role-cannot-join': 'A host has a role that the join strategy does not support.',
  'no-login': 'The live system has neither an SSH key nor a password.',
  'no-disk-hints': 'Hosts do not say which disk they are installed to.',
  'other-architecture': 'The release may have no images for the architecture of the hosts.',
  'static-before-rootfs': 'A root file system is fetched before the static address is set.',
  state: 'The state file cannot be read.',
  'state-name': 'The state file names an invalid file.',
  'lost-input': 'A file from which manifests were made is missing.',
} as const;

/** A code of this package. */
export type FindingCode = `openshift/${keyof typeof CODES}`;

/** `diagnostic` for findings of this package. */
export function openshiftDiagnostic(finding: Finding & { readonly code: FindingCode }): Diagnostic {
  return diagnostic(finding);
}
