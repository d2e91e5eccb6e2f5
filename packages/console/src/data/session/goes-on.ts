import type { CallerSession } from '@parley/client';

/**
 * Returns whether a session goes on with the work of another one. Names are not unique. In a frame, each visit has a
 * portal link of its own: a link with equal rights goes on.
 */
export function goesOn(session: CallerSession, before: CallerSession): boolean {
  const rightsOf = ({ workspaces, webhookIds }: CallerSession): string =>
    JSON.stringify([workspaces, webhookIds]);
  return session.id === before.id || (session.type === 'portal' && rightsOf(session) === rightsOf(before));
}
