import type { Bench } from '../frame.ts';
import { browserBenches } from './browser.ts';
import { bytesBenches } from './bytes.ts';
import { configBenches } from './configs.ts';
import { fleetBenches } from './fleet.ts';
import { goImageServiceBenches } from './go-image-service.ts';
import { httpBenches } from './http.ts';
import { languageBenches } from './language.ts';
import { liveBenches } from './live.ts';
import { pageBenches } from './page.ts';
import { startBenches } from './start.ts';

/** All rows, in running order. */
export const BENCHES: readonly Bench[] = [
  ...startBenches,
  ...liveBenches,
  ...bytesBenches,
  ...configBenches,
  ...languageBenches,
  ...httpBenches,
  ...fleetBenches,
  ...browserBenches,
  ...pageBenches,
  ...goImageServiceBenches,
];
