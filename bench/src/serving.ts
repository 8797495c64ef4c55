import type { Bench, Workspace } from './frame.ts';
import { output, time } from './programs.ts';
import { load, type Served } from './servers.ts';

/** The measured values of a server with an edited image of the usual size. */
interface Row {
  /** The end of its name. */
  readonly name: string;
  readonly about: string;
  readonly unit: Bench['unit'];
  measure(served: Served, workspace: Workspace): Promise<number>;
}

/** Clients that request ranges of the image. */
const ranges = (served: Served, clients: number, { imageMiB, directory }: Workspace) =>
  load(served, clients, imageMiB * 1024 * 1024, directory);

const ROWS: readonly Row[] = [
  {
    name: 'full',
    about: 'a whole edited image to curl',
    unit: 'ms',
    measure: ({ url }) => time(() => output('curl', ['-sf', '-o', '/dev/null', url])),
  },
  {
    name: '100',
    about: '1,000 random ranges of 64 KiB by 100 clients',
    unit: 'ms',
    measure: async (served, workspace) => 1e6 / (await ranges(served, 100, workspace)).perSecond,
  },
  {
    name: '100-p99',
    about: 'the slowest percent of them',
    unit: 'ms',
    measure: async (served, workspace) => (await ranges(served, 100, workspace)).p99,
  },
  {
    name: '1000',
    about: '1,000 random ranges of 64 KiB by 1,000 clients',
    unit: 'ms',
    measure: async (served, workspace) => 1e6 / (await ranges(served, 1000, workspace)).perSecond,
  },
  {
    name: '1000-rss',
    about: 'memory with 1,000 clients, none of whom fails',
    unit: 'MB',
    async measure(served, workspace) {
      await ranges(served, 1000, workspace);
      return served.memory();
    },
  },
];

/** The same rows for each peer, without limits. */
export function servingBenches(
  prefix: string,
  peerName: string,
  start: (workspace: Workspace) => Promise<{ readonly ours: Served; readonly peer: Served }>,
): readonly Bench[] {
  return ROWS.map(({ name, about, unit, measure }) => ({
    name: `${prefix}-${name}`,
    about: `${about}, against ${peerName}`,
    unit,
    limits: {},
    needs: [name === 'full' ? 'curl' : 'wrk'],
    async setUp(workspace) {
      const { ours, peer } = await start(workspace);
      return {
        ours: () => measure(ours, workspace),
        peer: () => measure(peer, workspace),
        end: async () => {
          await ours.stop();
          await peer.stop();
        },
      };
    },
  }));
}
