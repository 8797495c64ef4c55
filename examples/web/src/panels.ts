// What a part of the page is, and what it is given. Views are listed in views/index.ts, and loaded when they are first shown.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { DocumentKind, ProjectStore } from './project.ts';
import type { Store } from './store.ts';
import type { ImageFacts, PlanFacts } from './worker/facts.ts';
import type { Planner } from './worker/planner.ts';

export interface PanelContext {
  readonly project: ProjectStore;
  /** Of the texts as they are now, by kind; those of the language service and of the planner together. */
  readonly findings: Store<Readonly<Partial<Record<DocumentKind, readonly Diagnostic[]>>>>;
  /** What follows from the documents. It names the revision that it was made of, and stays while a new one is worked out. */
  readonly plan: Store<PlanFacts | undefined>;
  /** The base image; undefined while there is none. */
  readonly image: Store<ImageFacts | undefined>;
  /** Answers questions about plan and image in a worker: `planner.ask('host', { position: 0 })`. */
  readonly planner: Planner;
  /** Shows a place of a document in its editor. */
  reveal(kind: DocumentKind, offset: number): void;
}

/** A part of the page that shows or changes something of the project. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  /** Fills the host; what it returns takes everything back that would outlive the host. */
  mount(host: HTMLElement, context: PanelContext): () => void;
}

/** A panel whose code is fetched when it is first shown. */
export interface PanelEntry extends Pick<Panel, 'id' | 'title'> {
  load(): Promise<Panel>;
  /** Whether it has a tab now; always where it is not told. */
  isShown?(context: PanelContext): boolean;
}
