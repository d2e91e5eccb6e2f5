import type { Scope } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { base } from '../environment.ts';

/** A workspace that the caller may see. */
export interface SessionWorkspace {
  workspaceId: string;
  name: string;
  role: string | null;
  scopes: (Scope | 'personal-data:read')[];
}

/** Who is signed in. */
export interface Session {
  type: 'key' | 'person';
  id: string;
  name: string;
  email: string | null;
  workspaces: SessionWorkspace[];
  expiresAt: string | null;
}

async function readSession(): Promise<Session> {
  const response = await fetch(`${location.origin}${base}/v1/session`, {
    headers: { 'x-parley-console': '1' },
  });
  const { data } = (await response.json()) as { data: Session };
  return data;
}

/** The session, read once. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

const returnKey = 'parley-console-return';

/** Opens the page for signing in. It leads back to the screen that is open now. */
export function openSignIn(): void {
  const { pathname, search } = location;
  sessionStorage.setItem(returnKey, pathname + search);
  location.assign(`${base}/console/sign-in`);
}

/** Returns the path of the screen that was open before signing in, once. */
export function takeReturnPath(): string | undefined {
  const path = sessionStorage.getItem(returnKey) ?? undefined;
  sessionStorage.removeItem(returnKey);
  return path;
}
