// The scripts of a machine beside the recorded service: their orders, and the text on the console, state by state.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { answerAt, type Look, looksOf, recordedText, STORIES, TOKENS } from '../../../../test/support/service-story.ts';
import { describeWith } from '../../../../test/support/tools.ts';
import type { ServiceScriptName } from '../../src/join/service/generated/scripts.ts';
import { ServiceMachine } from './service-machine.ts';

const ADD_NODES = ['06-day2-one-host-added', '07-day2-host-fails'];
const REFUSED = "Requested installation disk is not part of the host's valid disks\n";

/** Number of sleeps that a script has left after the end of a story. */
const AFTERWARDS = 3;

interface Heard {
  readonly status: number | null;
  readonly said: string;
  /** An order: method, path, and its poll. */
  readonly orders: readonly string[];
  /** All texts on the console while the script slept. */
  readonly shown: readonly string[];
}

/** The polls at which data of the scripts changed: between them they would see the same. */
function changes(story: string): Look[] {
  let last = '';
  return looksOf(story).filter(({ cluster, infra_envs: infraEnvs }) => {
    const { status, status_info: info, hosts } = cluster.answer as Cluster;
    const now = JSON.stringify([status, info, hosts.map((host) => host.status), infraEnvs.status]);
    const isNew = now !== last;
    last = now;
    return isNew;
  });
}

interface Cluster {
  readonly id: string;
  readonly status: string;
  readonly status_info: string;
  readonly hosts: readonly { readonly status: string; readonly infra_env_id?: string }[];
}

/** At each sleep of a script, the story advances to its next change. */
async function play(
  story: string,
  script: ServiceScriptName,
  prepare?: (machine: ServiceMachine) => void,
): Promise<Heard> {
  const looks = changes(story);
  using machine = new ServiceMachine();
  machine.stub(
    'sleep',
    `cat "$ROOT"/etc/issue.d/*.issue >>"$ROOT/console" 2>/dev/null
count=$(($(cat "$ROOT/waits") + 1))
echo "$count" >"$ROOT/waits"
[ "$count" -lt ${looks.length + AFTERWARDS} ]`,
  );
  machine.stub('systemctl', '[ "$1" != is-failed ]');
  machine.write('waits', '0\n');
  prepare?.(machine);
  const orders: string[] = [];
  const server = createServer(({ method = '', url = '', headers }, response) => {
    const look = looks[Math.min(Number(machine.read('waits')), looks.length - 1)] as Look;
    if (method === 'POST') orders.push(`${url.replace('/api/assisted-install/v2', '')} when ${statusOf(look)}`);
    const given = new Headers({ authorization: headers.authorization ?? '' });
    const { status, body } = answerAt(look, method, `http://service${url}`, given);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  machine.write('etc/assisted/rendezvous-host.env', `SERVICE_BASE_URL=${url}\nUSER_AUTH_TOKEN=${TOKENS.user}\n`);
  const { hosts, id } = (looks[0] as Look).cluster.answer as Cluster;
  const env = {
    SERVICE_BASE_URL: url,
    USER_AUTH_TOKEN: TOKENS.user,
    INFRA_ENV_ID: hosts[0]?.infra_env_id ?? id,
    REQUIRED_MASTER_NODES: story.includes('sno') ? '1' : '3',
    REQUIRED_ARBITER_NODES: '0',
    REQUIRED_WORKER_NODES: '0',
  };
  try {
    const { status, output: said } = await machine.run(script, ['dash'], env);
    const shown = (machine.read('console') ?? '').split('\n').filter((line) => line !== '');
    return { status, said, orders, shown: [...new Set(shown)] };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function statusOf({ cluster }: Look): string {
  return (cluster.answer as Cluster).status;
}

/** A script's messages, without its name and repetitions. */
const lines = (said: string): string[] => [...new Set(said.match(/(?<=\.sh: ).*/g))];

describeWith(['dash', 'jq', 'curl'], 'scripts beside the recorded service', () => {
  test.each(STORIES.filter((story) => !ADD_NODES.includes(story)))(
    'orders the installation of %s when it can begin, and never otherwise',
    async (story) => {
      const { status, said, orders } = await play(story, 'start-cluster-installation.sh');
      expect(status).toBe(0);
      expect(orders.filter((order) => !order.endsWith('/actions/install when ready'))).toEqual([]);
      expect(said).not.toMatch(/HTTP|no JSON/);
      const wasInstalled = looksOf(story).some((look) => statusOf(look) === 'installing');
      expect(orders.length > 0).toBe(looksOf(story).some((look) => statusOf(look) === 'ready'));
      expect(said.includes('the cluster is installing')).toBe(wasInstalled);
      if (!wasInstalled) return;
      // The real service reported the same.
      const seen = orders.length > 0 ? /ordered|preparing|installing$/ : /preparing|installing$/;
      const steps = (text: string) => lines(text).filter((line) => seen.test(line));
      expect(steps(said)).toEqual(steps(recordedText(`${story}/start-install.log`)));
    },
  );

  test.each(ADD_NODES)('installs the host of %s with one order, once it is known', async (story) => {
    const { status, said, orders } = await play(story, 'add-node.sh');
    const wasSeen = looksOf(story).some(({ cluster }) => (cluster.answer as Cluster).hosts[0]?.status === 'known');
    expect([status, orders.length]).toEqual([0, wasSeen ? 1 : 0]);
    const last = lines(recordedText(`${story}/add-node.log`)).at(-1);
    expect(said.includes(`${last}`)).toBe(wasSeen);
  });

  test.each(STORIES)("shows each status of %s on the console in the service's words", async (story) => {
    const { shown } = await play(story, 'install-status.sh');
    const words = looksOf(story).map(({ cluster }) => {
      const { status, status_info: info } = cluster.answer as Cluster;
      return `The cluster is ${status}: ${info}`.split('\n')[0] ?? '';
    });
    expect(shown.filter((line) => line.startsWith('The cluster is ')).every((line) => words.includes(line))).toBe(true);
    expect(shown).toContain(words.at(-1));
    expect(shown.filter((line) => line.includes('cannot proceed'))).toEqual([]);
  });

  test('shows a host that cannot be configured on the console, and no ready cluster', async () => {
    const story = '11-sno-root-device-hint-fits-no-disk';
    const { shown } = await play(story, 'install-status.sh', (machine) =>
      machine.write('run/agent-installer/host-config-failures', REFUSED),
    );
    expect(shown).toEqual(expect.arrayContaining(['The installation cannot proceed:', REFUSED.trim()]));
    expect(shown.filter((line) => line.startsWith('The cluster is ready'))).toEqual([]);
  });
});
