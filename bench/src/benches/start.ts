import type { Bench } from '../frame.ts';
import { coreiso, output, time } from '../programs.ts';

const start: Bench = {
  name: 'start',
  about: 'coreiso --help, against node -e 0',
  unit: 'ms',
  limits: { difference: 60 },
  async setUp() {
    return {
      peer: () => time(() => output(process.execPath, ['-e', '0'])),
      ours: () => time(() => output(process.execPath, [coreiso, '--help'])),
    };
  },
};

/** How long the command line takes to get going. */
export const startBenches: readonly Bench[] = [start];
