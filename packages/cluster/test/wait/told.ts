// Waits for recorded installations, in simulated time.
import { type Look, lookAt, storyFetch, TOKENS, type WatcherAnswer } from '../../../../test/support/service-story.ts';
import { ClusterError } from '../../src/errors.ts';
import type { KubeObject } from '../../src/objects.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { type WaitOptions, waitForBootstrap } from '../../src/wait/bootstrap.ts';
import type { WaitEvent, WaitExit } from '../../src/wait/events.ts';
import { StoryClock, StoryReader } from '../replay/story.ts';

const RENDEZVOUS = '192.0.2.10';

class Api extends StoryReader {
  readonly #isComplete: () => boolean;

  constructor(isComplete: () => boolean) {
    super();
    this.#isComplete = isComplete;
  }

  override answer(path: string): KubeObject | readonly KubeObject[] | undefined {
    if (!this.#isComplete()) throw new ClusterError('CLUSTER_UNREACHABLE', 'connection refused');
    return path.endsWith('/configmaps/bootstrap') ? { data: { status: 'complete' } } : [];
  }
}

/** The lines of a wait for a story, and its end. */
export interface ToldStory {
  readonly events: readonly WaitEvent[];
  /** All lines except debug ones: the seconds, the level, the message. */
  readonly lines: readonly string[];
  readonly exit: WaitExit;
  readonly last: WaitEvent | undefined;
  readonly seconds: number;
}

/** A story that is waited for. */
export interface WaitedStory {
  readonly looks: readonly Look[];
  readonly options?: Partial<WaitOptions> | undefined;
  /** The bootstrap is complete from this second on; never, if absent. */
  readonly completeAt?: number | undefined;
  /** The data of the service at a time, in milliseconds, if it is not that of the story's poll. */
  readonly seen?: (milliseconds: number) => WatcherAnswer;
}

/** Waits until the end. */
export async function tellStory({ looks, options, completeAt, seen }: WaitedStory): Promise<ToldStory> {
  const clock = new StoryClock();
  const look = () => (seen === undefined ? lookAt(looks, clock.now()) : seen(clock.now()));
  const service = new ServiceClient(RENDEZVOUS, { fetch: storyFetch(look), token: TOKENS.watcher });
  const ports = {
    cluster: new Api(() => completeAt !== undefined && clock.now() >= completeAt * 1000),
    observeService: service.observe.bind(service),
    probeSsh: async () => undefined,
  };
  const wait = waitForBootstrap(ports, { rendezvousIp: RENDEZVOUS, clock, ...options });
  const events: WaitEvent[] = [];
  let step = await wait.next();
  for (; !step.done; step = await wait.next()) events.push(step.value);
  const lines = events
    .filter(({ level }) => level !== 'debug' && level !== 'trace')
    .map(({ at, level, message }) => `${at / 1000} ${level} ${message}`);
  return { events, lines, exit: step.value, last: events.at(-1), seconds: clock.now() / 1000 };
}
