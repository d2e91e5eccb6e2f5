import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The window that the screen opens at once. */
    opens?: string;
  }
}

/** Returns whether a window of the screen is open: also if what has led to the screen wanted it so. */
export function useOpening(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { state } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (state.opens !== name) return;
    setOpen(true);
    // Not again when the page is reloaded, or somebody comes back.
    history.replaceState({ ...history.state, opens: undefined }, '');
  }, [state, name]);
  return [isOpen, setOpen];
}
