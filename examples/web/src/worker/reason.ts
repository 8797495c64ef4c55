import { describeError } from '@coreiso/diagnostics';

/** Why something failed, with its causes, as one line of a page. */
export function reasonOf(error: unknown): string {
  return describeError(error, { layout: 'line' })
    .replace(/^error: /, '')
    .replace('\nhelp: ', '. ');
}
