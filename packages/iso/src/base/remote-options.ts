import type { AttemptOptions } from '../http/attempts.ts';
import type { Fetch } from '../http/origin.ts';

/** How servers of base images are asked. */
export interface RemoteOptions extends Pick<AttemptOptions, 'retries' | 'timeout' | 'signal'> {
  readonly fetch?: Fetch;
}
