// The section "Documents": a tab per document of the task, each with an editor, or with ways to begin if it is empty.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { PageContext } from '../context.ts';
import type { Editor } from '../editor/editor.ts';
import type { Judge } from '../editor/judge.ts';
import { element, fill } from '../element.ts';
import { pickFile, saveText } from '../files.ts';
import { DOCUMENTS, type DocumentKind, FILE_NAMES } from '../project.ts';
import { tabBar } from '../tabs.ts';
import { documents as texts } from '../texts/documents.ts';
import { findingsList } from './findings-list.ts';

/** Documents that are JSON; the others are YAML. */
const JSON_KINDS: readonly DocumentKind[] = ['cluster-facts', 'ignition'];

/** Fills the section; other parts show a document with `context.reveal`. */
export function mountDocuments(host: HTMLElement, context: PageContext): void {
  const { project } = context;
  const content = element('div', { className: 'content', role: 'tabpanel' });
  const bar = tabBar(texts.tabs, (id) => show(id as DocumentKind));
  fill(host, bar.element, content);
  let shown: DocumentKind | undefined;
  let open: OpenDocument | undefined;

  const close = (): void => {
    open?.close();
    open = undefined;
  };
  const show = (kind: DocumentKind): void => {
    if (shown === kind && (open !== undefined) === (project.get().documents[kind] !== '')) return;
    close();
    shown = kind;
    bar.select(kind);
    content.setAttribute('aria-label', texts.names[kind]);
    if (project.get().documents[kind] === '') showEmpty(content, kind, context, () => begin(kind, '\n'));
    else void begin(kind);
  };
  const begin = async (kind: DocumentKind, text?: string): Promise<void> => {
    if (text !== undefined) project.setDocument(kind, text);
    close();
    const opened = new OpenDocument(content, kind, context);
    open = opened;
    await opened.start();
  };

  project.subscribe(({ task, documents }) => {
    const kinds = DOCUMENTS[task];
    bar.setTabs(kinds.map((kind) => ({ id: kind, title: texts.names[kind], marks: marksOf(context, kind) })));
    const [main] = kinds;
    if (shown === undefined || !kinds.includes(shown)) {
      const filled = kinds.find((kind) => documents[kind] !== '');
      return show(filled ?? main ?? 'nodes-config');
    }
    bar.select(shown);
    const text = documents[shown];
    if (text === '' && open !== undefined) {
      close();
      showEmpty(content, shown, context, () => begin(shown ?? 'nodes-config', '\n'));
    } else if (text !== '' && open === undefined) void begin(shown);
    else open?.take(text);
  });
  context.findings.subscribe((findings) => {
    for (const kind of DOCUMENTS[project.get().task]) bar.mark(kind, marksOf(context, kind));
    if (shown !== undefined) open?.showFindings(findings[shown] ?? []);
  });
  context.onReveal((kind, offset) => {
    if (!DOCUMENTS[project.get().task].includes(kind)) return;
    show(kind);
    void open?.reveal(offset);
  });
}

function marksOf(
  { findings, project }: PageContext,
  kind: DocumentKind,
): { text: string; className: string } | undefined {
  const found = findings.get()[kind] ?? [];
  if (project.get().documents[kind] === '') return undefined;
  const errors = found.filter(({ severity }) => severity === 'error').length;
  const warnings = found.filter(({ severity }) => severity === 'warning').length;
  if (errors > 0) return { text: String(errors), className: 'badge bad' };
  return warnings > 0 ? { text: String(warnings), className: 'badge caution' } : undefined;
}

function showEmpty(
  content: HTMLElement,
  kind: DocumentKind,
  { project, planner }: PageContext,
  onBlank: () => void,
): void {
  const button = (label: string, onclick: () => unknown, className = 'button'): HTMLElement =>
    element('button', { className, type: 'button', onclick }, label);
  fill(
    content,
    element(
      'div',
      { className: 'empty' },
      element('strong', {}, texts.empty(texts.names[kind])),
      element('p', {}, texts.purposes[kind]),
      element(
        'div',
        { className: 'row' },
        button(
          texts.template,
          async () => project.setDocument(kind, await planner.ask('template', { kind })),
          'button primary',
        ),
        button(texts.open, async () => {
          const file = await pickFile('.yaml,.yml,.json,.ign,.txt');
          if (file !== undefined) project.setDocument(kind, await file.text());
        }),
        button(texts.blank, onBlank),
      ),
      element('p', { className: 'small' }, texts.dropHint),
    ),
  );
}

/** The editor of one document. */
class OpenDocument {
  readonly #content: HTMLElement;
  readonly #kind: DocumentKind;
  readonly #context: PageContext;
  #editor: Editor | undefined;
  #judge: Judge | undefined;
  #isClosed = false;
  #started: Promise<void> | undefined;
  readonly #list = findingsList(
    (offset) => void this.reveal(offset),
    (fix) => this.#editor?.apply(fix),
  );

  constructor(content: HTMLElement, kind: DocumentKind, context: PageContext) {
    this.#content = content;
    this.#kind = kind;
    this.#context = context;
  }

  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    const [kind, { project, findings }] = [this.#kind, this.#context];
    const host = element('div', { className: 'editor', id: `editor-${kind}` });
    const actions = element(
      'div',
      { className: 'row editor-actions' },
      element('span', { className: 'quiet small grow' }, texts.keyboardHint),
      action(texts.saveDocument, () => saveText(FILE_NAMES[kind], this.#editor?.text() ?? '')),
      action(texts.clear, () => project.setDocument(kind, '')),
    );
    fill(this.#content, host, this.#list.element, actions);
    const [{ createEditor }, { judge }] = await Promise.all([
      import('../editor/editor.ts'),
      import('../editor/judge.ts'),
    ]);
    if (this.#isClosed) return;
    const uri = `file:///${FILE_NAMES[kind]}`;
    const text = project.get().documents[kind];
    if (kind !== 'cluster-facts') {
      const { language, setLanguageFindings } = this.#context;
      this.#judge = judge(language(), { uri, kind }, (found) => setLanguageFindings(kind, found));
    }
    this.#editor = createEditor(host, {
      text,
      syntax: JSON_KINDS.includes(kind) ? 'json' : 'yaml',
      label: texts.names[kind],
      language: kind === 'cluster-facts' ? undefined : { service: this.#context.language(), uri },
      onChange: (typed) => {
        this.#judge?.typed(typed);
        project.setDocument(kind, typed);
      },
    });
    this.#judge?.typed(text);
    this.showFindings(findings.get()[kind] ?? []);
  }

  /** The text in the project, which may come from a form. */
  take(text: string): void {
    if (this.#editor !== undefined && this.#editor.text() !== text) this.#editor.setText(text);
  }

  showFindings(findings: readonly Diagnostic[]): void {
    this.#editor?.show(findings);
    this.#list.show(findings);
  }

  async reveal(offset: number): Promise<void> {
    await this.#started;
    this.#editor?.reveal(offset);
  }

  close(): void {
    this.#isClosed = true;
    this.#judge?.stop();
    this.#editor?.destroy();
  }
}

function action(label: string, onclick: () => unknown): HTMLElement {
  return element('button', { className: 'button plain small', type: 'button', onclick }, label);
}
