import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Entry } from './bubble.tsx';

/** The text above the first unread entry that stays visible in a low window, in pixels. */
const contextPx = 72;
/** The space above the first unread entry. */
const marginPx = 8;
/** Layout has fractions of pixels. */
const tolerancePx = 2;

/**
 * Scrolls a transcript to new entries: to its end if they fit, else to the first line that the customer has not read.
 * Leaves a customer in place who has not reached the end of earlier entries. Without entries it shows the beginning.
 */
export function useUnreadInView(
  scroller: RefObject<HTMLElement | null>,
  said: Entry[],
  isTyping: boolean,
): void {
  const known = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const answered = said.findLastIndex(({ type }) => type === 'customer');
    const unread = Math.max(known.current, answered + 1);
    const isOwn = said.length > known.current && answered === said.length - 1;
    // The column runs upwards (flex-direction), so zero is its lower end.
    const hasRead = known.current === 0 || isOwn || element.scrollTop > -tolerancePx;
    known.current = said.length;
    const entries = element.querySelectorAll<HTMLElement>('.entries > .entry');
    const first = entries[unread] ?? (said.length === 0 ? element.firstElementChild : undefined);
    if (hasRead) {
      element.scrollTo({ top: 0 });
      const hiddenPx = first ? element.getBoundingClientRect().top - first.getBoundingClientRect().top : 0;
      if (hiddenPx > 0) element.scrollTo({ top: -hiddenPx - marginPx });
    }
    // In a low window the body scrolls instead, with the footer.
    const from = entries[unread] ?? entries[said.length - 1];
    if (from) element.closest('.body')?.scrollTo({ top: from.offsetTop - contextPx });
  }, [said.length, isTyping]);
}
