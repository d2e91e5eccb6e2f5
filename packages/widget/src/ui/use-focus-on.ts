import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusedIn, focusFirst } from './focus.ts';

/**
 * Leads the focus on to what is asked next when `key` changes, if it was in the footer, which is drawn anew, or on the
 * panel itself. A focus elsewhere is never touched.
 */
export function useFocusOn(panel: RefObject<HTMLElement | null>, key: string): void {
  const known = useRef(key);
  // Looked at while drawing, since afterwards the element that had the focus is gone.
  const focused = panel.current === null ? null : focusedIn(panel.current);
  const isHeld = focused !== null && (focused === panel.current || focused.closest('footer') !== null);
  useLayoutEffect(() => {
    if (known.current === key) return;
    known.current = key;
    if (isHeld && panel.current !== null) focusFirst(panel.current);
  });
}
