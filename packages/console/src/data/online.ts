import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => onlineManager.subscribe(listener);
const isOnline = (): boolean => onlineManager.isOnline();

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, isOnline);
}

function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (!isOnline()) return;
      stop();
      resolve();
    });
  });
}

/** Returns a function that loads a part of the console. Without a network it waits: a failed load would be final. */
export function whenOnline<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    if (!isOnline()) await untilOnline();
    return load();
  };
}
