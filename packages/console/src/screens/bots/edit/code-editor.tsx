import { autocompletion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import type { Mark } from './check.ts';
import type { Schema } from '@parley/bot/editing/forms';
import { completeBy } from './complete.ts';
import type { TextDocument } from './text-document.ts';
import { theme } from './theme.ts';

/** A place in the text, in UTF-16 units. The same place again is another object. */
export interface Place {
  offset: number;
}

interface Props {
  label: string;
  document: TextDocument;
  /** Where the cursor is put, and shown. Undefined: nowhere yet. */
  place: Place | undefined;
  /** The text to which the differences are shown. Undefined: none are shown. */
  original: string | undefined;
  marks: Mark[];
  /** What the text may contain, for completion. Undefined until it is loaded. */
  schema: Schema | undefined;
}

/** An editor for the JSON of a document. In a shadow tree, whose style sheets the policy of the page allows. */
export function CodeEditor({ label, document, place, original, marks, schema }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const known = useRef(schema);
  const difference = useRef(new Compartment());
  useEffect(() => {
    known.current = schema;
  }, [schema]);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const extensions = extensionsOf(label, [
      difference.current.of([]),
      autocompletion({ override: [completeBy(() => known.current)] }),
    ]);
    return document.show(extensions, (state) => {
      view.current = new EditorView({ state, parent: root, root });
      return view.current;
    });
  }, [document]);
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
  useEffect(() => {
    if (!place || !view.current) return;
    const anchor = Math.min(place.offset, view.current.state.doc.length);
    view.current.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    view.current.focus();
  }, [place]);
  return <div ref={host} className="min-w-0" />;
}

function extensionsOf(label: string, more: Extension): Extension {
  return [
    basicSetup,
    json(),
    theme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    more,
  ];
}
