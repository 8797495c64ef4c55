import { parseInstallConfig, parseSite } from '@coreiso/agent-install';
import type { Diagnostic } from '@coreiso/diagnostics';
import { HIDDEN } from '@coreiso/diagnostics';
import { isUpstream, splitMessages } from '@coreiso/nodes-config';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';

interface Case {
  readonly errors: readonly string[];
  readonly warnings?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly releaseArchitecture?: string;
  readonly agentConfig?: string;
  readonly effective?: string;
}

/** Replays what the agent-based installer says about install configs. */
export async function* replayInstallConfig(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    const name = path.replace(/\.json$/, '');
    const recorded: Case = JSON.parse(recordings.text(path));
    yield { name, differences: differencesOf(recordings.bytes(`${name}.yaml`), recorded) };
  }
}

const VERSION = '4.20.3';

function differencesOf(source: Uint8Array, recorded: Case): string[] {
  const { environment, releaseArchitecture, agentConfig } = recorded;
  const options = { environment, releaseArchitecture, version: VERSION, mode: 'compatible' } as const;
  const outcome = parseInstallConfig(source, options);
  const { diagnostics } =
    agentConfig === undefined ? outcome : parseSite({ installConfig: source, agentConfig }, options);
  const { upstream } = splitMessages(diagnostics);
  const warnings = diagnostics.filter((one) => one.severity !== 'error' && isUpstream(one)).map(message);
  const differences = [
    ...compareMessages('error', upstream, recorded.errors),
    ...compareMessages('warning', warnings, recorded.warnings ?? []),
  ];
  if (recorded.effective !== undefined) {
    const ours = outcome.ok ? outcome.value.effective : '';
    differences.push(
      ...compareLines(ours.split('\n'), recorded.effective.split('\n')).map((line) => `effective ${line}`),
    );
  }
  return differences;
}

function message({ message: text }: Diagnostic): string {
  return text;
}

/** Texts of parsers (YAML, JSON, URL, SSH, x509) count up to where they start. */
const BORROWED = /(ssh: |x509: |yaml: |parse "|invalid character |unexpected end of JSON).*$/s;

/** Both sides as sets; what ours hides of a message may be anything in the recorded one. */
function compareMessages(kind: string, ours: readonly string[], recorded: readonly string[]): string[] {
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
