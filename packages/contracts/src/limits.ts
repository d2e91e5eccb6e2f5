// Bounds that the gateway states and checks first, and that the service which owns the data holds to.

/** Code points of a client's own id of a customer. */
export const customerIdCharactersMax = 255;

/** Of an interaction. Bytes are those of UTF-8. */
export const interactionLimits = {
  contextValueBytesMax: 2 * 1024,
  contextBytesMax: 16 * 1024,
  /** Ten years. */
  expirySecondsMax: 10 * 365 * 24 * 60 * 60,
  /** How long a call may wait for something new in a talk. */
  waitSecondsMax: 25,
} as const;

/** Of a webhook and its deliveries. */
export const webhookLimits = {
  /** Code points. */
  secretTokenCharactersMax: 256,
  /** How long former secrets may go on signing: a week. */
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
