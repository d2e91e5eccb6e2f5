import { hash, type KeyObject, randomBytes } from 'node:crypto';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { AppError } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { DatabaseClock } from './database-clock.ts';

/** How long a session lives. */
export const sessionSeconds = 900;

const audience = 'parley:session';

// `ms`: the time of issue, finer than `iat`, for services of release 0.1.0: an anonymisation ends earlier sessions.
// `jti` distinguishes sessions of the same millisecond. `ended` is outside of `link`, whose other fields release 0.1.0
// rejects.
const claims = z.object({
  ws: z.string(),
  ms: z.int(),
  jti: z.string(),
  sub: z.string().optional(),
  link: z.strictObject({ id: z.string(), version: z.int() }).optional(),
  // The version of the customer's fence. Absent in sessions of links, and in those of release 0.1.0.
  fence: z.int().optional(),
  ended: z.literal(true).optional(),
});

/** A session whose token was verified. */
export interface VerifiedSession {
  session: Session;
  /** Identifies the session, however its token is written. */
  name: string;
}

/** Sessions of customers' browsers. The signed token contains all that a session may access. */
export interface Sessions {
  /** Returns a token that expires after `sessionSeconds`. */
  issue(session: Pick<Session, 'workspaceId' | 'subject' | 'fenceVersion'>): Promise<string>;
  /** Returns the session of an Authorization header. 401, the same for every fault. */
  read(authorization: string | undefined): Promise<VerifiedSession>;
}

/**
 * Returns sessions as JWTs (HS256) under the current key. It also reads those under older keys of the ring. All times
 * are those of the clock.
 */
export function createSessions(ring: Keyring, { nowMs }: DatabaseClock): Sessions {
  return {
    issue: ({ workspaceId, subject, fenceVersion }) => {
      const now = nowMs();
      const whose =
        subject?.$case === 'interaction'
          ? {
              link: { id: subject.value.interactionId, version: subject.value.linkVersion },
              ...(subject.value.hasEnded && { ended: true }),
            }
          : { sub: subject?.value };
      return new SignJWT({ ws: workspaceId, ms: Math.round(now), ...whose, fence: fenceVersion ?? undefined })
        .setProtectedHeader({ alg: 'HS256', kid: ring.current.id })
        .setAudience(audience)
        .setJti(randomBytes(6).toString('base64url'))
        .setExpirationTime(Math.floor(now / 1000) + sessionSeconds)
        .sign(ring.current.key);
    },
    read: async (authorization) => {
      const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
      const session =
        token && token.length <= 4096 ? await verify(ring, token, new Date(nowMs())) : undefined;
      if (!session)
        throw new AppError('unauthenticated', 'invalid-session', 'The request has no valid session');
      return session;
    },
  };
}

async function verify(ring: Keyring, token: string, currentDate: Date): Promise<VerifiedSession | undefined> {
  try {
    const keyOf = ({ kid }: { kid?: string | undefined }): KeyObject => {
      const key = ring.keys.get(kid ?? '');
      if (!key) throw new Error('no such key');
      return key;
    };
    const requiredClaims = ['exp', 'aud'];
    const options = { algorithms: ['HS256'], audience, requiredClaims, currentDate };
    const { payload } = await jwtVerify(token, keyOf, options);
    const { ws: workspaceId, ms, jti, fence: fenceVersion, ...whose } = claims.parse(payload);
    const subject = subjectOf(whose);
    if (!subject) return undefined;
    const session = { workspaceId, subject, issuedAt: new Date(ms), fenceVersion };
    return { session, name: hash('sha256', JSON.stringify([session, jti]), 'base64url') };
  } catch {
    return undefined;
  }
}

function subjectOf({
  sub,
  link,
  ended,
}: Pick<z.output<typeof claims>, 'sub' | 'link' | 'ended'>): Session['subject'] {
  if (link) {
    const value = { interactionId: link.id, linkVersion: link.version, ...(ended && { hasEnded: true }) };
    return { $case: 'interaction', value };
  }
  return sub === undefined ? null : { $case: 'customerId', value: sub };
}
