import { parseInstallFiles, renderManifests, splitMessages } from '@coreiso/nodes-config';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';

import { compareMessages } from './messages.ts';

interface Case {
  readonly version: string;
  readonly releaseImage: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  /** Absent if the installer writes none, or if they were not recorded. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Replays `agent create cluster-manifests`: every file that it writes, to the byte. */
export async function* replayManifests(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    yield { name: path.replace(/\.json$/, ''), differences: differencesOf(JSON.parse(recordings.text(path))) };
  }
}

function differencesOf({ version, releaseImage, environment, inputs = {}, files, ...told }: Case): string[] {
  const { errors = [], warnings = [] } = told;
  const sources = {
    installConfig: inputs['install-config.yaml'] ?? '',
    agentConfig: inputs['agent-config.yaml'],
  };
  const outcome = parseInstallFiles(sources, { version, environment, mode: 'compatible' });
  const rendered = outcome.ok ? renderManifests(outcome.value, { version, image: releaseImage }) : undefined;
  const diagnostics = [...outcome.diagnostics, ...(rendered?.diagnostics ?? [])];
  const warned = diagnostics.filter(({ severity, upstream }) => severity !== 'error' && upstream);
  const differences = [
    ...compareMessages('error', splitMessages(diagnostics).upstream, errors),
    ...compareMessages(
      'warning',
      warned.map(({ message }) => message),
      warnings,
    ),
  ];
  if (files === undefined) return differences;
  const ours = rendered?.files ?? {};
  for (const path of new Set([...Object.keys(ours), ...Object.keys(files)])) {
    const [mine = '(no file)', real = '(no file)'] = [ours[path], files[path]];
    const text = real === '<default>' && isDefault(mine) ? real : mine;
    differences.push(...compareLines(text.split('\n'), real.split('\n')).map((line) => `${path} ${line}`));
  }
  return differences;
}

/** The body of upstream's commented file is not recorded, only its effect. */
function isDefault(text: string): boolean {
  const effective = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return effective.join('\n') === 'unqualified-search-registries = []';
}
