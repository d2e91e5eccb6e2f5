import type { CallerSession } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { base, portalWorkspace } from '../../environment.ts';
import { openPortalLink } from '../../portal/open-link.ts';
import { client } from '../client.ts';
import { goesOn } from './goes-on.ts';
import { tabValues } from './storage.ts';

/**
 * Who is signed in, and what the person may do in which workspaces. All tabs of a browser have one session, which
 * another tab can replace: then this one stays with the person who has opened it, and asks before another one goes on.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'] as const,
  queryFn: async ({ signal, client: cache }): Promise<CallerSession> => {
    if (portalWorkspace !== undefined) await openPortalLink();
    const session = await client.session.get({ signal });
    const before = cache.getQueryData<CallerSession>(['session']);
    if (!before || goesOn(session, before)) return session;
    setSessionOver(true);
    return before;
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
});

const listeners = new Set<() => void>();
let isOver = false;

/** Returns whether the session has ended while the page was open. */
export const isSessionOver = (): boolean => isOver;

export function useSessionOver(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isSessionOver);
}

/** Notes that the session has ended, or that there is one again. */
export function setSessionOver(next: boolean): void {
  isOver = next;
  for (const listener of listeners) listener();
}

const returnKey = 'parley-console-return';

/** Opens the page for signing in. It leads back to the screen that is open now. */
export function openSignIn(): void {
  const { pathname, search } = location;
  tabValues.setItem(returnKey, pathname + search);
  location.assign(`${base}/console/sign-in`);
}

/** Returns the path of the screen that was open before signing in, once. */
export function takeReturnPath(): string | undefined {
  const path = tabValues.getItem(returnKey) ?? undefined;
  tabValues.removeItem(returnKey);
  return path;
}

const joinedKey = 'parley-console-joined';

/** Returns the ids of the workspaces that the person has joined at the sign-in, until the notice is closed. */
export function joinedWorkspaces(): string[] {
  return tabValues.getItem(joinedKey)?.split(' ') ?? [];
}

export function forgetJoined(): void {
  tabValues.removeItem(joinedKey);
}

/** Ends the session, and opens the page for signing in. The page of the portal says that the session is over. */
export async function signOut(): Promise<void> {
  await client.session.end();
  if (portalWorkspace !== undefined) location.reload();
  else location.assign(`${base}/console/sign-in`);
}
