import type { Bench, Measure, Workspace } from '../frame.ts';
import { IMAGE_SERVICE, rhcosImage, serveImageService } from '../image-service.ts';
import { output, time } from '../programs.ts';
import { load, type Served, serveOurs } from '../servers.ts';

/** Measures both servers with an edited image of the usual size. Nothing was promised here: there are no limits. */
function against(
  name: string,
  about: string,
  unit: Bench['unit'],
  measure: (served: Served, workspace: Workspace) => Promise<number>,
): Bench {
  return {
    name,
    about: `${about}, against the Go image service`,
    unit,
    limits: {},
    needs: IMAGE_SERVICE,
    async setUp(workspace) {
      const image = await rhcosImage(workspace);
      const peer = await serveImageService(image, workspace.directory);
      const ours = await serveOurs(image);
      const of =
        (served: Served): Measure =>
        () =>
          measure(served, workspace);
      return {
        ours: of(ours),
        peer: of(peer),
        end: async () => {
          await ours.stop();
          await peer.stop();
        },
      };
    },
  };
}

/** Clients that ask for ranges of an image, which is a little larger than that. */
const ranges = (served: Served, clients: number, { imageMiB, directory }: Workspace) =>
  load(served, clients, imageMiB * 1024 * 1024, directory);

/** Our server and its peer, which is measured where it is on `PATH`. */
export const goImageServiceBenches: readonly Bench[] = [
  against('go-full', 'a whole edited image to curl', 'ms', ({ url }) =>
    time(() => output('curl', ['-sf', '-o', '/dev/null', url])),
  ),
  against('go-100', '1,000 random ranges of 64 KiB by 100 clients', 'ms', async (served, workspace) => {
    return 1e6 / (await ranges(served, 100, workspace)).perSecond;
  }),
  against('go-100-p99', 'the slowest percent of them', 'ms', async (served, workspace) => {
    return (await ranges(served, 100, workspace)).p99;
  }),
  against('go-1000', '1,000 random ranges of 64 KiB by 1,000 clients', 'ms', async (served, workspace) => {
    return 1e6 / (await ranges(served, 1000, workspace)).perSecond;
  }),
  against('go-1000-rss', 'memory with 1,000 clients, none of whom fails', 'MB', async (served, workspace) => {
    await ranges(served, 1000, workspace);
    return served.memory();
  }),
];
