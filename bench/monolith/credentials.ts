import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@parley/runtime/config/keyring';
import { jwtVerify } from 'jose';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Tables } from './database.ts';
import { Fault } from './fault.ts';

type Key = Pick<Selectable<Tables['api_key']>, 'workspace_ids' | 'pepper_id' | 'digest'>;

/** Checks `Authorization: Basic` and returns the workspaces that the key can access. 401. */
export function createKeyCheck(
  db: Kysely<Tables>,
  peppers: Keyring,
  cacheMs: number,
): (authorization: string | undefined) => Promise<string[]> {
  const cache = new Map<string, { key: Key; until: number }>();

  const find = async (apiKey: string): Promise<Key | undefined> => {
    const cached = cache.get(apiKey);
    if (cached && cached.until > Date.now()) return cached.key;
    const key = await db
      .selectFrom('api_key')
      .where('api_key', '=', apiKey)
      .where('revoked_at', 'is', null)
      .select(['workspace_ids', 'pepper_id', 'digest'])
      .executeTakeFirst();
    if (key) cache.set(apiKey, { key, until: Date.now() + cacheMs });
    return key;
  };

  return async (authorization = '') => {
    const [, encoded = ''] = /^basic +(.+)$/i.exec(authorization) ?? [];
    const decoded = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = decoded.indexOf(':');
    const key = colon > 0 ? await find(decoded.slice(0, colon)) : undefined;
    const pepper = peppers.keys.get(key?.pepper_id ?? '');
    const given =
      pepper &&
      createHmac('sha256', pepper)
        .update(decoded.slice(colon + 1))
        .digest();
    if (!key || !given || !timingSafeEqual(given, key.digest)) {
      throw new Fault(401, 'invalid-credentials', 'The request has no valid API key and secret');
    }
    return key.workspace_ids;
  };
}

const claims = z.object({
  ws: z.string(),
  link: z.strictObject({ id: z.string(), version: z.int() }),
});

/** The session of a link, from `Authorization: Bearer`. */
export interface LinkSession {
  workspaceId: string;
  interactionId: string;
  linkVersion: number;
}

/** Parses a session's token. 401. */
export async function readSession(keys: Keyring, authorization = ''): Promise<LinkSession> {
  const [, token = ''] = /^bearer +(.+)$/i.exec(authorization) ?? [];
  try {
    const { payload } = await jwtVerify(token, ({ kid = '' }) => keys.keys.get(kid) ?? keys.current.key, {
      algorithms: ['HS256'],
      audience: 'parley:session',
      requiredClaims: ['exp', 'aud'],
    });
    const { ws, link } = claims.parse(payload);
    return { workspaceId: ws, interactionId: link.id, linkVersion: link.version };
  } catch {
    throw new Fault(401, 'invalid-session', 'The request has no valid session');
  }
}
