// Facts that the worker posts without a request: each message is small, whatever the size of the project.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { Inspection } from '@coreiso/iso';
import type { DocumentKind, Task } from '../project.ts';

/** A host as lists and menus show it; `planner.ask('host', …)` returns the rest. */
export interface HostFacts {
  /** The index in the plan. */
  readonly position: number;
  readonly name: string;
  readonly role: string | undefined;
  readonly macs: readonly string[];
  readonly hasNetwork: boolean;
}

/** The plan of the task's documents. */
export interface PlanFacts {
  /** The revision of the project. */
  readonly revision: number;
  readonly task: Task;
  /** Whether images can be made from it, given a base. */
  readonly isReady: boolean;
  /** Findings about the documents as a whole, such as hosts that the cluster already has. */
  readonly findings: Readonly<Partial<Record<DocumentKind, readonly Diagnostic[]>>>;
  /** The reason why no plan is possible, if it has no place in a document. */
  readonly obstacle: string | undefined;
  readonly hosts: readonly HostFacts[];
  /** How hosts join, and what machines do that boot the image. */
  readonly join: string | undefined;
  readonly outcome: string | undefined;
  readonly expires: string | undefined;
}

/** The base image: an inspection, and its source. */
export interface ImageFacts extends Inspection {
  readonly name: string;
}

/** A built file that can be saved. */
export interface OutputFacts {
  readonly position: number;
  readonly name: string;
  readonly size: number;
  /** Bytes that differ from the base; undefined if it is not an edit of the base. */
  readonly changed: number | undefined;
}

/** The result of a build. */
export interface BuiltFacts {
  /** The revision of the project. */
  readonly revision: number;
  readonly outputs: readonly OutputFacts[];
  readonly notes: readonly string[];
  /** The time when the images stop installing. */
  readonly expires: string | undefined;
}
