// Limits that the gateway documents and checks first, and that the owner of the data enforces.

/** Returns whether a text has more than `max` code points. Each is one or two UTF-16 units. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

/** Ids of other systems are shorter, and each index has a copy. */
export const customerIdCharactersMax = 255;

/** Of a customer, in code points. */
export const customerLimits = {
  /** Real names are shorter. */
  nameCharactersMax: 255,
  /** The longest address of RFC 3696. */
  emailCharactersMax: 320,
  /** A single letter would match too many customers to be of use. */
  searchCharactersMin: 2,
  /** As long as an address. */
  searchCharactersMax: 320,
  /** Of one list by ids: more than a page of any list. */
  idsMax: 100,
} as const;

/** Of the audit log. */
export const auditLimits = {
  /** The page is merged from the logs of four services, which each return so many. */
  pageSizeMax: 100,
  /** As long as the longest id: a customer's. */
  filterCharactersMax: 255,
} as const;

/** Of erasures. */
export const erasureLimits = {
  /** How long an anonymisation may wait for its end, because load balancers often end idle calls after 30 seconds. */
  waitSecondsMax: 25,
  /** On a page, as on other pages. */
  pageSizeMax: 50,
} as const;

/** Of the retention of interactions. */
export const retentionLimits = {
  /** Ten years: a larger value is a mistake in the unit. */
  daysMax: 3_650,
} as const;

export const contactLimits = {
  /** More is no limit. */
  countMax: 100,
  /** A year: as long as a deleted interaction is remembered. */
  daysMax: 365,
} as const;

/** A page is one answer of limited size. */
export const pageSizeMax = 50;

/** Of the browser's calls, in code points. */
export const conversationLimits = {
  clientMessageIdCharactersMax: 128,
  stepIdCharactersMax: 255,
  localeCharactersMax: 35,
  revisionsMax: 50,
} as const;

/** The characters of the token of a link: an id (22), the version of the link (1 to 6) and a signature (22). */
export const linkTokenChars = { min: 45, max: 50 } as const;

/** Of an interaction. Bytes are in UTF-8. */
export const interactionLimits = {
  /** A bot fills it into texts. */
  contextValueBytesMax: 2 * 1024,
  /** It is part of each conversation, whose size is limited. */
  contextBytesMax: 16 * 1024,
  /** Ten years: a larger value is a mistake in the unit. */
  expirySecondsMax: 10 * 365 * 24 * 60 * 60,
  /** Load balancers often end calls that are idle for 30 seconds. */
  waitSecondsMax: 25,
  /** A list looks up each in an index. */
  evaluationFiltersMax: 5,
  /** A key and an answer of a customer, in code points. */
  evaluationFilterCharactersMax: 4_500,
} as const;

/** Of a bulk call. */
export const bulkLimits = {
  /** One transaction has all items, and more would hold its connection and locks for long. */
  itemsMax: 500,
  /** 500 items of 4 KiB. */
  bodyBytesMax: 2 * 1024 * 1024,
  /** JSON values: 500 items with 30 entries of a context. Checking so many takes tens of milliseconds. */
  bodyValuesMax: 50_000,
} as const;

/** Of a version of a bot. */
export const botVersionLimits = {
  /** One line, as the subject of a commit; a list has hundreds of them. In code points. */
  noteCharactersMax: 200,
} as const;

/** Of the presences of a bot. */
export const presenceLimits = {
  /** Two renewals of the console, ten seconds apart, may be late or lost in between. */
  secondsKept: 25,
  /** More than anybody edits in. Further ones end those that were renewed least recently. */
  tabsPerPersonMax: 10,
  /** More people than work on one bot. */
  listedMax: 100,
} as const;

/** Of a replay of conversations with another definition. */
export const replayLimits = {
  /** They show what a change does, and take a few seconds. */
  conversationsMax: 500,
  /** More than anybody reads. The counts have all. */
  differencesMax: 100,
  /** Kinds of differences. More have no pattern. */
  groupsMax: 50,
  /** Texts, and values of the evaluation, of one kind. */
  partsMax: 10,
  /** UTF-16 units of a text or value. Bounds the answer to one megabyte. */
  partCharactersMax: 400,
} as const;

/** Of the branding of a workspace. Lengths are in code points. */
export const brandingLimits = {
  displayNameCharactersMax: 100,
  logoBytesMax: 64 * 1024,
  /** Pixels, in width and in height. */
  logoSideMax: 1_024,
  endTextCharactersMax: 500,
  /** One line above the start of a conversation. */
  privacyTextCharactersMax: 200,
  endLinkUrlCharactersMax: 2_048,
  endLinkLabelCharactersMax: 100,
} as const;

/** Of API keys. */
export const keyLimits = {
  /** One line of a list, in code points. */
  nameCharactersMax: 100,
  /** Keys whose home is a workspace, ended ones too: a new key replaces the oldest one that ended a day ago. */
  perWorkspaceMax: 1_000,
  /** On a page, as on other pages. */
  pageSizeMax: 50,
} as const;

/** Of members, their sessions and links. */
export const memberLimits = {
  /** A page of a list of them, as of others. */
  pageSizeMax: 50,
  /** Members and invitations of a workspace. Larger companies give roles by groups, which have no limit. */
  perWorkspaceMax: 1_000,
  /** Each call of a person contains the ids of the workspaces. */
  workspacesPerPersonMax: 100,
  /** A link is opened at once. */
  consoleLinkSecondsMax: 15 * 60,
  /** People read invitations after a weekend. */
  invitationSecondsMax: 7 * 24 * 60 * 60,
  /** A session ends after so long without a call: a night. */
  sessionIdleSecondsMax: 12 * 60 * 60,
  /** A session ends after so long. */
  sessionSecondsMax: 7 * 24 * 60 * 60,
  /** From the page of the provider back to Parley. */
  signInSecondsMax: 10 * 60,
} as const;

/** Of links of the portal. */
export const portalLimits = {
  /** A page of a list of them, as of others. */
  pageSizeMax: 50,
  /** A link is made for one visit. */
  expiresInSecondsMax: 24 * 60 * 60,
  /** Links of a workspace that are not over. Each stays in the list until a day after its end. */
  perWorkspaceMax: 10_000,
  /** A workspace has at most as many webhooks. */
  webhookIdsMax: 100,
  /** As the name of an API key. */
  nameCharactersMax: 100,
} as const;

/** Of open links and the conversations that they begin. */
export const openLinkLimits = {
  /** One line of a list, in code points. */
  nameCharactersMax: 100,
  /** A link for each table of a large restaurant. */
  perBotMax: 1_000,
  /** A page of a list of them, as of others. */
  pageSizeMax: 50,
  /** A larger number is a mistake. */
  responsesMax: 1_000_000,
  /** A URL has few parameters. */
  contextKeysMax: 20,
  /** The page makes 22 characters. */
  visitCharactersMax: 64,
  /** So long, a browser continues its conversation. */
  continuedDays: 30,
  /** A family behind one address, not a program. Each gateway counts for itself. */
  startsPerAddressMax: 10,
  /** A minute of a link in a broadcast. Each gateway counts for itself. */
  startsPerLinkMax: 600,
  /** Anonymous customers that one call between services deletes. */
  deletedAtOnceMax: 200,
} as const;

/** Of a webhook and its deliveries. */
export const webhookLimits = {
  /** Longer conditions belong into the receiver. */
  filterCharactersMax: 1_000,
  /** It is part of the URL of each attempt, in code points. */
  secretTokenCharactersMax: 256,
  /** A replaced secret is not valid for longer than a week. */
  overlapSecondsMax: 7 * 24 * 60 * 60,
  /** Receivers limit the size of headers. */
  headerFieldsMax: 20,
  headerNameLengthMax: 100,
  headerValueLengthMax: 1_024,
  /** Of a rate limit. */
  perSecondMin: 0.001,
  perSecondMax: 1_000,
  burstMax: 1_000,
  /** Finished deliveries, attempts and the bodies of events are deleted after that. */
  daysKept: 30,
  /** A page is one answer of limited size. */
  deliveriesMax: 50,
  attemptsMax: 20,
  /** Each webhook of a workspace counts the same events: with 100 webhooks, as many index entries. */
  waitingEventsCountedMax: 1_000,
} as const;

/** Of the figures of a bot. */
export const insightLimits = {
  /** Each day has 24 rows of counters, each of which may have hundreds. */
  windowDaysMax: 400,
} as const;
