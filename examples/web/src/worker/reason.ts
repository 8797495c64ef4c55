import { describeError } from '@coreiso/diagnostics';

/** The reason of a failure, with its causes, as one line. */
export function reasonOf(error: unknown): string {
  return describeError(error, { layout: 'line' })
    .replace(/^error: /, '')
    .replace('\nhelp: ', '. ');
}
