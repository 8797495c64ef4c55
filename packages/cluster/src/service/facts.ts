import type { Line } from '../transcript.ts';

/** The data of a line about the service. */
export type ServiceFact =
  /** The status of the cluster that the service installs. */
  | { readonly kind: 'status'; readonly status: string }
  /** A check of a host, or of the cluster if there is no host; `status` is `success`, `failure`, `pending`, `error` or `disabled`. */
  | {
      readonly kind: 'validation';
      readonly host?: string;
      readonly id: string;
      readonly status: string;
      readonly text: string;
    }
  /** An event; `time` is the service's own. */
  | { readonly kind: 'event'; readonly severity: string; readonly text: string; readonly time?: string };

/** A line of the service's story; `bare` ones bypass the queue of a node and have no prefix. */
export interface StatusLine extends Line {
  readonly bare?: true;
  readonly fact?: ServiceFact;
}
