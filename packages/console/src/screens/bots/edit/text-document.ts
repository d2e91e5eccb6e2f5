import { history, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import {
  EditorState,
  type Extension,
  StateEffect,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** What undo and redo can do now. */
export interface Depths {
  undo: number;
  redo: number;
}

/**
 * The text of the editor with its one history. Each view edits it, and a view that has an editor of its own shows it:
 * what one does, another can undo.
 */
export class TextDocument {
  #state: EditorState;
  #view: EditorView | undefined;
  readonly #onChange: (text: string) => void;

  constructor(text: string, onChange: (text: string) => void) {
    this.#state = EditorState.create({ doc: text, extensions: history() });
    this.#onChange = onChange;
  }

  get text(): string {
    return this.#current.doc.toString();
  }

  get depths(): Depths {
    return { undo: undoDepth(this.#current), redo: redoDepth(this.#current) };
  }

  /**
   * Changes the text, as one step of the history. What is typed within half a second at one place is one step.
   */
  change(next: string, { isTyping = false }: { isTyping?: boolean } = {}): void {
    const changes = differenceOf(this.text, next);
    if (!changes) return;
    const annotations = isTyping
      ? [Transaction.userEvent.of('input.type')]
      : [Transaction.userEvent.of('edit'), isolateHistory.of('full')];
    this.#dispatch({ changes, annotations });
  }

  /** Shows the text of somebody else, which undo does not reach. */
  follow(next: string): void {
    const changes = differenceOf(this.text, next);
    if (changes) this.#dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
  }

  /** Undoes the last step. Returns where the text has changed; undefined if there was none. */
  undo(): number | undefined {
    return this.#run(undo);
  }

  redo(): number | undefined {
    return this.#run(redo);
  }

  /** Shows the text in an editor of its own, until the returned function is called. */
  show(extensions: Extension, open: (state: EditorState) => EditorView): () => void {
    const listener = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) this.#onChange(state.doc.toString());
    });
    const view = open(configured(this.#state, [extensions, listener]));
    this.#view = view;
    return () => {
      this.#state = configured(view.state, history());
      this.#view = undefined;
      view.destroy();
    };
  }

  get #current(): EditorState {
    return this.#view?.state ?? this.#state;
  }

  #run(command: typeof undo): number | undefined {
    let at: number | undefined;
    const dispatch = (transaction: Transaction): void => {
      transaction.changes.iterChangedRanges((_fromA, _toA, from) => (at ??= from));
      this.#apply(transaction);
    };
    command({ state: this.#current, dispatch });
    return at;
  }

  #dispatch(spec: TransactionSpec): void {
    this.#apply(this.#current.update(spec));
  }

  #apply(transaction: Transaction): void {
    // The editor reports its changes itself.
    if (this.#view) return this.#view.dispatch(transaction);
    this.#state = transaction.state;
    this.#onChange(this.text);
  }
}

/** Returns a state with other extensions, and the same history. What follows is another step of it. */
function configured(state: EditorState, extensions: Extension): EditorState {
  const effects = StateEffect.reconfigure.of(extensions);
  return state.update({ effects, annotations: isolateHistory.of('full') }).state;
}

/** Returns the shortest part in which two texts differ. */
export function differenceOf(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  const [endBefore, endAfter] = [before.length - 1, after.length - 1];
  let same = 0;
  while (same < most - from && before.charCodeAt(endBefore - same) === after.charCodeAt(endAfter - same))
    same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
