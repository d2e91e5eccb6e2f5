import { customerIdFault } from '@parley/contracts/customer-id';
import { AppError } from '@parley/runtime/errors';
import { errors, jwtVerify, SignJWT } from 'jose';

const lifetimeSecondsMax = 24 * 60 * 60;
const mintedLifetimeSeconds = 60 * 60;
const skewSeconds = 60;

/** An SDK secret with its name. The UTF-8 bytes of `secret` are the HMAC key. */
export interface SdkKey {
  kid: string;
  secret: string;
}

interface Verification {
  token: string;
  workspaceId: string;
  /** Returns the live SDK secret of that name in the workspace. Called only for well-formed tokens. */
  findSecret: (kid: string) => Promise<string | undefined>;
  now: Date;
}

/**
 * Returns the customer id of a customer token: a JWT (RFC 7519) with HS256 and a `kid`, `aud` = `parley:{ws}`, a
 * customer id as `sub`, and an `exp` at most 24 hours after `iat`, or after now without one. The issuer's clock may be
 * up to 60 seconds ahead; there is no tolerance for `exp`. Throws UNAUTHENTICATED `invalid-customer-token`, the same
 * for every fault, and what `findSecret` throws.
 */
export async function verifyCustomerToken({
  token,
  workspaceId,
  findSecret,
  now,
}: Verification): Promise<string> {
  const keyOf = async ({ kid }: { kid?: unknown }): Promise<Uint8Array> => {
    const secret = typeof kid === 'string' ? await findSecret(kid) : undefined;
    if (secret === undefined) throw invalidToken('no live secret has this kid');
    return keyBytes(secret);
  };
  // jose ignores padding and line ends, so one token would have many spellings.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw invalidToken('not a JWT in its compact form');
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['HS256'],
      audience: audienceOf(workspaceId),
      requiredClaims: ['exp', 'sub'],
      clockTolerance: skewSeconds,
      currentDate: now,
    });
    const nowSeconds = now.getTime() / 1000;
    const { sub, iat = nowSeconds, exp = Infinity } = payload;
    if (typeof iat !== 'number' || iat > nowSeconds + skewSeconds) throw invalidToken('issued in the future');
    if (exp <= nowSeconds) throw invalidToken('has expired');
    if (exp - iat > lifetimeSecondsMax) throw invalidToken('lives for more than 24 hours');
    if (typeof sub !== 'string' || customerIdFault(sub)) throw invalidToken('its subject is no customer id');
    return sub;
  } catch (error) {
    throw error instanceof errors.JOSEError ? invalidToken(error) : error;
  }
}

/** Returns a customer token that is valid for one hour from now. */
export async function mintCustomerToken(
  { kid, secret }: SdkKey,
  workspaceId: string,
  customerId: string,
  now: Date,
): Promise<{ customerToken: string; expiresAt: Date }> {
  const issuedAtSeconds = Math.floor(now.getTime() / 1000);
  const expiresAtSeconds = issuedAtSeconds + mintedLifetimeSeconds;
  const customerToken = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .setSubject(customerId)
    .setAudience(audienceOf(workspaceId))
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .sign(keyBytes(secret));
  return { customerToken, expiresAt: new Date(expiresAtSeconds * 1000) };
}

// Lower case, because the path may spell the UUID in upper case.
function audienceOf(workspaceId: string): string {
  return `parley:${workspaceId.toLowerCase()}`;
}

function keyBytes(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}

function invalidToken(cause: unknown): AppError {
  return new AppError('unauthenticated', 'invalid-customer-token', 'The customer token is not valid', {
    cause,
  });
}
