// Our results in the format of the recorded ones of nmstatectl.
import { createHash } from 'node:crypto';
import { parseYaml, valueOrThrow } from '@coreiso/diagnostics';
import { formatGcListing, generateKeyfiles, refusalKind } from '../src/index.ts';
import { readState } from '../src/state/read-state.ts';

/** The result for a state: the digest of the listing, the refusal, or the reason why it cannot be read. */
export function answerTo(text: string): string {
  const outcome = generateKeyfiles(text, { mode: 'compatible' });
  if (outcome.ok) return createHash('sha256').update(formatGcListing(outcome.value)).digest('hex').slice(0, 16);
  const [first] = outcome.diagnostics;
  const kind = first && refusalKind(first);
  if (first !== undefined && kind !== undefined) return `NmstateError: ${kind}: ${first.message}`;
  const { root } = valueOrThrow(parseYaml(text, { flavour: 'libyaml' })[0]);
  return readState(root, 'yaml', []).mismatches[0]?.upstream ?? '';
}

/** The start of a recorded answer for a state that could not be read. */
export const READER = 'Provide file is not valid NetworkState or NetworkPolicy: ';

/** The reason in an answer, without the name of the list before it and the position after it. */
export function reasonIn(answer: string, ours: string): string {
  return answer.startsWith(READER) && ours !== '' && answer.includes(ours) ? ours : answer;
}
