import { ParleyError } from '@parley/client';
import { client } from '../data/client.ts';
import { portalPath } from '../environment.ts';

let opening: Promise<void> | undefined;

/**
 * Gives the code of the address for a session, once. The address keeps the code until the server has answered, so that
 * the page can be loaded again, and no longer: neither the history nor a screen may have it. A used code is fine if
 * this browser has its session, such as after a reload of the page with the frame. Rejects with 401 if it is not valid
 * any more, or incomplete.
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
  const code = location.hash.slice(1);
  if (code === '') return;
  const response = await fetch(portalPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-parley-console': 'portal' },
    body: JSON.stringify({ code }),
  });
  if (response.status >= 500 || response.status === 429) throw new Error(`HTTP ${response.status}`);
  const isOpen = response.ok || (response.status === 401 && (await hasSession(code)));
  history.replaceState(history.state, '', location.pathname + location.search);
  if (isOpen) return;
  const { type, detail } = (await response.json()) as { type: string; detail: string };
  throw new ParleyError({ status: 401, type, detail });
}

/**
 * Returns whether this browser has the session of the code, which is `prl_plk_`, the id of the link and a secret.
 * Rejects if the server does not say.
 */
async function hasSession(code: string): Promise<boolean> {
  try {
    const { id } = await client.session.get();
    return code.startsWith(`prl_plk_${id.replaceAll('-', '')}_`);
  } catch (error) {
    if (error instanceof ParleyError && error.status === 401) return false;
    throw new Error('the server does not say whose session this is', { cause: error });
  }
}
