import { hash, type KeyObject } from 'node:crypto';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { AppError } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** How long a session lives. */
export const sessionSeconds = 900;

const audience = 'parley:session';

// `ms`: when it was issued, finer than `iat`, since sessions die by the moment of an anonymisation.
const claims = z.object({
  ws: z.string(),
  ms: z.int(),
  sub: z.string().optional(),
  link: z.strictObject({ id: z.string(), version: z.int() }).optional(),
});

/** Sessions of customers' browsers: what they may reach stands in the token, signed, and nowhere else. */
export interface Sessions {
  /** A token that lives `sessionSeconds` from now. */
  issue(session: Pick<Session, 'workspaceId' | 'subject'>): Promise<string>;
  /** Whose session the Authorization header brings. 401, the same for every fault of it. */
  read(authorization: string | undefined): Promise<Session>;
}

/** Sessions as JWTs (HS256) under the current key; those under the older keys of the ring are read too. */
export function createSessions(ring: Keyring): Sessions {
  return {
    issue: ({ workspaceId, subject }) => {
      const now = Date.now();
      const whose =
        subject?.$case === 'interaction'
          ? { link: { id: subject.value.interactionId, version: subject.value.linkVersion } }
          : { sub: subject?.value };
      return new SignJWT({ ws: workspaceId, ms: now, ...whose })
        .setProtectedHeader({ alg: 'HS256', kid: ring.current.id })
        .setAudience(audience)
        .setExpirationTime(Math.floor(now / 1000) + sessionSeconds)
        .sign(ring.current.key);
    },
    read: async (authorization) => {
      const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
      const session = token && token.length <= 4096 ? await verify(ring, token) : undefined;
      if (!session)
        throw new AppError('unauthenticated', 'invalid-session', 'The request has no valid session');
      return session;
    },
  };
}

/** One name per session, however its token is written. */
export function nameOfSession({ workspaceId, subject, issuedAt }: Session): string {
  return hash('sha256', JSON.stringify([workspaceId, subject, issuedAt]), 'base64url');
}

async function verify(ring: Keyring, token: string): Promise<Session | undefined> {
  try {
    const keyOf = ({ kid }: { kid?: string | undefined }): KeyObject => {
      const key = ring.keys.get(kid ?? '');
      if (!key) throw new Error('no such key');
      return key;
    };
    const requiredClaims = ['exp', 'aud'];
    const { payload } = await jwtVerify(token, keyOf, { algorithms: ['HS256'], audience, requiredClaims });
    const { ws: workspaceId, ms, sub, link } = claims.parse(payload);
    const issuedAt = new Date(ms);
    if (link) {
      const value = { interactionId: link.id, linkVersion: link.version };
      return { workspaceId, subject: { $case: 'interaction', value }, issuedAt };
    }
    return sub === undefined
      ? undefined
      : { workspaceId, subject: { $case: 'customerId', value: sub }, issuedAt };
  } catch {
    return undefined;
  }
}
