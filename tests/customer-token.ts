import { createHmac } from 'node:crypto';

/** An SDK secret as its rotation answers it. */
export interface SdkSecret {
  kid: string;
  secret: string;
}

const encoded = (part: object | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/**
 * A customer token as a client's backend makes it (contract, section 7), with nothing but `node:crypto`: a JWT with
 * HS256 over the UTF-8 bytes of the secret. `claims` and `header` replace what a good token has; undefined removes.
 */
export function mintToken(
  { kid, secret }: SdkSecret,
  workspaceId: string,
  customerId: string,
  { claims = {}, header = {} }: { claims?: object; header?: object } = {},
): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = { sub: customerId, aud: `parley:${workspaceId}`, iat: now, exp: now + 600, ...claims };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT', kid, ...header })}.${encoded(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
