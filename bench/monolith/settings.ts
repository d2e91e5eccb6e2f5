/** What the monolith is told. The secrets are those of the system that it is held against: one client fits both. */
export interface Settings {
  databaseUrl: string;
  /** Keyrings as `kid:base64(32 bytes)`. */
  credentialPeppers: string;
  sessionKeys: string;
  linkKeys: string;
  /** How long it may rely on credentials that it has looked up. */
  credentialMs: number;
  /** Where links lead, without a trailing slash. */
  landingUrl: string;
}
