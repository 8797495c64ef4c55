// Up to a day of trouble with an API server: a program follows a list of nodes and waits for hosts, while answers are lost, late,
// wrong or never come, connections are half open, and versions are forgotten. Every view is a past state, in order; without
// forgotten versions none is missing; in the end the last state is seen, and every host is reported ready.

import { ApiServer } from '../api-server.ts';
import { Machine, type SimulatedProcess } from '../machine.ts';
import { Network } from '../network.ts';
import type { Watch } from '../products.ts';
import {
  checkEndings,
  codeOf,
  isEnough,
  type Product,
  type Run,
  requireThat,
  type Scenario,
  type Tally,
} from '../scenario.ts';

const HOSTS = ['worker-0', 'worker-1', 'worker-2'];
const MINUTE = 60_000;

export function watchScenario(product: Product<Watch>): Scenario {
  return { name: 'watch', run: (run) => new WatchStory(product, run).tell() };
}

class WatchStory {
  readonly #product: Product<Watch>;
  readonly #machine: Machine;
  readonly #network: Network;
  #api: ApiServer | undefined;
  #compactions = 0;
  #isOver = false;
  #views = 0;

  constructor(product: Product<Watch>, { seed, without, trace }: Run) {
    this.#product = product;
    this.#machine = new Machine({ seed, faults: [], without, trace });
    this.#network = new Network(this.#machine);
  }

  async tell(): Promise<Tally> {
    const machine = this.#machine;
    do {
      this.#network.isCalm = false;
      this.#isOver = false;
      const processes = [
        machine.start('api server', (process) => this.#serve(process)),
        machine.start('follower', (process) => this.#follow(process)),
        machine.start('monitor', (process) => this.#monitor(process)),
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
    return { calls: this.#network.requests + this.#views, faults: this.#network.faults };
  }

  /** Events in the cluster, until it is calm and every watcher has seen the end. */
  async #serve(process: SimulatedProcess): Promise<void> {
    const { random } = this.#machine;
    const pause = (milliseconds: number) =>
      new Promise<void>((resolve) => {
        this.#machine.setTimer(process, milliseconds, resolve);
      });
    const api = new ApiServer(this.#machine, process);
    this.#api = api;
    const end =
      this.#machine.elapsed + random.pick([3, 3, 3, 3, 3, 3, 5, 5, 10, random.chance(0.1) ? 24 * 60 : 5]) * MINUTE;
    while (this.#machine.elapsed < end) {
      await pause(random.next() * random.pick([1000, MINUTE, 20 * MINUTE]));
      if (random.chance(0.2)) {
        api.compact();
        this.#compactions++;
      }
      const name = random.pick([...HOSTS, 'other-7', 'other-8']);
      if (random.chance(0.2)) api.remove(name);
      else api.put(name, random.pick(['True', 'False']));
    }
    this.#network.isCalm = true;
    // Longer than any answer, watch or pause of a waiting process.
    await pause(4 * MINUTE);
    for (const name of HOSTS) api.put(name, 'True');
    this.#isOver = true;
    await pause(MINUTE);
  }

  #cluster(process: SimulatedProcess, product: Watch) {
    const answer: ApiServer['answer'] = (request) => this.#api?.answer(request) ?? { status: 503 };
    return product.clusterOverFetch({
      server: 'https://api.sim.test:6443',
      fetch: this.#network.fetchOf(process, answer),
    });
  }

  async #follow(process: SimulatedProcess): Promise<void> {
    const product = this.#product(process);
    let last = 0;
    let seen = 0;
    const begun = this.#compactions;
    for await (const view of product.follow(this.#cluster(process, product), '/api/v1/nodes')) {
      const api = this.#api;
      if (!view.ok || api === undefined) continue;
      this.#views++;
      const state = ApiServer.stateOf(view.items);
      // A node that came and went restores the earlier state: the next occurrence counts.
      const versions = api.states.get(state) ?? [];
      const version = versions.find((one) => one > last) ?? versions.at(-1);
      this.#machine.note(`view ${version}: ${state}`);
      requireThat(version !== undefined, `a view that never was: ${state}`);
      requireThat(version >= last, `a view goes back from ${last} to ${version}`);
      const missed = version - last - 1;
      requireThat(seen === 0 || missed <= 0 || this.#compactions > begun, `${missed} changes were left out`);
      last = Math.max(last, version);
      seen++;
      if (this.#isOver && version === api.version) return;
    }
  }

  async #monitor(process: SimulatedProcess): Promise<void> {
    const product = this.#product(process);
    const hosts = HOSTS.map((name, index) => ({ name, nodeName: name, addresses: [`192.0.2.${index + 10}`] }));
    const ready = new Set<string>();
    let monitor = product.monitorNodes(this.#cluster(process, product), hosts);
    for (;;) {
      try {
        for await (const { host, stage } of monitor) if (host !== undefined && stage === 'ready') ready.add(host);
        break;
      } catch (error) {
        // The first request is repeated a few times; then the user has to start again.
        if (!codeOf(error).startsWith('CLUSTER_') || monitor.elapsed > 3 * MINUTE) throw error;
        monitor = product.monitorNodes(this.#cluster(process, product), hosts);
      }
    }
    requireThat(ready.size === HOSTS.length, `only ${[...ready].join(', ')} were told to be ready`);
    requireThat(
      monitor.summary().every(({ stage }) => stage === 'ready'),
      'the summary has a host that is not ready',
    );
  }
}
