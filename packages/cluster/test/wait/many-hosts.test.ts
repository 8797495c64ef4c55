// Five hundred hosts, made from the polls of three: the amount of data that is read grows linearly.
import { expect, test } from 'vitest';
import { type Look, looksOf, momentOf } from '../../../../test/support/service-story.ts';
import type { KubeObject } from '../../src/objects.ts';
import { waitForBootstrap } from '../../src/wait/bootstrap.ts';
import type { PlannedAgent } from '../../src/wait/roster.ts';
import { StoryClock, StoryReader } from '../replay/story.ts';

const LOOKS = looksOf('04-compact-host-fails').filter((_, at) => at % 4 === 0);
const MASTER = 'master-2';
const MAC = '52:54:00:bb:00:02';

const hex = (at: number) => at.toString(16).padStart(4, '0');
const macOf = (at: number) => MAC.replace(':00:02', `:${hex(at).slice(0, 2)}:${hex(at).slice(2)}`);
const planned = (count: number): PlannedAgent[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `m-${at}`,
    macs: [macOf(at)],
    rootDeviceHints: { deviceName: '/dev/sda' },
  }));

/** A poll of this many hosts, each like the recorded one. */
function multiplied(look: Look, count: number): { cluster: KubeObject; events: readonly KubeObject[] } {
  const cluster = look.cluster.answer as KubeObject & { hosts: readonly KubeObject[] };
  const host = cluster.hosts.find((one) => one['requested_hostname'] === MASTER);
  const events = (look.events.answer as readonly KubeObject[]).filter((one) => one['host_id'] === host?.['id']);
  const copy = <T>(value: T, at: number): T =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(String(host?.['id']), `c0000000-0000-4000-8000-00000000${hex(at)}`)
        .replaceAll(MASTER, `m-${at}`)
        .replaceAll(MAC, macOf(at)),
    );
  const numbers = [...Array(count).keys()];
  return {
    cluster: { ...cluster, hosts: numbers.map((at) => copy(host, at)) as readonly KubeObject[] },
    events: numbers.flatMap((at) => copy(events, at)),
  };
}

class Silence extends StoryReader {
  override answer(): undefined {
    return undefined;
  }
}

interface Cost {
  /** Number of members that were read. */
  reads: number;
  /** Characters of JSON in answers that were read. */
  characters: number;
  lines: number;
  names: ReadonlySet<string>;
  exit: number;
}

async function costOf(count: number): Promise<Cost> {
  const hosts = planned(count);
  const cost = { reads: 0, characters: 0, lines: 0 };
  const counted = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, name) {
        cost.reads++;
        const member: unknown = Reflect.get(target, name);
        if (name === 'inventory' || name === 'validations_info') cost.characters += String(member).length;
        return typeof member === 'object' && member !== null ? counted(member) : member;
      },
    });
  const clock = new StoryClock();
  const looks = LOOKS.map((look) => ({ at: momentOf(LOOKS, look), ...multiplied(look, count) }));
  const observeService = async () => {
    const look = looks.findLast(({ at }) => at <= clock.now()) ?? looks[0];
    if (look === undefined) throw new Error('there is no look');
    const [cluster, events] = [counted(look.cluster), counted(look.events)];
    const one = <T>(value: T) => ({ ok: true as const, value });
    return { infraEnvs: one(['e']), clusters: one(['c']), cluster: one(cluster), events: one(events) };
  };
  const ports = { cluster: new Silence(), observeService, probeSsh: async () => undefined };
  const wait = waitForBootstrap(ports, { rendezvousIp: '192.0.2.10', hosts, clock });
  const names = new Set<string>();
  let step = await wait.next();
  for (; !step.done; step = await wait.next()) {
    cost.lines++;
    const { fact } = step.value;
    if (fact?.kind === 'host') names.add(fact.host);
  }
  return { ...cost, names, exit: step.value };
}

test('reads and reports ten times as much for ten times as many hosts', async () => {
  const [few, many] = [await costOf(50), await costOf(500)];
  expect([few.exit, many.exit]).toEqual([5, 5]);
  expect([few.names.size, many.names.size]).toEqual([50, 500]);
  for (const what of ['reads', 'characters', 'lines'] as const) {
    expect(few[what]).toBeGreaterThan(0);
    expect(many[what] / few[what], what).toBeLessThan(10.5);
  }
}, 120_000);
