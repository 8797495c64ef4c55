import type { Diagnostic } from '@coreiso/diagnostics';
import { formatGcListing, generateKeyfiles, refusalKind } from '@coreiso/nmstate';
import type { Action } from '../frame/command.ts';
import { systemErrorText } from '../frame/failure.ts';
import { readInput } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';

/** `nmstatectl gc`: the keyfiles in a YAML wrapper on stdout, or the refusal on stderr and status 1. */
export const generate: Action = async (args, terminal) => {
  const text = await readText(terminal, args.required('STATE_FILE'));
  if (text === undefined) return 1;
  const outcome = generateKeyfiles(text, { mode: 'compatible' });
  if (!outcome.ok) {
    terminal.sayText(refusal(outcome.diagnostics));
    return 1;
  }
  await terminal.print(formatGcListing(outcome.value));
  return 0;
};

async function readText(terminal: Terminal, path: string): Promise<string | undefined> {
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

function refusal(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const kind = first && refusalKind(first);
  if (kind !== undefined) return `NmstateError: ${kind}: ${first?.message}`;
  return `Provide file is not valid NetworkState or NetworkPolicy: ${first?.message}`;
}
