import { expect, test } from 'vitest';
import { hostsAt } from '../../src/monitor/hosts.ts';
import { monitorNodes } from '../../src/monitor/monitor.ts';
import type { MonitorEvent } from '../../src/monitor/progress.ts';
import type { ClusterReader } from '../../src/reader/port.ts';
import { StoryClock } from '../replay/story.ts';

const TOKEN = 'planted-token-of-the-image';
const status = { port: 8090, token: TOKEN };

const check = (name: string, verdict: string, text: string) => ({ check: name, verdict, text });
const live = (stage: string, more: object = {}) => ({ version: 1, stage, progress: null, checks: [], ...more });
const ready = {
  metadata: { name: 'any' },
  status: {
    addresses: [{ type: 'InternalIP', address: '192.0.2.20' }],
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};

/** The answer of port 8090 at a poll: an object, a text, a status code, no connection, or permanent silence; or the node is ready. */
type Moment = object | string | number | undefined | 'silence' | 'ready';

async function told(moments: readonly Moment[], asked: Request[] = []): Promise<MonitorEvent[]> {
  const clock = new StoryClock();
  const now = () => moments[Math.min(clock.now() / 5000, moments.length - 1)];
  const cluster: ClusterReader = {
    get: () => Promise.reject(new Error('nobody asks for the token of a service')),
    list: async (path) => ({ items: path.endsWith('nodes') && now() === 'ready' ? [ready] : [], resourceVersion: '1' }),
    watch: () => {
      throw new Error('nobody watches');
    },
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    asked.push(new Request(url, { ...init, redirect: 'manual' }));
    const moment = now();
    if (moment === 'silence') return new Promise(() => undefined);
    if (moment === undefined || moment === 'ready')
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    if (typeof moment === 'number') return new Response('', { status: moment });
    return new Response(typeof moment === 'string' ? moment : JSON.stringify(moment));
  };
  const events: MonitorEvent[] = [];
  for await (const event of monitorNodes(cluster, hostsAt(['192.0.2.20']), { clock, fetch, status })) {
    events.push(event);
  }
  return events;
}

const text = ({ at, stage, level, message }: MonitorEvent) =>
  `${at / 1000} ${stage} ${level === 'warning' ? '! ' : ''}${message}`;

test('reports the status of a machine as it changes, with the token of the image', async () => {
  const asked: Request[] = [];
  const failing = check('endpoint', 'fail', 'https://api-int.test:22623/config/worker: HTTP status 404');
  const memory = check('memory', 'pass', '16384 MiB of memory');
  const disk = { disk: '/dev/vda', reason: 'the only disk that fits serialNumber' };
  const events = await told(
    [
      undefined,
      live('starting'),
      live('checking', { checks: [memory] }),
      live('waiting', { ...disk, checks: [memory, failing], error: failing.text }),
      live('waiting', { ...disk, checks: [memory, failing], error: failing.text }),
      live('installing', {
        ...disk,
        progress: 4,
        checks: [memory, check('endpoint', 'pass', 'it has a config')],
        error: failing.text,
      }),
      live('installing', { ...disk, progress: 47, checks: [memory] }),
      live('installed', { ...disk, progress: 100, checks: [memory] }),
      undefined,
      undefined,
      'ready',
    ],
    asked,
  );
  expect(events.map(text)).toEqual([
    '5 live the live system answers',
    '10 live pass: 16384 MiB of memory',
    '15 live ! FAIL: https://api-int.test:22623/config/worker: HTTP status 404',
    '15 live the disk is /dev/vda, the only disk that fits serialNumber',
    '25 live pass: it has a config',
    '25 installing the machine installs itself',
    '30 installing 47 % is written',
    '45 rebooting the live system stopped answering: the host is rebooting or off',
    '50 ready the node is ready',
  ]);
  expect(events[2]?.fact).toEqual({ kind: 'validation', id: 'endpoint', status: 'failure', text: failing.text });
  expect([asked[0]?.url, asked[0]?.headers.get('authorization')]).toEqual([
    'http://192.0.2.20:8090/status',
    `Bearer ${TOKEN}`,
  ]);
  expect(JSON.stringify(events)).not.toContain(TOKEN);
});

test.each(['stopped', 'failed'])(
  'ends the wait for a machine that has %s, because it cannot continue',
  async (stage) => {
    const events = await told([live('checking'), live(stage, { error: 'the image has expired' })]);
    expect(events.map(text)).toEqual([
      '0 live the live system answers',
      '5 failed ! the machine stopped: the image has expired',
    ]);
  },
);

test.each([
  ['another image', 404, 'the live system refuses the token of the report: it may have booted another image'],
  ['a proxy', 502, 'another program answers at the port of the live system'],
  ['a page', '<html></html>', 'another program answers at the port of the live system'],
  ['a status of another version', { version: 2, stage: 'checking' }, 'another program answers at the port'],
  ['an answer without end', '['.repeat(300_000), 'another program answers at the port of the live system'],
])('reports %s by name, once, and still sees the node', async (_, answer, words) => {
  const events = await told([answer, answer, answer, 'ready']);
  expect(events.map(text)).toEqual([expect.stringContaining(`0 expected ! ${words}`), '15 ready the node is ready']);
});

test('is not delayed by a port that accepts a request and never answers', async () => {
  expect((await told(['silence', 'silence', 'ready'])).map(text)).toEqual(['10 ready the node is ready']);
});

test('ignores members of a status that are not texts, and unknown verdicts', async () => {
  const odd = live('checking', {
    disk: 7,
    progress: 'half',
    checks: [null, check('a', 'maybe', 'b'), { verdict: 'pass' }],
  });
  expect((await told([odd, 'ready'])).map(text)).toEqual([
    '0 live the live system answers',
    '0 live pass: ',
    '5 ready the node is ready',
  ]);
});
