// nmstate writes every text unchanged: text with a line end becomes several lines of the keyfile, and may add a section.
import type { Path } from '@coreiso/diagnostics';
import { fileNameFault, lineFault } from '@coreiso/peers/file-name';
import type { Profile } from '../keyfile/profile.ts';
import type { PlannedInterface } from '../plan/planned-interfaces.ts';
import type { State } from '../state/read-state.ts';
import type { Findings } from '../table/state-findings.ts';

interface PlannedProfile {
  readonly planned: PlannedInterface;
  readonly profile: Profile;
}

/** Checks all written values, then finds the texts of the state that they come from. */
export function checkLines(state: State, profiles: readonly PlannedProfile[], findings: Findings): void {
  const broken = profiles.flatMap(({ planned, profile }) =>
    profile.sections
      .flatMap(({ settings }) => settings.map(({ key, value }) => `${key}=${value}`))
      .flatMap((line) => (lineFault(line) === undefined ? [] : [{ planned, line }])),
  );
  if (broken.length === 0) return;
  const sources = textsOf(state, findings.path).filter(({ text }) => lineFault(text) !== undefined);
  for (const { planned, line } of broken) {
    const origins = sources.filter(({ text }) => line.toLowerCase().includes(text.toLowerCase()));
    const whole = { text: line, path: planned.path, isKey: false };
    for (const { text, path, isKey } of origins.length === 0 ? [whole] : origins) {
      const what = text.includes('\0')
        ? 'a NUL character'
        : /\p{Cs}/u.test(text)
          ? 'an unpaired surrogate'
          : 'a line break';
      const message = `${what} in ${keyOf(path, isKey)} breaks the keyfile`;
      const at = findings.from(path);
      if (!at.hasError()) at.strict('error', 'line-break', message, 'Write it on one line.');
    }
  }
}

/**
 * Finds texts with special characters, which nmstate does not escape: a backslash begins an escape, a semicolon the next list
 * item.
 */
export function checkEscapes(state: State, profiles: readonly PlannedProfile[], findings: Findings): void {
  const sources = textsOf(state, findings.path).filter(({ text, path, isKey }) => {
    return hasEscape(text) || (!isKey && path.includes('dns-resolver') && text.includes(';'));
  });
  if (sources.length === 0) return;
  const written = profiles.flatMap(({ profile }) =>
    profile.sections.flatMap(({ settings }) => settings.map(({ value }) => value)),
  );
  for (const { text, path, isKey } of sources) {
    const at = findings.from(path);
    if (at.hasError() || !written.some((value) => value.includes(text))) continue;
    const isEscape = hasEscape(text);
    const message = `a ${isEscape ? 'backslash' : 'semicolon'} in ${keyOf(path, isKey)} has another meaning in the keyfile`;
    at.strict('error', 'keyfile-escape', message, isEscape ? 'Write two backslashes for one.' : 'Write a list of two.');
  }
}

function hasEscape(text: string): boolean {
  return text.replaceAll('\\\\', '').includes('\\');
}

function keyOf(path: Path, isKey: boolean): string {
  const key = (isKey ? path.slice(0, -1) : path).findLast((step) => typeof step === 'string') ?? '';
  return isKey ? `a key of \`${key}\`` : `\`${key}\``;
}

/** Checks names of profiles, which become file names. */
export function checkFileNames(state: State, profiles: readonly PlannedProfile[], findings: Findings): void {
  for (const { planned, profile } of profiles) {
    const { name } = profile;
    const fault = fileNameFault(name);
    // `checkLines` reports line ends.
    if (fault === undefined || lineFault(name) !== undefined) continue;
    const origin = textsOf(state, findings.path).find(
      ({ text, isKey }) => !isKey && text !== '' && name.startsWith(text) && fileNameFault(`${text}-port.nmconnection`),
    );
    const at = findings.from(origin?.path ?? planned.path);
    if (at.hasError()) continue;
    const message = `invalid file name ${JSON.stringify(name)}: ${fault}`;
    at.strict('error', 'profile-file', message, 'Use letters, digits, dashes and dots only.');
  }
}

interface Source {
  readonly text: string;
  readonly path: Path;
  /** Whether the text is the key at the path, not the value. */
  readonly isKey: boolean;
}

/** All texts of a state with their paths. */
function textsOf({ interfaces, ...rest }: State, path: Path): Source[] {
  const found: Source[] = [];
  const walk = (value: unknown, at: Path): void => {
    if (typeof value === 'string') found.push({ text: value, path: at, isKey: false });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      const inside = [...at, Array.isArray(value) ? Number(key) : key];
      found.push({ text: key, path: inside, isKey: true });
      walk(one, inside);
    }
  };
  walk(rest, path);
  for (const { iface, path: at } of interfaces) walk(iface, at);
  return found;
}
