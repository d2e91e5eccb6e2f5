import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusedIn, focusFirst } from './focus.ts';

/**
 * Moves the focus to the next question when `key` changes, if the focus was in the footer, which renders again, or on
 * the panel itself. A focus elsewhere is unchanged.
 */
export function useFocusOn(panel: RefObject<HTMLElement | null>, key: string): void {
  const known = useRef(key);
  // Read while rendering: afterwards the element with the focus is gone.
  const focused = panel.current === null ? null : focusedIn(panel.current);
  const isHeld = focused !== null && (focused === panel.current || focused.closest('footer') !== null);
  useLayoutEffect(() => {
    if (known.current === key) return;
    known.current = key;
    if (isHeld && panel.current !== null) focusFirst(panel.current);
  });
}
