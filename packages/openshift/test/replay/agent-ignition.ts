import { imageFacts, readDirectory, splitMessages } from '@coreiso/nodes-config';
import { agentConfigOf, type Credentials, makeCredentials, planAgentConfig } from '@coreiso/openshift';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';
import { compareListings, type RecordedListing } from '../../../../test/support/service-listing.ts';
import { compareMessages } from '../../../nodes-config/test/replay/messages.ts';
import { listServiceConfig } from '../../src/join/service/listing.ts';

interface Case extends RecordedListing {
  readonly version: string;
  readonly releaseImage: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  readonly cpuArchitecture?: string;
  readonly rendezvousIP?: string;
  readonly kernelArguments?: string;
  readonly osImageStream?: string;
  readonly outputs?: {
    readonly rendezvousIP?: { readonly text?: string };
    readonly iso?: string;
  };
  readonly crash?: unknown;
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
}

/** Replays `agent create image` up to the Ignition config: with real credentials, and planned without any. */
export async function* replayIgnition(recordings: Recordings): AsyncGenerator<Verdict> {
  const credentials = await makeCredentials({
    clock: () => new Date(),
    signerKey: { algorithm: 'ECDSA', curve: 'P-256' },
  });
  for (const path of recordings.paths(/\.json$/)) {
    const recorded = JSON.parse(recordings.text(path)) as Case;
    yield { name: path.replace(/\.json$/, ''), differences: differencesOf(recorded, credentials) };
  }
}

function differencesOf(recorded: Case, credentials: Credentials): string[] {
  const { version, releaseImage, environment, inputs } = recorded;
  const release = { version, image: releaseImage };
  const outcome = readDirectory(inputs, { version, environment, mode: 'compatible', release });
  if (recorded.crash !== undefined) return outcome.ok ? ['the real program crashes; ours takes it'] : [];
  const told = outcome.diagnostics.filter(({ severity, upstream }) => severity === 'warning' && upstream);
  const differences = [
    ...compareMessages('error', splitMessages(outcome.diagnostics).upstream, recorded.errors ?? []),
    ...compareMessages(
      'warning',
      told.map(({ message }) => message),
      recorded.warnings ?? [],
    ),
  ];
  if (!outcome.ok) return recorded.errors?.length ? differences : [...differences, 'ours refuses it'];
  const site = { directory: outcome.value, release };
  const facts = imageFacts(site.directory, release);
  const { outputs } = recorded;
  const values: readonly (readonly [ours: string | undefined, recorded: string | undefined])[] = [
    [facts.architecture, recorded.cpuArchitecture],
    [facts.rendezvousAddress, recorded.rendezvousIP],
    [facts.kernelArguments, recorded.kernelArguments],
    [facts.osImageStream, recorded.osImageStream],
    [`agent.${facts.architecture}.iso`, outputs?.iso],
    [facts.rendezvousAddress, outputs?.rendezvousIP?.text],
  ];
  return [
    ...differences,
    ...values.flatMap(([ours, real]) => (real === undefined ? [] : compareLines([String(ours)], [real]))),
    ...compareListings(listServiceConfig(agentConfigOf(site, credentials), 'install'), recorded),
    ...compareListings(planAgentConfig(site), recorded).map((line) => `planned: ${line}`),
  ];
}
