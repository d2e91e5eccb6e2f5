/** The settings of the monolith. The secrets come from the compared system, so one client fits both. */
export interface Settings {
  databaseUrl: string;
  /** Keyrings as `kid:base64(32 bytes)`. */
  credentialPeppers: string;
  sessionKeys: string;
  linkKeys: string;
  /** How long it may cache verified credentials. */
  credentialMs: number;
  /** The base URL of links, without a trailing slash. */
  landingUrl: string;
  /** Whether it raises events: by rows of an outbox, which a poller takes. */
  hasOutbox: boolean;
}
