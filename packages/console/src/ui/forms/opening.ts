import { type HistoryState, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Returns the state of a navigation that opens a window of the screen. */
export function opening(name: string): HistoryState {
  const state: Record<string, unknown> = { opens: name };
  return state;
}

/** Returns whether a window of the screen is open: also if what has led to the screen wanted it so. */
export function useOpening(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { state } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!('opens' in state) || state.opens !== name) return;
    setOpen(true);
    // Not again when the page is reloaded, or somebody comes back.
    history.replaceState({ ...history.state, opens: undefined }, '');
  }, [state, name]);
  return [isOpen, setOpen];
}
