import { ParleyError } from '@parley/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { portalWorkspace } from '../environment.ts';
import { openSignIn, sessionQuery, setSessionOver } from './session/session.ts';

/** Every 10 seconds, a screen reads again what can change by itself. */
export const liveMs = 10_000;

const onError = (error: unknown): void => {
  if (!(error instanceof ParleyError) || error.status !== 401) return;
  // A form may be open.
  if (queries.getQueryData(sessionQuery.queryKey)) setSessionOver(true);
  // The frame of the portal says that the link is not valid.
  else if (portalWorkspace === undefined) openSignIn();
};

/** The cache of all reads. Reads of a hidden page wait until it is visible. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: false, refetchOnWindowFocus: false },
    // Without a network, a change fails at once. It would run later, when nobody expects it.
    mutations: { networkMode: 'always' },
  },
});
