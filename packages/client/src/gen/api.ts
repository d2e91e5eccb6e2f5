// Made of the API's OpenAPI document by packages/client/generate.ts: `npm run generate`.

export type Attempt = {
  /** From 1: its request carries it as `x-parley-attempt`. One that is not counted has the number of the next one */
  number: number;
  /** Whether it uses up one of the attempts: false when its answer paused the webhook */
  isCounted: boolean;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  startedAt: string;
  /** In all */
  durationMs: number;
  /** The parts; null for what was not done: a kept connection needs no DNS, TCP and TLS */
  latency: {
    dnsMs: number | null;
    connectMs: number | null;
    tlsMs: number | null;
    firstByteMs: number | null;
  };
  /** Of the answer; null when there was none */
  status: number | null;
  /** `http_<status>`, `dns`, `refused`, `reset`, `tls`, `timeout_connect`, `timeout_total`, `protocol` or `blocked_address`; null for a success */
  error: string | null;
  /** For how long its `Retry-After` (429 or 503) paused the webhook; null when it is counted */
  retryAfterSeconds: number | null;
  /** The beginning of the answer's body, at most 16 KiB; what is no UTF-8 is U+FFFD. Null when there was none, or it was removed with what it was about */
  responseExcerpt: string | null;
};

export type Bot = {
  id: string;
  name: string;
  /** The properties that an interaction may supply */
  context: Array<string>;
};

/** A conversation as data: `schemaVersion`, `key`, `name`, `type` and `steps` at least. Its own JSON Schema (bot-v1) tells all. */
export type BotDefinition = Record<string, unknown>;

export type BotVersion = {
  version: number;
  /** Of the definition, in hex; spelling and the order of fields do not count */
  sha256: string;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
};

/** What customers see of the workspace on link pages and in the widget. A field that is null is not set: the product has its own look and words */
export type Branding = {
  displayName: string | null;
  /** Where the logo is served. Another logo has another address, so that it can be cached for ever */
  logoUrl: string | null;
  accentColor: string | null;
  endText: string | null;
  endLink: BrandingEndLink | null;
};

export type BrandingChange = {
  displayName?: string | null;
  logo?: string | null;
  accentColor?: string | null;
  endText?: string | null;
  endLink?: BrandingEndLink | null;
};

/** A link below `endText` */
export type BrandingEndLink = {
  /** An https URL without user name and password */
  url: string;
  /** The words of the link */
  label: string;
};

export type CursorMeta = {
  /** Gives the next page as `cursor`; null when there is none */
  nextCursor: string | null;
};

export type Customer = {
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Newest first; empty in lists and on creation */
  interactions: Array<CustomerInteraction>;
};

export type CustomerChange = {
  firstName?: string;
  lastName?: string;
  /** An email address, or empty */
  email?: string;
};

export type CustomerInteraction = {
  id: string;
  status: InteractionStatus;
  priority: Priority;
  /** Leads the customer straight to the talk */
  link: string;
  expiresAt: string | null;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  customerId: string;
  /** The longer label of the type */
  type: string;
  /** JSON text of an `InteractionHistory`; null until the interaction has started */
  data: string | null;
  /** The names of the properties */
  context: Array<string>;
};

export type Delivery = {
  /** Its requests carry it as `x-parley-delivery-id` */
  id: string;
  /** Of whose completion it tells; null for a test */
  interactionId: string | null;
  isTest: boolean;
  /** Its requests carry it as `webhook-id` */
  webhookMessageId: string;
  state: DeliveryState;
  /** How many were made, have ended and are counted */
  attempts: number;
  /** An attempt is being made */
  isUnderWay: boolean;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** When the next attempt is due; null under way, while it waits for an earlier one, and in the end */
  dueAt: string | null;
  /** When it came to its end; null while it is pending */
  finishedAt: string | null;
};

export type DeliveryState = 'pending' | 'succeeded' | 'failed' | 'skipped' | 'discarded';

export type Failure = {
  success: false;
  /** The HTTP status */
  code: number;
  /** For people */
  detail: string;
  /** null, but for `stale-sequence`: the current snapshot */
  data: unknown;
  meta: null;
  /** For programs: a stable slug per cause */
  type: string;
  requestId: string;
  /** Every fault of the request, the first hundred of them; with `invalid-request` and `malformed-json` only */
  errors?: Array<{
    /** A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields */
    pointer: string;
    detail: string;
  }>;
};

/** The question that is waited for, and what its type needs: `min` and `max` are numbers for nps, rating and number, `YYYY-MM-DD` for date, `HH:MM` for time; `labels` are those of `yes` and `no`, or of the `low` and `high` end; `prefill` is what the field holds at first. */
export type Input = {
  stepId: string;
  type:
    | 'text'
    | 'longText'
    | 'email'
    | 'phone'
    | 'url'
    | 'choice'
    | 'multiChoice'
    | 'nps'
    | 'rating'
    | 'number'
    | 'yesNo'
    | 'date'
    | 'time';
  required: boolean;
  choices?: Array<{
    value: string;
    label: string;
  }>;
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  minSelections?: number;
  maxSelections?: number;
  labels?: Record<string, string>;
  prefill?: string | number | boolean | Array<string>;
};

export type Interaction = {
  id: string;
  status: InteractionStatus;
  priority: Priority;
  /** Leads the customer straight to the talk */
  link: string;
  expiresAt: string | null;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  customerId: string;
  /** The type of the bot */
  type: string;
  /** JSON text of an `InteractionHistory`; null until the interaction has started */
  data: string | null;
  context: Array<{
    key: string;
    value: string;
  }>;
};

export type InteractionChange = {
  status?: InteractionStatus;
  priority?: Priority;
  /** Seconds from the request; 0 and null mean none */
  expiry?: number | null;
};

export type InteractionHistory = {
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  customer_id: string;
  interaction_id: string;
  /** By the keys of the bot */
  evaluation: Record<string, string>;
  transcript: Array<{
    body: string;
    /** Epoch seconds with fraction */
    timestamp: number;
    type: 'bot' | 'customer';
  }>;
};

/** `Draft` is invisible to the customer. `Pending` waits for the customer, who starts it. `InProgress` has started. `Completed` and `Expired` are closed */
export type InteractionStatus = 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired';

export type Message = {
  /** The same id and message again get the stored outcome */
  clientMessageId: string;
  /** The `seq` of the snapshot that is answered */
  expectedSeq: number;
  /** The `input.stepId` of that snapshot */
  stepId: string;
  /**
   * Exactly one: a `value` of the step's type, `text` that is understood as one where possible, or `skip`. Values are strings
   * for text, longText, email, phone, url and choice, an array of strings for multiChoice, numbers for nps, rating and number, a boolean
   * for yesNo, `YYYY-MM-DD` for date and `HH:MM` for time.
   */
  answer: {
    value?: unknown;
    text?: string;
    skip?: true;
  };
};

export type NewCustomer = {
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  id: string;
  /** Default: `""` */
  firstName?: string;
  /** Default: `""` */
  lastName?: string;
  /** An email address, or empty. Default: `""` */
  email?: string;
};

/** Exactly one of `botId` and `botKey` is required. */
export type NewInteraction = {
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  customerId: string;
  /** The id of the bot; or give its `botKey` */
  botId?: string;
  /** The `key` of the bot's definition, instead of `botId` */
  botKey?: string;
  /** `Draft` is invisible to the customer; `Pending` offers the conversation to the customer. Default: `"Draft"` */
  status?: InteractionStatus;
  /** Default: `"Medium"` */
  priority?: Priority;
  /** Seconds from the request; 0 and null mean none */
  expiry?: number | null;
  /** Default: `[]` */
  context?: Array<{
    key: string;
    value: string;
  }>;
};

export type NewRecovery = {
  /** Those that were made then or later; an instant with a zone (RFC 3339), or as the API writes it, in UTC */
  since: string;
  /** Those that were made before that instant; now unless given */
  until?: string;
  /** Default: `["failed","skipped"]` */
  states?: Array<'failed' | 'skipped'>;
};

export type NewWebhook = {
  /** http or https; a deployment takes public https URLs only */
  url: string;
  /** Sent as a query parameter of each delivery; unique in the workspace and never shown */
  secretToken: string;
  /** Default: `false` */
  isActive?: boolean;
};

export type PageMeta = {
  totalResults: number;
  /** 0 when there are no results */
  totalPages: number;
  currentPage: number;
  pageSize: number;
};

export type Pending = {
  interactionId: string;
  status: InteractionStatus;
  type: string;
  priority: Priority;
  /** What the bot is called now */
  botName: string;
  /** How the bot begins */
  teaser: string;
  expiresAt: string | null;
  /** How many more are waiting */
  more: number;
};

export type Priority = 'Low' | 'Medium' | 'High';

export type PublishedBot = {
  id: string;
  name: string;
  /** The properties that an interaction may supply */
  context: Array<string>;
  version: number;
};

export type Recovery = {
  id: string;
  /** `stopped`: the webhook was deactivated meanwhile */
  state: 'running' | 'done' | 'stopped';
  /** How many deliveries it has made due so far */
  recovered: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  since: string;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  until: string;
  states: Array<'failed' | 'skipped'>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** Null while it is running */
  finishedAt: string | null;
};

export type Snapshot = {
  status: InteractionStatus;
  /** The number of the newest entry */
  seq: number;
  entries: Array<{
    seq: number;
    type: 'bot' | 'customer';
    body: string;
    /** Epoch seconds with fraction */
    timestamp: number;
    /** The customer has skipped the question */
    skipped?: true;
    /** The body is a number on a scale that ends here */
    outOf?: number;
  }>;
  input: Input | null;
  /** What else is waited for; null when nothing is */
  awaiting: string | null;
  progress: number;
  expiresAt: string | null;
  /** What the bot is called now */
  botName: string;
};

export type Webhook = {
  id: string;
  url: string;
  isActive: boolean;
  event: string;
};

export type WebhookChange = {
  isActive: boolean;
};

export type WebhookOptions = {
  /** Of the header fields that are added to every delivery; their values are never shown */
  headerNames: Array<string>;
  /** null: as fast as the receiver answers */
  rateLimit: WebhookRateLimit | null;
  ordering: WebhookOrdering;
  /** Whether there is a `v1a` signature (Ed25519) as well */
  asymmetricSignature: boolean;
  /** Those that verify `v1a` signatures now, newest first: `whpk_` and base64 of 32 bytes */
  publicKeys: Array<string>;
};

export type WebhookOptionsChange = {
  /**
   * Header fields of every delivery, by name; they take the place of all there were. Not to be set are `host`, `content-*`, `transfer-encoding`,
   * `connection` and the like, `user-agent`, `traceparent`, `tracestate`, `webhook-*` and `x-parley-*`. Values are kept encrypted and never shown.
   */
  headers?: Record<string, string>;
  /** null for none */
  rateLimit?: WebhookRateLimit | null;
  ordering?: WebhookOrdering;
  asymmetricSignature?: boolean;
};

/** `perCustomer`: those of a customer one after another, `strict`: all of the webhook. One that fails holds up those behind it until it succeeds or has used up its attempts */
export type WebhookOrdering = 'none' | 'perCustomer' | 'strict';

/** Of attempts, over all copies of the service */
export type WebhookRateLimit = {
  perSecond: number;
  /** How many may go out at once after a pause */
  burst: number;
};

export type WebhookStats = {
  /** Deliveries that have not come to an end, counted up to 10,000 */
  pending: number;
  /** For how long the oldest of them has been due; 0 when none is */
  oldestDueSeconds: number;
  /** `open` after many failures: one delivery at a time is tried */
  breaker: 'closed' | 'open';
  /** By the wish of the receiver (`Retry-After`), or the breaker */
  pausedUntil: string | null;
  /** Its receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or the `breaker` is open; null while nothing pauses it */
  pauseReason: 'rate_limited' | 'unavailable' | 'breaker' | null;
  /** A caller said so, its receiver answered 410, or it had no success for five days; null while it is active */
  inactiveReason: 'user' | 'gone' | 'auto' | null;
  lastSuccessAt: string | null;
  /** The first failure after the last success */
  failingSince: string | null;
  /** When it will be switched off if it goes on failing */
  disabledAt: string | null;
  /** The last 24 hours (UTC) that had attempts, oldest first; kept for 7 days */
  hours: Array<{
    /** When it began */
    hour: string;
    attempts: number;
    failures: number;
    meanMs: number;
    maxMs: number;
  }>;
};

export type Workspace = {
  id: string;
  name: string;
  /** Origins of pages that may use the browser SDK */
  allowedDomains: Array<string>;
};

/** The stable `type` of an error. */
export type ErrorType =
  | 'invalid-request'
  | 'malformed-path'
  | 'malformed-request'
  | 'invalid-credentials'
  | 'not-found'
  | 'not-acceptable'
  | 'request-timeout'
  | 'precondition-failed'
  | 'body-too-large'
  | 'rate-limited'
  | 'too-many-failures'
  | 'headers-too-large'
  | 'internal'
  | 'unavailable'
  | 'timeout'
  | 'malformed-json'
  | 'unsupported-media-type'
  | 'idempotency-key-reused'
  | 'illegal-transition'
  | 'illegal-expiry'
  | 'lost-race'
  | 'customer-exists'
  | 'invalid-session'
  | 'conversation-ended'
  | 'client-message-id-reused'
  | 'stale-sequence'
  | 'not-started'
  | 'unanswerable-answer'
  | 'bot-key-in-use'
  | 'secret-token-in-use'
  | 'too-many-webhooks'
  | 'webhook-inactive'
  | 'delivery-under-way'
  | 'event-expired'
  | 'not-home-workspace'
  | 'invalid-customer-token'
  | 'foreign-origin';

/** What each operation takes, and what it answers with. */
export interface Operations {
  /**
   * Remove the personal details of a customer from every copy; the history stays
   *
   * Afterwards neither name nor email is in any store of the deployment, transcripts and webhook logs included; ids,
   * statuses, timestamps and scores stay. Open interactions expire, and the links and sessions of all die. May be repeated.
   */
  anonymiseCustomer: {
    input: { params: { workspaceId: string; customerId: string } };
    data: null;
    meta: null;
  };
  /** Create a bot from its definition */
  createBot: {
    input: { params: { workspaceId: string }; body: BotDefinition };
    data: PublishedBot;
    meta: null;
  };
  /** Create a customer */
  createCustomer: {
    input: { params: { workspaceId: string }; body: NewCustomer };
    data: Customer;
    meta: null;
  };
  /**
   * Sign a customer token
   *
   * For `POST /public/v1/workspaces/{workspaceId}/sessions`, called by the browser of the customer. The customer must have been created.
   */
  createCustomerToken: {
    input: { params: { workspaceId: string; customerId: string } };
    data: {
      customerToken: string;
      /** UTC, ISO 8601 with six fractional digits and no zone */
      expiresAt: string;
    };
    meta: null;
  };
  /**
   * Create an interaction, and its customer when there is none
   *
   * The default status `Draft` is invisible to the customer. Send `"status": "Pending"` to start the
   * conversation: the widget and the `link` of the answer then offer it to the customer. Any status is accepted. An
   * interaction created `Completed` or `Expired` is an archived import and raises no event.
   * `context` may have the keys that the bot names, each once, with values of 2 KiB and
   * 16 KiB in all (UTF-8).
   */
  createInteraction: {
    input: { params: { workspaceId: string }; body: NewInteraction };
    data: Interaction;
    meta: null;
  };
  /**
   * Begin a session with the token of a link
   *
   * The token is the last part of the `link` of an interaction. Changes nothing; only the landing page may call it.
   * The body has at most 16 KiB.
   */
  createLinkSession: {
    input: {
      body: {
        token: string;
      };
    };
    data: {
      sessionToken: string;
      /** Seconds */
      expiresIn: number;
      workspaceId: string;
      interactionId: string;
      status: InteractionStatus;
      botName: string;
    };
    meta: null;
  };
  /**
   * Begin a session with a customer token
   *
   * The body has at most 16 KiB.
   */
  createSession: {
    input: {
      params: { workspaceId: string };
      body: {
        customerToken: string;
      };
    };
    data: {
      sessionToken: string;
      /** Seconds */
      expiresIn: number;
      /** After how many seconds to ask for what is pending */
      pollAfter: number;
      branding?: Branding;
    };
    meta: null;
  };
  /** Create a webhook */
  createWebhook: {
    input: { params: { workspaceId: string }; body: NewWebhook };
    data: Webhook;
    meta: null;
  };
  /** Delete a webhook; what was due to it is cancelled */
  deleteWebhook: {
    input: { params: { workspaceId: string; webhookId: string } };
    data: null;
    meta: null;
  };
  /** Get a bot */
  getBot: {
    input: { params: { workspaceId: string; botId: string } };
    data: Bot;
    meta: null;
  };
  /** Get the branding of a workspace */
  getBranding: {
    input: { params: { workspaceId: string } };
    data: Branding;
    meta: null;
  };
  /**
   * Get the talk so far; waits up to `wait` seconds for something newer than `after`
   *
   * One call of a session waits for a talk at a time: a newer one ends the older, which is answered with the talk as it is.
   */
  getConversation: {
    input: {
      params: { workspaceId: string; interactionId: string };
      query?: { after?: number; wait?: number };
    };
    data: Snapshot;
    meta: null;
  };
  /**
   * Get a customer with its interactions, newest first
   *
   * A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete JSON: send the request again. Allow more time for very large lists.
   */
  getCustomer: {
    input: { params: { workspaceId: string; customerId: string } };
    data: Customer;
    meta: null;
  };
  /** Get a delivery */
  getDelivery: {
    input: { params: { workspaceId: string; webhookId: string; deliveryId: string } };
    data: Delivery;
    meta: null;
  };
  /** Get an interaction */
  getInteraction: {
    input: { params: { workspaceId: string; interactionId: string } };
    data: Interaction;
    meta: null;
  };
  /** Get the best waiting interaction of the session, or null */
  getPending: {
    input: { params: { workspaceId: string }; query?: { locale?: string } };
    data: Pending | null;
    meta: null;
  };
  /** Get how far a recovery came */
  getRecovery: {
    input: { params: { workspaceId: string; webhookId: string; recoveryId: string } };
    data: Recovery;
    meta: null;
  };
  /** Get a webhook */
  getWebhook: {
    input: { params: { workspaceId: string; webhookId: string } };
    data: Webhook;
    meta: null;
  };
  /** Get how a webhook is delivered to */
  getWebhookOptions: {
    input: { params: { workspaceId: string; webhookId: string } };
    data: WebhookOptions;
    meta: null;
  };
  /** Get how the receiver of a webhook has been doing */
  getWebhookStats: {
    input: { params: { workspaceId: string; webhookId: string } };
    data: WebhookStats;
    meta: null;
  };
  /** Get a workspace */
  getWorkspace: {
    input: { params: { workspaceId: string } };
    data: Workspace;
    meta: null;
  };
  /**
   * List the attempts of a delivery, first to last
   *
   * An attempt is kept for 30 days. A 429 or 503 that pauses the webhook is here too, but does
   * not count as an attempt: `isCounted` is false, and the next one has the same `number`. Of these a delivery keeps the
   * newest ten.
   */
  listAttempts: {
    input: {
      params: { workspaceId: string; webhookId: string; deliveryId: string };
      query?: { cursor?: string; limit?: number };
    };
    data: Array<Attempt>;
    meta: CursorMeta;
  };
  /** List the versions of a bot, newest first */
  listBotVersions: {
    input: { params: { workspaceId: string; botId: string } };
    data: Array<BotVersion>;
    meta: null;
  };
  /** List the bots, oldest first */
  listBots: {
    input: { params: { workspaceId: string }; query?: { key?: string } };
    data: Array<Bot>;
    meta: null;
  };
  /** List the customers, oldest first */
  listCustomers: {
    input: { params: { workspaceId: string }; query?: { page?: number; pageSize?: number } };
    data: Array<Customer>;
    meta: PageMeta;
  };
  /**
   * List what was and will be sent to a webhook, newest first
   *
   * What has come to its end is kept for 30 days.
   */
  listDeliveries: {
    input: {
      params: { workspaceId: string; webhookId: string };
      query?: {
        cursor?: string;
        limit?: number;
        state?: 'pending' | 'succeeded' | 'failed' | 'skipped';
        interactionId?: string;
        eventId?: string;
        since?: string;
        until?: string;
      };
    };
    data: Array<Delivery>;
    meta: CursorMeta;
  };
  /**
   * List the interactions, newest first
   *
   * A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete JSON: send the request again. Allow more time for very large lists.
   */
  listInteractions: {
    input: {
      params: { workspaceId: string };
      query?: {
        page?: number;
        pageSize?: number;
        status?: InteractionStatus;
        priority?: Priority;
        customerId?: string;
        botId?: string;
      };
    };
    data: Array<Interaction>;
    meta: PageMeta;
  };
  /** List the webhooks, oldest first */
  listWebhooks: {
    input: { params: { workspaceId: string } };
    data: Array<Webhook>;
    meta: null;
  };
  /** List the workspaces that the key can access */
  listWorkspaces: {
    input: {};
    data: Array<Workspace>;
    meta: null;
  };
  /**
   * Answer the step that is waiting
   *
   * The body has at most 16 KiB.
   */
  postMessage: {
    input: { params: { workspaceId: string; interactionId: string }; body: Message };
    data: Snapshot;
    meta: null;
  };
  /**
   * Publish a new version of a bot; talks that have begun keep theirs
   *
   * The same definition again makes no new version.
   */
  publishBotVersion: {
    input: { params: { workspaceId: string; botId: string }; body: BotDefinition };
    data: PublishedBot;
    meta: null;
  };
  /**
   * Make due again what was not delivered in a stretch of time
   *
   * At most 500 deliveries a second, oldest first, in the background: the answer says by which id to ask how far it came. It stops when the webhook is deactivated.
   */
  recoverDeliveries: {
    input: { params: { workspaceId: string; webhookId: string }; body: NewRecovery };
    data: Recovery;
    meta: null;
  };
  /**
   * Make a delivery due now, whatever became of it
   *
   * It keeps its id, its `webhook-id` and the numbers of its attempts. One that had used up its attempts gets one more. It
   * waits its turn: a pause or a breaker is ended by `PATCH {"isActive": true}` of the webhook. The same call again changes nothing as long as
   * the delivery waits.
   */
  retryDelivery: {
    input: { params: { workspaceId: string; webhookId: string; deliveryId: string } };
    data: Delivery;
    meta: null;
  };
  /**
   * Replace the API key's secret; only in the workspace that the key was created for
   *
   * Once this has answered, the old secret is not accepted any more. The new one is shown this once, which is why an
   * `Idempotency-Key` is refused (400).
   * Of calls that race with the same secret one wins; the others are answered 401, as all calls with the old secret from then on.
   */
  rotateApiKeySecret: {
    input: { params: { workspaceId: string } };
    data: {
      secret: string;
    };
    meta: null;
  };
  /**
   * Make a new SDK secret; the previous one stays valid until the next rotation
   *
   * The secret is shown this once, which is why an `Idempotency-Key` is refused (400).
   */
  rotateSdkSecret: {
    input: { params: { workspaceId: string } };
    data: {
      kid: string;
      secret: string;
    };
    meta: null;
  };
  /**
   * Make a new signing secret; it is shown this once
   *
   * Without a body the present secrets go on signing for a day. A webhook with `asymmetricSignature` gets a new pair of keys as well. An `Idempotency-Key` is refused (400).
   */
  rotateSigningSecret: {
    input: {
      params: { workspaceId: string; webhookId: string };
      body?: {
        /** How long the present secrets go on signing. Default: `86400` */
        overlapSeconds?: number;
      };
    };
    data: {
      signingSecret: string;
    };
    meta: null;
  };
  /**
   * Send a test event, on the way of all events
   *
   * It is delivered, signed, retried and logged like any other; its `x-parley-event` is `Test`. The answer is its delivery.
   */
  sendTestEvent: {
    input: { params: { workspaceId: string; webhookId: string } };
    data: Delivery;
    meta: null;
  };
  /**
   * Start the talk; one in progress is answered as it is
   *
   * A body is optional. Texts are in the language of `locale` where the bot has them, else in its own.
   *
   * The body has at most 16 KiB.
   */
  startConversation: {
    input: {
      params: { workspaceId: string; interactionId: string };
      body?: {
        /** The customer's language, a BCP 47 tag */
        locale?: string;
      };
    };
    data: Snapshot;
    meta: null;
  };
  /**
   * Change the branding of a workspace
   *
   * A field that is absent stays, and null clears it. Link pages show the change at once, widgets from their next session on.
   */
  updateBranding: {
    input: { params: { workspaceId: string }; body: BrandingChange };
    data: Branding;
    meta: null;
  };
  /** Change the details of a customer */
  updateCustomer: {
    input: { params: { workspaceId: string; customerId: string }; body: CustomerChange };
    data: Customer;
    meta: null;
  };
  /**
   * Change status, priority or expiry of an interaction
   *
   * A draft goes to `Pending` or `InProgress`, what waits back to `Draft` or on, a talk in progress to `Completed`, and what
   * is open to `Expired`. An expired one goes back to `Pending` with a future `expiry` in the same call. The same status is no change.
   */
  updateInteraction: {
    input: { params: { workspaceId: string; interactionId: string }; body: InteractionChange };
    data: Interaction;
    meta: null;
  };
  /**
   * Switch a webhook on or off
   *
   * While it is off nothing is sent, and what is due is skipped. `isActive: true` also ends a pause: what is due is tried at once.
   */
  updateWebhook: {
    input: { params: { workspaceId: string; webhookId: string }; body: WebhookChange };
    data: Webhook;
    meta: null;
  };
  /**
   * Change how a webhook is delivered to
   *
   * What is not given stays. Header fields, rate and signature hold from the next attempt on, an ordering for the events that follow.
   */
  updateWebhookOptions: {
    input: { params: { workspaceId: string; webhookId: string }; body: WebhookOptionsChange };
    data: WebhookOptions;
    meta: null;
  };
}

/** How an operation is called. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Whether it creates and takes an Idempotency-Key. */
  takesIdempotencyKey: boolean;
  /** Whether the same call may be sent again when it is not known what became of it. */
  isRepeatable: boolean;
}

export const operations: Record<keyof Operations, Operation> = {
  anonymiseCustomer: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/customers/{customerId}/anonymise',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  createBot: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/bots',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  createCustomer: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/customers',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  createCustomerToken: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/customers/{customerId}/token',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  createInteraction: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/interactions',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  createLinkSession: {
    method: 'POST',
    path: '/public/v1/link-sessions',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  createSession: {
    method: 'POST',
    path: '/public/v1/workspaces/{workspaceId}/sessions',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  createWebhook: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/webhooks',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getBot: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/bots/{botId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getBranding: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/branding',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getConversation: {
    method: 'GET',
    path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getCustomer: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getDelivery: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getInteraction: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getPending: {
    method: 'GET',
    path: '/public/v1/workspaces/{workspaceId}/pending',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getRecovery: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries/{recoveryId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getWebhookOptions: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getWebhookStats: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/stats',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  getWorkspace: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listAttempts: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/attempts',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listBotVersions: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listBots: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/bots',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listCustomers: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/customers',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listInteractions: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/interactions',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/webhooks',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  listWorkspaces: { method: 'GET', path: '/v1/workspaces', takesIdempotencyKey: false, isRepeatable: true },
  postMessage: {
    method: 'POST',
    path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  publishBotVersion: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  recoverDeliveries: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recover',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  retryDelivery: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  rotateApiKeySecret: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/apikeys/rotate',
    takesIdempotencyKey: false,
    isRepeatable: false,
  },
  rotateSdkSecret: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/sdk-secret/rotate',
    takesIdempotencyKey: false,
    isRepeatable: false,
  },
  rotateSigningSecret: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate',
    takesIdempotencyKey: false,
    isRepeatable: false,
  },
  sendTestEvent: {
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test',
    takesIdempotencyKey: true,
    isRepeatable: true,
  },
  startConversation: {
    method: 'POST',
    path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/start',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  updateBranding: {
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}/branding',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  updateCustomer: {
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  updateInteraction: {
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
  updateWebhookOptions: {
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options',
    takesIdempotencyKey: false,
    isRepeatable: true,
  },
};
