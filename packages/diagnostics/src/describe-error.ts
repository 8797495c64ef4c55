import { checkArgument } from '@coreiso/peers/arguments';
import { showControls } from '@coreiso/peers/controls';
import { hideUsers } from '@coreiso/peers/hidden';
import type { Diagnostic } from './diagnostic.ts';
import { type CoreisoError, isCoreisoError, isError } from './errors.ts';
import { formatDiagnostics } from './format.ts';

/**
 * An error with its causes, outermost first, as the command line prints it: `Error: …` and, below `Caused by:`, one line
 * for each cause; then the findings that are the reason, where there are any. Takes whatever was thrown. Users and signatures of addresses are not shown, and control characters are made visible.
 *
 * @example console.error(describeError(new Error('reading facts.json', { cause: error })))
 */
export function describeError(
  error: unknown,
  options: {
    /** What to say of one error of the chain instead of its message: the command line words system errors so. */
    readonly messageOf?: ((error: Error) => string) | undefined;
  } = {},
): string {
  checkArgument('options', options, 'object');
  const messageOf = options.messageOf ?? (({ message, name }) => message || name);
  const told = messages(error, messageOf).map((message) => hideUsers(showControls(message)));
  const findings = findingsOf(error);
  const help = helpOf(error);
  return [
    withCauses(told),
    ...(help === undefined ? [] : [`help: ${hideUsers(showControls(help))}`]),
    ...(findings.length === 0 ? [] : [formatDiagnostics(findings)]),
  ].join('\n\n');
}

function withCauses([outermost = '', ...causes]: readonly string[]): string {
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
  const errors = chainOf(error);
  for (const one of errors) if (one === error || !repeatsSystemError(one)) told.push(messageOf(one));
  const last = errors.length === 0 ? error : errors.at(-1)?.cause;
  if (last !== undefined && !isError(last)) told.push(String(last));
  return told;
}

/** An error and its causes, as far as they are errors, each once. */
function chainOf(error: unknown): Error[] {
  const chain = new Set<Error>();
  for (let one = error; isError(one) && !chain.has(one); one = one.cause) chain.add(one);
  return [...chain];
}

/** The way out that the outermost error with one tells. */
function helpOf(error: unknown): string | undefined {
  return chainOf(error).find((one): one is CoreisoError => isCoreisoError(one) && one.help !== undefined)?.help;
}

/** Those of the outermost error that has any, unless the messages of the chain say it all. */
function findingsOf(error: unknown): readonly Diagnostic[] {
  const chain = chainOf(error);
  const told = chain.map(({ message }) => message).join(': ');
  for (const one of chain) {
    if (!isCoreisoError(one) || one.diagnostics === undefined) continue;
    const [first, ...more] = one.diagnostics;
    if (first === undefined) continue;
    const isTold = more.length === 0 && first.help === undefined && told.includes(first.message);
    return isTold ? [] : one.diagnostics;
  }
  return [];
}

/** The libraries name the file in front of what the operating system said; whoever has a cause of this kind has done so already. */
function repeatsSystemError(error: Error): boolean {
  // What failed between machines is said better by the library.
  return (
    'code' in error &&
    isError(error.cause) &&
    'syscall' in error.cause &&
    !['connect', 'getaddrinfo'].includes(String(error.cause.syscall))
  );
}

function indent(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : rest) + line)
    .join('\n');
}
