import { createClient } from '@parley/client';
import { base } from '../environment.ts';

/** The API, called as the person who has signed in. The screens show failures and offer a retry at once. */
export const client = createClient({ baseUrl: location.origin + base, session: true, retries: 1 });
