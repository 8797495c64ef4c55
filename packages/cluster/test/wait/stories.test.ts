// The states of the real service while it installed clusters, and the lines that an administrator needs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Look, lookAt, looksOf, momentOf, type WatcherAnswer } from '../../../../test/support/service-story.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { WaitOptions } from '../../src/wait/bootstrap.ts';
import type { PlannedAgent } from '../../src/wait/roster.ts';
import { tellStory, type WaitedStory } from './told.ts';

const LAMP: PlannedAgent = { name: 'lamp', macs: ['52:54:00:aa:00:01'] };
const MASTERS: readonly PlannedAgent[] = [0, 1, 2].map((at) => ({
  name: `master-${at}`,
  macs: [`52:54:00:BB:00:0${at}`],
}));

interface Case {
  readonly hosts: readonly PlannedAgent[];
  readonly hostCount?: number;
  readonly completeAt?: number;
  readonly exit: number;
  readonly code?: string;
  /** The last sentence. */
  readonly says: string;
}

const FAILED = 'Bootstrap failed to complete: bootstrap process returned error: ';

const CASES: Readonly<Record<string, Case>> = {
  '01-sno-real-agent-failing-validations': {
    hosts: [LAMP],
    exit: 5,
    code: 'WAIT_VALIDATIONS_FAILED',
    says: `${FAILED}all planned hosts have registered and validations keep failing: lamp: Require at least 4 CPU cores for master role, found only 2; lamp: Host does not belong to machine network CIDRs. Verify that the host belongs to every CIDR listed under machine networks; lamp: Host couldn't synchronize with any NTP server; The cluster has hosts that are not ready to install.`,
  },
  '02-compact-install-to-finalizing': {
    hosts: MASTERS,
    completeAt: 400,
    exit: 0,
    says: 'cluster bootstrap is complete',
  },
  '04-compact-host-fails': {
    hosts: MASTERS,
    exit: 5,
    code: 'WAIT_INSTALLATION_STOPPED',
    says: `${FAILED}cluster installation failed: master-2: Failed - failed executing /usr/bin/coreos-installer: exit status 1`,
  },
  '05-compact-hosts-not-planned': {
    hosts: [],
    hostCount: 3,
    completeAt: 400,
    exit: 0,
    says: 'cluster bootstrap is complete',
  },
  '09-compact-cancelled': {
    hosts: MASTERS,
    exit: 5,
    code: 'WAIT_INSTALLATION_STOPPED',
    says: `${FAILED}cluster installation was cancelled`,
  },
  '10-compact-images-cannot-be-fetched': {
    hosts: MASTERS,
    exit: 5,
    code: 'WAIT_INSTALLATION_STOPPED',
    says: `${FAILED}failed to progress after all hosts available; failing: master-1: Failed to fetch container images needed for installation from `,
  },
  '11-sno-root-device-hint-fits-no-disk': {
    hosts: [{ ...LAMP, rootDeviceHints: { deviceName: '/dev/nvme0n1' } }],
    exit: 5,
    code: 'WAIT_INSTALLATION_STOPPED',
    says: `${FAILED}failed to progress after all hosts available; failing: lamp: no disk fits its root device hints (deviceName /dev/nvme0n1); it has /dev/sda (serialNumber 525400aa0001, wwn 0x5000c500525400aa0001, 257 GB)`,
  },
};

const names = Object.keys(CASES);

function waited(name: string): WaitedStory & { readonly expected: Case } {
  const expected = CASES[name];
  if (expected === undefined) throw new Error(`there is no story ${name}`);
  const { hosts, hostCount = hosts.length, completeAt } = expected;
  const options: Partial<WaitOptions> = { hosts, hostCount };
  return { looks: looksOf(name), options, expected, completeAt };
}

const eventKey = (event: KubeObject) => `${event['event_time']} ${event['host_id']} ${event['message']}`;
const eventsOf = (look: Look) => look.events.answer as readonly KubeObject[];

describe.each(names)('the story %s', (name) => {
  const story = waited(name);
  const told = tellStory(story);

  test('ends with the code and the sentence that an administrator needs', async () => {
    const { exit, last } = await told;
    const { exit: code, says } = story.expected;
    expect(exit).toBe(code);
    expect(last?.message.startsWith(says), last?.message).toBe(true);
    if (code !== 0) expect(last?.fact).toMatchObject({ kind: 'failure', code: story.expected.code, missingHosts: [] });
  });

  test('has every event once, every line once, and no reason with a line break', async () => {
    const { events, seconds, lines } = await told;
    const shown = story.looks.filter((look) => momentOf(story.looks, look) <= seconds * 1000);
    const keys = new Set(shown.flatMap((look) => eventsOf(look).map(eventKey)));
    expect(events.filter(({ fact }) => fact?.kind === 'event').length).toBe(keys.size);
    const messages = lines.map((line) => line.replace(/^\S+ /, ''));
    // Events have their own times, and a cluster can reach one status twice.
    const repeated = messages.filter((line, at) => messages.indexOf(line) !== at);
    expect(
      repeated.filter(
        (line) => !/^info (?:Host |Cluster |Preparing |failed to prepare)|The cluster has hosts/.test(line),
      ),
    ).toEqual([]);
    const broken = messages.filter((line) => /\n/.test(line) || /\s$/.test(line));
    expect(broken).toEqual([]);
  });

  test('has one name for a host from the moment that it is known', async () => {
    const { events } = await told;
    const seen = new Set<string>();
    for (const { message, fact } of events) {
      if (fact?.kind === 'host' && fact.id !== undefined) seen.add(fact.id);
      const stale = [...seen].filter((id) => message.includes(id) && fact?.kind !== 'host');
      expect(stale, message).toEqual([]);
    }
  });

  test('ends in the same way with its last poll alone', async () => {
    const { looks, options, completeAt } = story;
    const late = await tellStory({ looks: looks.slice(-1), options, completeAt: completeAt && 10 });
    expect(late.exit).toBe(story.expected.exit);
    expect(late.last?.message.startsWith(story.expected.says), late.last?.message).toBe(true);
    expect(late.lines.filter((line) => line.includes('never registered'))).toEqual([]);
  });
});

test('names unplanned hosts once they report their names, and reports both once', async () => {
  const { lines } = await tellStory(waited('05-compact-hosts-not-planned'));
  const id = 'b0000000-0000-4000-8000-000000000001';
  expect(lines.filter((line) => /registered$|is node-1$/.test(line) && line.includes(id))).toEqual([
    `0 info Host ${id} registered`,
    `0 info Host ${id}: Successfully registered`,
    `18 info Host ${id} is node-1`,
  ]);
  expect(lines.filter((line) => line.includes(id) && Number.parseFloat(line) > 18)).toEqual([]);
});

test('ends the wait for a failed installation at the poll that shows the failure', async () => {
  const story = waited('04-compact-host-fails');
  const { seconds, lines } = await tellStory(story);
  const failed = story.looks.find((look) => (look.cluster.answer as KubeObject)['status'] === 'error');
  expect(seconds - momentOf(story.looks, failed as Look) / 1000).toBeLessThan(2);
  expect(lines.filter((line) => line.includes('working to recover'))).toEqual([]);
});

test('reports a validation once that names the same images in another order', async () => {
  const { events } = await tellStory(waited('10-compact-images-cannot-be-fetched'));
  const told = events.filter(({ fact }) => fact?.kind === 'validation' && fact.id === 'container-images-available');
  expect(told.map(({ level }) => level)).toEqual(['debug', 'debug', 'debug', 'warning']);
});

/** Possible faults of a poll: none, no answer, a truncated answer, that of some seconds ago, or that of the last poll. */
type Trouble = 'none' | 'dropped' | 'cut' | 'repeated' | number;

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Trouble>('none') },
  { weight: 5, arbitrary: fc.constantFrom<Trouble>('dropped', 'cut', 'repeated') },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 45 }) },
);

/** The polls of a story with recurring faults. */
function disturbed(looks: readonly Look[], troubles: readonly Trouble[]): (milliseconds: number) => WatcherAnswer {
  let last: WatcherAnswer;
  let count = 0;
  let moment = -1;
  return (milliseconds) => {
    // All requests of a poll have the same fault.
    if (milliseconds === moment) return last;
    moment = milliseconds;
    const now = lookAt(looks, milliseconds);
    const fate = troubles[count++ % troubles.length] ?? 'none';
    if (fate === 'none') last = now;
    else if (fate === 'dropped') last = undefined;
    else if (fate === 'cut') last = { cut: now };
    else if (typeof fate === 'number') last = lookAt(looks, milliseconds - fate * 1000);
    return last;
  };
}

describe('polls that are dropped, cut, repeated or late never change the verdict', () => {
  test.each(names)('of %s', async (name) => {
    const story = waited(name);
    const { exit, last } = await tellStory(story);
    const property = fc.asyncProperty(fc.array(trouble, { minLength: 20, maxLength: 60 }), async (troubles) => {
      fc.pre(troubles.includes('none'));
      const told = await tellStory({ ...story, seen: disturbed(story.looks, troubles) });
      expect(told.exit).toBe(exit);
      if (exit !== 0) expect(told.last?.fact).toEqual(last?.fact);
      const keys = told.events.flatMap(({ fact }) => (fact?.kind === 'event' ? [`${fact.time} ${fact.text}`] : []));
      expect(new Set(keys).size).toBeGreaterThanOrEqual(keys.length - story.looks.length);
    });
    await fc.assert(property, { numRuns: 5 });
  });
});
