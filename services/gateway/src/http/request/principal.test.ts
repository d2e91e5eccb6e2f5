import { expect, test } from 'vitest';
import { limitedClientOf, type Principal, principalOfPortal } from './principal.ts';

function portal(portalLinkId: string, workspaceId: string): Principal {
  const session = { name: '', scopes: [], cacheableMs: 0, grant: '', expiresAt: new Date() };
  return principalOfPortal({ ...session, portalLinkId, workspaceId, webhookIds: [] });
}

test('the links of a workspace share their limits, and nobody else does', () => {
  const [one, two, other] = [portal('l-1', 'w-1'), portal('l-2', 'w-1'), portal('l-3', 'w-2')];
  expect(limitedClientOf(one)).toBe(limitedClientOf(two));
  expect(limitedClientOf(one)).not.toBe(limitedClientOf(other));
});
