import { hash, type KeyObject, randomBytes } from 'node:crypto';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { AppError } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { DatabaseClock } from './database-clock.ts';

export const sessionSeconds = 900;

const audience = 'parley:session';

// `jti` tells the sessions of a subject apart.
const claims = z.object({
  ws: z.string(),
  jti: z.string(),
  exp: z.number(),
  sub: z.string().optional(),
  link: z.strictObject({ id: z.string(), version: z.int(), ended: z.literal(true).optional() }).optional(),
  // The version of the customer's fence; 0 for a link.
  fence: z.int(),
  // Of the customer token or the link.
  grant: z.string(),
});

export interface VerifiedSession {
  session: Session;
  /** What proves to services that the session was opened. */
  grant: string;
  /** Identifies the session, however its token is written. */
  name: string;
}

/** Sessions of customers' browsers. The signed token contains all that a session may access. */
export interface Sessions {
  /** Returns a token that expires after `sessionSeconds`. */
  issue(session: Session, grant: string): Promise<string>;
  /** Returns the session of an Authorization header. 401, which does not show the fault. */
  read(authorization: string | undefined): Promise<VerifiedSession>;
}

/** A token that was verified: what it says, until when, and the key that has signed it. */
interface Remembered {
  verified: VerifiedSession;
  expiresMs: number;
  kid: string | undefined;
  key: KeyObject;
}

/** The number of verified tokens that a process remembers, of at most 4 KiB each. */
const rememberedMax = 10_000;

/**
 * Returns sessions as JWTs (HS256) under the current key. It also reads JWTs under older keys of the ring. All times
 * are by the clock. A token is verified once, because a browser sends it with each call.
 */
export function createSessions(ring: Keyring, { nowMs }: DatabaseClock): Sessions {
  const remembered = new LRUCache<string, Remembered>({ max: rememberedMax });

  const verifyOnce = async (token: string, now: number): Promise<VerifiedSession | undefined> => {
    const known = remembered.get(token);
    if (known && known.expiresMs > now && ring.keys.get(known.kid ?? '') === known.key) return known.verified;
    const fresh = await verify(ring, token, new Date(now));
    if (fresh) remembered.set(token, fresh);
    return fresh?.verified;
  };

  return {
    issue: ({ workspaceId, subject, fenceVersion }, grant) => {
      const now = nowMs();
      const whose =
        subject?.$case === 'interaction'
          ? {
              link: {
                id: subject.value.interactionId,
                version: subject.value.linkVersion,
                ...(subject.value.hasEnded && { ended: true }),
              },
            }
          : { sub: subject?.value };
      return new SignJWT({ ws: workspaceId, ...whose, fence: fenceVersion, grant })
        .setProtectedHeader({ alg: 'HS256', kid: ring.current.id })
        .setAudience(audience)
        .setJti(randomBytes(6).toString('base64url'))
        .setExpirationTime(Math.floor(now / 1000) + sessionSeconds)
        .sign(ring.current.key);
    },
    read: async (authorization) => {
      const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
      const session = token && token.length <= 4096 ? await verifyOnce(token, nowMs()) : undefined;
      if (!session)
        throw new AppError('unauthenticated', 'invalid-session', 'The request has no valid session');
      return session;
    },
  };
}

async function verify(ring: Keyring, token: string, currentDate: Date): Promise<Remembered | undefined> {
  try {
    const { kid } = decodeProtectedHeader(token);
    const key = ring.keys.get(kid ?? '');
    if (!key) return undefined;
    const requiredClaims = ['exp', 'aud'];
    const options = { algorithms: ['HS256'], audience, requiredClaims, currentDate };
    const { payload } = await jwtVerify(token, key, options);
    const { ws: workspaceId, jti, exp, fence: fenceVersion, grant, ...whose } = claims.parse(payload);
    const subject = subjectOf(whose);
    if (!subject) return undefined;
    const session = { workspaceId, subject, fenceVersion };
    const name = hash('sha256', JSON.stringify([session, jti]), 'base64url');
    return { verified: { session, grant, name }, expiresMs: exp * 1_000, kid, key };
  } catch {
    return undefined;
  }
}

function subjectOf({ sub, link }: Pick<z.output<typeof claims>, 'sub' | 'link'>): Session['subject'] {
  if (link) {
    const { id: interactionId, version: linkVersion, ended } = link;
    const value = { interactionId, linkVersion, ...(ended && { hasEnded: true }) };
    return { $case: 'interaction', value };
  }
  return sub === undefined ? null : { $case: 'customerId', value: sub };
}
