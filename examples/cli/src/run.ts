// From arguments to a command, and from its result or error to an exit status.
import { describeError } from '@coreiso/diagnostics';
import { embed, nodesImage, Refusal, show } from './commands.ts';

type Command = (...operands: string[]) => Promise<string>;

/** Finds a command by its words; it gets as many operands as its function takes. */
const COMMANDS: Readonly<Record<string, Command>> = { embed, show, 'nodes image': nodesImage };

const USAGE = `Usage:
  embed LIVE CONFIG TARGET                a copy of LIVE that boots with this Ignition config
  show IMAGE                              what an image has inside
  nodes image LIVE NODES CLUSTER FOLDER   the image that adds the nodes of a nodes-config.yaml to a cluster`;

/** Runs one command; returns 1 if it failed, 2 if the arguments are invalid. */
export async function run(argv: readonly string[], { log, error }: Pick<Console, 'log' | 'error'>): Promise<number> {
  for (const [words, command] of Object.entries(COMMANDS)) {
    const { length } = words.split(' ');
    const operands = argv.slice(length);
    if (argv.slice(0, length).join(' ') !== words || operands.length !== command.length) continue;
    try {
      log(await command(...operands));
      return 0;
    } catch (failure) {
      error(failure instanceof Refusal ? failure.message : describeError(failure));
      return 1;
    }
  }
  error(USAGE);
  return 2;
}
