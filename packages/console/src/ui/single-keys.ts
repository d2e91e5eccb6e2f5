import { useSyncExternalStore } from 'react';

const storedKey = 'parley-console-single-keys';
const listeners = new Set<() => void>();
let isOn = localStorage.getItem(storedKey) !== 'off';

/** Returns whether shortcuts of a single key are on (WCAG 2.1.4). The browser remembers it. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOn,
  );
}

/** Switches shortcuts of a single key on or off. */
export function setSingleKeys(next: boolean): void {
  isOn = next;
  if (next) localStorage.removeItem(storedKey);
  else localStorage.setItem(storedKey, 'off');
  for (const listener of listeners) listener();
}
