// What the worker tells without being asked: small enough to be posted at each change, whatever the size of the project.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { Inspection } from '@coreiso/iso';
import type { DocumentKind, Task } from '../project.ts';

/** A host as lists and menus show it; `planner.ask('host', …)` tells the rest. */
export interface HostFacts {
  /** The place in the plan. */
  readonly position: number;
  readonly name: string;
  readonly role: string | undefined;
  readonly macs: readonly string[];
  readonly hasNetwork: boolean;
}

/** What follows from the documents of the task. */
export interface PlanFacts {
  /** Of the project that it was made of. */
  readonly revision: number;
  readonly task: Task;
  /** Whether images can be made of it, given a base. */
  readonly isReady: boolean;
  /** What only the whole of the documents shows, such as hosts that the cluster has already. */
  readonly findings: Readonly<Partial<Record<DocumentKind, readonly Diagnostic[]>>>;
  /** Why nothing can be made, where that has no place in a document. */
  readonly obstacle: string | undefined;
  readonly hosts: readonly HostFacts[];
  /** How hosts join, and what machines do that boot the image. */
  readonly join: string | undefined;
  readonly outcome: string | undefined;
  readonly expires: string | undefined;
}

/** The base image; an inspection, and whose it is. */
export interface ImageFacts extends Inspection {
  readonly name: string;
}

/** A file that was built and can be saved. */
export interface OutputFacts {
  readonly position: number;
  readonly name: string;
  readonly size: number;
  /** Bytes that differ from the base; undefined where it is not an edit of it. */
  readonly changed: number | undefined;
}

/** What a build made. */
export interface BuiltFacts {
  /** Of the project that it was made of. */
  readonly revision: number;
  readonly outputs: readonly OutputFacts[];
  readonly notes: readonly string[];
  /** When the images stop installing. */
  readonly expires: string | undefined;
}
