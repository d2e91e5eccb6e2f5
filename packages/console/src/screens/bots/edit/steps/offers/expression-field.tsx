import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { useOfferList } from './offer-list.tsx';
import type { Offer, OffersAt } from './offers.ts';

interface Props {
  label: string;
  /** What to do about its fault. */
  fault: string | undefined;
  text: string;
  offersAt: OffersAt;
  write(text: string): void;
  onFocus?(): void;
}

/** An expression in one line, which completes what is typed and says what is wrong. */
export function ExpressionField({ label, fault, text, offersAt, write, onFocus }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(undefined);
  const take = ({ from, to, insert, caret: inside }: Offer): void => {
    caret.current = from + inside;
    write(text.slice(0, from) + insert + text.slice(to));
  };
  const offers = useOfferList(take);
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);
  const offer = ({ value, selectionStart }: HTMLInputElement, isAsked: boolean): void =>
    offers.show(offersAt(value, selectionStart ?? value.length, isAsked));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, ctrlKey, currentTarget } = event;
    if (ctrlKey && key === ' ') offer(currentTarget, true);
    else if (!offers.onKey(key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-quiet">
        {label}
      </label>
      <div className="relative">
        <input
          ref={field}
          id={id}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={offers.isOpen}
          aria-controls={offers.isOpen ? offers.id : undefined}
          aria-activedescendant={offers.activeId}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          autoComplete="off"
          spellCheck={false}
          className="field w-full font-mono text-xs"
          value={text}
          onChange={({ target }) => {
            write(target.value);
            offer(target, false);
          }}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          onBlur={offers.close}
        />
        {offers.list}
      </div>
      {fault !== undefined && (
        <p id={`${id}-fault`} className="text-xs break-words text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
