import { autocompletion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Mark } from './check.ts';
import { completeBy, type Schema } from './complete.ts';
import { theme } from './theme.ts';

/** What other parts of the screen do with the editor. */
export interface EditorHandle {
  /** Puts the cursor at a place, in UTF-16 units, and shows it. */
  goTo(offset: number): void;
}

interface Props {
  label: string;
  text: string;
  /** The text to which the differences are shown. Undefined: none are shown. */
  original: string | undefined;
  marks: Mark[];
  /** What the text may contain, for completion. Undefined until it is loaded. */
  schema: Schema | undefined;
  onChange(text: string): void;
  ref: Ref<EditorHandle>;
}

/** An editor for JSON. In a shadow tree, whose style sheets the policy of the page allows. */
export function CodeEditor({ label, text, original, marks, schema, onChange, ref }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  const known = useRef(schema);
  const difference = useRef(new Compartment());
  useEffect(() => {
    changed.current = onChange;
    known.current = schema;
  }, [onChange, schema]);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const opened = open(root, label, text, [
      difference.current.of([]),
      autocompletion({ override: [completeBy(() => known.current)] }),
      EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
        if (docChanged) changed.current(doc.toString());
      }),
    ]);
    view.current = opened;
    return () => opened.destroy();
    // The editor owns its text from then on.
  }, []);
  useEffect(() => {
    const shown = original === undefined ? [] : unifiedMergeView({ original, mergeControls: false });
    view.current?.dispatch({ effects: difference.current.reconfigure(shown) });
  }, [original]);
  useEffect(() => {
    const current = view.current;
    if (!current) return;
    // A check can be about a text that was longer.
    const end = current.state.doc.length;
    const fitting = marks.map((mark) => ({
      ...mark,
      from: Math.min(mark.from, end),
      to: Math.min(mark.to, end),
    }));
    current.dispatch(setDiagnostics(current.state, fitting));
  }, [marks]);
  useImperativeHandle(ref, () => ({
    goTo: (offset) => {
      const anchor = Math.min(offset, view.current?.state.doc.length ?? 0);
      view.current?.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      view.current?.focus();
    },
  }));
  return <div ref={host} className="min-w-0" />;
}

function open(root: ShadowRoot, label: string, text: string, more: Extension): EditorView {
  const state = EditorState.create({
    doc: text,
    extensions: [
      basicSetup,
      json(),
      theme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      more,
    ],
  });
  return new EditorView({ state, parent: root, root });
}
