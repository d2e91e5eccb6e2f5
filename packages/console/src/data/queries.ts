import { ParleyError } from '@parley/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { openSignIn } from './session.ts';

/** Every 10 seconds, a screen reads again what can change by itself. */
export const liveMs = 10_000;

const onError = (error: unknown): void => {
  if (error instanceof ParleyError && error.status === 401) openSignIn();
};

/** The cache of all reads. Reads of a hidden page wait until it is visible. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: false, refetchOnWindowFocus: false },
    mutations: { onError },
  },
});
