import { checkArgument } from '@coreiso/peers/arguments';
import { showControls } from '@coreiso/peers/controls';
import { hideUsers } from '@coreiso/peers/hidden';
import type { Diagnostic } from './diagnostic.ts';
import { isCoreisoError, isError } from './errors.ts';
import { formatDiagnostics } from './format.ts';

/**
 * An error with its causes, outermost first, as the command line prints it: `Error: …` and, below `Caused by:`, one line for each
 * cause, or all in one line; then the help and the findings, if there are any. Accepts any thrown value. Hides users and
 * signatures in addresses, and makes control characters visible.
 *
 * @example console.error(describeError(new Error('cannot read facts.json', { cause: error }), { layout: 'line' }))
 */
export function describeError(
  error: unknown,
  options: {
    /** Replaces the message of one error in the chain; the command line words system errors with it. */
    readonly messageOf?: ((error: Error) => string) | undefined;
    /** `line`: `error: ` and the causes in one line, separated by colons. */
    readonly layout?: 'causes' | 'line' | undefined;
  } = {},
): string {
  checkArgument('options', options, 'object');
  const messageOf = options.messageOf ?? (({ message, name }) => message || name);
  const isLine = options.layout === 'line';
  const found = isLine ? withoutRepeats(reasons(error, messageOf)) : messages(error, messageOf);
  const told = found.map((message) => hideUsers(showControls(message)));
  const findings = findingsOf(error);
  const help = helpOf(error);
  const message = isLine ? `error: ${told.join(': ')}` : withCauses(told);
  const helped = help === undefined ? [message] : [message, `help: ${hideUsers(showControls(help))}`];
  return [
    // The help is on the next line, after a blank line if there are causes.
    helped.join(isLine ? '\n' : '\n\n'),
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
  const errors = chainOf(error).filter((one) => one === error || !repeatsSystemError(one));
  return [...errors.map(messageOf), ...thrownText(error)];
}

/** The messages without system errors that a library has already reported in its own words. */
function reasons(error: unknown, messageOf: (error: Error) => string): string[] {
  const kept = chainOf(error).filter((one) => one === error || !repeatsSystemError(one));
  const told = kept.filter((one, index) => !('syscall' in one && isCoreisoError(kept[index - 1])));
  return [...told.map(messageOf), ...thrownText(error)];
}

/** The text of a thrown value, or last cause, that is not an error. */
function thrownText(error: unknown): string[] {
  const errors = chainOf(error);
  const last = errors.length === 0 ? error : errors.at(-1)?.cause;
  return last === undefined || isError(last) ? [] : [String(last)];
}

/** Drops messages that their cause repeats: `cannot open x` before `cannot read x: no such file`. */
function withoutRepeats(told: readonly string[]): string[] {
  return told.filter((message, index) => {
    const next = told[index + 1] ?? '';
    const subject = /^cannot \w+ (.+)$/.exec(message)?.[1];
    const rest = /^cannot \w+ (.+)$/s.exec(next)?.[1];
    return !(
      next.includes(message) ||
      (subject !== undefined && (rest === subject || rest?.startsWith(`${subject}: `)))
    );
  });
}

/** An error and its causes, each once. Ends at the first cause that is not an error. */
function chainOf(error: unknown): Error[] {
  const chain = new Set<Error>();
  for (let one = error; isError(one) && !chain.has(one); one = one.cause) chain.add(one);
  return [...chain];
}

/** The help of the outermost error that has any. */
function helpOf(error: unknown): string | undefined {
  const told = chainOf(error).map((one) => ('help' in one ? one.help : undefined));
  return told.find((help) => typeof help === 'string');
}

/** The findings of the outermost error that has any, unless the messages of the chain already contain them. */
function findingsOf(error: unknown): readonly Diagnostic[] {
  const chain = chainOf(error);
  const told = chain.map(({ message }) => message).join(': ');
  for (const one of chain) {
    if (!isCoreisoError(one) || one.diagnostics === undefined) continue;
    const [first, ...more] = one.diagnostics;
    if (first === undefined) continue;
    const isTold = more.length === 0 && [first.message, first.help ?? ''].every((text) => told.includes(text));
    return isTold ? [] : one.diagnostics;
  }
  return [];
}

/** Whether the message already contains the system error that caused it: our libraries put the file name in front. */
function repeatsSystemError(error: Error): boolean {
  // For network failures the library's message is the better one.
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
