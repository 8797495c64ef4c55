// The editor uses the colours of the page: custom properties are inherited into the shadow root.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': { blockSize: '100%', fontSize: 'var(--text-2)', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
  // The host has the outline: gutters would cover part of it here.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: 'var(--space-2)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-soft)', borderRight: 'var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--accent-tint)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--edge-strong)',
    borderRadius: 'var(--radius)',
    maxInlineSize: 'min(32rem, 90vw)',
    boxShadow: 'var(--shadow)',
    zIndex: '20',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxBlockSize: '14rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionInfo': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--sans)' },
  '.explanation': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--sans)', fontSize: 'var(--text-2)' },
  '.explanation p': { margin: '0 0 var(--space-1)' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', whiteSpace: 'pre-line', borderInlineStart: '4px solid' },
  '.cm-diagnostic-error': { borderColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderColor: 'var(--caution)' },
  '.cm-diagnostic-info': { borderColor: 'var(--accent)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: '4px',
    padding: '2px 8px',
    cursor: 'pointer',
  },
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1.5px', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--caution)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--accent)' },
  '.cm-lintPoint::after': { borderBottomColor: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', borderColor: 'var(--edge)' },
  '.cm-searchMatch': { backgroundColor: 'var(--caution-soft)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.content], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-value)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--ink-soft)' },
]);

export const theme: Extension = [look, syntaxHighlighting(colours)];
