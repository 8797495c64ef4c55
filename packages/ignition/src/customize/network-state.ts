import type { Diagnostic } from '@coreiso/diagnostics';
import { Refusal } from './refusal.ts';

/** The refusal of a network state by the generator of keyfiles. */
export function networkStateRefusal(name: string, diagnostics: readonly Diagnostic[]): Refusal {
  const finding = diagnostics.find(({ severity }) => severity === 'error');
  return refusal(name, finding, finding?.message ?? 'the network state was refused');
}

/** The text of a network state. */
export function stateText(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(name, undefined, 'the text is not UTF-8');
  }
}

function refusal(name: string, finding: Diagnostic | undefined, text: string): Refusal {
  return new Refusal('invalid-network-state', [`network state ${name}`, text], {
    path: finding?.path ?? [],
    range: finding?.range,
    help: finding?.help,
    fault: { input: 'network-state', finding },
  });
}
