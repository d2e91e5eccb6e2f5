import { type Answer, type Api, api } from '@parley/testing/api';
import { expect } from 'vitest';
import { cookieOf } from './console-people.ts';

/** The header fields of a call from a page of the portal. */
export const fromPortal = { 'sec-fetch-site': 'same-origin', 'x-parley-console': 'portal' };

/** A portal link, as its creation answers. */
export interface CreatedLink {
  id: string;
  url: string;
  expiresAt: string;
}

/** Posts the code of a link, as its page does. */
export function openPortal(
  baseUrl: string,
  { url }: Pick<CreatedLink, 'url'>,
  headers: Record<string, string> = fromPortal,
): Promise<Answer<null>> {
  const { pathname, hash } = new URL(url);
  return api(baseUrl, undefined).call('POST', pathname, { body: { code: hash.slice(1) }, headers });
}

/** Returns calls below `/v1` from the portal with a cookie. */
export function callsOfPortal(baseUrl: string, cookie: string): Api {
  return api(`${baseUrl}/v1`, undefined, { cookie, ...fromPortal });
}

/** Opens a link and returns the cookie of its session with calls below `/v1`. */
export async function enterPortal(
  baseUrl: string,
  link: Pick<CreatedLink, 'url'>,
): Promise<{ cookie: string; calls: Api }> {
  const opened = await openPortal(baseUrl, link);
  expect([opened.status, opened.body.type]).toEqual([200, undefined]);
  const cookie = cookieOf(opened);
  return { cookie, calls: callsOfPortal(baseUrl, cookie) };
}
