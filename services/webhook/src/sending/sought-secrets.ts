import { isUtf8 } from 'node:buffer';

/** What the requests of a webhook hold that its log must not show. */
interface Secrets {
  secretToken: string;
  /** `whsec_...` */
  signingSecrets: readonly string[];
  /** The webhook's own header fields, by names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/**
 * The secrets of a webhook in the shapes in which its receiver may have them: the token and its base64 and base64url, the
 * signing secrets with and without their prefix, the values of header fields, what follows a scheme in them, the user and
 * password of `Basic` (RFC 7617) and the password alone, and the value of each cookie.
 */
export function soughtSecrets({ secretToken, signingSecrets, headers }: Secrets): string[] {
  const values = Object.values(headers);
  return [
    secretToken,
    ...base64Of(secretToken),
    ...signingSecrets,
    ...signingSecrets.map((secret) => secret.replace(/^whsec_/, '')),
    ...values.flatMap(credentialsIn),
    ...values.flatMap(basicIn),
    ...cookiesIn(headers['cookie'] ?? ''),
  ];
}

function base64Of(text: string): string[] {
  const bytes = Buffer.from(text);
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/** A header field's value, and if it is of the form `Scheme credentials` (RFC 9110, 11.4) the latter alone. */
function credentialsIn(value: string): string[] {
  // A receiver sees no spaces around a value.
  const trimmed = value.trim();
  const [, credentials] = /^\S+ +(\S.*)$/.exec(trimmed) ?? [];
  return credentials === undefined ? [trimmed] : [trimmed, credentials];
}

function basicIn(value: string): string[] {
  const [, credentials] = /^\s*basic +(\S+)\s*$/i.exec(value) ?? [];
  if (credentials === undefined) return [];
  const bytes = Buffer.from(credentials, 'base64');
  const decoded = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  return [decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

function cookiesIn(field: string): string[] {
  return field.split(';').map((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1).trim();
    return value.replace(/^"(.*)"$/, '$1');
  });
}
