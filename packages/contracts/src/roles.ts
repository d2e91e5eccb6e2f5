import { type Scope, scopeNames } from './scopes.ts';

/** The roles of members, the strongest first. */
export const roleNames = ['owner', 'admin', 'editor', 'viewer'] as const;

export type Role = (typeof roleNames)[number];

export function isRole(text: string): text is Role {
  return roleNames.some((name) => name === text);
}

const viewerScopes: readonly Scope[] = [
  'customers:read',
  'interactions:read',
  'bots:read',
  'webhooks:read',
  'insight:read',
  'workspace:read',
];

const scopesOf: Record<Role, readonly Scope[]> = {
  owner: scopeNames,
  admin: scopeNames,
  editor: [...viewerScopes, 'interactions:write', 'bots:write'],
  viewer: viewerScopes,
};

/** Returns the scopes of a session of the portal, in the order of the catalogue. */
export function portalScopes(hasPersonalData: boolean): Scope[] {
  const wanted: Scope[] = ['webhooks:read', 'webhooks:write'];
  return hasPersonalData ? [...wanted, 'personal-data:read'] : wanted;
}

// A member has it by a setting of its own, not by the role.
const personalDataScope: string = 'personal-data:read';

/** Returns the scopes of a member, in the order of the catalogue. */
export function roleScopes(role: Role, hasPersonalData: boolean): Scope[] {
  return scopeNames.filter((name) =>
    name === personalDataScope ? hasPersonalData : scopesOf[role].includes(name),
  );
}
