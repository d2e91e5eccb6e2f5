/**
 * Returns the customer of a token, its `sub` (RFC 7519), without verification: the server verifies. Undefined for a
 * text that is no such token.
 */
export function customerOf(token: string): string | undefined {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
    const { sub } = JSON.parse(text) as { sub?: unknown };
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}
