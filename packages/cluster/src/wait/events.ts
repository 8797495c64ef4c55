import type { Line } from '../transcript.ts';

/** What a line says as data, for programs. */
export type WaitFact =
  | { readonly kind: 'status'; readonly status: string }
  | {
      readonly kind: 'validation';
      readonly host?: string;
      readonly id: string;
      readonly status: string;
      readonly text: string;
    }
  | { readonly kind: 'stage'; readonly stage: WaitStage }
  | { readonly kind: 'access'; readonly kubeconfig: string; readonly console?: string; readonly user?: string };

/** How far the installation is. */
export type WaitStage =
  | 'booting'
  | 'service'
  | 'bootstrapping'
  | 'bootstrapped'
  | 'initialized'
  | 'stable'
  | 'complete';

/** One line of a wait, with its moment in milliseconds since the start. */
export interface WaitEvent extends Line {
  readonly at: number;
  readonly fact?: WaitFact;
}

/** How a wait ended; codes are those of `openshift-install`. */
export type WaitExit = 0 | 5 | 6 | 7 | 8;
