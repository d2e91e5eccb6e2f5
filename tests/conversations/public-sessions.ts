import { type Answer, api } from '@parley/testing/api';

/** Requests a session of a customer with any text as customer token. */
export function openSession(
  baseUrl: string,
  workspaceId: string,
  customerToken: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<{ sessionToken: string; expiresIn: number; pollAfter: number }>> {
  return api(`${baseUrl}/public/v1/workspaces/${workspaceId}`, undefined).post(
    '/sessions',
    { customerToken },
    headers,
  );
}

/** Requests a session of a link with any text as its token. */
export function openLink(
  baseUrl: string,
  token: unknown,
  headers: Record<string, string> = {},
): Promise<
  Answer<{
    sessionToken: string;
    workspaceId: string;
    interactionId: string;
    status: string;
    botName: string;
  }>
> {
  return api(`${baseUrl}/public/v1`, undefined).post('/link-sessions', { token }, headers);
}

/** The token in an interaction's link. */
export function linkTokenOf({ link }: { link: string }): string {
  return link.slice(link.lastIndexOf('/') + 1);
}
