// The language server: the workspace answers an editor's requests. It logs nothing of the texts that it reads.
import { applyEdits } from '@coreiso/diagnostics';
import { type EditorLines, editorLines, editsOfFixes, type LanguageService } from '@coreiso/language';
import type * as lsp from 'vscode-languageserver/node';
import { versionText } from '../../frame/version.ts';
import { actionOf, completionOf, diagnosticOf, editOf, rangeOf, symbolOf } from './protocol.ts';

/** Milliseconds without typing before rules about the whole text run. */
const PAUSE = 250;
const FIX_ALL = 'source.fixAll.coreiso';

interface OpenDocument {
  readonly text: string;
  readonly version: number;
  readonly lines: EditorLines;
  /** Stops work on the previous text. */
  readonly stop: AbortController;
}

/** The parts of `vscode-languageserver` that the server uses; the package is loaded on use. */
export type Protocol = typeof import('vscode-languageserver/node');

export class LanguageServer {
  readonly #connection: lsp.ProtocolConnection;
  readonly #service: LanguageService;
  readonly #readFile: (uri: string) => string | undefined;
  readonly #complain: (error: unknown) => void;
  readonly #open = new Map<string, OpenDocument>();
  #isShutDown = false;

  constructor(
    connection: lsp.ProtocolConnection,
    service: LanguageService,
    { readFile, complain }: { readFile: (uri: string) => string | undefined; complain: (error: unknown) => void },
  ) {
    this.#connection = connection;
    this.#service = service;
    this.#readFile = readFile;
    this.#complain = complain;
  }

  /** Answers until the editor exits or disconnects; returns the exit status that the protocol defines. */
  async run(protocol: Protocol): Promise<number> {
    const connection = this.#connection;
    this.#answerRequests(protocol);
    this.#followDocuments(protocol);
    const ended = new Promise<number>((resolve) => {
      connection.onNotification(protocol.ExitNotification.type, () => resolve(this.#isShutDown ? 0 : 1));
      connection.onClose(() => resolve(this.#isShutDown ? 0 : 1));
    });
    connection.listen();
    const status = await ended;
    for (const { stop } of this.#open.values()) stop.abort();
    connection.dispose();
    return status;
  }

  #answerRequests(protocol: Protocol): void {
    const connection = this.#connection;
    connection.onRequest(protocol.InitializeRequest.type, () => this.#initialized());
    connection.onRequest(protocol.ShutdownRequest.type, () => {
      this.#isShutDown = true;
    });
    connection.onRequest(protocol.HoverRequest.type, async ({ textDocument: { uri }, position }) => {
      const document = this.#open.get(uri);
      const hover = document && (await this.#service.hover(uri, document.lines.offsetAt(position)));
      if (document === undefined || hover === undefined) return null;
      return { contents: { kind: 'markdown', value: hover.markdown }, range: rangeOf(document.lines, hover) };
    });
    connection.onRequest(protocol.CompletionRequest.type, async ({ textDocument: { uri }, position }) => {
      const document = this.#open.get(uri);
      if (document === undefined) return [];
      const found = await this.#service.complete(uri, document.lines.offsetAt(position));
      return found.map((one) => completionOf(document.lines, one));
    });
    connection.onRequest(protocol.DocumentSymbolRequest.type, async ({ textDocument: { uri } }) => {
      const document = this.#open.get(uri);
      if (document === undefined) return [];
      return (await this.#service.outline(uri)).map((item) => symbolOf(document.lines, item));
    });
    connection.onRequest(protocol.DefinitionRequest.type, async ({ textDocument: { uri }, position }) => {
      const document = this.#open.get(uri);
      const place = document && (await this.#service.definition(uri, document.lines.offsetAt(position)));
      const lines = place && (this.#open.get(place.uri)?.lines ?? editorLines(this.#readFile(place.uri) ?? ''));
      return place === undefined || lines === undefined ? null : { uri: place.uri, range: rangeOf(lines, place) };
    });
    connection.onRequest(protocol.CodeActionRequest.type, (params, token) => this.#actions(protocol, params, token));
  }

  #initialized(): lsp.InitializeResult {
    return {
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: 2 },
        codeActionProvider: { codeActionKinds: ['quickfix', FIX_ALL] },
        completionProvider: { triggerCharacters: [' ', '-', '"'] },
        hoverProvider: true,
        documentSymbolProvider: true,
        definitionProvider: true,
      },
      serverInfo: { name: 'coreiso', version: versionText('coreiso', 'brief').trim().split(' ').at(-1) ?? '' },
    };
  }

  async #actions(
    protocol: Protocol,
    { textDocument: { uri }, range, context }: lsp.CodeActionParams,
    token: lsp.CancellationToken,
  ): Promise<lsp.CodeAction[]> {
    const document = this.#open.get(uri);
    if (document === undefined) return [];
    const { text, lines, stop } = document;
    const isWanted = (kind: string): boolean =>
      context.only?.some((only) => kind === only || kind.startsWith(`${only}.`)) ?? kind === 'quickfix';
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    const signal = AbortSignal.any([stop.signal, cancelled.signal]);
    const actions: lsp.CodeAction[] = [];
    try {
      if (isWanted('quickfix')) {
        const extent = { start: lines.offsetAt(range.start), end: lines.offsetAt(range.end) };
        const fixes = await this.#service.fixes(uri, extent, { signal });
        actions.push(...fixes.map((fix) => actionOf(uri, lines, fix)));
      }
      if (isWanted(FIX_ALL)) {
        const fixes = await this.#service.fixes(uri, { start: 0, end: text.length }, { signal });
        const edits = editsOfFixes(
          fixes.map(({ finding, fix }) => ({ ...finding, fixes: [fix] })),
          'safe',
        ).map((edit) => editOf(lines, edit));
        if (edits.length > 0)
          actions.push({ title: 'Apply all safe fixes', kind: FIX_ALL, edit: { changes: { [uri]: edits } } });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      const code = cancelled.signal.aborted
        ? protocol.LSPErrorCodes.RequestCancelled
        : protocol.LSPErrorCodes.ContentModified;
      throw new protocol.ResponseError(code, 'the document changed meanwhile');
    }
    return actions;
  }

  #followDocuments(protocol: Protocol): void {
    const connection = this.#connection;
    connection.onNotification(protocol.DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, text, version } = textDocument;
      this.#take(uri, text, version, 'whole');
    });
    connection.onNotification(protocol.DidChangeTextDocumentNotification.type, ({ textDocument, contentChanges }) => {
      const { uri, version } = textDocument;
      const before = this.#open.get(uri);
      if (before === undefined) return;
      this.#take(uri, contentChanges.reduce(changed, before.text), version, 'quick');
    });
    connection.onNotification(protocol.DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
      this.#open.get(uri)?.stop.abort();
      this.#open.delete(uri);
      this.#report(this.#service.close(uri).then(() => this.#send(uri, [])));
    });
    connection.onNotification(protocol.DidChangeWatchedFilesNotification.type, () => {
      for (const [uri, document] of this.#open) this.#report(this.#judge(uri, document, 'whole'));
    });
  }

  /** Takes a new text, and stops work on the old one. */
  #take(uri: string, text: string, version: number, depth: 'quick' | 'whole'): void {
    this.#open.get(uri)?.stop.abort();
    const document: OpenDocument = { text, version, lines: editorLines(text), stop: new AbortController() };
    this.#open.set(uri, document);
    this.#report(this.#follow(uri, document, depth));
  }

  async #follow(uri: string, document: OpenDocument, depth: 'quick' | 'whole'): Promise<void> {
    await this.#service.open(uri, document.text);
    await this.#judge(uri, document, depth);
    if (depth === 'quick') {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      await this.#judge(uri, document, 'whole');
    }
    for (const other of await this.#service.related(uri)) {
      const related = this.#open.get(other);
      if (related !== undefined) await this.#judge(other, related, 'whole');
    }
  }

  async #judge(uri: string, document: OpenDocument, depth: 'quick' | 'whole'): Promise<void> {
    const { lines, version, stop } = document;
    const findings = await this.#service.findings(uri, { depth, signal: stop.signal });
    if (this.#open.get(uri) !== document) return;
    await this.#send(
      uri,
      findings.map((finding) => diagnosticOf(lines, finding)),
      version,
    );
  }

  async #send(uri: string, diagnostics: readonly lsp.Diagnostic[], version?: number): Promise<void> {
    const params = { uri, diagnostics, ...(version === undefined ? {} : { version }) };
    await this.#connection.sendNotification('textDocument/publishDiagnostics', params);
  }

  /** Reports failed work; work that was stopped has nothing to report. */
  #report(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'AbortError')) this.#complain(error);
    });
  }
}

/** Applies one change of a text: a range or all of it. */
export function changed(text: string, change: lsp.TextDocumentContentChangeEvent): string {
  if (!('range' in change)) return change.text;
  const { offsetAt } = editorLines(text);
  const start = offsetAt(change.range.start);
  return applyEdits(text, [{ start, end: Math.max(start, offsetAt(change.range.end)), text: change.text }]);
}
