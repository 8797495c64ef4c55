import { authTokenSecret, type ClusterFacts, isUpstream, parseNodesConfig, splitMessages } from '@coreiso/nodes-config';
import { liveConfig, planNodes } from '@coreiso/openshift';
import { load } from 'js-yaml';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';
import { compareListings, type RecordedListing } from '../../../../test/support/service-listing.ts';
import { type ClusterCase, clusterCaseDifferences } from '../../../nodes-config/test/facts/cluster-cases.ts';
import { compareMessages } from '../../../nodes-config/test/replay/messages.ts';
import { listServiceConfig } from '../../src/join/service/listing.ts';
import { SAMPLE_CREDENTIALS } from '../join/sample-credentials.ts';

interface Case extends RecordedListing {
  readonly inputs: { readonly cluster: ClusterFacts; readonly nodesConfig: string };
  readonly cpuArchitecture?: string;
  readonly rendezvousIP?: string;
  readonly errors?: readonly string[];
  readonly crash?: unknown;
  readonly warnings?: readonly string[];
  readonly secretWritten?: readonly {
    readonly name: string;
    readonly type: string;
    readonly dataKeys: readonly string[];
    readonly annotations: readonly string[];
  }[];
}

interface ClusterCases {
  readonly nodesConfig: string;
  readonly cases: readonly ClusterCase[];
}

/** Printed where the real installer has no `oc` to query the release image; nothing here queries it. */
const WITHOUT_OC =
  'Unable to validate the release image architecture, using infraEnv.Spec.CpuArchitecture for the release image arch';

/** Replays the Ignition config of images that add nodes through the service, and the messages about clusters. */
export async function* replayNodeIgnition(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    const recorded = JSON.parse(recordings.text(path)) as Case | ClusterCases;
    const name = path.replace(/\.json$/, '');
    if (!('cases' in recorded)) yield { name, differences: differencesOf(recorded) };
    else {
      for (const one of recorded.cases)
        yield { name: `${name}: ${one.what}`, differences: clusterCaseDifferences(recorded.nodesConfig, one) };
    }
  }
}

function differencesOf(recorded: Case): string[] {
  const { cluster, nodesConfig } = recorded.inputs;
  const outcome = parseNodesConfig(nodesConfig, { cluster, mode: 'compatible' });
  if (recorded.crash !== undefined) return outcome.ok ? ['the real program crashes; ours takes it'] : [];
  const { errors = [], warnings = [], secretWritten } = recorded;
  const { upstream } = splitMessages(outcome.diagnostics);
  const told = outcome.diagnostics.filter((one) => one.severity === 'warning' && isUpstream(one));
  const differences = [
    ...compareMessages('error', upstream, errors),
    ...compareLines(
      told.map(({ message }) => message),
      warnings.filter((message) => message !== WITHOUT_OC),
    ),
  ];
  if (!outcome.ok) return errors.length > 0 ? differences : [...differences, 'ours refuses it'];
  const plan = planNodes(outcome.value, { cluster, join: 'service', credentials: SAMPLE_CREDENTIALS });
  const listing = listServiceConfig(liveConfig(plan), 'addnodes');
  const rendezvous = listing.files.find(({ path }) => path === '/etc/assisted/rendezvous-host.env')?.env?.[
    'NODE_ZERO_IP'
  ];
  const values: readonly (readonly [ours: unknown, recorded: string | undefined])[] = [
    [plan.architecture, recorded.cpuArchitecture],
    [rendezvous, recorded.rendezvousIP],
  ];
  return [
    ...differences,
    ...compareListings(listing, recorded),
    ...values.flatMap(([ours, real]) => (real === undefined ? [] : compareLines([String(ours)], [real]))),
    ...(secretWritten === undefined ? [] : compareLines(secretLines(), secretWritten.map(secretLine))),
  ];
}

type Written = NonNullable<Case['secretWritten']>[number];

function secretLine({ name, type, dataKeys, annotations }: Written): string {
  return JSON.stringify({ name, type, dataKeys, annotations });
}

function secretLines(): string[] {
  const secret = load(authTokenSecret(SAMPLE_CREDENTIALS.tokens, new Date('2026-11-17T03:04:05Z'))) as {
    metadata: { name: string; annotations: object };
    type: string;
    data: object;
  };
  const { name, annotations } = secret.metadata;
  return [
    secretLine({
      name,
      type: secret.type,
      dataKeys: Object.keys(secret.data),
      annotations: Object.keys(annotations),
    }),
  ];
}
