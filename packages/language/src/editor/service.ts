import type { Diagnostic, Extent, Fix } from '@coreiso/diagnostics';
import type { Completion } from '../ask/complete.ts';
import type { Hover } from '../ask/hover.ts';
import type { OutlineItem } from '../ask/outline.ts';
import type { LanguageKind } from '../kinds.ts';

/** A place in one of the files. */
export interface FilePlace extends Extent {
  readonly uri: string;
}

/** A way to repair a finding. */
export interface QuickFix {
  readonly finding: Diagnostic;
  readonly fix: Fix;
}

/** How findings are asked for. */
export interface FindingsOptions {
  /** `quick` reads again only what a key stroke changed, and leaves rules about several hosts to `whole`, the default. */
  readonly depth?: 'quick' | 'whole' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What an editor or a page asks about open files; `Workspace` answers here, `connectWorker` elsewhere. */
export interface LanguageService {
  /** Opens a file, or gives an open one another text. Undefined kinds are told by name and contents. */
  open(uri: string, text: string, kind?: LanguageKind): Promise<void>;
  close(uri: string): Promise<void>;
  /** Open files whose findings change with those of this one: the agent-config beside an install-config, manifests beside each other. */
  related(uri: string): Promise<readonly string[]>;
  findings(uri: string, options?: FindingsOptions): Promise<readonly Diagnostic[]>;
  /** Fixes of the findings that touch a stretch of the text, tried before they are offered. */
  fixes(uri: string, extent: Extent, options?: Pick<FindingsOptions, 'signal'>): Promise<readonly QuickFix[]>;
  complete(uri: string, offset: number): Promise<readonly Completion[]>;
  hover(uri: string, offset: number): Promise<Hover | undefined>;
  outline(uri: string): Promise<readonly OutlineItem[]>;
  definition(uri: string, offset: number): Promise<FilePlace | undefined>;
}
