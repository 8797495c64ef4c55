// Prepares a file for sending to other people.
import { withoutSecrets } from '@coreiso/diagnostics';
import { HIDDEN } from '@coreiso/peers/hidden';
import type { Action } from '../frame/command.ts';
import { readText } from '../frame/text.ts';

/** Matches embedded files in Ignition; a packed one is not unpacked, but hidden. */
const BASE64 = /[\w+/-]{12,}={0,2}/g;
const DATA_URLS = /data:[\w/+.-]*(?:;[\w=-]+)*,[^\s"'<>]*/g;

/** `coreiso redact`. */
export const redactFile: Action = async (args, terminal) => {
  const text = await readText(terminal, args.required('FILE'));
  const document = objectIn(text);
  if (document === undefined) await terminal.print(withoutSecretTexts(text));
  else await terminal.printWhole(leavesOf(withoutSecrets(document)));
  return 0;
};

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function withoutSecretTexts(text: string, depth = 2): string {
  const shown = String(withoutSecrets(text)).replace(DATA_URLS, (url) => String(withoutSecrets(url)));
  return depth === 0 ? shown : shown.replace(BASE64, (run) => (holdsSecret(run, depth - 1) ? HIDDEN : run));
}

/** Whether base64 text has a secret: state files have the inputs of an installation in base64. */
function holdsSecret(run: string, depth: number): boolean {
  const bytes = Buffer.from(run, 'base64');
  const text = bytes.toString();
  return !text.includes('\ufffd') && withoutSecretTexts(text, depth) !== text;
}

/** Redacts every string: a message may quote a secret, whatever its own key is. */
function leavesOf(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecretTexts(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(leavesOf);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, leavesOf(member)]));
}
