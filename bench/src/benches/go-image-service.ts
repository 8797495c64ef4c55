import type { Bench, Limits } from '../frame.ts';
import { MEASURED_SERVICE, rhcosImage, serveImageService } from '../image-service.ts';
import { serveOurs } from '../servers.ts';
import { servingBenches } from '../serving.ts';

/** Our server answers at least four times as many requests as one that reads in that way. */
const FOUR_TIMES_ITS_RATE: Limits = { ratio: 1 / 4 };

/** Our server and the Go service. */
export const goImageServiceBenches: readonly Bench[] = servingBenches(
  'go',
  MEASURED_SERVICE.name,
  async (workspace) => {
    const image = await rhcosImage(workspace);
    const peer = await serveImageService(image, workspace.directory);
    return { peer, ours: await serveOurs(image) };
  },
).map((bench) => ({
  ...bench,
  needs: [...(bench.needs ?? []), MEASURED_SERVICE.needs],
  limits: /^go-1000?$/.test(bench.name) ? FOUR_TIMES_ITS_RATE : {},
}));
