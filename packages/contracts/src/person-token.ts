export type TokenKind = 'session' | 'link' | 'portalSession' | 'portalLink';

/** How tokens of people and of the portal begin. A session of one is never accepted for the other. */
export const tokenPrefixes = {
  session: 'prl_ses_',
  link: 'prl_lnk_',
  portalSession: 'prl_pse_',
  portalLink: 'prl_plk_',
} as const satisfies Record<TokenKind, string>;

/** The length of each token. */
export const tokenCharacters = tokenPrefixes.link.length + 32 + 1 + 43;

/** Returns the id (a UUID) of the row of a token. Undefined if the text is no token of the kind. */
export function idOfToken(kind: TokenKind, token: string): string | undefined {
  const [, hex] = /^prl_[a-z]{3}_([0-9a-f]{32})_[0-9A-Za-z]{43}$/.exec(token) ?? [];
  if (hex === undefined || !token.startsWith(tokenPrefixes[kind])) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
