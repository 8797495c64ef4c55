// A wait for the installation of a cluster, up to its last minute, while answers are lost, late, wrong, truncated or never come. The
// wait ends as the installation does; every event of the service is reported once, in order; no stage is reported early.
import {
  API,
  AUTHORITY,
  CONSOLE,
  Installation,
  type Outcome,
  RENDEZVOUS,
  STAGES,
  type Stage,
} from '../installation.ts';
import { Machine, type SimulatedProcess } from '../machine.ts';
import { Network } from '../network.ts';
import type { Wait } from '../products.ts';
import { checkEndings, isEnough, type Product, type Run, requireThat, type Scenario, type Tally } from '../scenario.ts';

const MINUTE = 60_000;
/** Longer than a poll and the pause after it. */
const LOOK = MINUTE;
const HOSTS = ['master-0', 'master-1', 'master-2', 'worker-0'];
/** The exit codes are those of `openshift-install`. */
const ENDS: Readonly<Record<Outcome, readonly [exit: number, code: string | undefined]>> = {
  installed: [0, undefined],
  failed: [5, 'WAIT_INSTALLATION_STOPPED'],
  cancelled: [5, 'WAIT_INSTALLATION_STOPPED'],
  stuck: [5, 'WAIT_BOOTSTRAP_TIMEOUT'],
  'version stuck': [6, 'WAIT_NOT_INITIALIZED'],
  'operators stuck': [7, 'WAIT_OPERATORS_UNSTABLE'],
};

export function waitScenario(product: Product<Wait>): Scenario {
  return { name: 'wait', run: (run) => new WaitStory(product, run).tell() };
}

class WaitStory {
  readonly #product: Product<Wait>;
  readonly #machine: Machine;
  readonly #network: Network;
  readonly #outcome: Outcome;
  #installation: Installation;

  constructor(product: Product<Wait>, { seed, without, trace }: Run) {
    this.#product = product;
    this.#machine = new Machine({ seed, faults: [], without, trace });
    this.#network = new Network(this.#machine);
    this.#installation = new Installation(this.#machine);
    const { random } = this.#machine;
    this.#outcome = random.chance(0.6) ? 'installed' : random.pick(Object.keys(ENDS) as Outcome[]);
  }

  async tell(): Promise<Tally> {
    const machine = this.#machine;
    do {
      this.#network.isCalm = false;
      this.#installation = new Installation(machine);
      const processes = [
        machine.start('installation', (process) => this.#install(process)),
        machine.start('waiter', (process) => this.#wait(process)),
      ];
      await machine.finish();
      checkEndings(
        machine,
        processes.map(({ ending }) => ending),
        /^$/,
      );
    } while (!isEnough(this.#tally()));
    return this.#tally();
  }

  #tally(): Tally {
    return { calls: this.#network.requests, faults: this.#network.faults };
  }

  /** Events on the machines during the installation. */
  async #install(process: SimulatedProcess): Promise<void> {
    const { random } = this.#machine;
    const installation = this.#installation;
    const outcome = this.#outcome;
    const pause = (milliseconds: number) =>
      new Promise<void>((resolve) => {
        this.#machine.setTimer(process, milliseconds, resolve);
      });
    const while_ = (most: number) => pause(random.next() * random.pick([most / 20, most]));
    /** Trouble up to the last moment of a state may hide it: that does not count against the wait. */
    const seen = async () => {
      this.#network.isCalm = true;
      await pause(LOOK);
      this.#network.isCalm = false;
    };
    await while_(4 * MINUTE);
    installation.reach('service');
    for (const host of HOSTS) {
      await while_(MINUTE);
      installation.register(host);
    }
    installation.status = 'ready';
    await while_(MINUTE / 4);
    installation.status = 'preparing-for-installation';
    await while_(2 * MINUTE);
    installation.status = 'installing';
    const apiAt = random.between(0, 6);
    for (let step = 0; step < 8; step++) {
      await while_(3 * MINUTE);
      if (step === apiAt && outcome !== 'stuck') installation.reach('bootstrapping');
      installation.tell(`step ${step}`, random.pick(['info', 'warning', 'error']), `id-${random.pick(HOSTS)}`);
    }
    if (outcome === 'failed' || outcome === 'cancelled') installation.status = outcome === 'failed' ? 'error' : outcome;
    await seen();
    if (outcome === 'failed' || outcome === 'cancelled' || outcome === 'stuck') {
      // Failures are final; a wait that never receives the end waits for its full time.
      this.#network.isCalm = outcome !== 'stuck';
      return;
    }
    installation.reach('bootstrapping');
    // The rendezvous host restarts as a node of the cluster, and its service is gone.
    if (random.chance(0.5)) installation.isServiceThere = false;
    await while_(5 * MINUTE);
    installation.reach('bootstrapped');
    await seen();
    installation.isServiceThere = false;
    for (let step = 0; step < 5; step++) {
      await while_(4 * MINUTE);
      installation.version = `is ${20 * step} % complete`;
    }
    if (outcome === 'version stuck') return;
    installation.reach('initialized');
    await while_(10 * MINUTE);
    if (outcome === 'operators stuck') return;
    installation.settledAt = this.#machine.now;
    installation.reach('stable');
    await while_(4 * MINUTE);
    this.#network.isCalm = true;
    installation.reach('complete');
  }

  async #wait(process: SimulatedProcess): Promise<void> {
    const product = this.#product(process);
    const installation = this.#installation;
    const fetch = this.#network.fetchOf(process, (request) => installation.answer(request));
    const service = new product.ServiceClient(RENDEZVOUS, { fetch, token: 'sim-token' });
    let trusted = '';
    const wait = product.waitForInstall(
      {
        cluster: product.clusterOverFetch({ server: API, fetch }),
        observeService: service.observe.bind(service),
        probeSsh: async () => undefined,
        trustAuthority: async (pem) => {
          trusted = pem;
        },
      },
      {
        rendezvousIp: RENDEZVOUS,
        server: API,
        kubeconfig: 'auth/kubeconfig',
        adminPassword: 'sim-password',
        fips: this.#machine.random.chance(0.3),
      },
    );
    const told: string[] = [];
    const stages: Stage[] = [];
    let [last, code, console_]: (string | undefined)[] = [];
    let step = await wait.next();
    for (; !step.done; step = await wait.next()) {
      const { at, level, message, fact } = step.value;
      this.#machine.note(`${Math.round(at / 1000)} s ${level} ${message}`);
      last = message;
      if (fact?.kind === 'event') told.push(message);
      if (fact?.kind === 'failure') code = fact.code;
      if (fact?.kind === 'access') console_ = fact.console;
      if (fact?.kind !== 'stage') continue;
      requireThat(
        fact.stage === 'complete' || installation.stages.has(fact.stage),
        `${fact.stage} was told before it was there`,
      );
      stages.push(fact.stage);
    }
    const [exit, reason] = ENDS[this.#outcome];
    requireThat(step.value === exit, `${this.#outcome}: the wait ended with ${step.value} instead of ${exit}: ${last}`);
    requireThat(code === reason, `${this.#outcome}: the wait ended for ${code}`);
    const known = installation.events.map(({ message }) => message);
    requireThat(
      told.join('\n') === known.join('\n'),
      `${known.length} events, ${told.length} of them were told: ${told.join('; ')}`,
    );
    if (this.#outcome !== 'installed') return;
    // Trouble may hide the service for longer than the API.
    if (stages[0] === 'bootstrapping') stages.splice(0, 2, ...stages.slice(0, 2).reverse());
    requireThat(stages.join() === STAGES.join(), `stages were ${stages.join(', ')}`);
    requireThat(trusted === AUTHORITY, 'the authority of the routes was not trusted');
    requireThat(console_ === `https://${CONSOLE}`, `the console is ${console_}`);
  }
}
