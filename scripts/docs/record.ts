// Chooses an example for every code, from recorded runs of the tests and from texts with mistakes.
import { readFileSync } from 'node:fs';
import { type KINDS, kindOf } from '@coreiso/language';
import { judged } from '../../packages/language/src/findings.ts';
import { cases } from './cases.ts';
import type { Example } from './examples.ts';
import { errorCodes, findingCodes } from './tables.ts';

interface Noted {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly texts: readonly string[];
}

const LONGEST = 1200;
/** Text that only this machine, or this run, has. */
const LOCAL = /\/(?:tmp|work|home|root|var\/folders)\/|127\.0\.0\.1:\d|coreiso-\w{6}/;

/** Chooses examples by code; `recording` is a file that the recorder wrote. */
export function chooseExamples(recording: string): Record<string, Example> {
  // Skips codes that only tests use.
  const known = new Set([...findingCodes, ...errorCodes].map(({ code }) => code));
  const found = new Map<string, Example>();
  const offer = (code: string, example: Example): void => {
    if (!known.has(code)) return;
    const before = found.get(code);
    if (before === undefined || costOf(example) < costOf(before)) found.set(code, example);
  };
  const tried = new Set<string>();
  const offerText = (kind: (typeof KINDS)[number], text: string): void => {
    if (text.length > LONGEST || tried.has(`${kind} ${text}`) || /[^\n\t -~…–]/.test(text)) return;
    tried.add(`${kind} ${text}`);
    for (const { code, message, help } of judged({ kind, text }))
      offer(code, { message, ...(help === undefined ? {} : { help }), kind, text });
  };
  for (const { kind, text } of cases()) offerText(kind, text);
  for (const line of readFileSync(recording, 'utf8').split('\n').filter(Boolean)) {
    const { code, message, help, texts }: Noted = JSON.parse(line);
    if (!LOCAL.test(`${message} ${help}`)) offer(code, { message, ...(help === undefined ? {} : { help }) });
    for (const text of texts) {
      const kind = kindOf(text);
      if (kind !== undefined) offerText(kind, text);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The marks of a sentence: errors of tests are often one word. */
const USUAL = 70;

/** Prefers an example with a text to one without, and a short text to a long one; one line is too short. */
function costOf({ text, message, help }: Example): number {
  if (text === undefined) return 100_000 + Math.abs(message.length - USUAL) - (help === undefined ? 0 : 1000);
  return text.trim().split('\n').length < 2 ? 50_000 + text.length : text.length;
}
