// CodeMirror in a shadow root: its styles are adopted sheets there, which a policy without 'unsafe-inline' allows.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Diagnostic, Fix } from '@coreiso/diagnostics';
import { type LanguageService, toCodeMirrorDiagnostics } from '@coreiso/language';
import { markdownElement } from './markdown.ts';
import { theme } from './theme.ts';

export interface EditorOptions {
  readonly text: string;
  readonly syntax: 'yaml' | 'json';
  /** The label for assistive technology. */
  readonly label: string;
  /** Completion and hover for a file that is open there; `judge` keeps its text current. */
  readonly language?: { readonly service: LanguageService; readonly uri: string } | undefined;
  onChange(text: string): void;
}

export interface Editor {
  text(): string;
  /** Replaces the text, as one step that can be undone. */
  setText(text: string): void;
  show(findings: readonly Diagnostic[]): void;
  apply(fix: Fix): void;
  reveal(offset: number): void;
  destroy(): void;
}

/** An editor inside `host`, which gets a shadow root. */
export function createEditor(host: HTMLElement, options: EditorOptions): Editor {
  const { text, syntax, label, language, onChange } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        syntax === 'yaml' ? yaml() : json(),
        theme,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...completionKeymap,
          ...lintKeymap,
          // Escape, then Tab, leaves the editor by the keyboard.
          indentWithTab,
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
        ...(language === undefined ? [] : [complete(language), explain(language)]),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    show(findings) {
      const shown = toCodeMirrorDiagnostics(view.state.doc.toString(), findings);
      view.dispatch(
        setDiagnostics(
          view.state,
          shown.map((one) => ({ ...one, actions: [...one.actions] })),
        ),
      );
    },
    apply({ edits }) {
      const { length } = view.state.doc;
      if (edits.some(({ end }) => end > length)) return;
      view.dispatch({
        changes: edits.map(({ start, end, text: insert }) => ({ from: start, to: end, insert })),
        scrollIntoView: true,
      });
      view.focus();
    },
    reveal(offset) {
      const anchor = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

type Language = NonNullable<EditorOptions['language']>;

function complete({ service, uri }: Language): ReturnType<typeof autocompletion> {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w.\-:/@]*/);
    const before = context.matchBefore(/(?:[:-] |")[\w.\-:/@]*|^\s*[\w.\-:/@]+/);
    if (!context.explicit && before === null) return null;
    const found = await service.complete(uri, context.pos);
    if (context.aborted || found.length === 0) return null;
    return {
      from: word?.from ?? context.pos,
      options: found.map(({ label, kind, markdown, edit }) => ({
        label,
        type: kind === 'key' ? 'property' : 'enum',
        ...(markdown === undefined ? {} : { info: () => markdownElement(markdown) }),
        apply: (view) =>
          view.dispatch({
            changes: { from: edit.start, to: Math.max(edit.end, context.pos), insert: edit.text },
            selection: { anchor: edit.start + edit.text.length },
            userEvent: 'input.complete',
          }),
      })),
    };
  };
  return autocompletion({ override: [source], icons: false });
}

function explain({ service, uri }: Language): ReturnType<typeof hoverTooltip> {
  return hoverTooltip(async (_, position) => {
    const hover = await service.hover(uri, position);
    if (hover === undefined) return null;
    const { start, end, markdown } = hover;
    return { pos: start, end, create: () => ({ dom: markdownElement(markdown) }) };
  });
}
