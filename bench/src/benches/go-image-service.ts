import type { Bench } from '../frame.ts';
import { IMAGE_SERVICE, rhcosImage, serveImageService } from '../image-service.ts';
import { serveOurs } from '../servers.ts';
import { servingBenches } from '../serving.ts';

/** Our server and its peer, which is measured where it is on `PATH`. Nothing was promised here: there are no limits. */
export const goImageServiceBenches: readonly Bench[] = servingBenches(
  'go',
  'the Go image service',
  async (workspace) => {
    const image = await rhcosImage(workspace);
    const peer = await serveImageService(image, workspace.directory);
    return { peer, ours: await serveOurs(image) };
  },
).map((bench) => ({ ...bench, needs: IMAGE_SERVICE }));
