import type { AttemptOptions } from '../http/attempts.ts';
import type { Fetch } from '../http/redirects.ts';

/** How servers of base images are asked. */
export interface RemoteOptions extends Pick<AttemptOptions, 'retries' | 'timeout' | 'minRate' | 'signal'> {
  readonly fetch?: Fetch | undefined;
}
