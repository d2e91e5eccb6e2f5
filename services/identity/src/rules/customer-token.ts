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
 * up to 60 seconds ahead; there is no tolerance for `exp`. Throws UNAUTHENTICATED `invalid-customer-token` with the
 * reason, and what `findSecret` throws. Reasons about claims are for tokens with a valid signature.
 */
export async function verifyCustomerToken({
  token,
  workspaceId,
  findSecret,
  now,
}: Verification): Promise<string> {
  const keyOf = async ({ kid }: { kid?: unknown }): Promise<Uint8Array> => {
    if (typeof kid !== 'string') throw invalidToken('its header needs a kid, the name of an SDK secret');
    const secret = await findSecret(kid);
    if (secret === undefined)
      throw invalidToken('its kid is not that of the current or the previous SDK secret');
    return keyBytes(secret);
  };
  // jose ignores padding and line ends, so one token would have many spellings.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw invalidToken('it is not a JWT in its compact form');
  const audience = audienceOf(workspaceId);
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['HS256'],
      audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: skewSeconds,
      currentDate: now,
    });
    const nowSeconds = now.getTime() / 1000;
    const { sub, iat = nowSeconds, exp = Infinity } = payload;
    if (typeof iat !== 'number' || iat > nowSeconds + skewSeconds)
      throw invalidToken(reasons.issuedLater(iat, now));
    if (exp <= nowSeconds) throw invalidToken(reasons.expired(exp, now));
    if (exp - iat > lifetimeSecondsMax) throw invalidToken('its exp is more than 24 hours after its iat');
    if (typeof sub !== 'string' || customerIdFault(sub)) throw invalidToken('its sub is not a customer id');
    return sub;
  } catch (error) {
    throw error instanceof errors.JOSEError ? invalidToken(reasonOf(error, audience, now)) : error;
  }
}

const reasons = {
  expired: (exp: unknown, now: Date) =>
    `it has expired: exp is ${instantOf(exp)}, and now is ${now.toISOString()}`,
  issuedLater: (iat: unknown, now: Date) =>
    `its iat is ${instantOf(iat)}, and now is ${now.toISOString()}; a clock may be ${skewSeconds} s ahead`,
};

function reasonOf(error: errors.JOSEError, audience: string, now: Date): string {
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm must be HS256';
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'its signature does not fit the SDK secret of its kid';
  }
  if (error instanceof errors.JWTExpired) return reasons.expired(error.payload.exp, now);
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'its header or its claims cannot be read';
  const { claim, reason, payload } = error;
  if (reason === 'missing') return `it needs the claim ${claim}`;
  if (claim === 'aud') return `its aud must be ${audience}`;
  if (claim === 'nbf') return `its nbf is ${instantOf(payload.nbf)}, and now is ${now.toISOString()}`;
  return `its claim ${claim} is not valid`;
}

/** Returns a time in seconds as ISO 8601. A token may contain any other value. */
function instantOf(seconds: unknown): string {
  const instant = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(instant.getTime()) ? 'not a time in seconds' : instant.toISOString();
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

function invalidToken(reason: string): AppError {
  const message = `The customer token is not valid: ${reason}`;
  return new AppError('unauthenticated', 'invalid-customer-token', message, { cause: reason });
}
