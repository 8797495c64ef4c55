// The state of the worker between calls: the last project, the base, and computed results.

import type { Customization } from '@coreiso/ignition/customize';
import type { ByteSource, LiveImage } from '@coreiso/iso';
import type { ClusterPlan } from '@coreiso/nodes-config';
import type { AgentSite, NamedOutput, NodesPlan } from '@coreiso/openshift';
import type { ProjectData } from '../project.ts';
import type { PlanFacts } from './facts.ts';
import type { Undo } from './saves.ts';

/** The documents of a task with their plan; the members depend on the task. */
export interface PlannedDocuments {
  readonly facts: PlanFacts;
  /** For task `nodes`. */
  readonly nodes?: NodesPlan;
  /** For task `cluster`. */
  readonly cluster?: ClusterPlan;
  /** For task `cluster`, once the release is named. */
  readonly site?: AgentSite;
  /** For task `live`, which depends on the features of the base. */
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
  /** The result of the last build. */
  built: readonly NamedOutput[];
  undo: Undo | undefined;
}
