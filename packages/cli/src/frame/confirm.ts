import type { Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** The question, and the help if there is no terminal. */
export interface Question {
  /** Without the question mark: "Approve 2 requests". */
  readonly text: string;
  /** The purpose of --yes: "to approve requests that pass". */
  readonly purpose: string;
  readonly usage: string;
}

/** Asks the user at the terminal; any answer but y or yes means no. */
export async function isConfirmed(terminal: Terminal, { text, purpose, usage }: Question): Promise<boolean> {
  const { stdin, stderr, signal } = terminal.io;
  if (stderr.isTTY !== true || (stdin as { isTTY?: boolean }).isTTY !== true) {
    throw new UsageError(`not a terminal: pass --yes ${purpose}`, { usage });
  }
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question(`${text}? [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
