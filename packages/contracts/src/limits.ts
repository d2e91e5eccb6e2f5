// Limits that the gateway documents and checks first, and that the owner of the data enforces.

/** Returns whether a text has more than `max` code points. Each is one or two UTF-16 units. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

/** Code points of the company's id of a customer. */
export const customerIdCharactersMax = 255;

/** Of a customer, in code points. */
export const customerLimits = { nameCharactersMax: 255, emailCharactersMax: 320 } as const;

/** Of erasures. */
export const erasureLimits = {
  /** How long an anonymisation may wait for its end, because load balancers often end idle calls after 30 seconds. */
  waitSecondsMax: 25,
  /** On a page, as on other pages. */
  pageSizeMax: 50,
} as const;

/** Items on a numbered page. */
export const pageSizeMax = 50;

/** Of the browser's calls, in code points. */
export const conversationLimits = {
  clientMessageIdCharactersMax: 128,
  stepIdCharactersMax: 255,
  localeCharactersMax: 35,
} as const;

/** Of an interaction. Bytes are those of UTF-8. */
export const interactionLimits = {
  contextValueBytesMax: 2 * 1024,
  contextBytesMax: 16 * 1024,
  /** Ten years. */
  expirySecondsMax: 10 * 365 * 24 * 60 * 60,
  /** How long a call may wait for a change of a conversation. */
  waitSecondsMax: 25,
} as const;

/** Of the branding of a workspace. Lengths are in code points. */
export const brandingLimits = {
  displayNameCharactersMax: 100,
  logoBytesMax: 64 * 1024,
  /** Pixels, in width and in height. */
  logoSideMax: 1_024,
  endTextCharactersMax: 500,
  endLinkUrlCharactersMax: 2_048,
  endLinkLabelCharactersMax: 100,
} as const;

/** Of a webhook and its deliveries. */
export const webhookLimits = {
  /** Code points. */
  secretTokenCharactersMax: 256,
  /** How long a replaced signing secret may stay valid: a week. */
  overlapSecondsMax: 7 * 24 * 60 * 60,
  headerFieldsMax: 20,
  headerNameLengthMax: 100,
  headerValueLengthMax: 1_024,
  /** Of a rate limit. */
  perSecondMin: 0.001,
  perSecondMax: 1_000,
  burstMax: 1_000,
  /** How long finished deliveries, attempts and the bodies of events are kept. */
  daysKept: 30,
  /** On a page. */
  deliveriesMax: 50,
  attemptsMax: 20,
} as const;
