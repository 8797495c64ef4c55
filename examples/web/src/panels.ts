// Parts of the page and their inputs. Views are listed in views/index.ts, and loaded when they are first shown.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { DocumentKind, ProjectStore } from './project.ts';
import type { Store } from './store.ts';
import type { ImageFacts, PlanFacts } from './worker/facts.ts';
import type { Planner } from './worker/planner.ts';

export interface PanelContext {
  readonly project: ProjectStore;
  /** The findings about the current texts, by kind; those of the language service and of the planner together. */
  readonly findings: Store<Readonly<Partial<Record<DocumentKind, readonly Diagnostic[]>>>>;
  /** The plan of the documents. It names its revision, and stays while a new one is computed. */
  readonly plan: Store<PlanFacts | undefined>;
  /** The base image; undefined if there is none. */
  readonly image: Store<ImageFacts | undefined>;
  /** Answers questions about plan and image in a worker: `planner.ask('host', { position: 0 })`. */
  readonly planner: Planner;
  /** Shows a place of a document in its editor. */
  reveal(kind: DocumentKind, offset: number): void;
}

/** A part of the page that shows or changes the project. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  /** Fills the host; returns a function that removes everything that would outlive the host. */
  mount(host: HTMLElement, context: PanelContext): () => void;
}

/** A panel whose code is fetched when it is first shown. */
export interface PanelEntry extends Pick<Panel, 'id' | 'title'> {
  load(): Promise<Panel>;
  /** Whether it has a tab now (default: always). */
  isShown?(context: PanelContext): boolean;
}
