import type { Diagnostic, Extent, Fix } from '@coreiso/diagnostics';
import type { Completion } from '../ask/complete.ts';
import type { Hover } from '../ask/hover.ts';
import type { OutlineItem } from '../ask/outline.ts';
import type { LanguageKind } from '../kinds.ts';

/** A place in one of the files. */
export interface FilePlace extends Extent {
  readonly uri: string;
}

/** A fix for a finding. */
export interface QuickFix {
  readonly finding: Diagnostic;
  readonly fix: Fix;
}

/** Options of findings. */
export interface FindingsOptions {
  /**
   * `quick` reads only the part that a key stroke changed, and leaves rules about several hosts to `whole`, the
   * default.
   */
  readonly depth?: 'quick' | 'whole' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The language service for open files. `Workspace` implements it directly, `connectWorker` through a worker. */
export interface LanguageService {
  /** Opens a file, or replaces the text of an open one. An undefined kind is detected by name and contents. */
  open(uri: string, text: string, kind?: LanguageKind): Promise<void>;
  close(uri: string): Promise<void>;
  /** Open files whose findings change with this file: the agent-config beside an install-config, manifests in one folder. */
  related(uri: string): Promise<readonly string[]>;
  findings(uri: string, options?: FindingsOptions): Promise<readonly Diagnostic[]>;
  /** Fixes for the findings in a range of the text; each was tried before it is offered. */
  fixes(uri: string, extent: Extent, options?: Pick<FindingsOptions, 'signal'>): Promise<readonly QuickFix[]>;
  complete(uri: string, offset: number): Promise<readonly Completion[]>;
  hover(uri: string, offset: number): Promise<Hover | undefined>;
  outline(uri: string): Promise<readonly OutlineItem[]>;
  definition(uri: string, offset: number): Promise<FilePlace | undefined>;
}
