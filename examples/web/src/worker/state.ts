// What the worker keeps between calls: the project as it was last told, the base, and what was worked out of them.

import type { Customization } from '@coreiso/ignition/customize';
import type { ByteSource, LiveImage } from '@coreiso/iso';
import type { ClusterPlan } from '@coreiso/nodes-config';
import type { AgentSite, NamedOutput, NodesPlan } from '@coreiso/openshift';
import type { ProjectData } from '../project.ts';
import type { PlanFacts } from './facts.ts';
import type { Undo } from './saves.ts';

/** The documents of a task, read and decided; which members there are depends on the task. */
export interface PlannedDocuments {
  readonly facts: PlanFacts;
  /** Of task `nodes`. */
  readonly nodes?: NodesPlan;
  /** Of task `cluster`. */
  readonly cluster?: ClusterPlan;
  /** Of task `cluster`, once the release is named. */
  readonly site?: AgentSite;
  /** Of task `live`; it needs to know what the base understands. */
  readonly customization?: Customization;
}

export interface OpenBase {
  readonly name: string;
  readonly source: ByteSource;
  readonly image: LiveImage;
}

export interface PlannerState {
  project: (ProjectData & { readonly revision: number }) | undefined;
  base: OpenBase | undefined;
  planned: PlannedDocuments | undefined;
  /** What the last build made. */
  built: readonly NamedOutput[];
  undo: Undo | undefined;
}
