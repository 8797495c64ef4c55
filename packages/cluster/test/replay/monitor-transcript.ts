import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import { type Clock, systemClock } from '../../src/clock.ts';
import { type KubeletObservation, observeCluster, watcherToken } from '../../src/monitor/observe.ts';
import type { ClusterReader } from '../../src/reader/port.ts';
import { ServiceClient, type ServiceOptions } from '../../src/service/client.ts';
import { CompatibleHost, type TranscriptLine } from './compatible-host.ts';

const PAUSE = 5000;
const LIMIT = 90 * 60_000;

/** Lines with the time of their poll, in milliseconds since the start. */
export interface TimedLine extends TranscriptLine {
  readonly at: number;
}

/** Watches addresses as `oc adm node-image monitor` does and prints every line of it. Throws if that program ends before it begins. */
export async function* monitorTranscript(
  cluster: ClusterReader,
  addresses: readonly string[],
  options: {
    readonly fetch?: ServiceOptions['fetch'];
    /** Probes for a kubelet on port 10250 of the address. */
    readonly probeKubelet: (address: string, signal?: AbortSignal) => Promise<KubeletObservation>;
    /** The names from reverse DNS for an address; none if it fails. */
    readonly reverseNames: (address: string) => Promise<readonly string[]>;
    readonly clock?: Clock | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): AsyncGenerator<TimedLine> {
  checkMethods('cluster', cluster, ['get', 'list']);
  checkArgument('addresses', addresses, 'array');
  checkArgument('options', options, 'object');
  const { clock = systemClock, signal, ...ports } = options;
  const start = clock.now();
  let hosts = await Promise.all(
    addresses.map(async (address) => {
      const token = await watcherToken(cluster, signal);
      const host = new CompatibleHost(address, await ports.reverseNames(address));
      return { address, host, service: new ServiceClient(address, { fetch: ports.fetch, token }) };
    }),
  );
  let begun = false;
  while (hosts.length > 0) {
    const at = clock.now() - start;
    const lists = await observeCluster(cluster, signal);
    const looks = await Promise.all(
      hosts.map(async ({ address, host, service }) => ({
        ...lists,
        service: await service.observe(host.identity, signal),
        kubelet: await ports.probeKubelet(address, signal),
      })),
    );
    const waiting: typeof hosts = [];
    for (const [index, entry] of hosts.entries()) {
      const seen = looks[index];
      if (seen === undefined) continue;
      const first = begun ? [] : entry.host.begin();
      const { lines, isReady } = entry.host.look(seen, clock.now());
      for (const line of [...first, ...lines]) yield { ...line, at };
      if (!isReady) waiting.push(entry);
    }
    begun = true;
    hosts = waiting;
    if (hosts.length > 0 && at >= LIMIT) {
      for (const { address } of hosts) {
        yield {
          at,
          node: address,
          level: 'info',
          message: `Node ${address}: Node monitoring timed out after 1h30m0s minutes`,
        };
      }
      return;
    }
    if (hosts.length > 0) await clock.sleep(PAUSE, signal);
  }
}
