import type { Scope } from '@parley/contracts/scopes';
import type { Principal as KeyOwner, PortalSession, SignedIn } from '@parley/contracts/identity/v1/identity';

/** The caller of a request: an API key, a person or the portal. All have scopes in workspaces. */
export type Principal = KeyPrincipal | PersonPrincipal | PortalPrincipal;

interface Shared {
  /** The API key, or the id of the person or portal link. Unique among all. */
  id: string;
  /** May be empty. */
  name: string;
  /** Every workspace that it can access. */
  workspaceIds: string[];
  /** What it may do in the workspace of the call. Empty for a person in a call without a workspace. */
  scopes: readonly string[];
  /** Rises with every change of the key or person. 0 for the portal. */
  version: number;
  /** Lets the gateway call services for these workspaces. */
  grant: string;
  /** How long the gateway may accept the credential without a call, from before the call that checked it. */
  cacheableMs: number;
  /** Null: it does not end. */
  expiresAt: Date | null;
}

/** An API key. It has the same scopes in all its workspaces. */
export interface KeyPrincipal extends Shared {
  type: 'key';
}

export interface PersonPrincipal extends Shared {
  type: 'person';
  /** May be empty. */
  email: string;
  memberships: SignedIn['memberships'];
  isOperator: boolean;
}

/** A session of the portal. It has one workspace, and makes only calls whose route says so. */
export interface PortalPrincipal extends Shared {
  type: 'portal';
  /** The webhooks that it may see. Null: all. */
  webhookIds: readonly string[] | null;
}

export function principalOfKey({ apiKey, ...key }: KeyOwner): KeyPrincipal {
  const { name, workspaceIds, scopes, version, grant, cacheableMs, expiresAt } = key;
  return { type: 'key', id: apiKey, name, workspaceIds, scopes, version, grant, cacheableMs, expiresAt };
}

export function principalOfPerson({ personId, ...person }: SignedIn): PersonPrincipal {
  const workspaceIds = person.memberships.map(({ workspaceId }) => workspaceId);
  return { ...person, type: 'person', id: personId, workspaceIds, scopes: [] };
}

export function principalOfPortal({
  portalLinkId: id,
  workspaceId,
  webhookIds: ids,
  ...session
}: PortalSession): PortalPrincipal {
  const webhookIds = ids.length > 0 ? ids : null;
  return { ...session, type: 'portal', id, workspaceIds: [workspaceId], webhookIds, version: 0 };
}

export function principalIn(principal: Principal, workspaceId: unknown): Principal {
  if (principal.type !== 'person') return principal;
  const membership = principal.memberships.find((one) => one.workspaceId === workspaceId);
  return { ...principal, scopes: membership?.scopes ?? [] };
}

export function hasScope({ type, scopes }: Principal, scope: Scope): boolean {
  // A replica of identity that does not know scopes accepts only keys that have all.
  return (type === 'key' && scopes.length === 0) || scopes.includes(scope);
}

/**
 * Returns whose calls and bytes the limits count: a key's, a person's, or all portal links' of a workspace together. So
 * links multiply nothing, and take nothing from the key that made them.
 */
export function limitedClientOf({ type, id, workspaceIds }: Principal): string {
  return type === 'portal' ? `portal of ${workspaceIds.join()}` : id;
}

/** Returns whether a principal is a portal link for certain webhooks. */
export function isLimitedLink(principal: Principal): boolean {
  return principal.type === 'portal' && principal.webhookIds !== null;
}

/**
 * Returns whether a principal is a portal link that cannot choose what a webhook gets: events can have personal data of
 * all customers.
 */
export function mayNotChoose(principal: Principal): boolean {
  return (
    isLimitedLink(principal) || (principal.type === 'portal' && !hasScope(principal, 'personal-data:read'))
  );
}

/** Returns whether a principal may see the state of the deployment. No API key may. */
export function isOperator(principal: Principal): boolean {
  return principal.type === 'person' && principal.isOperator;
}

export function credentialPointer({ type }: Principal): string {
  return type === 'key' ? '/headers/authorization' : '/headers/cookie';
}
