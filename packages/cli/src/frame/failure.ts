import { describeError } from '@coreiso/diagnostics';
import { showLine } from '@coreiso/peers/controls';
import { UsageError } from './usage.ts';

/** The text of each operating system error in coreos-installer's messages: Linux wording and number. */
const SYSTEM_ERRORS = {
  EPERM: 'Operation not permitted (os error 1)',
  ENOENT: 'No such file or directory (os error 2)',
  EIO: 'Input/output error (os error 5)',
  EBADF: 'Bad file descriptor (os error 9)',
  EACCES: 'Permission denied (os error 13)',
  EBUSY: 'Device or resource busy (os error 16)',
  EEXIST: 'File exists (os error 17)',
  EXDEV: 'Invalid cross-device link (os error 18)',
  ENOTDIR: 'Not a directory (os error 20)',
  EISDIR: 'Is a directory (os error 21)',
  EINVAL: 'Invalid argument (os error 22)',
  EMFILE: 'Too many open files (os error 24)',
  ETXTBSY: 'Text file busy (os error 26)',
  EFBIG: 'File too large (os error 27)',
  ENOSPC: 'No space left on device (os error 28)',
  EROFS: 'Read-only file system (os error 30)',
  EPIPE: 'Broken pipe (os error 32)',
  ENAMETOOLONG: 'File name too long (os error 36)',
  ENOTEMPTY: 'Directory not empty (os error 39)',
  ELOOP: 'Too many levels of symbolic links (os error 40)',
  EDQUOT: 'Disk quota exceeded (os error 122)',
} as const;

/** Whether an error or one of its causes has one of these codes, of the operating system or of a library. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (codes.includes((one as NodeJS.ErrnoException).code ?? '')) return true;
  }
  return false;
}

/** The style of a command's errors: coreiso's own, or that of the tool for which it stands in. */
export type FailureStyle = 'own' | 'upstream';

/** Formats a failure with its causes: in one line, or in coreos-installer's layout. */
export function failureText(error: unknown, style: FailureStyle): string {
  if (style === 'own') return `${describeError(error, { messageOf: plainText, layout: 'line' })}\n`;
  const text = describeError(error, { messageOf: systemErrorText });
  // The tools print no help; keep it only where the tool has nothing like it.
  return `${error instanceof Failure ? text : text.replace(/\n\nhelp: .*/, '')}\n`;
}

/** Describes an error of the operating system in plain words. */
function plainText(error: unknown): string {
  const text = systemErrorText(error);
  const [, first = '', rest = ''] = /^(.)(.*) \(os error \d+\)$/.exec(text) ?? [];
  return first === '' ? text : `${first.toLowerCase()}${rest}`;
}

/** A failure with help, which is printed on its own line. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly help: string;

  constructor(message: string, { help, ...options }: ErrorOptions & { readonly help: string }) {
    super(message, options);
    this.help = help;
  }
}

/** Returns the failure about existing files, which are replaced only with `--force`. */
export function alreadyExists(paths: readonly string[]): Failure {
  const named = paths.slice(0, MOST_NAMED).join(', ');
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  const [verb, them] = paths.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  return new Failure(`${named}${more} ${verb}`, { help: `pass --force to replace ${them}` });
}

const MOST_NAMED = 4;

/** Returns the error of the operating system in coreos-installer's wording; for other errors, their message. */
export function systemErrorText(error: unknown): string {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  return (syscall !== undefined && SYSTEM_ERRORS[code as keyof typeof SYSTEM_ERRORS]) || message;
}

/** Returns an error that reads as if the operating system had returned `code`. */
export function systemFailure(code: keyof typeof SYSTEM_ERRORS): Error {
  return new Error(SYSTEM_ERRORS[code]);
}

/** Runs `work`; an error becomes the cause of an error with this message. */
export async function inContext<T>(message: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // A wrong command line needs no context, and has its own exit status.
    if (cause instanceof UsageError) throw cause;
    // The message quotes file names, and has to stay on one line.
    throw new Error(showLine(message), { cause });
  }
}
