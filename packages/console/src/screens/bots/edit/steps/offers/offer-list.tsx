import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { classes } from '../../../../../ui/classes.ts';
import type { Offer } from './offers.ts';

const none: Offer[] = [];

/** A list below a field, which offers what completes its text, and the keys that choose from it. */
export function useOfferList(take: (offer: Offer) => void) {
  const [offers, setOffers] = useState(none);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const close = (): void => setOffers(none);
  const choose = (offer: Offer): void => {
    take(offer);
    close();
  };
  const isOpen = offers.length > 0;
  return {
    id,
    isOpen,
    activeId: isOpen ? `${id}-${active}` : undefined,
    /** Returns the entry that Enter takes. */
    active: () => list.current?.children[active] ?? null,
    show: (next: Offer[]): void => {
      setOffers(next.length > 0 ? next : none);
      setActive(0);
    },
    close,
    /** Returns whether the list takes a key. */
    onKey: (key: string): boolean => {
      const chosen = offers[active];
      if (!chosen) return false;
      if (key === 'Enter') choose(chosen);
      else if (key === 'Escape') close();
      else if (key === 'ArrowDown') setActive((active + 1) % offers.length);
      else if (key === 'ArrowUp') setActive((active + offers.length - 1) % offers.length);
      else return false;
      return true;
    },
    list: isOpen && <OfferList {...{ id, offers, active, list, choose }} />,
  };
}

interface Props {
  id: string;
  offers: readonly Offer[];
  active: number;
  list: RefObject<HTMLUListElement | null>;
  choose(offer: Offer): void;
}

function OfferList({ id, offers, active, list, choose }: Props) {
  const { steps: t } = useTexts();
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);
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
          onClick={() => choose(offer)}
        >
          <code className="block font-mono text-xs break-all">{offer.name}</code>
          <span className="block text-xs text-quiet">{offer.words}</span>
        </li>
      ))}
    </ul>
  );
}
