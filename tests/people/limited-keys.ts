import type { Scope } from '@parley/contracts/scopes';
import { type Api, api, basic, type TestWorkspace } from '@parley/testing/api';
import { expect } from 'vitest';

export interface Key {
  apiKey: string;
  name: string;
  scopes: Scope[];
  workspaceIds: string[];
  expiresAt: string | null;
  revokedAt: string | null;
}

export type CreatedKey = Key & { secret: string };

/** A well-formed key that does not exist. */
export const neverMade = `prl_key_${'0'.repeat(22)}`;

/** The place of the scopes that the caller lacks. */
export const ofCaller = '/headers/authorization';

/** Returns the calls of a key in a workspace. */
export function callsIn(
  baseUrl: string,
  workspaceId: string,
  { apiKey, secret }: Pick<CreatedKey, 'apiKey' | 'secret'>,
): Api {
  return api(`${baseUrl}/v1/workspaces/${workspaceId}`, basic(apiKey, secret));
}

export async function createKey(
  by: Pick<TestWorkspace, 'api'>,
  scopes: readonly Scope[],
  expiresAt?: Date,
): Promise<CreatedKey> {
  const { status, body } = await by.api.post<CreatedKey>('/apikeys', { name: 'Test', scopes, expiresAt });
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
}

/** Returns the envelope of `missing-scope` with these faults: pointer and scope. */
export function missingScopes(...faults: [string, Scope][]) {
  return {
    success: false,
    code: 403,
    type: 'missing-scope',
    data: null,
    errors: faults.map(([pointer, detail]) => ({ pointer, detail })),
  };
}
