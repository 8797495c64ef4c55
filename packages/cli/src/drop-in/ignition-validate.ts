import { formatReport, validate } from '@coreiso/ignition';
import { showControls } from '@coreiso/peers/controls';
import type { Action } from '../frame/command.ts';
import { systemErrorText } from '../frame/failure.ts';
import { readInput } from '../frame/input.ts';

/** `ignition-validate`: prints its report to stdout, and errors in reading or parsing to stderr. */
export const validateFile: Action = async (args, terminal) => {
  const path = args.required('FILE');
  let bytes: Uint8Array;
  try {
    bytes = await readInput(terminal, path);
  } catch (error) {
    terminal.io.signal.throwIfAborted();
    terminal.say(
      `couldn't read config: open ${path}: ${systemErrorText(error)
        .replace(/ \(os error \d+\)$/, '')
        .toLowerCase()}`,
    );
    return 1;
  }
  const { stdout, stderr, exitCode } = formatReport(validate(bytes, { newer: 'refuse' }));
  await terminal.print(stdout);
  terminal.io.stderr.write(showControls(stderr));
  return exitCode;
};
