import { insertNewline, standardKeymap } from '@codemirror/commands';
import { Annotation, Compartment, EditorState, Facet, StateField, type Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, Direction, EditorView, keymap, WidgetType } from '@codemirror/view';
import { differenceOf } from '../../text-document.ts';
import type { Offer } from '../offers/offers.ts';
import { chipLook } from './chip-look.ts';
import { type Placeholder, placeholdersIn } from './placeholders.ts';

/** How a value is shown inside a text. */
export interface ChipWords {
  words: string;
  /** For screen readers: with its fallback. */
  name: string;
  isKnown: boolean;
}

/** What the chips of a field say, and what a press does. */
interface Chips {
  wordsOf(placeholder: Placeholder): ChipWords;
  /** `from`: where the placeholder is. */
  press(from: number): void;
}

const chipsFacet = Facet.define<Chips, Chips | undefined>({ combine: ([chips]) => chips });

/** A change that did not begin in the field. */
const outside = Annotation.define<true>();

/** A value inside a text. It is one unit for the keyboard and the clipboard. */
class Chip extends WidgetType {
  readonly #shown: ChipWords & { isSelected: boolean };

  constructor(shown: ChipWords & { isSelected: boolean }) {
    super();
    this.#shown = shown;
  }

  override eq(other: Chip): boolean {
    return JSON.stringify(this.#shown) === JSON.stringify(other.#shown);
  }

  override toDOM(view: EditorView): HTMLElement {
    const chip = document.createElement('span');
    chip.setAttribute('role', 'button');
    chip.setAttribute('aria-haspopup', 'true');
    // The text keeps its selection, and a finger no keyboard that covers the screen.
    chip.addEventListener('mousedown', (event) => event.preventDefault());
    chip.addEventListener('click', () => view.state.facet(chipsFacet)?.press(view.posAtDOM(chip)));
    this.#show(chip);
    return chip;
  }

  override updateDOM(chip: HTMLElement): boolean {
    this.#show(chip);
    return true;
  }

  #show(chip: HTMLElement): void {
    const { words, name, isKnown, isSelected } = this.#shown;
    chip.className = ['chip', !isKnown && 'unknown', isSelected && 'selected'].filter(Boolean).join(' ');
    chip.textContent = words;
    chip.title = name;
    chip.setAttribute('aria-label', name);
  }
}

const chipsField = StateField.define<DecorationSet>({
  create: decorate,
  update: (before, { docChanged, selection, startState, state }) =>
    docChanged || selection || startState.facet(chipsFacet) !== state.facet(chipsFacet)
      ? decorate(state)
      : before,
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of(({ state }) => state.field(field)),
  ],
});

function decorate(state: EditorState): DecorationSet {
  const { from, to } = state.selection.main;
  const chips = state.facet(chipsFacet);
  const ranges = placeholdersIn(state.sliceDoc()).map((placeholder) => {
    const shown = chips?.wordsOf(placeholder) ?? { words: '', name: '', isKnown: false };
    const isSelected = from <= placeholder.from && placeholder.to <= to;
    const widget = new Chip({ ...shown, isSelected });
    return Decoration.replace({ widget }).range(placeholder.from, placeholder.to);
  });
  return Decoration.set(ranges);
}

/** Selects the chip over which the cursor would move, so that Enter opens it. */
function selectChip(isRight: boolean): (view: EditorView) => boolean {
  return (view) => {
    const { main } = view.state.selection;
    if (!main.empty) return false;
    const isForward = isRight === (view.textDirectionAt(main.head) === Direction.LTR);
    const { head } = view.moveByChar(main, isForward);
    const [from, to] = [Math.min(main.head, head), Math.max(main.head, head)];
    const found = placeholdersIn(view.state.sliceDoc()).find((one) => one.from === from && one.to === to);
    if (!found) return false;
    view.dispatch({ selection: { anchor: main.head, head }, scrollIntoView: true, userEvent: 'select' });
    return true;
  };
}

function pressSelected({ state }: EditorView): boolean {
  const { from, to } = state.selection.main;
  const found = placeholdersIn(state.sliceDoc()).find((one) => one.from === from && one.to === to);
  if (found) state.facet(chipsFacet)?.press(from);
  return found !== undefined;
}

const keys = keymap.of([
  { key: 'ArrowLeft', run: selectChip(false) },
  { key: 'ArrowRight', run: selectChip(true) },
  { key: 'Enter', run: (view) => pressSelected(view) || insertNewline(view), shift: insertNewline },
  // The rest of the editor has the history.
  ...standardKeymap,
]);

/** What the field of a text does with its view. */
export interface TemplateEvents {
  attributes(): Record<string, string>;
  /** `isTyping`: as a part of what is being typed. */
  onText(text: string, at: number, isTyping: boolean): void;
  /** The cursor is at another place, or the focus elsewhere. */
  onLeave(): void;
  /** Returns whether a key is taken. */
  onKey(event: KeyboardEvent): boolean;
}

/** A part of the text, and what replaces it, with the cursor `caret` behind its beginning. */
type Part = Pick<Offer, 'from' | 'to' | 'insert' | 'caret'>;

/** A view of a text whose values are chips. It has no history: the editor around has the only one. */
export class TemplateView {
  readonly editor: EditorView;
  readonly #chips = new Compartment();

  /** In a shadow tree, whose style sheets the policy of the page allows. */
  constructor(root: ShadowRoot, text: string, chips: Chips, events: TemplateEvents) {
    const listener = EditorView.updateListener.of(
      ({ docChanged, selectionSet, state, transactions, view }) => {
        const isOutside = transactions.some((one) => one.annotation(outside));
        if (docChanged && !isOutside)
          events.onText(state.sliceDoc(), state.selection.main.head, transactions.every(isTyping));
        else if (docChanged || selectionSet || !view.hasFocus) events.onLeave();
      },
    );
    const extensions = [
      // Other characters at the end of a line stay as they are.
      EditorState.lineSeparator.of('\n'),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(() => events.attributes()),
      this.#chips.of(chipsFacet.of(chips)),
      chipsField,
      // Windows ends lines by both characters. Fields of browsers keep one.
      EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll(/\r\n?/g, '\n')),
      EditorView.domEventHandlers({
        // Before the keys of the view.
        keydown: (event) => !event.isComposing && events.onKey(event),
        // Without a selection, the view would take the whole line.
        copy: (_event, view) => view.state.selection.main.empty,
        cut: (_event, view) => view.state.selection.main.empty,
      }),
      keys,
      listener,
      chipLook,
    ];
    this.editor = new EditorView({
      state: EditorState.create({ doc: text, extensions }),
      parent: root,
      root,
    });
  }

  /** Shows a text that has changed elsewhere. */
  show(text: string): void {
    const changes = differenceOf(this.editor.state.sliceDoc(), text);
    if (changes) this.editor.dispatch({ changes, annotations: outside.of(true) });
  }

  relabel(chips: Chips): void {
    this.editor.dispatch({ effects: this.#chips.reconfigure(chipsFacet.of(chips)) });
  }

  /** Replaces a part of the text, as what is typed, or as a step of its own. */
  replace({ from, to, insert, caret }: Part, userEvent: 'input.type' | 'input.complete'): void {
    const selection = { anchor: from + caret };
    this.editor.dispatch({ changes: { from, to, insert }, selection, userEvent, scrollIntoView: true });
  }
}

const ownSteps = ['input.complete', 'input.paste', 'input.drop', 'delete.cut', 'move.drop'];

function isTyping(transaction: Transaction): boolean {
  return !ownSteps.some((event) => transaction.isUserEvent(event));
}
