import { HIDDEN } from '@coreiso/peers/hidden';

/** Messages are compared only up to the text of a parser (YAML, JSON, URL, SSH, x509, nmstate). */
const BORROWED =
  /(failed to execute 'nmstatectl gc', error: |ssh: |x509: |yaml: |parse "|invalid character |unexpected end of JSON|failed to unmarshal mirror\/registries\.conf: ).*$/s;

/** Compares both sides as sets; hidden parts of coreiso's messages match any text. */
export function compareMessages(kind: string, ours: readonly string[], recorded: readonly string[]): string[] {
  const missing = new Set(recorded);
  const differences: string[] = [];
  for (const text of new Set(ours)) {
    const found = [...missing].find((one) => matches(text, one));
    if (found === undefined) differences.push(`${kind} ours alone: ${text}`);
    else missing.delete(found);
  }
  return [...differences, ...[...missing].map((text) => `${kind} not ours: ${text}`)];
}

function matches(ours: string, recorded: string): boolean {
  const [mine, theirs] = [ours, recorded].map((text) => text.replace(BORROWED, '$1'));
  if (mine === undefined || theirs === undefined || mine === theirs) return mine === theirs;
  if (!mine.includes(HIDDEN)) return false;
  const pattern = mine.split(HIDDEN).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${pattern.join('[\\s\\S]*')}$`).test(theirs);
}
