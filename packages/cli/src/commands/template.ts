import { basename, dirname } from 'node:path';
import type { Action, Command } from '../frame/command.ts';
import { writeNewFiles } from '../frame/write-directory.ts';
import { force } from './shared-arguments.ts';

/** Returns a command that prints a document to start from. */
export function templateCommand(of: {
  /** The name of the document, for help. */
  readonly what: string;
  readonly command: string;
  readonly file: string;
  readonly next: string;
  readonly text: () => Promise<string>;
}): Command {
  return {
    kind: 'command',
    name: 'template',
    summary: `Print ${of.what} to start from`,
    about: `The document is complete, commented and valid as it is. Replace names, addresses and disks. Then: ${of.next}`,
    options: [
      { name: 'output', short: 'o', value: 'FILE', help: 'File to write (default: standard output)' },
      force('Replace a file that exists'),
    ],
    examples: [`coreiso ${of.command} template > ${of.file}`, `coreiso ${of.command} template -o ${of.file}`],
    load: async () => print(of.text),
  };
}

function print(text: () => Promise<string>): Action {
  return async (args, terminal) => {
    const output = args.optional('output');
    if (output === undefined || output === '-') {
      await terminal.print(await text());
      return 0;
    }
    const existing = args.has('force') ? 'replace' : 'refuse';
    await writeNewFiles(terminal, dirname(output), { [basename(output)]: await text() }, existing);
    return 0;
  };
}
