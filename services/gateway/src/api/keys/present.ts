import type { ApiKey } from '@parley/contracts/identity/v1/identity';
import { isScope, scopeNames } from '@parley/contracts/scopes';
import { z } from 'zod';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

/** The public half of an API key and its secret. */
export const keyName = z
  .string()
  .regex(/^prl_key_[0-9A-Za-z]{22}$/, 'Must be an API key')
  .meta({ description: 'The public half, `prl_key_...`', examples: ['prl_key_3vVQmGdZcKxw9n2TfPq0Xy'] });

export const scope = z.enum(scopeNames).meta({ id: 'Scope' });

export const apiKey = z
  .strictObject({
    apiKey: keyName,
    name: z.string().meta({ description: 'May be empty', examples: ['Shop backend'] }),
    scopes: z
      .array(scope)
      .meta({ description: 'In the order of the catalogue', examples: [['interactions:write']] }),
    workspaceIds: z.array(id).meta({ description: 'Those of its workspaces that the caller can access too' }),
    createdAt: timestamp,
    createdBy: z.string().meta({
      description: 'The API key or the id of the person that created it or has taken it over, or `operator`',
      examples: ['operator'],
    }),
    expiresAt: timestamp.nullable().meta({ description: 'Null: it does not expire', examples: [null] }),
    lastUsedAt: timestamp.nullable().meta({
      description: 'The hour of its last use; null if it was never used',
      examples: ['2026-11-21T09:00:00.000000'],
    }),
    revokedAt: timestamp.nullable().meta({ description: 'Null: it is not revoked', examples: [null] }),
  })
  .meta({ id: 'ApiKey' });

/** Returns the key as the API shows it to a key with access to `visibleIds`. */
export function toApiKey(row: ApiKey, visibleIds: readonly string[]): z.output<typeof apiKey> {
  return {
    apiKey: row.apiKey,
    name: row.name,
    // A newer release may have stored scopes that this one does not know.
    scopes: row.scopes.filter(isScope),
    workspaceIds: row.workspaceIds.filter((one) => visibleIds.includes(one)),
    createdAt: toTimestamp(row.createdAt),
    createdBy: row.createdBy,
    expiresAt: toTimestampOrNull(row.expiresAt),
    lastUsedAt: toTimestampOrNull(row.lastUsedAt),
    revokedAt: toTimestampOrNull(row.revokedAt),
  };
}
