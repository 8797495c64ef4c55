import { type Diagnostic, serdeYamlEncodingMessage } from '@coreiso/diagnostics';
import { Refusal } from './refusal.ts';

/** Refusals of the generator by their codes; every other one is about the text of the state. */
const GENERATOR_KINDS: Readonly<Record<string, string>> = {
  'nmstate/invalid-argument': 'InvalidArgument',
  'nmstate/not-implemented': 'NotImplementedError',
  'nmstate/not-supported': 'NotSupportedError',
};

/** The refusal of a network state, in the context that upstream gives it. */
export function networkStateRefusal(diagnostics: readonly Diagnostic[]): Refusal {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const message = first?.message ?? 'the network state was refused';
  const kind = GENERATOR_KINDS[first?.code ?? ''];
  const chain =
    kind === undefined
      ? ['parsing nmstate', message]
      : ['generating configuration from nmstate', `${kind}: ${message}`];
  return new Refusal('invalid-network-state', chain, { path: first?.path ?? [], range: first?.range });
}

/** The text of a network state; what is no UTF-8 is refused as upstream refuses it. */
export function stateText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const problem = serdeYamlEncodingMessage(bytes) ?? 'invalid UTF-8';
    throw new Refusal('invalid-network-state', ['parsing nmstate', problem]);
  }
}
