import { IgnitionError } from '@coreiso/ignition';
import type { InputFault, RefusalDiagnostic } from '@coreiso/ignition/customize';
import { semverMessage, serdeJsonMessage } from './ignition-config.ts';
import { installerConfigMessage } from './installer-config.ts';
import { serdeYamlEncodingMessage } from './serde-yaml.ts';

/** nmstate's kinds of refusals by code; every other code is about the text of the state. */
const NMSTATE_KINDS: Readonly<Record<string, string>> = {
  'nmstate/invalid-argument': 'InvalidArgument',
  'nmstate/not-implemented': 'NotImplementedError',
  'nmstate/not-supported': 'NotSupportedError',
};

/**
 * Returns a refusal of `customize` with the messages and causes of coreos-installer. `refused` is the last input read;
 * `mistakes` replaces nmstate's own wording.
 */
export function asUpstreamRefuses(error: unknown, refused: Uint8Array, mistakes?: string): unknown {
  if (!(error instanceof IgnitionError)) return error;
  const diagnostic = error.diagnostics.find((one: RefusalDiagnostic) => one.fault !== undefined);
  if (diagnostic === undefined) return error;
  const { fault } = diagnostic as RefusalDiagnostic;
  return fault === undefined ? error : errorChain(chainOf(error.message, fault, diagnostic, refused, mistakes));
}

function chainOf(
  context: string,
  fault: InputFault,
  { path, range }: RefusalDiagnostic,
  bytes: Uint8Array,
  mistakes: string | undefined,
): string[] {
  switch (fault.input) {
    case 'ignition': {
      const cause = serdeJsonMessage(fault.fault, bytes, fault.end);
      return [context, `serialization error: ${cause}`, cause];
    }
    case 'ignition-version': {
      const cause = semverMessage(fault.version);
      return [context, `couldn't parse config version: ${cause}`, cause];
    }
    case 'installer-config':
      return [context, installerConfigMessage(fault.fault, path, range)];
    case 'network-state': {
      const { finding } = fault;
      if (finding === undefined) return ['parsing nmstate', serdeYamlEncodingMessage(bytes) ?? 'invalid UTF-8'];
      const kind = NMSTATE_KINDS[finding.code];
      if (kind === undefined) return ['parsing nmstate', mistakes ?? finding.message];
      return ['generating configuration from nmstate', `${kind}: ${mistakes ?? finding.message}`];
    }
  }
}

function errorChain([message = '', ...causes]: readonly string[]): Error {
  return new Error(message, causes.length === 0 ? {} : { cause: errorChain(causes) });
}
