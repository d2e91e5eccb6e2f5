import { ParleyError } from '@parley/client';
import { client } from '../data/client.ts';
import { portalPath } from '../environment.ts';

let code = '';
let opening: Promise<void> | undefined;

/** Takes the code from the address: neither the history nor a screen may keep it. */
export function takeCode(): void {
  code = location.hash.slice(1);
  if (code !== '') history.replaceState(history.state, '', location.pathname + location.search);
}

/**
 * Gives the code of the address for a session, once. A used code is fine if this browser has its session, such as after
 * a reload of the page with the frame. Rejects with 401 if it is not valid any more.
 */
export function openPortalLink(): Promise<void> {
  opening ??= open().catch((error: unknown) => {
    // The server did not answer: the code may still be good.
    if (!(error instanceof ParleyError)) opening = undefined;
    throw error;
  });
  return opening;
}

async function open(): Promise<void> {
  if (code === '') return;
  const response = await fetch(portalPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-parley-console': 'portal' },
    body: JSON.stringify({ code }),
  });
  if (response.ok) return;
  if (response.status === 401 && (await hasSession())) return;
  if (response.status >= 500 || response.status === 429) throw new Error(`HTTP ${response.status}`);
  throw new ParleyError({ status: 401, type: 'invalid-link', detail: 'This link is not valid any more' });
}

/**
 * Returns whether this browser has the session of the code, which is `prl_plk_`, the id of the link and a secret.
 * Rejects if the server does not say.
 */
async function hasSession(): Promise<boolean> {
  try {
    const { id } = await client.session.get();
    return code.startsWith(`prl_plk_${id.replaceAll('-', '')}_`);
  } catch (error) {
    if (error instanceof ParleyError && error.status === 401) return false;
    throw new Error('the server does not say whose session this is', { cause: error });
  }
}
