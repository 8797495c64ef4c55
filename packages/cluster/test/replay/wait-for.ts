import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';
import { trustAuthority } from '../../src/node/trust.ts';
import type { KubeObject } from '../../src/objects.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { waitForBootstrap } from '../../src/wait/bootstrap.ts';
import type { WaitEvent } from '../../src/wait/events.ts';
import { waitForInstall } from '../../src/wait/install.ts';
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

interface WaitStory extends Story {
  readonly rendezvousIP: string;
  readonly installConfig?: { readonly fips?: boolean };
  readonly startedAt: string;
  readonly repeatedLinesOmitted?: number;
  readonly result: Story['result'] & { readonly certificatesInKubeconfig?: number };
}

/** Replays stories of `openshift-install agent wait-for`: texts, levels, times, exit codes. */
export async function* replayWaitFor(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    const story: WaitStory = JSON.parse(recordings.text(path));
    yield { name: path.replace(/\.json$/, ''), differences: await differencesOf(story) };
  }
}

async function differencesOf(story: WaitStory): Promise<string[]> {
  const start = Date.parse(story.startedAt);
  const clock = new StoryClock(start);
  const state = () => stateAt(story.timeline, (clock.now() - start) / 1000);
  const service = new ServiceClient(story.rendezvousIP, { fetch: storyFetch(state), token: 'watcher-token' });
  const kubeconfig = new StoryKubeconfig();
  const ports = {
    cluster: new WaitReader(state),
    observeService: service.observe.bind(service),
    probeSsh: async (address: string) => (hostAt(state(), address)?.ssh === 'open' ? undefined : 'connection refused'),
    trustAuthority: (pem: string) => trustAuthority(kubeconfig.file, pem.replace('<a certificate>', CERTIFICATE)),
  };
  const options = {
    rendezvousIp: story.rendezvousIP,
    mode: 'compatible' as const,
    clock,
    server: 'https://api.harbor.example.test:6443',
    kubeconfig: '<dir>/auth/kubeconfig',
    adminPassword: 'example-password',
    fips: story.installConfig?.fips ?? false,
  };
  const wait = story.command.includes('install-complete')
    ? waitForInstall(ports, options)
    : waitForBootstrap(ports, options);
  const events: WaitEvent[] = [];
  let step = await wait.next();
  for (; !step.done; step = await wait.next()) events.push(step.value);
  const ours = comparable(events.map((event) => ({ ...event, at: event.at / 1000 })));
  const real = comparable(story.lines ?? []);
  const hasCrashed = story.result.outcome === 'crash';
  const differences = story.repeatedLinesOmitted
    ? compareCut(ours, real)
    : compareLines(hasCrashed ? ours.slice(0, real.length) : ours, real);
  const certificates = kubeconfig.remove();
  const { exitCode, seconds, certificatesInKubeconfig = certificates } = story.result;
  // A crash of the real program ends its story in the middle of a poll; ours continues.
  if (hasCrashed) return differences;
  if (exitCode !== undefined && step.value !== exitCode) differences.push(`exit: ours ${step.value}, real ${exitCode}`);
  if (seconds !== undefined && (clock.now() - start) / 1000 !== seconds)
    differences.push(`seconds: ours ${(clock.now() - start) / 1000}, real ${seconds}`);
  if (certificates !== certificatesInKubeconfig)
    differences.push(`certificates: ours ${certificates}, real ${certificatesInKubeconfig}`);
  return differences;
}

function comparable(lines: readonly { at: number; level: string; message: string }[]): string[] {
  let cause = '';
  return lines.flatMap(({ at, level, message }) => {
    // A cause with memory addresses looks new to the real program at every poll; ours is reported once.
    const isRepeat = message.includes('<pointer>') && message === cause;
    if (level === 'info' && CAUSE.test(message)) cause = message;
    return isRepeat ? [] : [`${at} ${level} ${contractOf(message)}`];
  });
}

const CAUSE = /Agent Rest API: |validations failed: |stopped installing|, retrying$|did not complete$/;

/** Long recordings leave out repeats: every recorded line is ours, in order, and ours has no others. */
function compareCut(ours: readonly string[], real: readonly string[]): string[] {
  const kind = (line: string) => line.replace(/\d+/g, '#');
  const kinds = new Set(real.map(kind));
  const differences = ours
    .filter((line) => !kinds.has(kind(line)))
    .slice(0, 3)
    .map((line) => `ours alone: ${line}`);
  let at = 0;
  for (const line of real) {
    const found = ours.indexOf(line, at);
    if (found === -1) differences.push(`not ours: ${line}`);
    else at = found + 1;
  }
  return differences.slice(0, 5);
}

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nc3RvcnkgYQ==\n-----END CERTIFICATE-----\n';

/** The kubeconfig of a story, with one certificate. */
class StoryKubeconfig {
  readonly #folder = mkdtempSync(join(tmpdir(), 'coreiso-story-'));
  readonly file = join(this.#folder, 'kubeconfig');

  constructor() {
    const own = btoa(CERTIFICATE.replace('c3RvcnkgYQ==', 'c3Rvcnk='));
    writeFileSync(this.file, `clusters:\n- name: a\n  cluster:\n    certificate-authority-data: ${own}\n`);
  }

  /** The number of certificates in the end. */
  remove(): number {
    const [, data = ''] = /authority-data: (\S+)/.exec(readFileSync(this.file, 'utf8')) ?? [];
    rmSync(this.#folder, { recursive: true });
    return atob(data).split('BEGIN CERTIFICATE').length - 1;
  }
}

class WaitReader extends StoryReader {
  readonly #state: () => State;

  constructor(state: () => State) {
    super();
    this.#state = state;
  }

  override answer(path: string): KubeObject | readonly KubeObject[] | undefined {
    const { kube } = this.#state();
    if (kube.up === false) throw apiError({ message: 'connection refused' });
    const { bootstrap, clusterVersion, operators, operatorsError, ingressCert, objects } = kube as {
      bootstrap?: KubeObject | null;
      clusterVersion?: KubeObject | null;
      operators?: readonly KubeObject[];
      operatorsError?: { code: number; message: string };
      ingressCert?: string | null;
      objects?: Record<string, KubeObject>;
    };
    if (path.endsWith('/configmaps/bootstrap')) return bootstrap ? { data: bootstrap } : undefined;
    if (path.endsWith('/clusterversions/version')) return clusterVersion ?? undefined;
    if (path.endsWith('/clusteroperators')) {
      if (operatorsError !== undefined) throw apiError(operatorsError);
      return operators ?? [];
    }
    if (path.endsWith('/default-ingress-cert'))
      return typeof ingressCert !== 'string' ? undefined : { data: { 'ca-bundle.crt': ingressCert } };
    const found = objects?.[path];
    if (typeof found?.['code'] === 'number') throw apiError({ code: found['code'], message: String(found['message']) });
    return found;
  }
}
