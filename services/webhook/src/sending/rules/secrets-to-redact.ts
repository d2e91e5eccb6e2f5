/**
 * Returns the secret token, the signing secrets with and without `whsec_`, and the header values (names in lower case).
 * In header values also: credentials after a scheme, decoded `Basic` credentials, their password, and each cookie.
 */
export function secretsToRedact(
  secretToken: string,
  signingSecrets: readonly string[],
  headers: Readonly<Record<string, string>>,
): string[] {
  const keys = signingSecrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')]);
  const cookies = (headers['cookie'] ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[^=]*=\s*"?|"?\s*$/g, ''));
  return [secretToken, ...keys, ...Object.values(headers).flatMap(credentialsIn), ...cookies];
}

function credentialsIn(field: string): string[] {
  // HTTP removes spaces around a value.
  const value = field.trim();
  const [, scheme = '', credentials] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  if (credentials === undefined) return [value];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString() : '';
  return [value, credentials, decoded, decoded.slice(decoded.indexOf(':') + 1)];
}
