import { type Diagnostic, diagnostic, type Finding, type Range } from '@coreiso/diagnostics';

/** Every finding code of this package (with the prefix `cluster/`) and its meaning; the README has the same list. */
export const CODES = {
  kubeconfig: 'The kubeconfig has an invalid entry, or lacks a required one.',
  forbidden: 'The credentials may not read an object.',
  'not-found': 'The cluster lacks an object.',
  api: 'An object cannot be read.',
  upgrade: 'An upgrade is under way.',
  'pool-paused': 'The pool of workers is paused.',
  'pool-degraded': 'The pool of workers is degraded.',
  'server-certificate': 'The certificate of the machine config server expires soon.',
  'machine-sets': 'The cluster creates its own machines.',
} as const;

/** `diagnostic` for findings of this package. */
export function clusterDiagnostic(
  finding: Finding & { readonly code: `cluster/${keyof typeof CODES}` },
  range?: Range,
): Diagnostic {
  return diagnostic(finding, range);
}
