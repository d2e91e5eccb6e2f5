import { EditorView } from '@codemirror/view';

/** The look of a field whose text has chips: as other fields. */
export const chipLook = EditorView.theme({
  '&': {
    border: '1px solid var(--strong-line)',
    borderRadius: '6px',
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    fontSize: '14px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '20px' },
  '.cm-content': { minHeight: '56px', padding: '8px 10px', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0' },
  '.chip': {
    display: 'inline-block',
    maxWidth: '100%',
    padding: '0 6px',
    borderRadius: '10px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    verticalAlign: 'bottom',
    unicodeBidi: 'isolate',
    cursor: 'pointer',
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--accent)',
    fontWeight: '500',
    // Forced colours have no backgrounds, and show it.
    outline: '1px solid transparent',
    outlineOffset: '-1px',
  },
  '.chip.unknown': { backgroundColor: 'var(--bad-soft)', color: 'var(--bad)' },
  '.chip.selected': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
});
