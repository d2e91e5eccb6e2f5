/** For `signCustomerToken`. */
export interface CustomerTokenFields {
  customerId: string;
  workspaceId: string;
  /** `kid` and `secret` of `keys.rotateSdkSecret()`. */
  kid: string;
  secret: string;
  /** At most a day. Default: an hour. */
  expiresInSeconds?: number;
  /** Default: the clock. */
  now?: Date;
}

const encoder = new TextEncoder();

/**
 * Returns a token with which a browser opens a session for the customer: a JWT with HS256 under the SDK secret. Rejects
 * with a RangeError for a token that would be valid for more than a day, and with a TypeError for an empty field.
 */
export async function signCustomerToken({
  customerId,
  workspaceId,
  kid,
  secret,
  expiresInSeconds = 3600,
  now = new Date(),
}: CustomerTokenFields): Promise<string> {
  if (!(expiresInSeconds > 0 && expiresInSeconds <= 86_400))
    throw new RangeError(`expiresInSeconds must be from 1 to 86400, not ${expiresInSeconds}`);
  for (const [name, value] of Object.entries({ customerId, workspaceId, kid, secret }))
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name} must be a text that is not empty`);
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { sub: customerId, aud: `parley:${workspaceId}`, iat, exp: iat + expiresInSeconds };
  const signed = [{ alg: 'HS256', kid }, claims].map((part) =>
    base64url(encoder.encode(JSON.stringify(part))),
  );
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const code = await crypto.subtle.sign('HMAC', key, encoder.encode(signed.join('.')));
  return [...signed, base64url(new Uint8Array(code))].join('.');
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
