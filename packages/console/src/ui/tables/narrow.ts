import { useSyncExternalStore } from 'react';

const query = matchMedia('(max-width: 47.99rem)');

const subscribe = (change: () => void): (() => void) => {
  query.addEventListener('change', change);
  return () => query.removeEventListener('change', change);
};

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
