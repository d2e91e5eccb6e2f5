import { useSyncExternalStore } from 'react';
import { browserValues } from '../../data/session/storage.ts';

const storedKey = 'parley-console-single-keys';
const listeners = new Set<() => void>();
let isOn = browserValues.getItem(storedKey) !== 'off';

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

export function setSingleKeys(next: boolean): void {
  isOn = next;
  if (next) browserValues.removeItem(storedKey);
  else browserValues.setItem(storedKey, 'off');
  for (const listener of listeners) listener();
}
