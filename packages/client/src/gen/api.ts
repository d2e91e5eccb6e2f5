// Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.

import type { Open } from '../open.ts';

export type AllowedDomains = {
  allowedDomains: Array<string>;
};

export type ApiKey = {
  /** The public half, `prl_key_...` */
  apiKey: string;
  /** May be empty */
  name: string;
  /** In the order of the catalogue */
  scopes: Array<Open<Scope>>;
  /** Those of its workspaces that the caller can access too */
  workspaceIds: Array<string>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The API key or the id of the person that created it or has taken it over, or `operator` */
  createdBy: string;
  /** Null: it does not expire */
  expiresAt: string | null;
  /** The hour of its last use; null if it was never used */
  lastUsedAt: string | null;
  /** Null: it is not revoked */
  revokedAt: string | null;
};

export type ApiKeyChange = {
  /** For people */
  name?: string;
  /** What the key may do: scopes that the calling key has too */
  scopes?: Array<Scope>;
  /** From then on no gateway accepts the key. Null: it does not expire */
  expiresAt?: string | null;
};

export type Attempt = {
  /** From 1, as `x-parley-attempt` of its request. An uncounted attempt has the number of the next one */
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
  /** `http_<status>`, `dns`, `refused`, `reset`, `tls_untrusted`, `tls_expired`, `tls_name`, `tls_protocol`, `timeout_connect`, `timeout_total`, `protocol` or `blocked_address`; null for a success */
  error: string | null;
  /** For how long its `Retry-After` (429 or 503) paused the webhook; null when it is counted */
  retryAfterSeconds: number | null;
  /** The beginning of the answer's body, at most 16 KiB. Bytes that are not UTF-8 become U+FFFD. Null if it was empty, or deleted by an anonymisation. `[hidden]` without the scope `personal-data:read`. Links in it are `[hidden]` without the scope `interactions:write` */
  responseExcerpt: string | null;
};

export type AuditActor = {
  type: Open<'key' | 'person' | 'portal' | 'operator'>;
  /** The API key, the id of the person or portal link, or `operator` */
  id: string;
  /** Its name at that time; may be empty */
  name: string;
};

export type AuditEvent = {
  id: string;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  occurredAt: string;
  /** What was done: a thing and a verb in the past tense */
  action: string;
  actor: AuditActor;
  targets: Array<AuditTarget>;
  /** The `x-request-id` of the request */
  requestId: string;
  /** The IP address of the client; null for the operator */
  clientAddress: string | null;
  /** `[before, after]` by field. Secrets and personal data of customers are `[hidden]` */
  changes: Record<string, Array<unknown>>;
};

export type AuditTarget = {
  type: string;
  id: string;
};

export type Bot = {
  id: string;
  name: string;
  /** The properties that an interaction may supply */
  context: Array<string>;
};

/** A conversation as data: at least `schemaVersion`, `key`, `name`, `type` and `steps`. It has its own JSON Schema (bot-v1). */
export type BotDefinition = Record<string, unknown>;

export type BotDraft = {
  /** The version of the bot from which it began */
  baseVersion: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  updatedAt: string;
  /** The API key, the id of the person, or `operator` */
  updatedBy: string;
  /** Why it cannot be published; at most 100 */
  faults: Array<{
    /** A place in the definition */
    pointer: string;
    detail: string;
  }>;
  /** Byte for byte as it was saved */
  definition: Record<string, unknown>;
};

export type BotDraftEntry = {
  botId: string;
  /** The version of the bot from which it began */
  baseVersion: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  updatedAt: string;
  /** The API key, the id of the person, or `operator` */
  updatedBy: string;
};

export type BotTemplate = {
  /** For `template` of a new bot */
  id: string;
  name: string;
  description: string;
  /** A valid definition. It has its texts in all languages of the templates */
  definition: Record<string, unknown>;
};

export type BotVersion = {
  version: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  publishedAt: string;
  /** The API key, the id of the person, or `operator` */
  publishedBy: string;
  note: string | null;
  /** SHA-256 of the definition, in hex; layout and the order of fields do not count */
  digest: string;
  /** Whether new conversations start with it */
  isLive: boolean;
  /** The version that was published again as this one */
  restoredFrom: number | null;
};

export type BotVersionWithDefinition = {
  version: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  publishedAt: string;
  /** The API key, the id of the person, or `operator` */
  publishedBy: string;
  note: string | null;
  /** SHA-256 of the definition, in hex; layout and the order of fields do not count */
  digest: string;
  /** Whether new conversations start with it */
  isLive: boolean;
  /** The version that was published again as this one */
  restoredFrom: number | null;
  /** The `key` of the bot's definition */
  key: string;
  /** Byte for byte as it was published */
  definition: Record<string, unknown>;
};

/** The look of the workspace on link pages and in the widget. For a field that is null, the product has defaults */
export type Branding = {
  displayName: string | null;
  /** Where the logo is served. Its name is the first half of the SHA-256 of the image, in hex, so that it can be cached for ever */
  logoUrl: string | null;
  accentColor: string | null;
  endText: string | null;
  endLink: BrandingEndLink | null;
  privacyText: string | null;
};

export type BrandingChange = {
  displayName?: string | null;
  logo?: string | null;
  accentColor?: string | null;
  endText?: string | null;
  endLink?: BrandingEndLink | null;
  privacyText?: string | null;
};

/** A link below `endText` */
export type BrandingEndLink = {
  /** An https URL without user name and password */
  url: string;
  /** The words of the link */
  label: string;
};

export type CallerSession = {
  type: Open<'key' | 'person' | 'portal'>;
  /** The API key, or the id of the person or of the portal link */
  id: string;
  /** May be empty */
  name: string;
  /** Null for all but people */
  email: string | null;
  /** Whether the caller may see the state of the deployment */
  isOperator: boolean;
  workspaces: Array<{
    workspaceId: string;
    name: string;
    /** Null for all but people */
    role: Open<Role> | null;
    /** In the order of the catalogue */
    scopes: Array<Open<Scope>>;
  }>;
  /** The webhooks that a portal link is limited to; null: no limit */
  webhookIds: Array<string> | null;
  /** When the key or the session ends; a session ends later if it is used. Null: never */
  expiresAt: string | null;
};

export type ContactLimit = {
  /** How many interactions */
  count: number;
  /** In so many last days */
  days: number;
};

/** How many interactions a customer may be offered in the last days */
export type ContactPolicy = {
  /** Of all bots together. Null: no limit */
  anyBot: ContactLimit | null;
  /** Of one bot. Null: no limit */
  sameBot: ContactLimit | null;
};

export type ContactPolicyChange = {
  /** Of all bots together. Null: no limit */
  anyBot?: ContactLimit | null;
  /** Of one bot. Null: no limit */
  sameBot?: ContactLimit | null;
};

export type Contactability = {
  /** Whether an interaction may be offered now */
  allowed: boolean;
  /** From when it is allowed, unless others are offered meanwhile; null if it is allowed */
  retryAt: string | null;
  policy: ContactPolicy;
};

export type ConversationDifference = {
  interactionId: string;
  /** The version that it ran on */
  botVersion: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  completedAt: string;
  before: Course;
  after: Course;
  /** Whether other questions are asked */
  takesAnotherWay: boolean;
  /** Whether it reaches another end */
  endsDifferently: boolean;
  /** The keys of the evaluation that have another value */
  evaluationKeys: Array<string>;
  /** Whether the customer hears another text at a question, or at the end */
  hearsAnotherText: boolean;
};

export type Course = {
  /** The questions that are asked, in their order */
  stepIds: Array<string>;
  /** The `end` step; null if the conversation stops, or is closed because of its size */
  endStepId: string | null;
  /** The question at which it stops: the customer has not answered it, or the definition refuses the answer */
  stopped: {
    stepId: string;
    reason: Open<'no-answer' | 'refused'>;
  } | null;
};

export type CreatedApiKey = {
  /** The public half, `prl_key_...` */
  apiKey: string;
  /** May be empty */
  name: string;
  /** In the order of the catalogue */
  scopes: Array<Open<Scope>>;
  /** Those of its workspaces that the caller can access too */
  workspaceIds: Array<string>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The API key or the id of the person that created it or has taken it over, or `operator` */
  createdBy: string;
  /** Null: it does not expire */
  expiresAt: string | null;
  /** The hour of its last use; null if it was never used */
  lastUsedAt: string | null;
  /** Null: it is not revoked */
  revokedAt: string | null;
  secret: string;
};

export type CreatedItem = {
  /** The place in the request, from 0 */
  index: number;
  interaction: Interaction;
};

export type CreatedPortalLink = {
  id: string;
  /** For people; may be empty */
  name: string;
  /** The webhooks that it shows. Null: all, also later ones */
  webhookIds: Array<string> | null;
  /** Whether it shows personal data */
  personalData: boolean;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The API key or the id of the person that created it */
  createdBy: string;
  /** When the link and its session end */
  expiresAt: string;
  /** When it was opened. Null: not yet */
  usedAt: string | null;
  /** Null: it is not revoked */
  revokedAt: string | null;
  url: string;
};

export type CursorMeta = {
  /** Returns the next page as `cursor`; null when there is none */
  nextCursor: string | null;
};

export type Customer = {
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  id: string;
  /** `[hidden]` without the scope `personal-data:read` */
  firstName: string;
  /** `[hidden]` without the scope `personal-data:read` */
  lastName: string;
  /** `[hidden]` without the scope `personal-data:read` */
  email: string;
  /** Newest first; empty in lists and on creation */
  interactions: Array<CustomerInteraction>;
};

export type CustomerAnonymisedEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'CustomerAnonymised';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    id: string;
  };
};

export type CustomerChange = {
  firstName?: string;
  lastName?: string;
  /** An email address, or empty */
  email?: string;
};

/** Details of the customer to set; the others stay as they are. Needs the scope `customers:write` if the customer exists and has others */
export type CustomerDetails = {
  firstName?: string;
  lastName?: string;
  /** An email address, or empty */
  email?: string;
};

export type CustomerExport = {
  /** Rises when a field changes its meaning or is removed. New fields do not raise it */
  schemaVersion: 1;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  exportedAt: string;
  /** Empty texts: nothing is stored */
  customer: {
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    id: string;
    /** `[hidden]` without the scope `personal-data:read` */
    firstName: string;
    /** `[hidden]` without the scope `personal-data:read` */
    lastName: string;
    /** `[hidden]` without the scope `personal-data:read` */
    email: string;
  };
  /** Newest first */
  interactions: Array<CustomerExportInteraction>;
  /** Of events about the customer to webhooks, for as long as the log keeps them. Oldest event first */
  deliveries: Array<CustomerExportDelivery>;
};

export type CustomerExportDelivery = {
  id: string;
  event: Open<DeliveredEvent>;
  /** Its requests carried it as `webhook-id` */
  eventId: string;
  /** Null for an event about the customer */
  interactionId: string | null;
  webhookId: string;
  /** The address of the webhook now, without user, password, query and fragment */
  receiver: string;
  state: Open<DeliveryState>;
  attempts: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** Null while it is pending */
  finishedAt: string | null;
};

export type CustomerExportInteraction = {
  id: string;
  status: Open<InteractionStatus>;
  priority: Open<Priority>;
  /** The type of the bot */
  type: string;
  bot: {
    key: string;
    /** Null until the interaction has started */
    version: number | null;
  };
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** The link to the conversation. Its URL is a secret and no part of the export */
  link: {
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    expiresAt: string | null;
  };
  context: Array<{
    key: string;
    /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
    value: string;
  }>;
  evaluation: Record<string, string> | null;
  /** Null until the interaction has started */
  transcript: Array<{
    /** Of the customer: `[hidden]` without the scope `personal-data:read`. Of the bot: then `[hidden]` is in place of what was filled in, and of what a model has written */
    body: string;
    /** Epoch seconds with fraction */
    timestamp: number;
    type: Open<'bot' | 'customer'>;
    /** The values of choices or rows, in the random order in which they were shown */
    order?: Array<string>;
    /** Of the answer to a consent: to what. Its instant is `timestamp` */
    consent?: {
      /** SHA-256 of the text that was shown, in hexadecimal */
      sha256: string;
      /** The language of the text */
      locale: string;
    };
  }> | null;
  conversation: {
    /** The values of the answers by the steps of the bot. Each is `[hidden]` without the scope `personal-data:read` */
    answers: Record<string, unknown>;
    /** The profile as it was when the conversation started */
    customer: {
      /** The client's own id of the customer, compared exactly; not `.` or `..` */
      id: string;
      /** `[hidden]` without the scope `personal-data:read` */
      firstName: string;
      /** `[hidden]` without the scope `personal-data:read` */
      lastName: string;
      /** `[hidden]` without the scope `personal-data:read` */
      email: string;
    };
    /** The language of the browser */
    locale: string;
  } | null;
};

export type CustomerInteraction = {
  id: string;
  status: Open<InteractionStatus>;
  priority: Open<Priority>;
  /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
  link: string;
  expiresAt: string | null;
  /** Customers do not see it before, while it is `Pending`. Absent: at once */
  availableFrom?: string;
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
  /** Only of a test interaction: it counts nowhere */
  isTest?: true;
};

export type DeletedCustomers = {
  /** How many this call has deleted */
  deleted: number;
  /** Whether there may be more: the time of the call was over. Repeat it */
  hasMore: boolean;
};

export type DeletedTests = {
  /** How many this call has deleted */
  deleted: number;
  /** Whether there may be more: the time of the call was over. Repeat it */
  hasMore: boolean;
};

export type DeliveredEvent =
  | 'InteractionCreated'
  | 'InteractionAvailable'
  | 'InteractionReminderDue'
  | 'InteractionStarted'
  | 'InteractionStalled'
  | 'InteractionCompleted'
  | 'InteractionExpired'
  | 'CustomerAnonymised'
  | 'WebhookDeactivated'
  | 'Test';

export type Delivery = {
  /** Its requests carry it as `x-parley-delivery-id` */
  id: string;
  /** Its requests carry it as `x-parley-event`. `Test`: a test event without a name. Null if it is deleted */
  event: Open<DeliveredEvent> | null;
  /** The interaction that the event is about; null for a test, and for an event about no interaction */
  interactionId: string | null;
  /** Whether it is a test event */
  isTest: boolean;
  /** Only if its event is about a test interaction */
  isTestInteraction?: true;
  /** The webhook that gets it */
  webhookId: string;
  /** The id of the event: its requests carry it as `webhook-id` */
  webhookMessageId: string;
  state: Open<DeliveryState>;
  /** How many were made, have ended and are counted */
  attempts: number;
  /** The `error` of the last attempt; null after a success, and as long as there is no attempt in the log */
  lastError: string | null;
  /** An attempt has been in flight for half a second or longer */
  isUnderWay: boolean;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** When the next attempt is due; null in flight, while it waits for an earlier one, and in the end */
  dueAt: string | null;
  /** When it came to its end; null while it is pending */
  finishedAt: string | null;
  /** Of the call that led to the event (W3C trace context). Its attempts are in this trace too. Null if the event has no trace */
  traceId: string | null;
};

export type DeliveryBody = {
  /** The body of each of its requests, byte for byte. Null if the event is deleted. `[hidden]` without the scope `personal-data:read`. Links in it are `[hidden]` without the scope `interactions:write` */
  body: string | null;
  /** Whether an anonymisation has replaced it: requests before had the personal data of the customer */
  isRedacted: boolean;
};

export type DeliveryState = 'pending' | 'succeeded' | 'failed' | 'skipped' | 'discarded';

export type Deployment = {
  /** Whether there is no problem */
  isWell: boolean;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  checkedAt: string;
  problems: Array<DeploymentProblem>;
  services: Array<DeploymentService>;
  eventLogs: Array<DeploymentEventLog>;
  consumers: Array<DeploymentConsumer>;
  shards: DeploymentShards;
  /** Null: no replica says */
  stream: DeploymentStream | null;
  deliveries: DeploymentDeliveries;
  /** Null: no replica of the insight service says */
  figures: {
    /** The figures have everything up to then */
    asOfAgeSeconds: number;
  } | null;
};

export type DeploymentConsumer = {
  durable: string;
  isWell: boolean;
  /** Events that it has not acknowledged. Null: the broker has no such durable, or does not answer */
  lag: number | null;
  /** Those among them that were delivered more than once */
  redelivered: number | null;
  /** Events that could not be handled and are tried again. Null: not a consumer of Parley */
  putAside: number | null;
  /** The age of the oldest event of the event logs that it should have handled */
  behindSeconds: number | null;
};

export type DeploymentDeliveries = {
  isWell: boolean;
  /** The age of the oldest due delivery that could be sent: not of those that wait for their receiver */
  oldestDueAgeSeconds: number | null;
  /** Webhooks with waiting deliveries whose breaker is open, because they fail */
  openBreakers: number | null;
  /** Webhooks with waiting deliveries that are paused */
  paused: number | null;
  /** Whether each replica of the webhook service can send */
  egress: Array<{
    /** As the gateway reaches it */
    address: string;
    isUp: boolean;
  }>;
};

export type DeploymentEventLog = {
  service: string;
  isWell: boolean;
  /** Events that no consumer can read yet, counted up to 10,000 */
  waiting: number;
  /** The age of the oldest of them; 0 without one */
  oldestAgeSeconds: number;
};

export type DeploymentProblem = {
  part: Open<'services' | 'eventLogs' | 'consumers' | 'shards' | 'stream' | 'deliveries' | 'figures'>;
  /** What it is about, such as a service, a replica or a durable; may be empty */
  subject: string;
  /** The alert about it, which has the same limit */
  alert: string;
  detail: string;
  runbookUrl: string;
};

export type DeploymentReplica = {
  /** As the gateway reaches it */
  address: string;
  /** `ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does not answer. `unknown`: it answers calls, but its release does not say */
  state: Open<'ready' | 'not-ready' | 'silent' | 'unknown'>;
  host: string | null;
  version: string | null;
  startedAt: string | null;
  /** Since when it does not answer this gateway. Null: it does */
  silentSince: string | null;
};

export type DeploymentService = {
  name: string;
  isWell: boolean;
  versions: Array<string>;
  /** Of the gateway: only the one that answers */
  replicas: Array<DeploymentReplica>;
};

export type DeploymentShards = {
  isWell: boolean;
  total: number;
  /** Those without an owner. Null: a replica does not say what it owns */
  unowned: number | null;
  owners: Array<{
    /** As the gateway reaches it */
    address: string;
    shards: number;
    /** When it last gained or lost shards */
    since: string | null;
  }>;
};

export type DeploymentStream = {
  name: string;
  isWell: boolean;
  replicas: {
    /** Those that it must have */
    set: number;
    /** Those that it has by its configuration */
    configured: number;
    /** Those that are up to date; 0 without a leader or a quorum */
    online: number;
  };
  /** The server that leads it. Null: none, a server without a cluster, or not known */
  leader: string | null;
  messages: number | null;
  bytes: number | null;
};

export type DifferenceGroup = {
  /** How many go differently in this way */
  count: number;
  /** The newest of them. The texts and values are from it */
  newest: ConversationDifference;
  /** What the customer hears otherwise; the first 10. Long texts are cut around the difference */
  texts: Array<{
    /** The question; null at the end */
    stepId: string | null;
    before: string;
    after: string;
  }>;
  /** The values of the evaluation that differ; the first 10. Long texts are cut around the difference */
  evaluation: Array<{
    key: string;
    /** Null: there is none */
    before: string | null;
    /** Null: there is none */
    after: string | null;
  }>;
};

export type Erasure = {
  id: string;
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  customerId: string;
  kind: Open<'anonymisation' | 'deletion'>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  requestedAt: string;
  /** Null while it runs */
  completedAt: string | null;
  /** The API key or the `personId` of its first call, or of the deletion that an anonymisation has become */
  requestedBy: string;
  stores: Array<{
    store: Open<'customer' | 'interaction' | 'webhook'>;
    /** How many records have lost their personal data so far: the customer, its interactions, the bodies of its events. Another anonymisation of the customer, while this one runs, restarts the count. */
    removed: number;
  }>;
  /** Null while it runs. A JWS (RFC 7515, compact, Ed25519) over the JSON of the other fields. `/.well-known/parley/erasure-keys` has the keys that verify it */
  receipt: string | null;
};

export type EventName =
  | 'InteractionCreated'
  | 'InteractionAvailable'
  | 'InteractionReminderDue'
  | 'InteractionStarted'
  | 'InteractionStalled'
  | 'InteractionCompleted'
  | 'InteractionExpired'
  | 'CustomerAnonymised'
  | 'WebhookDeactivated';

export type EventType = {
  name: Open<EventName>;
  description: string;
  /** The JSON Schema of the body */
  schema: Record<string, unknown>;
  /** A body with the envelope */
  example: Record<string, unknown>;
};

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
  /** Every fault of the request, the first hundred of them: with `invalid-request`, `malformed-json`, and, if they name what the key may not do, `missing-scope` and `stronger-key`; with `invalid-cursor`, the cursor */
  errors?: Array<{
    /** A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields */
    pointer: string;
    detail: string;
    /** Of `contact-limit`: when it is allowed again */
    retryAt?: string;
  }>;
};

/** The current question with the fields of its type. `min` and `max` are numbers for nps, rating and number, `YYYY-MM-DD` for date, `HH:MM` for time. `labels` are those of `yes` and `no`, or of the `low` and `high` end. `prefill` is the first content of the field. */
export type Input = {
  stepId: string;
  type: Open<
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
    | 'time'
    | 'ranking'
    | 'matrix'
    | 'consent'
  >;
  required: boolean;
  choices?: Array<{
    value: string;
    label: string;
    exclusive?: true;
  }>;
  other?: {
    label: string;
    maxLength: number;
  };
  rankMax?: number;
  rows?: Array<{
    value: string;
    label: string;
  }>;
  columns?: Array<{
    value: string;
    label: string;
  }>;
  rowsRequired?: boolean;
  label?: string;
  url?: string;
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  minSelections?: number;
  maxSelections?: number;
  labels?: Record<string, string>;
  prefill?:
    | string
    | number
    | boolean
    | Array<
        | string
        | {
            other: string;
          }
      >
    | Record<string, string>;
};

export type Insight = {
  bot: {
    id: string;
    /** The `key` of the bot's definition */
    key: string;
    name: string;
  };
  /** The start of the window, inclusive */
  from: string;
  /** The end of the window, exclusive */
  to: string;
  /** The figures have everything that was committed until then */
  asOf: string;
  totals: InsightTotals;
  previous?: InsightPrevious;
  /** Questions and chats in the order of the newest version, then those of older versions only */
  steps: Array<InsightStep>;
  /** The ways between steps of all kinds that were taken, in the order of the newest version, then those of steps of older versions only. Absent if none is known */
  ways?: Array<InsightWay>;
  /** By key, in the order of the newest version: of nps (`InsightNps`), rating and number (`InsightNumbers`), choice, multiChoice, yesNo and consent (`InsightCounts`), ranking (`InsightRanking`), matrix (`InsightMatrix`), and of texts and personal keys (`InsightTexts`) */
  evaluation: Record<
    string,
    InsightNps | InsightNumbers | InsightCounts | InsightRanking | InsightMatrix | InsightTexts
  >;
  /** Every day that the window touches */
  days: Array<InsightDay>;
  /** The score of every week that the window touches, of the days in the window. Absent if the bot has no nps key */
  weeks?: Array<InsightWeek>;
};

export type InsightCounts = {
  /** Started interactions that have the key, completed or not */
  n: number;
  /** How many have each choice; of multiChoice, an interaction may have several. Own words count as `other` */
  counts: Record<string, number>;
};

export type InsightDay = {
  /** In the time zone of `tz` */
  date: string;
  /** Interactions created on this day, imports excepted */
  created: number;
  /** Of these, those that are started by now */
  started: number;
  /** Of these, those that are completed by now */
  completed: number;
  /** The score of the started ones over the first nps key of `evaluation`; null without an answer. Absent if the bot has no nps key */
  nps?: number | null;
};

export type InsightMatrix = {
  /** Started interactions that have the key, completed or not */
  n: number;
  /** In the order of the question */
  rows: Array<{
    value: string;
    /** How many have chosen each column */
    counts: Record<string, number>;
  }>;
};

export type InsightNps = {
  /** Started interactions that have the key, completed or not */
  n: number;
  /** `100 · (promoters − detractors) / n`; null without an answer */
  score: number | null;
  /** `196 · √((p + d − (p − d)²) / n)`, p and d being the shares of promoters and detractors: with 95 %, the true score is within `score` ± `margin`. Unreliable under 30 answers; null without an answer */
  margin: number | null;
  /** Scores of 9 and 10 */
  promoters: number;
  /** Scores of 7 and 8 */
  passives: number;
  /** Scores of 0 to 6 */
  detractors: number;
  /** How many have each value, rising; for a number at most the 1,000 most frequent ones */
  distribution: Record<string, number>;
};

export type InsightNumbers = {
  /** Started interactions that have the key, completed or not */
  n: number;
  /** The mean; null without a value */
  mean: number | null;
  /** The mean of the middle two of an even number of values */
  median: number | null;
  /** How many have each value, rising; for a number at most the 1,000 most frequent ones */
  distribution: Record<string, number>;
};

/** The totals of the window of the same length before this one, with `compare=previous` */
export type InsightPrevious = {
  /** UTC, ISO 8601 with six fractional digits and no zone */
  from: string;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  to: string;
  /** Interactions created in the window, imports excepted */
  created: number;
  /** Of the created ones, those with an answered or skipped question */
  started: number;
  /** Of the started ones, those that are `Completed` now */
  completed: number;
  /** Of the started ones, those that are `Expired` now */
  expired: number;
  /** Of the started ones, those in progress that nobody has answered for `stalledAfterSeconds` */
  stalled: number;
  /** Of the started ones, those in progress and not stalled */
  active: number;
  /** Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if there is none */
  unknown?: number;
  /** `started / created`; null if none was created */
  startRate: number | null;
  /** `completed / started`; null if none was started */
  completionRate: number | null;
  /** From the start to the completion, of the completed ones */
  timeToComplete: InsightTimes;
  /** As `timeToComplete`, each pause counted as at most 30 minutes */
  activeSeconds: InsightTimes;
};

export type InsightRanking = {
  /** Started interactions that have the key, completed or not */
  n: number;
  /** In the order of the question */
  items: Array<{
    value: string;
    /** Of the answers that give it a place; null without any */
    meanRank: number | null;
    /** How many have put it first */
    first: number;
  }>;
};

export type InsightStep = {
  /** Steps are joined over versions by their id */
  stepId: string;
  kind: Open<'ask' | 'llm'>;
  /** The question in the language of the bot; null for a chat of a model */
  text: string | null;
  /** When the first version with the step was published */
  since: string;
  /** Interactions that have shown the step */
  seen: number;
  /** Interactions that have answered it */
  answered: number;
  /** Interactions that have skipped it */
  skipped: number;
  /** Interactions that are expired or stalled, and this was the last step shown */
  dropped: number;
  /** `dropped / seen`; null if it was never seen */
  dropRate: number | null;
};

export type InsightTexts = {
  /** Started interactions that have the key, completed or not */
  n: number;
};

export type InsightTimes = {
  /** How many interactions have this time */
  n: number;
  /** The median, at most 5 % off; null without a time */
  medianSeconds: number | null;
  /** Nine of ten took at most this long, at most 5 % off; null without a time */
  p90Seconds: number | null;
};

export type InsightTotals = {
  /** Interactions created in the window, imports excepted */
  created: number;
  /** Of the created ones, those with an answered or skipped question */
  started: number;
  /** Of the started ones, those that are `Completed` now */
  completed: number;
  /** Of the started ones, those that are `Expired` now */
  expired: number;
  /** Of the started ones, those in progress that nobody has answered for `stalledAfterSeconds` */
  stalled: number;
  /** Of the started ones, those in progress and not stalled */
  active: number;
  /** Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if there is none */
  unknown?: number;
  /** `started / created`; null if none was created */
  startRate: number | null;
  /** `completed / started`; null if none was started */
  completionRate: number | null;
  /** From the start to the completion, of the completed ones */
  timeToComplete: InsightTimes;
  /** As `timeToComplete`, each pause counted as at most 30 minutes */
  activeSeconds: InsightTimes;
};

export type InsightWay = {
  /** The id of the step that it leaves */
  from: string;
  /** The id of the step to which it leads: also `from` itself */
  to: string;
  /** Interactions that have taken it, once or more */
  n: number;
};

export type InsightWeek = {
  /** Its Monday. It may be before the window */
  date: string;
  /** How many have answered */
  n: number;
  /** The score, as in `days`; null without an answer */
  nps: number | null;
  /** As in `evaluation`; null without an answer */
  margin: number | null;
};

export type Interaction = {
  id: string;
  status: Open<InteractionStatus>;
  priority: Open<Priority>;
  /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
  link: string;
  expiresAt: string | null;
  /** Customers do not see it before, while it is `Pending`. Absent: at once */
  availableFrom?: string;
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
    /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
    value: string;
  }>;
  /** Only of a test interaction: it counts nowhere */
  isTest?: true;
  details?: InteractionDetails;
};

export type InteractionAvailableEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionAvailable';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
  };
};

export type InteractionChange = {
  status?: InteractionStatus;
  priority?: Priority;
  /** Seconds from the request; 0 and null mean none */
  expiry?: number | null;
  /** Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once */
  availableFrom?: string | null;
  /** Offers the conversation also beyond the contact policy. The audit log has it */
  ignoreContactPolicy?: boolean;
};

export type InteractionCompletedEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionCompleted';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
    result: InteractionHistory;
  };
};

export type InteractionCreatedEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionCreated';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
  };
};

/** Only with `include=details` */
export type InteractionDetails = {
  botId: string;
  /** That the conversation runs on; null until it has started */
  botVersion: number | null;
  /** When the conversation started first */
  startedAt: string | null;
  completedAt: string | null;
  /** When it changed last */
  updatedAt: string;
  /** The numbers of the entries, from 1, that count no more since an answer was revised */
  withdrawn?: Array<number>;
  /** Those that are still to come. Only of one interaction that is `Pending` */
  reminders?: Array<{
    /** From 1, in the order of the bot */
    number: number;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    dueAt: string;
  }>;
};

export type InteractionExpiredEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionExpired';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
    /** Its time was over, by a call, or with its customer */
    reason: Open<'clock' | 'client' | 'anonymised'>;
  };
};

export type InteractionHistory = {
  /** The client's own id of the customer, compared exactly; not `.` or `..` */
  customer_id: string;
  interaction_id: string;
  /** By the keys of the bot. The values of personal keys are `[hidden]` without the scope `personal-data:read` */
  evaluation: Record<string, string>;
  transcript: Array<{
    /** Of the customer: `[hidden]` without the scope `personal-data:read`. Of the bot: then `[hidden]` is in place of what was filled in, and of what a model has written */
    body: string;
    /** Epoch seconds with fraction */
    timestamp: number;
    type: Open<'bot' | 'customer'>;
    /** The values of choices or rows, in the random order in which they were shown */
    order?: Array<string>;
    /** Of the answer to a consent: to what. Its instant is `timestamp` */
    consent?: {
      /** SHA-256 of the text that was shown, in hexadecimal */
      sha256: string;
      /** The language of the text */
      locale: string;
    };
  }>;
};

export type InteractionReminderDueEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionReminderDue';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
    /** From 1, in the order of the bot */
    number: number;
  };
};

export type InteractionStalledEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionStalled';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
    /** The step that waits for an answer */
    lastStepId: string;
  };
};

export type InteractionStartedEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'InteractionStarted';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    status: Open<InteractionStatus>;
    priority: Open<Priority>;
    /** Opens the conversation for the customer. `[hidden]` without the scope `interactions:write` */
    link: string;
    expiresAt: string | null;
    /** Customers do not see it before, while it is `Pending`. Absent: at once */
    availableFrom?: string;
    /** UTC, ISO 8601 with six fractional digits and no zone */
    createdAt: string;
    /** The client's own id of the customer, compared exactly; not `.` or `..` */
    customerId: string;
    /** The type of the bot */
    type: string;
    /** Always null: `result` of a completion has the history */
    data: null;
    context: Array<{
      key: string;
      /** Of a personal property: `[hidden]` without the scope `personal-data:read` */
      value: string;
    }>;
    /** Only of a test interaction: it counts nowhere */
    isTest?: true;
    details?: InteractionDetails;
    botId: string;
    botKey: string;
    botVersion: number | null;
    startedAt: string | null;
    completedAt: string | null;
  };
};

/** `Draft` is invisible to the customer. `Pending` waits until the customer starts it. `InProgress` has started. `Completed` and `Expired` have ended */
export type InteractionStatus = 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired';

export type Invitation = {
  memberId: string;
  /** By which `createdBy` and others name the person; null until the invitation is accepted */
  personId: string | null;
  email: string | null;
  /** Whether the sign-in provider has verified the address, or the person came by the link of an invitation to it */
  isEmailVerified: boolean;
  /** Null: the invitation is not accepted */
  name: string | null;
  role: Open<Role>;
  /** Whether the member may see personal data */
  personalData: boolean;
  status: Open<'active' | 'invited'>;
  /** A link of the operator, an invitation, or a group of the sign-in provider */
  origin: Open<'link' | 'invitation' | 'group'>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The hour of the last call; null if there was none */
  lastSeenAt: string | null;
  /** Since when the sign-in provider has not named the groups of the person: roles by groups stay. Null: it has */
  groupsMissingSince: string | null;
  url: string;
};

export type ItemError = {
  /** The HTTP status of the same call for this item alone */
  code: number;
  /** For programs, as in `Failure` */
  type: string;
  /** For people */
  detail: string;
  /** The faults, with pointers within the item */
  errors?: Array<{
    /** A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields */
    pointer: string;
    detail: string;
    /** Of `contact-limit`: when it is allowed again */
    retryAt?: string;
  }>;
};

export type Member = {
  memberId: string;
  /** By which `createdBy` and others name the person; null until the invitation is accepted */
  personId: string | null;
  email: string | null;
  /** Whether the sign-in provider has verified the address, or the person came by the link of an invitation to it */
  isEmailVerified: boolean;
  /** Null: the invitation is not accepted */
  name: string | null;
  role: Open<Role>;
  /** Whether the member may see personal data */
  personalData: boolean;
  status: Open<'active' | 'invited'>;
  /** A link of the operator, an invitation, or a group of the sign-in provider */
  origin: Open<'link' | 'invitation' | 'group'>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The hour of the last call; null if there was none */
  lastSeenAt: string | null;
  /** Since when the sign-in provider has not named the groups of the person: roles by groups stay. Null: it has */
  groupsMissingSince: string | null;
};

export type MemberChange = {
  role?: Role;
  /** Whether the member may see personal data */
  personalData?: boolean;
};

export type Message = {
  /** The same id and message again get the stored outcome */
  clientMessageId: string;
  /** The `seq` of the snapshot that is answered */
  expectedSeq: number;
  /** The `input.stepId` of that snapshot */
  stepId: string;
  /**
   * Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible,
   * or `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for multiChoice and ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time and objects of strings for matrix.
   */
  answer:
    | { value: unknown; text?: never; skip?: never }
    | { text: string; value?: never; skip?: never }
    | { skip: true; value?: never; text?: never };
};

export type NewApiKey = {
  /** For people */
  name: string;
  /** What the key may do: scopes that the calling key has too */
  scopes: Array<Scope>;
  /** From then on no gateway accepts the key. Null: it does not expire */
  expiresAt?: string | null;
};

export type NewBotDraft = {
  definition: BotDefinition;
  /** The version from which it began. Without it: as before, or else the live version */
  baseVersion?: number;
};

/** A definition, in `definition` or as the body itself with these fields beside its own; or `restore` or `publishDraft` without one. */
export type NewBotVersion = {
  definition?: BotDefinition;
  /** Instead of a definition: the version to publish again as a new one */
  restore?: number;
  /** Instead of a definition: publishes the draft of the bot, and removes it */
  publishDraft?: true;
  /** The version that must be live: otherwise 409 */
  expectedVersion?: number;
  /** Why it is published */
  note?: string;
  [name: string]: unknown;
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
  customer?: CustomerDetails;
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
  /** Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once */
  availableFrom?: string | null;
  /** Default: `[]` */
  context?: Array<{
    key: string;
    value: string;
  }>;
  /** Whether it is a test interaction: it works in every way, and counts nowhere */
  isTest?: boolean;
  /** Offers the conversation also beyond the contact policy. The audit log has it */
  ignoreContactPolicy?: boolean;
};

export type NewInteractions = {
  interactions: Array<NewInteraction>;
};

export type NewInvitation = {
  email: string;
  role: Role;
  /** Whether the member may see personal data. Default: `true` */
  personalData?: boolean;
};

export type NewOpenLink = {
  /** For people: it is in lists */
  name: string;
  /** Null: it does not expire */
  expiresAt?: string | null;
  /** How many conversations it begins at most. Null: any number */
  responsesMax?: number | null;
  /** The parameters of the URL that become context; the bot must declare them. Default: `[]` */
  contextKeys?: Array<string>;
  /** Whether its conversations are tests, which no figure counts. Default: `false` */
  isTest?: boolean;
};

export type NewPortalLink = {
  /** For people: it is in lists and in the audit log. Default: `""` */
  name?: string;
  /** The webhooks that it shows. Default: all, also later ones */
  webhookIds?: Array<string>;
  /** Whether it shows bodies of deliveries, which have whole conversations, and what receivers have answered. Default: `false` */
  personalData?: boolean;
  /** When the link and its session end, from now on. They end with the calling key, at the latest. Default: `3600` */
  expiresInSeconds?: number;
};

export type NewRecovery = {
  /** Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it */
  since: string;
  /** Only deliveries created before this instant. Default: now */
  until?: string;
  /** Default: `["failed","skipped"]` */
  states?: Array<'failed' | 'skipped'>;
};

export type NewReplay = {
  definition: BotDefinition;
  /** How many of the completed conversations, the newest first. Default: `500` */
  conversations?: number;
};

export type NewWebhook = {
  /** http or https; a deployment takes public https URLs only */
  url: string;
  /** Sent as a query parameter of each delivery; unique in the workspace and never shown */
  secretToken: string;
  /** Default: `false` */
  isActive?: boolean;
  /** The only event; default: `InteractionCompleted` */
  event?: EventName;
  /** The events that it gets */
  events?: Array<EventName>;
  /** null or absent: every event passes */
  filter?: string | null;
  /** Whether `InteractionCompleted` has the envelope of the other events. Default: `false` */
  envelope?: boolean;
};

export type OpenLink = {
  id: string;
  botId: string;
  /** For people */
  name: string;
  url: string;
  /** Null: it does not expire */
  expiresAt: string | null;
  /** How many conversations it begins at most. Null: any number */
  responsesMax: number | null;
  /** How many it has begun, also deleted ones */
  responses: number;
  /** The parameters of the URL that become context */
  contextKeys: Array<string>;
  /** Whether it takes no responses */
  isClosed: boolean;
  /** Only of a test interaction: it counts nowhere */
  isTest?: true;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The API key or the id of the person that created it */
  createdBy: string;
};

export type OpenLinkChange = {
  /** For people: it is in lists */
  name?: string;
  /** Null: it does not expire */
  expiresAt?: string | null;
  /** How many conversations it begins at most. Null: any number */
  responsesMax?: number | null;
  /** The parameters of the URL that become context; the bot must declare them */
  contextKeys?: Array<string>;
  /** True: it takes no responses until it is opened again */
  isClosed?: boolean;
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
  status: Open<InteractionStatus>;
  type: string;
  priority: Open<Priority>;
  /** What the bot is called now */
  botName: string;
  /** How the bot begins */
  teaser: string;
  expiresAt: string | null;
  /** How many more are waiting */
  more: number;
  /** What the conversation takes, estimated from the bot; null when unknown */
  effort: {
    /** On the shortest path */
    questionsMin: number;
    /** On the longest path */
    questionsMax: number;
    minutes: number;
  } | null;
  /** Only of a test interaction: it counts nowhere */
  isTest?: true;
};

export type PortalLink = {
  id: string;
  /** For people; may be empty */
  name: string;
  /** The webhooks that it shows. Null: all, also later ones */
  webhookIds: Array<string> | null;
  /** Whether it shows personal data */
  personalData: boolean;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** The API key or the id of the person that created it */
  createdBy: string;
  /** When the link and its session end */
  expiresAt: string;
  /** When it was opened. Null: not yet */
  usedAt: string | null;
  /** Null: it is not revoked */
  revokedAt: string | null;
};

export type Presence = {
  /** The tab has chosen it */
  id: string;
  /** The `personId` of a member */
  personId: string;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  openedAt: string;
};

export type Presences = {
  presences: Array<Presence>;
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
  state: Open<'running' | 'done' | 'stopped'>;
  /** How many deliveries it has made due so far */
  recovered: number;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  since: string;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  until: string;
  states: Array<Open<'failed' | 'skipped'>>;
  /** UTC, ISO 8601 with six fractional digits and no zone */
  createdAt: string;
  /** Null while it is running */
  finishedAt: string | null;
};

/** An item without an interaction. Unless its error is `invalid-request`, its customer and the details in `customer` can have been set before */
export type RejectedItem = {
  /** The place in the request, from 0 */
  index: number;
  error: ItemError;
};

export type RenewedPresence = {
  /** A new UUID for each tab */
  id: string;
};

export type Replays = {
  /** How many conversations were replayed */
  replayed: number;
  /** How many of them go differently */
  differing: number;
  /** How many have no complete record, because answers were removed or never given */
  incomplete: number;
  /** Those that go differently, the newest first; the first 100 */
  differences: Array<ConversationDifference>;
  /** The ways in which they go differently, the most frequent first; the first 50. Those of a way differ in the same questions and ends, in the texts of the same questions, and in the same values */
  groups: Array<DifferenceGroup>;
};

/** After how many days without a change interactions are deleted. Null: never. */
export type Retention = {
  /** `Completed` ones */
  completedDays: number | null;
  /** `Expired` ones, and `InProgress` ones that nobody touches */
  endedDays: number | null;
  /** `Draft` and `Pending` ones */
  draftDays: number | null;
};

export type RetentionChange = {
  /** `Completed` ones */
  completedDays?: number | null;
  /** `Expired` ones, and `InProgress` ones that nobody touches */
  endedDays?: number | null;
  /** `Draft` and `Pending` ones */
  draftDays?: number | null;
};

export type RetentionPreview = {
  /** In all */
  interactions: number;
  completed: number;
  /** `Expired` or `InProgress` */
  ended: number;
  /** `Draft` or `Pending` */
  draft: number;
};

export type Revision = {
  /** The same id and revision again get the stored outcome */
  clientMessageId: string;
  /** The `seq` of the snapshot that is answered */
  expectedSeq: number;
  /** The `stepId` of an entry that has `canRevise` */
  stepId: string;
  /**
   * Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible,
   * or `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for multiChoice and ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time and objects of strings for matrix.
   */
  answer:
    | { value: unknown; text?: never; skip?: never }
    | { text: string; value?: never; skip?: never }
    | { skip: true; value?: never; text?: never };
};

export type Role = 'owner' | 'admin' | 'editor' | 'viewer';

export type Scope =
  | 'customers:read'
  | 'customers:write'
  | 'interactions:read'
  | 'interactions:write'
  | 'bots:read'
  | 'bots:write'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'insight:read'
  | 'insight:write'
  | 'keys:read'
  | 'keys:write'
  | 'workspace:read'
  | 'workspace:write'
  | 'audit:read'
  | 'audit:write'
  | 'personal-data:read';

export type Snapshot = {
  status: Open<InteractionStatus>;
  /** The number of the newest entry */
  seq: number;
  entries: Array<{
    seq: number;
    type: Open<'bot' | 'customer'>;
    body: string;
    /** Epoch seconds with fraction */
    timestamp: number;
    /** The customer has skipped the question */
    skipped?: true;
    /** The body is a number on a scale that ends here */
    outOf?: number;
    /** The step that it answers, if the bot lets customers revise answers */
    stepId?: string;
    /** A revision has replaced it, or taken the conversation another way */
    withdrawn?: true;
    /** The answer can be revised now */
    canRevise?: true;
  }>;
  input: Input | null;
  /** What else is waited for; null when nothing is */
  awaiting: string | null;
  progress: number;
  expiresAt: string | null;
  /** Only at a link, while the conversation cannot start yet: from when it can */
  availableFrom?: string;
  /** What the bot is called now */
  botName: string;
  /** Only of a test interaction: it counts nowhere */
  isTest?: true;
};

export type Webhook = {
  id: string;
  url: string;
  isActive: boolean;
  /** The names of its events, in the order of the catalogue, with commas */
  event: string;
};

export type WebhookChange = {
  isActive: boolean;
};

export type WebhookDeactivatedEvent = {
  /** The id of the event, and its `webhook-id` */
  id: string;
  type: 'WebhookDeactivated';
  /** When it happened */
  timestamp: string;
  /** Only of a test event */
  test?: true;
  data: {
    id: string;
    url: string;
    isActive: boolean;
    /** The names of its events, in the order of the catalogue, with commas */
    event: string;
    /** The receiver answered 410, or has failed for five days */
    reason: Open<'gone' | 'auto'>;
  };
};

export type WebhookOptions = {
  /** Of the header fields that are added to every delivery; their values are never shown */
  headerNames: Array<string>;
  /** null: as fast as the receiver answers */
  rateLimit: WebhookRateLimit | null;
  ordering: Open<WebhookOrdering>;
  /** Whether there is a `v1a` signature (Ed25519) as well */
  asymmetricSignature: boolean;
  /** Those that verify `v1a` signatures now, newest first: `whpk_` and base64 of 32 bytes */
  publicKeys: Array<string>;
  events: Array<Open<EventName>>;
  /** null: every event passes */
  filter: string | null;
  /** Whether `InteractionCompleted` has the envelope of the other events */
  envelope: boolean;
};

export type WebhookOptionsChange = {
  /** http or https; a deployment takes public https URLs only */
  url?: string;
  /** Sent as a query parameter of each delivery; unique in the workspace and never shown */
  secretToken?: string;
  /**
   * Header fields of every delivery, by name. They replace all earlier ones. Reserved are `host`,
   * `content-*`, `transfer-encoding`, `connection` and the like, `user-agent`, `traceparent`, `tracestate`,
   * `webhook-*` and `x-parley-*`. Values are stored encrypted and never shown.
   */
  headers?: Record<string, string>;
  /** null for none */
  rateLimit?: WebhookRateLimit | null;
  ordering?: WebhookOrdering;
  asymmetricSignature?: boolean;
  /** The events that it gets */
  events?: Array<EventName>;
  /** null for none */
  filter?: string | null;
  /** Whether `InteractionCompleted` has the envelope of the other events */
  envelope?: boolean;
};

/** `perCustomer`: the deliveries of a customer one after another. `strict`: all deliveries of the webhook. A failed delivery blocks later ones until it succeeds or has no attempts left */
export type WebhookOrdering = 'none' | 'perCustomer' | 'strict';

/** Of attempts, over all replicas of the service */
export type WebhookRateLimit = {
  perSecond: number;
  /** How many may go out at once after a pause */
  burst: number;
};

export type WebhookStats = {
  /** Open deliveries, counted up to 10,000 */
  pending: number;
  /** For how long the oldest of them has been due; 0 when none is */
  oldestDueSeconds: number;
  /** `open` after many failures: one delivery at a time is tried */
  breaker: Open<'closed' | 'open'>;
  /** The end of the pause, set by `Retry-After` or the breaker. Null without a pause */
  pausedUntil: string | null;
  /** The receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or the `breaker` is open. Null without a pause */
  pauseReason: Open<'rate_limited' | 'unavailable' | 'breaker'> | null;
  /** `user`: deactivated by a call. `gone`: the receiver answered 410. `auto`: it has failed for five days. Null while it is active */
  inactiveReason: Open<'user' | 'gone' | 'auto'> | null;
  lastSuccessAt: string | null;
  /** The first failure after the last success */
  failingSince: string | null;
  /** When it is deactivated if it continues to fail */
  disabledAt: string | null;
  /** Events that the filter has kept back */
  filtered: number;
  /** Events for which the filter failed */
  filterErrors: number;
  /** Why it failed last */
  lastFilterError: string | null;
  /** Since when events wait before they become deliveries of this webhook, because its filter or its workspace needs much work. Null if none waits. It ends by itself */
  delayedSince: string | null;
  /** `filter`: the filter of this webhook is costly: use fewer or shorter conditions on long texts. `workspace`: many webhooks or many events. Null without a delay */
  delayReason: Open<'filter' | 'workspace'> | null;
  /** Events that wait so, counted up to 1,000. Null for a portal link of certain webhooks, from which all others are hidden */
  waitingEvents: number | null;
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
  /** Origins of pages that may use the browser SDK, and show the portal in a frame. `https://*.shop.example` is every host below shop.example */
  allowedDomains: Array<string>;
};

/** The body of an event of the catalogue with its envelope. */
export type CatalogueEvent =
  | InteractionCreatedEvent
  | InteractionAvailableEvent
  | InteractionReminderDueEvent
  | InteractionStartedEvent
  | InteractionStalledEvent
  | InteractionCompletedEvent
  | InteractionExpiredEvent
  | CustomerAnonymisedEvent
  | WebhookDeactivatedEvent;

/** The stable `type` of an error. */
export type ErrorType =
  | 'invalid-request'
  | 'malformed-json'
  | 'malformed-path'
  | 'malformed-request'
  | 'invalid-credentials'
  | 'missing-scope'
  | 'not-for-caller'
  | 'cross-site'
  | 'not-found'
  | 'not-acceptable'
  | 'request-timeout'
  | 'body-too-large'
  | 'conversations-too-large'
  | 'unsupported-media-type'
  | 'idempotency-key-reused'
  | 'rate-limited'
  | 'too-many-failures'
  | 'workspace-busy'
  | 'headers-too-large'
  | 'internal'
  | 'overloaded'
  | 'unavailable'
  | 'timeout'
  | 'precondition-failed'
  | 'invalid-cursor'
  | 'cursor-expired'
  | 'contact-limit'
  | 'illegal-transition'
  | 'illegal-expiry'
  | 'illegal-availability'
  | 'lost-race'
  | 'no-email-question'
  | 'customer-exists'
  | 'anonymisation-continues'
  | 'deletion-continues'
  | 'invalid-session'
  | 'not-available-yet'
  | 'conversation-ended'
  | 'client-message-id-reused'
  | 'stale-sequence'
  | 'not-started'
  | 'unanswerable-answer'
  | 'revising-off'
  | 'bot-key-in-use'
  | 'too-many-bots'
  | 'too-many-bot-versions'
  | 'unexpected-bot-version'
  | 'precondition-required'
  | 'too-many-open-links'
  | 'no-insight'
  | 'too-many-portal-links'
  | 'secret-token-in-use'
  | 'too-many-webhooks'
  | 'webhook-inactive'
  | 'delivery-under-way'
  | 'event-expired'
  | 'event-filtered'
  | 'too-many-recoveries'
  | 'not-home-workspace'
  | 'stronger-key'
  | 'too-many-api-keys'
  | 'key-ended'
  | 'owner-only'
  | 'member-exists'
  | 'too-many-members'
  | 'last-owner'
  | 'role-of-group'
  | 'operator-only'
  | 'invalid-customer-token'
  | 'foreign-origin';
