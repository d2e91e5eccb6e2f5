import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--panel)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
    height: '65vh',
  },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-soft)',
  },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--quiet)', borderColor: 'var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket, .cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-soft)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--raised)',
    color: 'var(--quiet)',
    borderColor: 'var(--line)',
  },
  // The policy of the page has no images in addresses, which these would be.
  '.cm-lintRange': { backgroundImage: 'none !important', textDecoration: 'underline wavy 1px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)', backgroundColor: 'var(--bad-soft)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)', backgroundColor: 'var(--warn-soft)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    borderColor: 'var(--line)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-panels button, .cm-panels input, .cm-panels label': { fontSize: '12px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-textfield': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-soft)' },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline 2px var(--good)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'none', textDecoration: 'line-through' },
  '.cm-deletedChunk .cm-deletedLine': { textDecoration: 'none' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.punctuation, color: 'var(--quiet)' },
]);

export const theme: Extension = [look, syntaxHighlighting(colours)];
