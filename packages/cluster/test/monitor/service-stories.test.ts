// Hosts that the real service added to a cluster, or failed to add, and the monitor's report.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Look,
  lookAt,
  looksOf,
  momentOf,
  storyFetch,
  TOKENS,
  type WatcherAnswer,
} from '../../../../test/support/service-story.ts';
import type { ExpectedHost } from '../../src/monitor/hosts.ts';
import { type HostSummary, monitorNodes } from '../../src/monitor/monitor.ts';
import type { MonitorEvent } from '../../src/monitor/progress.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { ClusterReader } from '../../src/reader/port.ts';
import { StoryClock } from '../replay/story.ts';

const ADDED = looksOf('06-day2-one-host-added');
const FAILED = looksOf('07-day2-host-fails');
const HOST: ExpectedHost = {
  name: 'rack-4',
  nodeName: 'worker-0',
  addresses: ['192.0.2.20'],
  reachedAt: '192.0.2.20',
};

const node = (status: string): KubeObject => ({
  metadata: { name: 'worker-0' },
  status: { conditions: [{ type: 'Ready', status, message: 'no network yet' }] },
});

interface Told {
  readonly events: readonly MonitorEvent[];
  readonly lines: readonly string[];
  readonly summary: readonly HostSummary[];
}

/** The node appears and is ready at these seconds; the service stops before it. */
async function tell(
  looks: readonly Look[],
  seen?: (now: number) => WatcherAnswer,
  joins = 90,
  ready = 120,
): Promise<Told> {
  const clock = new StoryClock();
  const end = momentOf(looks, looks.at(-1) as Look);
  const hasNode = looks === ADDED;
  const cluster: ClusterReader = {
    get: async () => ({
      data: {
        agentAuthToken: btoa(TOKENS.agent),
        userAuthToken: btoa(TOKENS.user),
        watcherAuthToken: btoa(TOKENS.watcher),
      },
    }),
    list: async (path) => {
      const now = clock.now() / 1000;
      const nodes = hasNode && path.endsWith('/nodes') && now >= joins ? [node(now >= ready ? 'True' : 'False')] : [];
      return { items: nodes, resourceVersion: '1' };
    },
    watch: () => {
      throw new Error('nobody watches');
    },
  };
  const fetch = storyFetch(() => {
    const now = clock.now();
    if (seen !== undefined) return seen(now);
    return hasNode && now > end + 10_000 ? undefined : lookAt(looks, now);
  });
  const monitor = monitorNodes(cluster, [HOST], { clock, fetch });
  const events: MonitorEvent[] = [];
  for await (const event of monitor) events.push(event);
  const lines = events.map(
    ({ at, stage, level, message }) => `${at / 1000} ${stage}${level === 'info' ? '' : ' !'} ${message}`,
  );
  return { events, lines, summary: monitor.summary() };
}

describe('a host that is added', () => {
  test('is reported stage by stage, with percentages', async () => {
    const { lines, summary } = await tell(ADDED);
    const own = lines.filter(
      (line) => !/validation|updated status|reached installation stage|egistered|image info/.test(line),
    );
    expect(own).toEqual([
      '0 live the live system answers',
      '0 live Cluster is adding hosts',
      '40 installing the machine installs itself',
      '40 installing 40 % of the installation is done: Installing',
      '45 installing 60 % of the installation is done: Writing image to disk',
      '55 rebooting the machine is installed and reboots',
      '90 joined the node joined',
      '90 joined the node is not ready: no network yet',
      '120 ready the node is ready',
    ]);
    expect(summary[0]).toMatchObject({ stage: 'ready' });
  });

  test('has its planned name, whatever name the service has for it', async () => {
    const { lines } = await tell(ADDED);
    expect(
      lines.filter((line) => /Host \S+ validation:/.test(line)).every((line) => line.includes('Host rack-4 ')),
    ).toBe(true);
  });
});

describe('a host that fails', () => {
  test('ends the monitor with its reason and help, though the cluster continues to add hosts', async () => {
    const { events, lines, summary } = await tell(FAILED);
    const reason = 'Failed - failed executing /usr/bin/coreos-installer: exit status 1';
    expect(lines.at(-1)).toBe(
      `25 failed ! the installation failed: ${reason}; collect its logs, fix the cause, and boot it from the image again`,
    );
    expect(events.at(-1)?.command).toBe('ssh core@192.0.2.20 sudo agent-gather');
    expect(summary[0]).toMatchObject({ stage: 'failed', waitsFor: `you: ${reason}` });
  });

  test('is also seen as failed by a monitor that starts later', async () => {
    const { summary } = await tell(FAILED.slice(-1));
    expect(summary[0]).toMatchObject({ stage: 'failed' });
  });
});

test.each([
  ['added', ADDED],
  ['failed', FAILED],
])('reports every event of a host once: %s', async (_, looks) => {
  const { events } = await tell(looks);
  const keys = ((looks.at(-1) as Look).events.answer as KubeObject[]).map(
    (one) => `${one['event_time']} ${one['message']}`,
  );
  expect(events.filter(({ fact }) => fact?.kind === 'event').length).toBe(new Set(keys).size);
});

const moment = fc.oneof(
  fc.constant(0),
  fc.constantFrom('dropped' as const, 'cut' as const, 'repeated' as const),
  fc.integer({ min: 1, max: 40 }),
);

test.each([
  ['added', ADDED, 'ready'],
  ['failed', FAILED, 'failed'],
])(
  'reports the same state of a host with polls that are dropped, cut, repeated or late: %s',
  async (_, looks, stage) => {
    const property = fc.asyncProperty(fc.array(moment, { minLength: 10, maxLength: 30 }), async (fates) => {
      fc.pre(fates.includes(0));
      let last: WatcherAnswer;
      const seen = (now: number): WatcherAnswer => {
        const fate = fates[(now / 5000) % fates.length] ?? 0;
        if (fate === 'dropped') return undefined;
        if (fate === 'cut') return { cut: lookAt(looks, now) };
        if (fate !== 'repeated') last = lookAt(looks, now - fate * 1000);
        return last;
      };
      const { summary } = await tell(looks, seen);
      expect(summary[0]).toMatchObject({ stage });
    });
    await fc.assert(property, { numRuns: 20 });
  },
);
