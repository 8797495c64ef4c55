// Recorded stories with one difference, and the lines that follow from the sources of the real program.
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import type { Replay } from '../../../test/support/replay.ts';
import { differencesOf, type Json } from '../../../test/support/varied.ts';
import { OperatorStability } from '../src/wait/operators.ts';
import { replayMonitor } from './replay/monitor.ts';
import { replayWaitFor } from './replay/wait-for.ts';

const SETS: Readonly<Record<string, readonly [Goldens, Replay]>> = {
  monitor: [new Goldens(new URL('goldens/monitor.json', import.meta.url)), replayMonitor],
  'wait-for': [new Goldens(new URL('goldens/wait-for.json', import.meta.url)), replayWaitFor],
};

/** The differences between our answer and a recorded story that was varied; the story is called `SET/NAME`. */
async function differencesIn(name: string, vary: (story: Json) => void): Promise<readonly string[]> {
  const [set = '', path = ''] = name.split('/');
  const [goldens, replay] = SETS[set] ?? [];
  if (goldens === undefined || replay === undefined) throw new Error(`no set ${set}`);
  return await differencesOf(replay, goldens, path, vary);
}

function servicesOf({ timeline }: Json): Json[] {
  return timeline.flatMap(({ hosts }: Json) => Object.values(hosts).flatMap(({ service }: Json) => service ?? []));
}

function reword({ lines }: Json, change: (message: string) => string): void {
  for (const line of lines) line.message = change(line.message);
}

describe('wait-for', () => {
  test('lists no events that it did not reach', async () => {
    const differences = await differencesIn('wait-for/bootstrap-cancelled', (story) => {
      story.timeline = [{ ...story.timeline[1], at: 0 }];
      const [address, begun, , , cancelled, printing, , ...rest] = story.lines;
      const none = { level: 'debug', message: 'No events logged from the Agent Rest API' };
      story.lines = [address, begun, cancelled, printing, none, ...rest].map((line) => ({ ...line, at: 0 }));
      story.result.seconds = 0;
    });
    expect(differences).toEqual([]);
  });

  test('lists the last known events, though the list is empty meanwhile', async () => {
    const differences = await differencesIn('wait-for/bootstrap-cancelled', (story) => {
      servicesOf(story)[1].events = [];
    });
    expect(differences).toEqual([]);
  });

  test('forgets a failure once the condition has no message', async () => {
    const differences = await differencesIn('wait-for/install-failing-until-timeout', (story) => {
      const silent = structuredClone(story.timeline.at(-1));
      for (const condition of silent.kube.clusterVersion.status.conditions) condition.message = '';
      story.timeline.push({ ...silent, at: 10 });
      const waiting = { at: 10, level: 'debug', message: 'Still waiting for the cluster to initialize: ' };
      const limit = story.lines.findIndex(({ level }: Json) => level === 'error');
      story.lines.splice(limit, 0, waiting);
      reword(story, (text) => text.replace(/^(failed to initialize the cluster: ).*?: (timed out)/, '$1$2'));
    });
    expect(differences).toEqual([]);
  });

  test.each([
    ['2026-01-15T09:59:59.5Z', '2026-01-15 09:59:59.5 +0000 UTC DurationSinceTransition=0s'],
    ['2026-01-15T09:59:58.5Z', '2026-01-15 09:59:58.5 +0000 UTC DurationSinceTransition=2s'],
    ['2026-01-15T11:59:50+02:00', '2026-01-15 09:59:50 +0000 UTC DurationSinceTransition=10s'],
  ])('prints %s, and the elapsed time, as Go does', (lastTransitionTime, told) => {
    const progressing = { type: 'Progressing', status: 'True', lastTransitionTime };
    const operator = { metadata: { name: 'ingress' }, status: { conditions: [progressing] } };
    const [line] = new OperatorStability('compatible').look([operator], Date.parse('2026-01-15T10:00:00Z'));
    expect(line?.message).toContain(`LastTransitionTime=${told} `);
  });

  test('names the route by its own name', async () => {
    const differences = await differencesIn('wait-for/install-console-not-admitted', (story) => {
      for (const { kube } of story.timeline)
        for (const object of Object.values(kube.objects) as Json[])
          if (object.kind === 'Route') object.metadata = { name: 'console' };
      reword(story, (text) => text.replace('in namespace openshift-console', 'in namespace '));
    });
    expect(differences).toEqual([]);
  });
});

describe('the monitor', () => {
  test.each([
    ['an event has no severity', 'events', (service: Json) => delete service.events.at(-1).severity],
    ['an event has no message', 'events', (service: Json) => delete service.events.at(-1).message],
    ['the cluster has no status', 'happy-one-node', (service: Json) => delete service.cluster.status],
  ])('prints the lines of the real program before its crash, if %s', async (_, name, spoil) => {
    const differences = await differencesIn(`monitor/${name}`, (story) => {
      spoil(servicesOf(story).find(({ cluster, events = [{}] }) => cluster && events.length > 0));
      story.lines = story.lines.slice(0, 2);
      story.result = { outcome: 'crash', exitCode: 2 };
    });
    expect(differences).toEqual([]);
  });

  test.each([
    ['a text', '<html>no</html>'],
    ['an object', { message: 'no' }],
    ['a list of texts', ['no']],
  ])('takes %s in place of the list of infra-envs for a missing service', async (_, body) => {
    const differences = await differencesIn('monitor/service-never-reachable', (story) => {
      for (const { hosts } of story.timeline)
        for (const host of Object.values(hosts) as Json[])
          host.service = { fail: { '/v2/infra-envs': { code: 200, body } } };
    });
    expect(differences).toEqual([]);
  });

  test.each([
    ['IPv6 in long form', 'ipv6-node', 'fd2e:6f44:5dd8:0:0:0:0:80'],
    ['IPv6 in upper case', 'ipv6-node', 'FD2E:6F44:5DD8::80'],
    ['IPv4 in the form of IPv6', 'happy-one-node', '::ffff:192.168.111.80'],
  ])('identifies a node by its address, %s', async (_, name, address) => {
    const differences = await differencesIn(`monitor/${name}`, (story) => {
      const plain = story.command[1];
      story.command[1] = address;
      story.reverseDns = { [address]: story.reverseDns[plain] };
      for (const state of story.timeline) state.hosts = { [address]: state.hosts[plain] };
      reword(story, (text) => text.replaceAll(`ode ${plain}`, `ode ${address}`));
    });
    expect(differences).toEqual([]);
  });
});
