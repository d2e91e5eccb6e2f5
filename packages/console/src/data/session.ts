import { queryOptions } from '@tanstack/react-query';
import { base } from '../environment.ts';
import { client } from './client.ts';

/** Who is signed in, and what the person may do in which workspaces. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.session.get({ signal }),
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

/** Ends the session, and opens the page for signing in. */
export async function signOut(): Promise<void> {
  await client.session.end();
  location.assign(`${base}/console/sign-in`);
}
