import type { ServiceFact } from '../service/facts.ts';
import type { Line } from '../transcript.ts';

/** The data of a line, for programs. */
export type WaitFact =
  | ServiceFact
  | {
      readonly kind: 'stage';
      /** Progress of the installation. */
      readonly stage: /** The service on the rendezvous host answers. */
        | 'service'
        /** The API of the new cluster answers. */
        | 'bootstrapping'
        | 'bootstrapped'
        /** The cluster has its version. */
        | 'initialized'
        /** Its operators have settled. */
        | 'stable'
        | 'complete';
    }
  /** A host, by its planned name if it has one; with its id if that was its earlier name. */
  | {
      readonly kind: 'host';
      readonly host: string;
      readonly id?: string;
      readonly isRegistered: boolean;
      readonly isPlanned: boolean;
    }
  /** Progress of a host, or of the whole installation if there is no host. */
  | { readonly kind: 'progress'; readonly host?: string; readonly stage?: string; readonly percentage?: number }
  /** How to log in to the new cluster. `password` is secret, and the result that the administrator waits for. */
  | {
      readonly kind: 'access';
      readonly kubeconfig: string;
      readonly console?: string;
      readonly user?: string;
      readonly password?: string;
    }
  /** Why the wait ends, and the planned hosts that never registered. */
  | {
      readonly kind: 'failure';
      /** Stable identifiers: to rename or drop one is a breaking change. */
      readonly code: /** All planned hosts are present, and the checks of some keep failing. */
        | 'WAIT_VALIDATIONS_FAILED'
        /** The service gave up: cancelled, or ready without progress. */
        | 'WAIT_INSTALLATION_STOPPED'
        /** The bootstrap did not complete in time. */
        | 'WAIT_BOOTSTRAP_TIMEOUT'
        /** The cluster started but is incomplete: its version, its certificates, FIPS. */
        | 'WAIT_NOT_INITIALIZED'
        /** Operators that never settled. */
        | 'WAIT_OPERATORS_UNSTABLE';
      readonly missingHosts: readonly string[];
    };

/** One line of a wait. */
export interface WaitEvent {
  /** In milliseconds since the start. */
  readonly at: number;
  readonly level: Line['level'];
  readonly message: string;
  /** The line as data. */
  readonly fact?: WaitFact;
}

/** A line without its time. */
export type WaitLine = Omit<WaitEvent, 'at'>;
export type WaitFailureCode = Extract<WaitFact, { kind: 'failure' }>['code'];

/**
 * The outcome of a wait, with the exit codes of `openshift-install`: 5 the bootstrap failed, 6 the cluster did not initialise, 7
 * operators did not settle.
 */
export type WaitExit = 0 | 5 | 6 | 7;
