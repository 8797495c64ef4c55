import { describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import type { KubeObject } from '../../src/objects.ts';
import { follow } from '../../src/reader/follow.ts';
import type { ClusterReader, WatchEvent } from '../../src/reader/port.ts';

const node = (name: string, resourceVersion: string): KubeObject => ({
  metadata: { name, uid: name, resourceVersion },
});
const gone = { kind: 'Status', code: 410, message: 'too old resource version' };

type Step =
  | readonly KubeObject[]
  | ClusterError
  | { readonly from: string; readonly events: readonly (WatchEvent | ClusterError)[] };

/** A scripted server that throws on any unexpected request. */
class Script implements ClusterReader {
  readonly #steps: Step[];
  readonly pauses: number[] = [];
  readonly clock = {
    now: () => 0,
    sleep: async (milliseconds: number) => {
      this.pauses.push(milliseconds);
    },
  };

  constructor(...steps: Step[]) {
    this.#steps = steps;
  }

  get(): Promise<KubeObject> {
    throw new Error('nobody gets here');
  }

  async list() {
    const step = this.#steps.shift();
    if (step instanceof ClusterError) throw step;
    if (!Array.isArray(step)) throw new Error('a list was not expected');
    return { items: step as readonly KubeObject[], resourceVersion: '10' };
  }

  async *watch(_: string, { resourceVersion }: { resourceVersion: string }): AsyncGenerator<WatchEvent> {
    const step = this.#steps.shift();
    if (step === undefined) throw new DOMException('the script ends', 'AbortError');
    if (Array.isArray(step) || step instanceof ClusterError || !('from' in step))
      throw new Error('a watch was not expected');
    expect(resourceVersion).toBe(step.from);
    for (const event of step.events) {
      if (event instanceof ClusterError) throw event;
      yield event;
    }
  }

  async play(): Promise<string[]> {
    const seen: string[] = [];
    const names = (state: ReturnType<typeof follow> extends AsyncIterable<infer State> ? State : never) =>
      state.ok
        ? state.items.map((item) => (item['metadata'] as { name: string }).name).join('+')
        : `!${state.error.message}`;
    const { clock } = this;
    await expect(async () => {
      for await (const state of follow(this, '/api/v1/nodes', { clock, random: () => 1 })) seen.push(names(state));
    }).rejects.toThrow('the script ends');
    return seen;
  }
}

describe('a followed list', () => {
  test('adds, changes and removes objects, each once', async () => {
    const script = new Script([node('a', '9')], {
      from: '10',
      events: [
        { type: 'ADDED', object: node('b', '11') },
        { type: 'MODIFIED', object: node('a', '12') },
        { type: 'DELETED', object: node('b', '13') },
      ],
    });
    expect(await script.play()).toEqual(['a', 'a+b', 'a+b', 'a']);
  });

  test('resumes where the connection ended, bookmarks included, without a new list', async () => {
    const script = new Script(
      [],
      { from: '10', events: [{ type: 'ADDED', object: node('a', '11') }] },
      { from: '11', events: [{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '40' } } }] },
      { from: '40', events: [{ type: 'ADDED', object: node('b', '41') }] },
    );
    expect(await script.play()).toEqual(['', 'a', 'a+b']);
  });

  test.each([
    ['as an event', [{ type: 'ERROR', object: gone } as const]],
    ['as an answer', [new ClusterError('CLUSTER_EXPIRED', 'too old', { status: 410 })]],
  ])('lists again after 410, reported %s', async (_, events) => {
    const script = new Script([node('a', '1')], { from: '10', events }, [node('b', '2')]);
    expect(await script.play()).toEqual(['a', 'b']);
  });

  test('reports a failure once per cause, keeps its objects and pauses longer each time', async () => {
    const down = new ClusterError('CLUSTER_UNREACHABLE', 'down');
    const script = new Script(
      [node('a', '1')],
      { from: '10', events: [down] },
      { from: '10', events: [down] },
      { from: '10', events: [down] },
    );
    expect(await script.play()).toEqual(['a', '!down']);
    expect(script.pauses).toEqual([500, 1000, 2000]);
  });
});

test('lists again if a server keeps adding objects', async () => {
  const [many, one] = [Array.from({ length: 500_000 }, (_, at) => node(String(at), '1')), node('one more', '11')];
  const script = new Script(many, { from: '10', events: [{ type: 'ADDED', object: one }] }, [one]);
  const told: string[] = [];
  for await (const seen of follow(script, '/api/v1/nodes', { clock: script.clock })) {
    told.push(seen.ok ? `${seen.items.length}` : `${seen.error.code} ${seen.error.message}`);
    if (told.length === 3) break;
  }
  const refused = 'CLUSTER_TOO_LARGE /api/v1/nodes: the watch reported more than 500000 objects';
  expect(told).toEqual(['500000', refused, '1']);
});
