import { createHmac } from 'node:crypto';

/** An SDK secret, as a rotation returns it. */
export interface SdkSecret {
  kid: string;
  secret: string;
}

const encoded = (part: object | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/**
 * Signs a customer token as a company's backend does, with only `node:crypto`: a JWT with HS256 over the UTF-8 bytes of
 * the secret. `claims` and `header` override a valid token's; undefined removes one.
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
