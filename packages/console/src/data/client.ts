import { createClient } from '@parley/client';
import { base, portalWorkspace } from '../environment.ts';

const session = portalWorkspace === undefined || 'portal';

/** The API, called as the person who has signed in, or as the portal. The screens offer a retry at once. */
export const client = createClient({ baseUrl: location.origin + base, session, retries: 1 });

/** Its calls also reach the API when the page is closed at once. */
export const leavingClient = createClient({
  baseUrl: location.origin + base,
  session,
  retries: 0,
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
});
