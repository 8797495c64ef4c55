import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';
import type { KubeletObservation } from '../../src/monitor/observe.ts';
import type { KubeObject } from '../../src/objects.ts';
import { monitorTranscript, type TimedLine } from './monitor-transcript.ts';
import {
  apiError,
  contractOf,
  hostAt,
  type State,
  type Story,
  StoryClock,
  StoryReader,
  stateAt,
  storyFetch,
} from './story.ts';

/** Replays stories of `oc adm node-image monitor`: texts, levels, times and order. */
export async function* replayMonitor(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    const story: Story = JSON.parse(recordings.text(path));
    yield { name: path.replace(/\.json$/, ''), differences: await differencesOf(story) };
  }
}

async function differencesOf(story: Story): Promise<string[]> {
  const lines: TimedLine[] = [];
  const clock = new StoryClock();
  const state = () => stateAt(story.timeline, clock.now() / 1000);
  let failure: string | undefined;
  try {
    const transcript = monitorTranscript(new MonitorReader(state), story.command.slice(1), {
      clock,
      fetch: storyFetch(state),
      probeKubelet: async (address) => kubelet(address, hostAt(state(), address)?.kubelet ?? 'closed'),
      reverseNames: async (address) => story.reverseDns?.[address] ?? [],
    });
    for await (const line of transcript) lines.push(line);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const real = comparable(story.lines ?? [], story);
  const ours = comparable(
    lines.map((line) => ({ ...line, at: line.at / 1000 })),
    story,
  );
  // A crash of the real program ends its story in the middle of a poll; ours continues.
  const differences = compareLines(story.result.outcome === 'crash' ? ours.slice(0, real.length) : ours, real);
  const { outcome, seconds, text } = story.result;
  // Go's messages for a broken connection are not worth copying.
  const isOpenEnded = text?.startsWith('Get "https://') === true && failure !== undefined;
  const isOther = failure === undefined || (text !== undefined && failure !== text);
  if (outcome === 'error' && isOther && !isOpenEnded)
    differences.push(`result: ours ${failure}`, `result: real ${text}`);
  if (outcome !== 'error' && failure !== undefined) differences.push(`result: ours failed with ${failure}`);
  if (outcome === 'returned' && seconds !== undefined && clock.now() / 1000 !== seconds)
    differences.push(`seconds: ours ${clock.now() / 1000}, real ${seconds}`);
  return differences;
}

function comparable(
  lines: readonly { at: number; level: string; message: string; queuedAs?: string }[],
  story: Story,
): string[] {
  return lines
    .filter(({ level }) => level !== 'debug' || story.debugLinesOmitted !== true)
    .map(
      ({ at, level, message, queuedAs }) =>
        `${at} ${level}${queuedAs === undefined ? '' : ` (${queuedAs})`} ${contractOf(message)}`,
    );
}

function kubelet(address: string, kind: string): KubeletObservation {
  // The real probe puts an IPv6 address into its URL without brackets and sees nothing.
  const isRunning =
    canonicalAddressAsGo(address)?.includes(':') !== true &&
    (kind === 'no-certificate' || kind === 'unknown-authority');
  return { isRunning, detail: kind === 'trusted' ? 'kubelet http status code: 401' : `kubelet http err: ${kind}` };
}

class MonitorReader extends StoryReader {
  readonly #state: () => State;

  constructor(state: () => State) {
    super();
    this.#state = state;
  }

  override answer(path: string): KubeObject | readonly KubeObject[] | undefined {
    const { kube } = this.#state();
    if (kube.up === false) throw apiError({ message: 'connection refused' });
    const list = {
      '/api/v1/nodes': ['nodes', 'nodesError'],
      '/apis/certificates.k8s.io/v1/certificatesigningrequests': ['csrs', 'csrsError'],
    } as const;
    if (path in list) {
      const [items, error] = list[path as keyof typeof list];
      const failure = kube[error];
      if (failure !== undefined) throw apiError(failure);
      return kube[items] ?? [];
    }
    if (!path.endsWith('/secrets/agent-auth-token') || kube.authSecret === undefined) return undefined;
    return { data: Object.fromEntries(Object.entries(kube.authSecret).map(([key, value]) => [key, btoa(value)])) };
  }
}
