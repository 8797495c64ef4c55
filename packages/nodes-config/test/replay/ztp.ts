import {
  type ClusterDirectory,
  imageFacts,
  imageFiles,
  parseInstallFiles,
  readDirectory,
  renderManifests,
  splitMessages,
} from '@coreiso/nodes-config';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';

import { compareMessages } from './messages.ts';

interface Edit {
  readonly path: string;
  readonly replace?: string;
  readonly with?: string;
  readonly write?: string;
  readonly remove?: boolean;
}

interface Case {
  readonly kind: 'ztp' | 'two-step';
  readonly version: string;
  readonly releaseImage: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly edits?: readonly Edit[];
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly crash?: unknown;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly files?: readonly {
    readonly path: string;
    readonly mode: string;
    readonly text?: string;
    readonly data?: string;
  }[];
}

/** Replays `agent create image` over ready-made manifests, and over manifests that were written and edited before. */
export async function* replayZtp(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    yield { name: path.replace(/\.json$/, ''), differences: differencesOf(JSON.parse(recordings.text(path))) };
  }
}

function differencesOf(recorded: Case): string[] {
  const { version, releaseImage, environment, inputs = {} } = recorded;
  const release = { version, image: releaseImage };
  const options = { version, environment, mode: 'compatible', release } as const;
  const previous = {
    installConfig: inputs['install-config.yaml'] ?? '',
    agentConfig: inputs['agent-config.yaml'],
  };
  const outcome =
    recorded.kind === 'ztp'
      ? readDirectory(inputs, options)
      : readDirectory(edited(firstStep(recorded), recorded.edits ?? []), { ...options, previous });
  if (recorded.crash !== undefined) return outcome.ok ? ['the real program crashes; ours takes it'] : [];
  const told = outcome.diagnostics.filter(({ severity, upstream }) => severity !== 'error' && upstream);
  const differences = [
    ...compareMessages('error', splitMessages(outcome.diagnostics).upstream, recorded.errors ?? []),
    ...compareMessages(
      'warning',
      told.map(({ message }) => message),
      recorded.warnings ?? [],
    ),
  ];
  if (recorded.errors !== undefined && recorded.errors.length > 0) return differences;
  if (!outcome.ok) return [...differences, 'ours refuses it'];
  const facts = Object.entries(recorded.facts ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const ours = Object.entries(namedFacts(outcome.value, release)).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  if (recorded.facts !== undefined) differences.push(...compareLines(ours, facts));
  if (recorded.files !== undefined) differences.push(...compareFiles(outcome.value, recorded.files));
  return differences;
}

/** The files that the first command leaves in the directory. */
function firstStep({ version, releaseImage, environment, inputs = {} }: Case): Record<string, string> {
  const sources = { installConfig: inputs['install-config.yaml'] ?? '', agentConfig: inputs['agent-config.yaml'] };
  const site = parseInstallFiles(sources, { version, environment, mode: 'compatible' });
  if (!site.ok) return {};
  const consumed = new Set(['install-config.yaml', 'agent-config.yaml']);
  const left = Object.entries(inputs).filter(([path]) => !consumed.has(path));
  return { ...Object.fromEntries(left), ...renderManifests(site.value, { version, image: releaseImage }).files };
}

function edited(files: Record<string, string>, edits: readonly Edit[]): Record<string, string> {
  const result = { ...files };
  for (const { path, replace, with: replacement = '', write, remove } of edits) {
    if (remove) delete result[path];
    else if (write !== undefined) result[path] = write;
    else if (replace !== undefined) result[path] = (result[path] ?? '').replace(replace, () => replacement);
  }
  return result;
}

const DEFAULT_REGISTRY = '<the built-in default registry, see 04-cluster-info.md section 3>';

/** Coreiso's facts under the names of the recording. */
function namedFacts(directory: ClusterDirectory, release: { version: string; image: string }): Record<string, unknown> {
  const facts = imageFacts(directory, release);
  const ownBundle = facts.hasMirrors && facts.hasTrustBundle;
  return {
    rendezvousIP: facts.rendezvousAddress,
    cpuArchitecture: facts.architecture,
    kernelArguments: facts.kernelArguments,
    osImageStream: facts.osImageStream,
    banner: `<banner naming ${facts.domain}>`,
    required: {
      REQUIRED_MASTER_NODES: String(facts.required.controlPlane),
      REQUIRED_ARBITER_NODES: String(facts.required.arbiter),
      REQUIRED_WORKER_NODES: String(facts.required.worker),
    },
    imageType: facts.imageType,
    releaseImageMirror: facts.releaseImageMirror,
    publicContainerRegistries: facts.mirroredRegistries || DEFAULT_REGISTRY,
    caBundleMountedFrom: ownBundle
      ? '/etc/pki/ca-trust/source/anchors/domain.crt'
      : '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
    containersMounted: facts.hasMirrors,
    staticNetworkUnitEnabled: facts.hasStaticNetwork ? true : null,
    sshAuthorizedKeys: facts.sshKeys,
  };
}

function compareFiles(directory: ClusterDirectory, recorded: NonNullable<Case['files']>): string[] {
  const ours = new Map(imageFiles(directory).map((file) => [file.path, file]));
  const real = new Map(recorded.map((file) => [file.path, file]));
  return [...new Set([...ours.keys(), ...real.keys()])].flatMap((path) => {
    const mine = ours.get(path);
    const theirs = real.get(path);
    if (mine === undefined || theirs === undefined)
      return [`${path}: ${mine === undefined ? 'not ours' : 'ours alone'}`];
    const mode = mine.mode.toString(8).padStart(4, '0');
    const modes = mode === theirs.mode ? [] : [`${path}: mode ${mode}, real ${theirs.mode}`];
    // Only the effect of the commented default file is recorded.
    if (theirs.text === undefined)
      return directory.registries.length === 0 ? modes : [...modes, `${path}: ours has mirrors`];
    return [...modes, ...compareLines(mine.text.split('\n'), theirs.text.split('\n')).map((line) => `${path} ${line}`)];
  });
}
