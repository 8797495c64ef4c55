import { describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import type { KubeObject } from '../../src/objects.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { type WaitOptions, waitForBootstrap } from '../../src/wait/bootstrap.ts';
import type { WaitEvent, WaitExit } from '../../src/wait/events.ts';
import { waitForInstall } from '../../src/wait/install.ts';
import { type State, StoryClock, StoryReader, stateAt, storyFetch } from '../replay/story.ts';

const ADDRESS = '192.0.2.10';
const FAILING = JSON.stringify({ network: [{ id: 'ntp-synced', status: 'failure', message: 'no NTP' }] });
const PASSING = JSON.stringify({ network: [{ id: 'ntp-synced', status: 'success', message: 'in step' }] });

/** A host in the form of the service. */
const agent = (name: string, status: string, more: KubeObject = {}): KubeObject => ({
  id: `id-${name}`,
  requested_hostname: name,
  status,
  ...more,
});

/** The state from a second on; without `cluster` there is no service, without `status` no API. */
interface Moment {
  readonly at: number;
  readonly cluster?: KubeObject;
  readonly events?: readonly KubeObject[];
  readonly bootstrap?: string;
  readonly kube?: ClusterError;
  readonly refusesToken?: boolean;
}

class Api extends StoryReader {
  readonly #moment: () => Moment;

  constructor(moment: () => Moment) {
    super();
    this.#moment = moment;
  }

  override answer(path: string): KubeObject | readonly KubeObject[] | undefined {
    const { kube, bootstrap } = this.#moment();
    if (kube !== undefined) throw kube;
    if (path.endsWith('/configmaps/bootstrap'))
      return bootstrap === undefined ? undefined : { data: { status: bootstrap } };
    if (path.endsWith('/clusterversions/version')) return WHOLE;
    if (path.endsWith('/clusteroperators')) return [];
    if (path.endsWith('/default-ingress-cert')) return { data: { 'ca-bundle.crt': 'pem' } };
    if (path.endsWith('/routes/console')) return ROUTE;
    return undefined;
  }
}

const condition = (type: string, status: string) => ({ type, status });
const WHOLE = {
  status: {
    conditions: [condition('Available', 'True'), condition('Failing', 'False'), condition('Progressing', 'False')],
  },
};
const ROUTE = {
  spec: { tls: {} },
  status: { ingress: [{ host: 'console.test', conditions: [condition('Admitted', 'True')] }] },
};
const DOWN = new ClusterError('CLUSTER_UNREACHABLE', 'connection refused');

interface Told {
  readonly events: readonly WaitEvent[];
  readonly lines: readonly string[];
  readonly exit: WaitExit;
  readonly seconds: number;
}

async function play(moments: readonly Moment[], options: Partial<WaitOptions> = {}, end = 'bootstrap'): Promise<Told> {
  const clock = new StoryClock();
  const moment = () => moments.filter(({ at }) => at * 1000 <= clock.now()).at(-1) ?? { at: 0 };
  const states = (): State => {
    const { at, cluster, events = [], refusesToken } = moment();
    const service = cluster && {
      infraEnvs: [{ id: 'e' }],
      clusters: [{ id: 'c' }],
      cluster: { id: 'c', ...cluster },
      events,
      ...(refusesToken && { acceptsToken: 'another' }),
    };
    return { at, kube: {}, hosts: { [ADDRESS]: { service: service ?? null } } };
  };
  const service = new ServiceClient(ADDRESS, {
    fetch: storyFetch(() => stateAt([states()], Number.POSITIVE_INFINITY)),
    token: 'watcher-token',
  });
  const ports = {
    cluster: new Api(moment),
    observeService: service.observe.bind(service),
    probeSsh: async () => 'connection refused',
    trustAuthority: async () => {},
  };
  const all = {
    rendezvousIp: ADDRESS,
    clock,
    server: 'https://api.test',
    kubeconfig: 'auth/kubeconfig',
    adminPassword: 'hunter2',
    ...options,
  };
  const wait = end === 'install' ? waitForInstall(ports, all) : waitForBootstrap(ports, all);
  const events: WaitEvent[] = [];
  let step = await wait.next();
  for (; !step.done; step = await wait.next()) events.push(step.value);
  const lines = events
    .filter(({ level }) => level !== 'debug' && level !== 'trace')
    .map(({ at, level, message }) => `${at / 1000} ${level} ${message}`);
  return { events, lines, exit: step.value, seconds: clock.now() / 1000 };
}

const HOSTS = [{ name: 'cp-0' }, { name: 'cp-1', macs: ['52:54:00:AB:00:02'] }];

describe('planned hosts', () => {
  test('that never registered are named, once, and again at the end of the wait', async () => {
    const cluster = { status: 'insufficient', hosts: [agent('cp-0', 'known')] };
    const { lines, exit, events } = await play([{ at: 0, cluster, kube: DOWN }], { hosts: HOSTS });
    expect(exit).toBe(5);
    expect(lines.filter((line) => line.includes('cp-1'))).toEqual([
      '300 warning Host cp-1 has not registered; check that it booted the image and can reach the rendezvous host',
      '3600 error These hosts never registered: cp-1',
    ]);
    expect(events.at(-1)?.fact).toEqual({ kind: 'failure', code: 'WAIT_BOOTSTRAP_TIMEOUT', missingHosts: ['cp-1'] });
  });

  test('are identified by one of their addresses before they have their name', async () => {
    const inventory = JSON.stringify({ interfaces: [{ mac_address: '52:54:00:ab:00:02' }] });
    const hosts = [agent('cp-0', 'known'), agent('localhost', 'known', { inventory })];
    const { lines } = await play(
      [
        { at: 0, cluster: { status: 'insufficient', hosts } },
        { at: 400, bootstrap: 'complete' },
      ],
      { hosts: HOSTS },
    );
    expect(lines).toContain('0 info Host cp-1 registered');
    expect(lines.some((line) => line.includes('has not registered'))).toBe(false);
  });
});

describe('a verdict', () => {
  const judged = (info: string) => ({
    status: 'insufficient',
    hosts: [agent('cp-0', 'known'), agent('cp-1', 'insufficient', { validations_info: info })],
  });

  test('ends the wait with its own code after five minutes', async () => {
    const { exit, seconds, events } = await play([{ at: 0, cluster: judged(FAILING), kube: DOWN }], { hosts: HOSTS });
    expect([exit, seconds]).toEqual([5, 300]);
    expect(events.at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('validations keep failing: cp-1: no NTP'),
      fact: { kind: 'failure', code: 'WAIT_VALIDATIONS_FAILED' },
    });
  });

  test.each<[string, readonly Moment[], Partial<WaitOptions>]>([
    [
      'that changes',
      [
        { at: 0, cluster: judged(FAILING) },
        { at: 200, cluster: judged(PASSING) },
        { at: 220, cluster: judged(FAILING) },
        { at: 500, cluster: judged(FAILING), bootstrap: 'complete' },
      ],
      { hosts: HOSTS },
    ],
    [
      'while a host is still looked at',
      [
        {
          at: 0,
          cluster: {
            status: 'insufficient',
            hosts: [agent('cp-0', 'discovering', { validations_info: FAILING }), agent('cp-1', 'known')],
          },
        },
        { at: 900, bootstrap: 'complete' },
      ],
      { hosts: HOSTS },
    ],
    [
      'while a host is missing',
      [
        { at: 0, cluster: judged(FAILING) },
        { at: 900, bootstrap: 'complete' },
      ],
      { hosts: [...HOSTS, { name: 'cp-2' }] },
    ],
    [
      'while hosts without a name are to come',
      [
        { at: 0, cluster: judged(FAILING) },
        { at: 900, bootstrap: 'complete' },
      ],
      { hosts: HOSTS, hostCount: 3 },
    ],
    [
      'on hosts that nobody planned',
      [
        { at: 0, cluster: judged(FAILING) },
        { at: 900, bootstrap: 'complete' },
      ],
      {},
    ],
  ])('%s ends nothing', async (_, moments, options) => {
    expect((await play(moments, options)).exit).toBe(0);
  });
});

describe('the output', () => {
  test('has each fact once, in however many polls it appears', async () => {
    const { lines } = await play([
      { at: 0, kube: DOWN },
      { at: 600, cluster: { status: 'insufficient' }, kube: DOWN },
      { at: 1200, kube: DOWN },
      { at: 1800, cluster: { status: 'error' }, kube: DOWN },
    ]);
    const messages = lines.map((line) => line.replace(/^\S+ /, ''));
    expect(messages.length).toBe(new Set(messages).size);
  });

  test('has every event, even several between two polls', async () => {
    const event = (message: string, severity = 'info') => ({ message, severity, event_time: `t-${message}` });
    const cluster = { status: 'installing' };
    const { lines } = await play([
      { at: 0, cluster, events: [event('one')] },
      { at: 4, cluster, events: [event('one'), event('two'), event('three', 'error')] },
      { at: 6, cluster, events: [event('one'), event('two'), event('three', 'error')], bootstrap: 'complete' },
    ]);
    expect(lines.filter((line) => /one|two|three/.test(line))).toEqual(['0 info one', '4 info two', '4 warning three']);
  });

  test('keeps two hosts with one name apart', async () => {
    const twin = (id: string, info: string) => agent('localhost', 'insufficient', { id, validations_info: info });
    const other = FAILING.replace('no NTP', 'no DNS');
    const cluster = { status: 'insufficient', hosts: [twin('a', FAILING), twin('b', other)] };
    const { lines } = await play([
      { at: 0, cluster },
      { at: 60, cluster, bootstrap: 'complete' },
    ]);
    expect(lines.filter((line) => line.includes('validation:')).length).toBe(2);
  });

  test.each<[string, Moment, RegExp]>([
    [
      'a token that is refused',
      { at: 0, cluster: {}, refusesToken: true, kube: DOWN },
      /refuses the token of the image/,
    ],
    [
      'credentials that are refused',
      { at: 0, kube: new ClusterError('CLUSTER_UNAUTHORIZED', 'Unauthorized', { status: 401 }) },
      /The Kube API cannot be read: Unauthorized/,
    ],
    [
      'a proxy in the way',
      { at: 0, kube: new ClusterError('CLUSTER_NOT_AN_API', 'a web page instead of JSON', { status: 502 }) },
      /The Kube API cannot be read: a web page instead of JSON/,
    ],
  ])('names %s, once', async (_, moment, words) => {
    const { lines } = await play([moment]);
    expect(lines.filter((line) => words.test(line)).length).toBe(1);
  });

  test('has data too: status, validations, events, progress, stages, and the login', async () => {
    const host = agent('cp-0', 'installing', {
      validations_info: FAILING,
      progress: { current_stage: 'Writing image to disk', installation_percentage: 40 },
    });
    const cluster = { status: 'installing', progress: { total_percentage: 20 }, hosts: [host] };
    const { events, exit } = await play(
      [
        { at: 0, cluster, events: [{ message: 'on its way', severity: 'info' }], kube: DOWN },
        { at: 10, bootstrap: 'complete' },
      ],
      {},
      'install',
    );
    expect(exit).toBe(0);
    expect(events.flatMap(({ fact }) => fact ?? [])).toEqual([
      { kind: 'stage', stage: 'service' },
      { kind: 'host', host: 'cp-0', isRegistered: true, isPlanned: false },
      { kind: 'status', status: 'installing' },
      { kind: 'validation', host: 'cp-0', id: 'ntp-synced', status: 'failure', text: 'no NTP' },
      { kind: 'event', severity: 'info', text: 'on its way' },
      { kind: 'progress', percentage: 20 },
      { kind: 'progress', host: 'cp-0', stage: 'Writing image to disk', percentage: 40 },
      { kind: 'stage', stage: 'bootstrapping' },
      { kind: 'stage', stage: 'bootstrapped' },
      { kind: 'stage', stage: 'initialized' },
      { kind: 'stage', stage: 'stable' },
      { kind: 'stage', stage: 'complete' },
      {
        kind: 'access',
        kubeconfig: 'auth/kubeconfig',
        console: 'https://console.test',
        user: 'kubeadmin',
        password: 'hunter2',
      },
    ]);
  });
});

test('is not affected by a clock that is set: no wait ends early or late', async () => {
  const cluster = { status: 'ready' };
  const story = new StoryClock();
  let offset = 0;
  const jumps = [3600_000, -7200_000, 86_400_000];
  const clock = {
    now: () => story.now() + offset,
    sleep: async (milliseconds: number) => {
      await story.sleep(milliseconds);
      if (story.now() % 10_000 === 0) offset += jumps.shift() ?? 0;
    },
  };
  const reader = new Api(() => ({ at: 0, ...(story.now() >= 40_000 && { bootstrap: 'complete' }) }));
  const service = new ServiceClient(ADDRESS, {
    fetch: storyFetch(() => ({
      at: 0,
      kube: {},
      hosts: {
        [ADDRESS]: { service: { infraEnvs: [{ id: 'e' }], clusters: [{ id: 'c' }], cluster: { id: 'c', ...cluster } } },
      },
    })),
    token: '',
  });
  const moments: number[] = [];
  const wait = waitForBootstrap(
    { cluster: reader, observeService: service.observe.bind(service), probeSsh: async () => undefined },
    { rendezvousIp: ADDRESS, clock },
  );
  let step = await wait.next();
  for (; !step.done; step = await wait.next()) moments.push(step.value.at);
  expect(step.value).toBe(0);
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
});
