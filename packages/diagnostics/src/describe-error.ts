import { checkArgument } from '@coreiso/peers/arguments';
import { showControls } from './excerpt.ts';
import { hideUsers } from './secrets.ts';

/** How an error is told. */
export interface DescribeErrorOptions {
  /** What to say of one error of the chain instead of its message: the command line words system errors so. */
  readonly messageOf?: ((error: Error) => string) | undefined;
}

/**
 * An error with its causes, outermost first, as the command line prints it: `Error: …` and, below `Caused by:`, one line
 * for each cause. Takes whatever was thrown. Users and signatures of addresses are not shown, and control characters are made visible.
 *
 * @example console.error(describeError(new Error('reading facts.json', { cause: error })))
 */
export function describeError(error: unknown, options: DescribeErrorOptions = {}): string {
  checkArgument('options', options, 'object');
  const messageOf = options.messageOf ?? (({ message, name }) => message || name);
  const told = messages(error, messageOf).map((message) => hideUsers(showControls(message)));
  const [outermost = '', ...causes] = told;
  const head = `Error: ${outermost}`;
  if (causes.length === 0) return head;
  const rows = causes.map((cause, index) =>
    causes.length === 1
      ? indent(cause, '    ', '    ')
      : indent(cause, `${String(index).padStart(5)}: `, ' '.repeat(7)),
  );
  return `${head}\n\nCaused by:\n${rows.join('\n')}`;
}

function messages(error: unknown, messageOf: (error: Error) => string): string[] {
  const told: string[] = [];
  const seen = new Set<unknown>();
  let one = error;
  for (; one instanceof Error && !seen.has(one); one = one.cause) {
    seen.add(one);
    if (one === error || !repeatsSystemError(one)) told.push(messageOf(one));
  }
  if (one !== undefined && !seen.has(one)) told.push(String(one));
  return told;
}

/** The libraries name the file in front of what the operating system said; whoever has a cause of this kind has done so already. */
function repeatsSystemError(error: Error): boolean {
  return 'code' in error && error.cause instanceof Error && 'syscall' in error.cause;
}

function indent(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : rest) + line)
    .join('\n');
}
