// Open files of an editor: answers come from the last reading of each file.
import type { Diagnostic, Extent, TextDocument } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { type Completion, completionsAt } from '../ask/complete.ts';
import { type Hover, hoverAt } from '../ask/hover.ts';
import { type OutlineItem, outlineOf } from '../ask/outline.ts';
import { declarationOf, valuesOf } from '../ask/references.ts';
import { judged } from '../findings.ts';
import { read, type Source } from '../judge.ts';
import { KINDS, kindOf, type LanguageKind } from '../kinds.ts';
import { pathAt } from '../path-at.ts';
import { findingsWithFixes, withFixes } from '../repair/mend.ts';
import { type Segment, segmentsOf } from '../segments.ts';
import { type CheckedText, incrementalFindings } from './incremental-findings.ts';
import { areManifestsTogether, findingsBeside } from './manifests.ts';
import type { FilePlace, FindingsOptions, LanguageService, QuickFix } from './service.ts';

interface OpenFile {
  readonly text: string;
  readonly kind: LanguageKind | undefined;
  readonly segments: readonly Segment[];
}

/** More findings than this do not help a user who is typing. */
const MOST_SHOWN = 200;

/**
 * The open files of an editor or a page, with their findings, fixes, completions and hovers.
 *
 * @example const workspace = new Workspace(); await workspace.open('file:///a/nodes-config.yaml', text)
 */
export class Workspace implements LanguageService {
  readonly #files = new Map<string, OpenFile>();
  readonly #judged = new Map<string, CheckedText>();
  readonly #readFile: (uri: string) => string | undefined;

  constructor(
    options: {
      /**
       * The text of a file that is not open, such as the install config beside an agent-config; undefined if it does
       * not exist.
       */
      readonly readFile?: ((uri: string) => string | undefined) | undefined;
    } = {},
  ) {
    checkArgument('options', options, 'object');
    this.#readFile = options.readFile ?? (() => undefined);
  }

  async open(uri: string, text: string, kind?: LanguageKind): Promise<void> {
    checkArgument('uri', uri, 'text');
    checkArgument('text', text, 'text');
    if (kind !== undefined && !KINDS.includes(kind)) throw new RangeError(`kind must be one of ${KINDS.join(', ')}`);
    const known = kind ?? this.#files.get(uri)?.kind;
    this.#files.set(uri, { text, kind: known, segments: segmentsOf(text, uri, known) });
  }

  async close(uri: string): Promise<void> {
    this.#files.delete(uri);
    this.#judged.delete(uri);
  }

  async related(uri: string): Promise<readonly string[]> {
    const isInstallConfig = this.#files.get(uri)?.segments[0]?.kind === 'install-config';
    return [...this.#files].flatMap(([other, { segments }]) => {
      const isAgentConfig = segments[0]?.kind === 'agent-config' && folderOf(other) === folderOf(uri);
      return (isInstallConfig && isAgentConfig) || areManifestsTogether(uri, other) ? [other] : [];
    });
  }

  async findings(uri: string, { depth = 'whole', signal }: FindingsOptions = {}): Promise<readonly Diagnostic[]> {
    const file = this.#files.get(uri);
    const [only, ...more] = file?.segments ?? [];
    if (file === undefined) return [];
    if (only !== undefined && more.length === 0) {
      const source = this.#source(uri, only);
      const before = this.#judged.get(uri);
      const quick =
        depth === 'quick' && before?.source.kind === only.kind ? incrementalFindings(source, before) : undefined;
      if (quick !== undefined) return quick.slice(0, MOST_SHOWN);
    }
    const found: Diagnostic[] = [];
    for (const segment of file.segments) {
      await yieldToOthers(signal);
      const source = this.#source(uri, segment);
      const findings = judged(source);
      if (more.length === 0) this.#judged.set(uri, { source, findings });
      found.push(...findings);
    }
    await yieldToOthers(signal);
    // A second finding on one line rarely adds anything.
    const lines = new Set(found.map(({ range }) => range?.start.line));
    const beside = findingsBeside(uri, (other) => this.#textOf(other));
    found.push(...beside.filter(({ range }) => range === undefined || !lines.has(range.start.line)));
    return found.slice(0, MOST_SHOWN);
  }

  async fixes(
    uri: string,
    { start, end }: Extent,
    { signal }: Pick<FindingsOptions, 'signal'> = {},
  ): Promise<readonly QuickFix[]> {
    const isNear = ({ range }: Diagnostic): boolean =>
      range !== undefined && range.start.offset <= end && start <= range.end.offset;
    const found: QuickFix[] = [];
    for (const segment of this.#files.get(uri)?.segments ?? []) {
      await yieldToOthers(signal);
      if (start > segment.end || end < segment.start) continue;
      const source = this.#source(uri, segment);
      const isReadable = read(source.kind, source.text).failure === undefined;
      const findings = isReadable ? judged(source) : findingsWithFixes(source);
      for (const finding of isReadable ? findings : []) {
        if (!isNear(finding)) continue;
        await yieldToOthers(signal);
        const [mended] = withFixes(source, findings, (one) => one === finding).filter(
          ({ code, range, message }) => code === finding.code && range === finding.range && message === finding.message,
        );
        for (const fix of mended?.fixes ?? []) found.push({ finding, fix });
      }
      // The cause of an unreadable text is usually elsewhere: its fixes are offered everywhere.
      for (const finding of isReadable ? [] : findings)
        for (const fix of finding.fixes ?? []) found.push({ finding, fix });
    }
    return found;
  }

  async complete(uri: string, offset: number): Promise<readonly Completion[]> {
    const segment = this.#segmentAt(uri, offset);
    if (segment === undefined) return [];
    return completionsAt(segment.kind, segment.text, offset, this.#companions(uri, segment.kind));
  }

  async hover(uri: string, offset: number): Promise<Hover | undefined> {
    const there = this.#documentAt(uri, offset);
    return there && hoverAt(there.kind, there.document, offset);
  }

  async outline(uri: string): Promise<readonly OutlineItem[]> {
    const segments = this.#files.get(uri)?.segments ?? [];
    return segments.flatMap(({ kind, text }) => read(kind, text).documents.flatMap(outlineOf));
  }

  async definition(uri: string, offset: number): Promise<FilePlace | undefined> {
    const there = this.#documentAt(uri, offset);
    if (there === undefined) return undefined;
    const path = pathAt(there.document.root, offset);
    const node = declarationOf(there.document, path);
    if (node !== undefined) return { uri, start: node.start, end: node.end };
    return path.at(-1) === 'hostname' ? this.#hostElsewhere(uri, there.document, offset) : undefined;
  }

  /** The entry in the install config of a host in an agent-config. */
  #hostElsewhere(uri: string, document: TextDocument, offset: number): FilePlace | undefined {
    const name = valuesOf(document, /^hostname$/).find(({ start, end }) => start <= offset && offset <= end);
    const other = this.#siblingUri(uri, 'install-config');
    const text = other === undefined ? undefined : this.#textOf(other);
    if (name === undefined || other === undefined || text === undefined) return undefined;
    const [found] = read('install-config', text)
      .documents.flatMap((one) => valuesOf(one, /^name$/))
      .filter((one) => one.text === name.text);
    return found && { uri: other, start: found.start, end: found.end };
  }

  #source(uri: string, { kind, text }: Segment): Source {
    if (kind !== 'agent-config') return { kind, text };
    const other = this.#siblingUri(uri, 'install-config');
    const installConfig = other === undefined ? undefined : this.#textOf(other);
    // An install config that is half typed is checked in its own editor.
    const isReadable = installConfig !== undefined && read('install-config', installConfig).failure === undefined;
    return isReadable ? { kind, text, installConfig } : { kind, text };
  }

  #companions(uri: string, kind: LanguageKind): readonly TextDocument[] {
    const wanted = { 'agent-config': 'install-config', 'install-config': 'agent-config' } as const;
    const other =
      kind === 'agent-config' || kind === 'install-config' ? this.#siblingUri(uri, wanted[kind]) : undefined;
    const text = other === undefined ? undefined : this.#textOf(other);
    return text === undefined ? [] : read('install-config', text).documents;
  }

  /** The file of a kind in the same folder: an open one, else the one with the usual name. */
  #siblingUri(uri: string, kind: 'install-config' | 'agent-config'): string | undefined {
    for (const [other, { segments }] of this.#files)
      if (other !== uri && segments[0]?.kind === kind && folderOf(other) === folderOf(uri)) return other;
    const usual = `${folderOf(uri)}${kind}.yaml`;
    return this.#readFile(usual) === undefined ? undefined : usual;
  }

  #textOf(uri: string): string | undefined {
    return this.#files.get(uri)?.text ?? this.#readFile(uri);
  }

  #segmentAt(uri: string, offset: number): Segment | undefined {
    const file = this.#files.get(uri);
    if (file?.segments.length === 0) {
      // The first key of a new file does not tell its kind, but its name may.
      const kind = file.kind ?? kindOf(file.text, uri);
      return kind === undefined ? undefined : { kind, text: file.text, start: 0, end: file.text.length };
    }
    return file?.segments.find(({ start, end }) => start <= offset && offset <= end);
  }

  #documentAt(
    uri: string,
    offset: number,
  ): { readonly kind: LanguageKind; readonly document: TextDocument } | undefined {
    const segment = this.#segmentAt(uri, offset);
    if (segment === undefined) return undefined;
    const { kind, text } = segment;
    const lineEnd = offset + text.slice(offset).search(/[\r\n]|$/);
    // Completion and hover still work above a mistake.
    for (const readable of [text, text.slice(0, lineEnd)]) {
      const document = read(kind, readable).documents.findLast(
        ({ root }) => root !== undefined && root.start <= offset,
      );
      if (document !== undefined) return { kind, document };
    }
    return undefined;
  }
}

function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

/** Lets other tasks run, and notices an aborted request. */
async function yieldToOthers(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return;
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
}
