import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { classes } from '../../../../../ui/classes.ts';
import type { Offer, OffersAt } from './offers.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

interface Options {
  text: string;
  offersAt: OffersAt;
  write(text: string): void;
}

/** Completes what is typed in a field, from a list below it. */
export function useOffers<Element extends Field>({ text, offersAt, write }: Options) {
  const [offers, setOffers] = useState<Offer[]>([]);
  const [active, setActive] = useState(0);
  const field = useRef<Element>(null);
  const caret = useRef<number>(undefined);
  const id = useId();
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);
  const offer = (at: Field, isAsked: boolean): void => {
    setOffers(offersAt(at.value, at.selectionStart ?? at.value.length, isAsked));
    setActive(0);
  };
  const close = (): void => setOffers([]);
  const take = ({ from, to, insert, caret: inside }: Offer): void => {
    caret.current = from + inside;
    write(text.slice(0, from) + insert + text.slice(to));
    close();
  };
  const onKeyDown = (event: KeyboardEvent<Element>): void => {
    const { key, ctrlKey } = event;
    const chosen = offers[active];
    if (ctrlKey && key === ' ') offer(event.currentTarget, true);
    else if (!chosen) return;
    else if (key === 'Enter') take(chosen);
    else if (key === 'Escape') close();
    else if (key === 'ArrowDown') setActive((active + 1) % offers.length);
    else if (key === 'ArrowUp') setActive((active + offers.length - 1) % offers.length);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isOpen = offers.length > 0;
  return {
    field,
    props: {
      onChange: ({ target }: { target: Element }): void => {
        write(target.value);
        offer(target, false);
      },
      onKeyDown,
      onBlur: close,
      'aria-autocomplete': 'list' as const,
      ...(isOpen && { 'aria-controls': id, 'aria-activedescendant': `${id}-${active}` }),
    },
    isOpen,
    list: isOpen && <OfferList {...{ id, offers, active, take }} />,
  };
}

interface ListProps {
  id: string;
  offers: readonly Offer[];
  active: number;
  take(offer: Offer): void;
}

function OfferList({ id, offers, active, take }: ListProps) {
  const { steps: t } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label={t.offers}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-56 overflow-y-auto rounded-md border border-strong-line bg-panel p-1 shadow-lg"
    >
      {offers.map((offer, index) => (
        <li
          key={`${offer.insert} ${index}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={classes(
            'cursor-pointer rounded px-2 py-1 break-words',
            index === active && 'bg-accent-soft',
          )}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <code className="block font-mono text-xs break-all">{offer.name}</code>
          <span className="block text-xs text-quiet">{offer.words}</span>
        </li>
      ))}
    </ul>
  );
}

interface FieldProps extends Options {
  label: string;
  /** What to do about its fault. */
  fault: string | undefined;
  onFocus?(): void;
}

/** An expression in one line, which completes what is typed and says what is wrong. */
export function ExpressionField({ label, fault, text, offersAt, write, onFocus }: FieldProps) {
  const id = useId();
  const { field, props, isOpen, list } = useOffers<HTMLInputElement>({ text, offersAt, write });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-quiet">
        {label}
      </label>
      <div className="relative">
        <input
          {...props}
          ref={field}
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          autoComplete="off"
          spellCheck={false}
          className="field w-full font-mono text-xs"
          value={text}
          onFocus={onFocus}
        />
        {list}
      </div>
      {fault !== undefined && (
        <p id={`${id}-fault`} className="text-xs break-words text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
