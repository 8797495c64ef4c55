// Reads a state and words its refusals as nmstatectl does.
import type { Diagnostic } from '@coreiso/diagnostics';
import { refusalKind } from '@coreiso/nmstate';
import { systemErrorText } from '../../frame/failure.ts';
import { readInput } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** Reads the text of a state; if that fails, reports why and returns undefined. */
export async function readStateText(terminal: Terminal, path: string): Promise<string | undefined> {
  try {
    const bytes = await readInput(terminal, path);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    terminal.io.signal.throwIfAborted();
    const reason = error instanceof TypeError ? 'stream did not contain valid UTF-8' : systemErrorText(error);
    terminal.say(`std::io::Error: ${reason}`);
    return undefined;
  }
}

/** Returns the only refusal that nmstatectl reports. */
export function stateRefusal(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const kind = first && refusalKind(first);
  if (kind !== undefined) return `NmstateError: ${kind}: ${first?.message}${pointer(first?.arguments)}`;
  return `Provide file is not valid NetworkState or NetworkPolicy: ${first?.message}`;
}

/** Shows the expression of a policy and the place in it that nmstate marks. */
function pointer({ line, position }: NonNullable<Diagnostic['arguments']> = {}): string {
  return position === undefined ? '' : `\n| ${line}\n| ${'.'.repeat(Number(position))}^`;
}
