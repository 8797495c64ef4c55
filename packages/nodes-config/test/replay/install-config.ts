import type { Diagnostic } from '@coreiso/diagnostics';
import { isUpstream, parseInstallConfig, parseInstallFiles, splitMessages } from '@coreiso/nodes-config';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';

import { compareMessages } from './messages.ts';

interface Case {
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly releaseArchitecture?: string;
  readonly agentConfig?: string;
  readonly effective?: string;
}

/** Replays the agent-based installer's messages about install configs. */
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
    agentConfig === undefined ? outcome : parseInstallFiles({ installConfig: source, agentConfig }, options);
  const { upstream } = splitMessages(diagnostics);
  const warnings = diagnostics.filter((one) => one.severity !== 'error' && isUpstream(one)).map(message);
  const differences = [
    ...compareMessages('error', upstream, recorded.errors ?? []),
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
