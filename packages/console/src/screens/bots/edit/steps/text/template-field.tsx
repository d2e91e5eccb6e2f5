import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { useOutline } from '../fields/editing.tsx';
import { useOfferList } from '../offers/offer-list.tsx';
import { type Offer, textOffers } from '../offers/offers.ts';
import { ChipPanel } from './chip-panel.tsx';
import { isInsertable, placeholdersIn, writePlaceholder } from './placeholders.ts';
import { StillText } from './still-text.tsx';
import { useChipWords, useTemplateView } from './use-template-view.ts';

/** How far from the screen something is near, as a share of the screen's height. */
const distance = 2;

interface Props {
  label: string;
  text: string;
  /** The language of the text. Undefined: any. */
  lang?: string | undefined;
  /** `isTyping`: as a part of what is being typed. */
  write(text: string, isTyping: boolean): void;
}

/** A text whose values are chips. It can be typed in once it is near the screen: 60 steps have many. */
export function TemplateField({ label, text, lang, write }: Props) {
  const wordsOf = useChipWords();
  const host = useRef<HTMLDivElement>(null);
  const { isNear: isOpen, approach } = useNear(host);
  const [pressed, press] = useState<number>();
  const chip = pressed === undefined ? undefined : placeholdersIn(text).find(({ from }) => from === pressed);
  // A chip that comes back, as by undoing, is another one.
  if (pressed !== undefined && !chip) press(undefined);
  const { view, list, ask } = useOfferingView(host, { label, text, lang, write, wordsOf, press, isOpen });
  const focus = (): void => {
    if (!isOpen) flushSync(approach);
    view.current?.editor.focus();
  };
  return (
    <div className="space-y-2">
      <FieldHead
        label={label}
        focus={focus}
        insert={() => {
          focus();
          ask();
        }}
      />
      <div className="relative">
        <div
          data-first
          tabIndex={-1}
          className="outline-none"
          // The focus that a program gives.
          onFocus={({ target, currentTarget }) => target === currentTarget && focus()}
        >
          <div key={isOpen ? 'view' : 'still'} ref={host}>
            {!isOpen && <StillText {...{ label, text, lang, wordsOf }} onFocus={focus} />}
          </div>
        </div>
        {list}
        {chip && (
          <ChipPanel
            words={wordsOf(chip).words}
            fallback={chip.fallback}
            write={(fallback) => {
              const insert = writePlaceholder(chip.name, fallback);
              view.current?.replace({ ...chip, insert, caret: insert.length }, 'input.type');
            }}
            remove={() => {
              view.current?.replace({ ...chip, insert: '', caret: 0 }, 'input.complete');
              focus();
            }}
            close={(isLeft) => {
              press(undefined);
              if (!isLeft) focus();
            }}
          />
        )}
      </div>
    </div>
  );
}

function FieldHead({ label, focus, insert }: { label: string; focus(): void; insert(): void }) {
  const { steps: t } = useTexts();
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
      {/* A press leads to the field, as that of other labels. */}
      <span className="flex-1 text-xs font-medium text-quiet" onClick={focus}>
        {label}
      </span>
      <Button isSmall kind="quiet" onClick={insert}>
        {t.placeholder}
      </Button>
    </div>
  );
}

interface ViewOptions
  extends Props,
    Pick<Parameters<typeof useTemplateView>[1], 'wordsOf' | 'press' | 'isOpen'> {}

/** Shows the view of a text, and offers values while it is typed. `ask` offers all of them. */
function useOfferingView(host: RefObject<HTMLDivElement | null>, options: ViewOptions) {
  const { label, text, lang, write, wordsOf, press, isOpen } = options;
  const { values } = useOutline();
  const offersAt = useMemo(() => textOffers(values.filter(isInsertable)), [values]);
  const take = (offer: Offer): void => {
    view.current?.replace(offer, 'input.complete');
    view.current?.editor.focus();
  };
  const { list, show, close, onKey, active } = useOfferList(take);
  const ask = (): void => {
    const { state } = view.current?.editor ?? {};
    if (state) show(offersAt(state.sliceDoc(), state.selection.main.head, true));
  };
  const view = useTemplateView(host, {
    text,
    wordsOf,
    press,
    isOpen,
    attributes: () => ({
      'aria-label': label,
      'aria-autocomplete': 'list',
      autocapitalize: 'sentences',
      autocorrect: 'on',
      dir: 'auto',
      spellcheck: 'true',
      ...(lang !== undefined && { lang }),
    }),
    onText: (next, at, isTyping) => {
      // At once: a later render could show the view a text that is older than its own.
      flushSync(() => {
        write(next, isTyping);
        show(isTyping ? offersAt(next, at, false) : []);
      });
    },
    onLeave: close,
    onKey: ({ key, ctrlKey }) => {
      if (!ctrlKey || key !== ' ') return onKey(key);
      ask();
      return true;
    },
  });
  useEffect(() => {
    // The entry is outside of the shadow tree, so no id can name it.
    if (view.current) view.current.editor.contentDOM.ariaActiveDescendantElement = active();
  });
  return { view, list, ask };
}

/** Returns whether a place is near the screen, or has been. */
function useNear(place: RefObject<HTMLElement | null>): { isNear: boolean; approach(): void } {
  const [isNear, setNear] = useState(false);
  const approach = (): void => setNear(true);
  useLayoutEffect(() => {
    if (isNear || !place.current) return;
    const { top, bottom } = place.current.getBoundingClientRect();
    // What is shown at first must not change after it was drawn.
    if (bottom > -distance * innerHeight && top < (1 + distance) * innerHeight) return approach();
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) approach();
      },
      { rootMargin: `${distance * 100}% 0px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return { isNear, approach };
}
