// Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.

import type { CallOptions, Send } from '../calls/call.ts';
import { readExport } from '../export.ts';
import { readFile, readText } from '../file.ts';
import { readList } from '../list.ts';
import type { Open } from '../open.ts';
import type {
  AllowedDomains,
  ApiKey,
  ApiKeyChange,
  Attempt,
  AuditEvent,
  Bot,
  BotDefinition,
  BotDraft,
  BotDraftEntry,
  BotTemplate,
  BotVersion,
  BotVersionWithDefinition,
  Branding,
  BrandingChange,
  CallerSession,
  ContactPolicy,
  ContactPolicyChange,
  Contactability,
  CreatedApiKey,
  CreatedItem,
  CreatedPortalLink,
  CursorMeta,
  Customer,
  CustomerChange,
  CustomerExport,
  DeletedCustomers,
  DeletedTests,
  DeliveredEvent,
  Delivery,
  DeliveryBody,
  Deployment,
  Erasure,
  EventName,
  EventType,
  Insight,
  Interaction,
  InteractionChange,
  InteractionStatus,
  Invitation,
  Member,
  MemberChange,
  Message,
  NewApiKey,
  NewBotDraft,
  NewBotVersion,
  NewCustomer,
  NewInteraction,
  NewInteractions,
  NewInvitation,
  NewOpenLink,
  NewPortalLink,
  NewRecovery,
  NewReplay,
  NewWebhook,
  OpenLink,
  OpenLinkChange,
  PageMeta,
  Pending,
  PortalLink,
  Presences,
  Priority,
  PublishedBot,
  Recovery,
  RejectedItem,
  RenewedPresence,
  Replays,
  Retention,
  RetentionChange,
  RetentionPreview,
  Revision,
  Snapshot,
  Webhook,
  WebhookChange,
  WebhookOptions,
  WebhookOptionsChange,
  WebhookStats,
  Workspace,
} from './api.ts';

/** The calls with an API key outside of a workspace. */
export const keyCalls = (send: Send) => ({
  workspaces: {
    /** List the workspaces that the key can access */
    list: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      readList<Workspace, null>(send, { method: 'GET', path: '/v1/workspaces' }, {}, options),
    /**
     * Get a workspace
     *
     * Needs the scope `workspace:read`.
     */
    get: (workspaceId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Workspace>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}' },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Replace the allowed domains of a workspace
     *
     * Gateways may use the former ones for ten more seconds.
     *
     * Needs the scope `workspace:write`.
     */
    setAllowedDomains: (workspaceId: string, body: AllowedDomains, options?: CallOptions<'requestId'>) =>
      send<Workspace>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/allowed-domains' },
        { params: { workspaceId }, body },
        options,
      ),
  },
  session: {
    /** Get who is calling: the key, person or portal link, its workspaces and its scopes in each of them */
    get: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<CallerSession>({ method: 'GET', path: '/v1/session' }, {}, options),
    /**
     * Sign out the calling person or portal session
     *
     * After the answer, no gateway accepts the session.
     */
    end: (options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>({ method: 'DELETE', path: '/v1/session' }, {}, options),
  },
  deployment: {
    /**
     * Get whether everything is well: services, events, stream and deliveries
     *
     * The limits are those of the alerts, without their waiting time. A replica that does not answer is shown
     * as silent. The answer is up to a second old, and has no data of a workspace.
     *
     * Only for people who have signed in as operators.
     */
    get: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Deployment>({ method: 'GET', path: '/v1/deployment' }, {}, options),
  },
});

/** The calls inside one workspace. */
export const workspaceCalls = (send: Send, workspaceId: string) => ({
  interactions: {
    /**
     * Create up to 500 interactions
     *
     * Each item is a body of `POST /interactions`, with its rules, and is created as by a single call, in
     * order. `data` has one item per body, in order: the interaction, or the error that the single call would have. A bad
     * item harms no other. Other errors are about the request as a whole, which then has no effect. The body has at most
     * 2 MiB and 50000 values. Every 3 items count as a call. An
     * `Idempotency-Key` covers the request: a replay has the same interactions and errors.
     *
     * Needs the scope `interactions:write`.
     */
    createBulk: (body: NewInteractions, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
      readList<CreatedItem | RejectedItem, null>(
        send,
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/interactions/bulk', takesIdempotencyKey: true },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Delete all test interactions
     *
     * Deletes each as `DELETE /interactions/{interactionId}` does. `isTest` must be `true`, so that no call
     * without it deletes anything. A call ends after 15 seconds, with `hasMore`.
     *
     * Needs the scope `interactions:write`.
     */
    deleteTests: (
      query: {
        /** Must be `true` */
        isTest?: boolean | undefined;
      } = {},
      options?: CallOptions<'requestId'>,
    ) =>
      send<DeletedTests>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/interactions' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * List the interactions, newest first
     *
     * A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete JSON: send the request again. Allow more time for very large lists.
     *
     * Needs the scope `interactions:read`.
     */
    list: (
      query: {
        /** Which page; one past the last is empty. Default: `1` */
        page?: number | undefined;
        /** How many results a page has. Default: `20` */
        pageSize?: number | undefined;
        /** Only those in this status */
        status?: InteractionStatus | undefined;
        /** Only those of this priority */
        priority?: Priority | undefined;
        /** Only those of this customer */
        customerId?: string | undefined;
        /** Only those with this bot */
        botId?: string | undefined;
        /** Only those with the bot of this `key` */
        botKey?: string | undefined;
        /** Only those created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it */
        createdFrom?: string | undefined;
        /** Only those created before this instant */
        createdTo?: string | undefined;
        /** Only those that changed last at or after this instant */
        updatedFrom?: string | undefined;
        /** Only those completed at or after this instant */
        completedFrom?: string | undefined;
        /** Only those completed before this instant */
        completedTo?: string | undefined;
        /** Only those whose evaluation has this value for this key, written `key:value`, compared exactly. May be repeated: all must hold. A key that is personal in a bot needs the scope `personal-data:read` */
        evaluation?: Array<string> | undefined;
        /** Only those that have expired or stalled at this step of the bot, the last one shown: what `dropped` of its insight counts. Needs `botId` or `botKey` */
        stoppedAt?: string | undefined;
        /** Only conversations on this version of the bot. Needs `stoppedAt` */
        botVersion?: number | undefined;
        /** `true`: only test interactions; `false`: only others */
        isTest?: boolean | undefined;
        /** Adds the field `details`: the bot, its version, and the times of the conversation */
        include?: 'details' | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Interaction, PageMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/interactions' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Create an interaction, and its customer when there is none
     *
     * The default status `Draft` is invisible to the customer. Send `"status": "Pending"` to offer the
     * conversation to the customer, in the widget and at the `link` of the answer. Any status is accepted. An
     * interaction created `Completed` or `Expired` is an archived import and raises no event. With `availableFrom`,
     * customers see it from then on, and `InteractionAvailable` is raised, at once if that is not in the future.
     * Without the scope `customers:write`, `customer` sets the details of a new customer only: other details of one that
     * exists are 403 (`missing-scope`). `context` may have the keys that the bot names, each once, with values of 2 KiB and
     * 16 KiB in all (UTF-8).
     *
     * Needs the scope `interactions:write`.
     */
    create: (body: NewInteraction, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
      send<Interaction>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/interactions', takesIdempotencyKey: true },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Export interactions as a stream, oldest change first
     *
     * The answer is no envelope. It is as long as there are interactions, and comes as fast as it is read. An
     * interaction that changes meanwhile can be in it twice.
     *
     * NDJSON has a line per interaction, with its `cursor`. The last line is
     * `{"end": true, "rows": N, "cursor": "..."}`. A stream without it was cut: repeat the call with the `cursor` of the
     * last line that was read in full. Later, the last `cursor` returns what has changed since, and misses no change. For
     * that, changes that are newer than a transaction in progress wait for its end. After the data have moved to another
     * server or come from a backup, an older `cursor` is `cursor-expired`: `detail` has the `updatedFrom` with which an
     * export without it has all changes since.
     *
     * CSV (RFC 4180) is UTF-8 with a byte order mark. It has a column for each evaluation key of all versions of the bot,
     * named as the key. A matrix has a column for each row, `key.row`. A key with the name of another column, such as `status`, has the column `evaluation.status`. A cell
     * that a spreadsheet would take for a formula begins with `'`, and so does each such line of a cell. Cells with a comma, a
     * semicolon, a TAB, a quotation mark or a line break are in quotation marks. Times are in UTC and end in `Z`. A CSV stream that was cut is not complete
     * HTTP: repeat the call.
     *
     * Needs the scope `interactions:read`.
     */
    export: (
      query: {
        /** Only those in this status */
        status?: InteractionStatus | undefined;
        /** Only those of this priority */
        priority?: Priority | undefined;
        /** Only those of this customer */
        customerId?: string | undefined;
        /** Only those with this bot */
        botId?: string | undefined;
        /** Only those with the bot of this `key` */
        botKey?: string | undefined;
        /** Only those created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it */
        createdFrom?: string | undefined;
        /** Only those created before this instant */
        createdTo?: string | undefined;
        /** Only those that changed last at or after this instant */
        updatedFrom?: string | undefined;
        /** Only those completed at or after this instant */
        completedFrom?: string | undefined;
        /** Only those completed before this instant */
        completedTo?: string | undefined;
        /** Only those whose evaluation has this value for this key, written `key:value`, compared exactly. May be repeated: all must hold. A key that is personal in a bot needs the scope `personal-data:read` */
        evaluation?: Array<string> | undefined;
        /** Only those that have expired or stalled at this step of the bot, the last one shown: what `dropped` of its insight counts. Needs `botId` or `botKey` */
        stoppedAt?: string | undefined;
        /** Only conversations on this version of the bot. Needs `stoppedAt` */
        botVersion?: number | undefined;
        /** `true`: only test interactions. Else an export has none */
        isTest?: boolean | undefined;
        /** Continues an export with these filters behind the line with this `cursor`; `updatedFrom` may differ */
        cursor?: string | undefined;
      } = {},
      options?: CallOptions<'requestId'>,
    ) =>
      readExport(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/interactions/export' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Get an interaction
     *
     * Needs the scope `interactions:read`.
     */
    get: (
      interactionId: string,
      query: {
        /** Adds the field `details`: the bot, its version, and the times of the conversation */
        include?: 'details' | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      send<Interaction>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}' },
        { params: { workspaceId, interactionId }, query },
        options,
      ),
    /**
     * Change status, priority, expiry or availability of an interaction
     *
     * `Draft` changes to `Pending` or `InProgress`. `Pending` changes to `Draft`, `InProgress` or
     * `Completed`. `InProgress` changes to `Completed`. All three change to `Expired`. `Expired` changes to
     * `Pending` with a future `expiry` in the same call. The same status is no change. `availableFrom` moves or clears
     * from when customers see a `Pending` interaction.
     *
     * Needs the scope `interactions:write`.
     */
    update: (
      interactionId: string,
      body: InteractionChange,
      options?: CallOptions<'ifMatch' | 'requestId'>,
    ) =>
      send<Interaction>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}' },
        { params: { workspaceId, interactionId }, body },
        options,
      ),
    /**
     * Delete an interaction with its conversation
     *
     * Its link and sessions end at once. Seconds later, the bodies of its events, open deliveries and the
     * answers of receivers are gone too. The log of deliveries keeps ids and times. A retry of its creation with the same
     * `Idempotency-Key` is answered with 404.
     *
     * Needs the scope `interactions:write`.
     */
    delete: (interactionId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}' },
        { params: { workspaceId, interactionId } },
        options,
      ),
    /**
     * Get the link of an interaction as a QR code
     *
     * The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter of
     * the code may be worn off or covered. Print it at least 2 cm wide. Also needs the scope `interactions:write`, as the link itself does.
     *
     * Needs the scope `interactions:read`.
     */
    qr: (
      interactionId: string,
      query: {
        /** SVG can be printed in any size. Default: `"svg"` */
        format?: 'svg' | 'png' | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readFile(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}/qr' },
        { params: { workspaceId, interactionId }, query },
        options,
      ),
    /**
     * Get the first question as a block for an e-mail, with a link per answer
     *
     * The answer is a file and no envelope. Put it into your e-mail: a table with inline styles in the colours of the
     * branding, or plain text. The first question must be of the type `nps`, `rating`, `yesNo` or `choice`, with at most
     * 11 answers. Opening a link writes nothing, however often, because programs open links of e-mails too: its page shows the
     * answer, marked, and one button, which starts the conversation and sends the answer. Also needs the scopes
     * `interactions:write`, for the links, and `personal-data:read`.
     *
     * Needs the scope `interactions:read`.
     */
    emailBlock: (
      interactionId: string,
      query: {
        /** Default: `"html"` */
        format?: 'html' | 'text' | undefined;
        /** The customer's language, a BCP 47 tag */
        locale?: string | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readText(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}/email-block' },
        { params: { workspaceId, interactionId }, query },
        options,
      ),
    /**
     * List the deliveries of events about an interaction to all webhooks, newest first
     *
     * An unknown interaction has none. Finished deliveries are kept for 30 days.
     *
     * Needs the scope `webhooks:read`.
     */
    listDeliveries: (
      interactionId: string,
      query: {
        /** The `nextCursor` of the page before; none for the first page */
        cursor?: string | undefined;
        /** How many results a page has at most. Default: `20` */
        limit?: number | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Delivery, CursorMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}/deliveries' },
        { params: { workspaceId, interactionId }, query },
        options,
      ),
  },
  contactPolicy: {
    /**
     * Get how often customers may be offered interactions
     *
     * Needs the scope `workspace:read`.
     */
    get: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<ContactPolicy>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/contact-policy' },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Change how often customers may be offered interactions
     *
     * Counts the interactions of a customer that were `Pending`, or started, in the last days. Drafts, imports
     * and test interactions do not count. Deleted interactions count, until their customer is deleted. Beyond a limit, offering is
     * `contact-limit`. The policy is in force for all calls that begin after the answer.
     *
     * Needs the scope `workspace:write`.
     */
    update: (body: ContactPolicyChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<ContactPolicy>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/contact-policy' },
        { params: { workspaceId }, body },
        options,
      ),
  },
  customers: {
    /**
     * Get whether a customer may be offered an interaction now
     *
     * Changes nothing. Without a bot, only the limit of all bots counts.
     *
     * Needs the scope `interactions:read`.
     */
    getContactability: (
      customerId: string,
      query: {
        /** The id of the bot that would offer; or give its `botKey` */
        botId?: string | undefined;
        /** The `key` of its definition, instead of `botId` */
        botKey?: string | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      send<Contactability>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/customers/{customerId}/contactability' },
        { params: { workspaceId, customerId }, query },
        options,
      ),
    /**
     * Get a customer with its interactions, newest first
     *
     * A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete JSON: send the request again. Allow more time for very large lists.
     *
     * Needs the scope `customers:read`.
     */
    get: (customerId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Customer>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/customers/{customerId}' },
        { params: { workspaceId, customerId } },
        options,
      ),
    /**
     * Change the details of a customer
     *
     * Needs the scope `customers:write`.
     */
    update: (customerId: string, body: CustomerChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<Customer>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/customers/{customerId}' },
        { params: { workspaceId, customerId }, body },
        options,
      ),
    /**
     * Delete a customer with all interactions
     *
     * Afterwards no store of the deployment has the customer, its interactions, their conversations, the bodies
     * of their events or the answers of receivers. All links and sessions end. The log of deliveries keeps ids and times. If
     * 25 seconds are not enough, the answer is 504, and the deletion continues. `detail` has the
     * path of the erasure, which shows the progress. A customer that is created again under this id has nothing of the deleted
     * one. The id itself stays for ever in the erasure with its receipt. All else forgets it with its age.
     *
     * Needs the scope `customers:write`.
     */
    delete: (customerId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/customers/{customerId}' },
        { params: { workspaceId, customerId } },
        options,
      ),
    /**
     * List the customers, oldest first
     *
     * Needs the scope `customers:read`.
     */
    list: (
      query: {
        /** Which page; one past the last is empty. Default: `1` */
        page?: number | undefined;
        /** How many results a page has. Default: `20` */
        pageSize?: number | undefined;
        /** Only the customers of these ids, separated by commas: 1 to 100, without those that do not exist. All are on one page, and `page` and `pageSize` do not count. An id with a comma cannot be asked for like this */
        ids?: string | undefined;
        /** Only those whose id, first name, last name or e-mail address begins with this text, ignoring case. Two words also find a first and a last name that begin with them. Needs the scope `personal-data:read` */
        q?: string | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Customer, PageMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/customers' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Create a customer
     *
     * Needs the scope `customers:write`.
     */
    create: (body: NewCustomer, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
      send<Customer>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/customers', takesIdempotencyKey: true },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Delete the customers of open links with all interactions
     *
     * Those whose ids are `anonymous-` and 32 hexadecimal digits, also if a client has created them.
     * `anonymous` must be `true`, so that no call without it deletes anything. The deletions have begun with the answer, and go on as those of single customers do, each with a
     * receipt. A call ends after 15 seconds, with `hasMore`.
     *
     * Needs the scope `customers:write`.
     */
    deleteAnonymous: (
      query: {
        /** Must be `true` */
        anonymous?: boolean | undefined;
      } = {},
      options?: CallOptions<'requestId'>,
    ) =>
      send<DeletedCustomers>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/customers' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Remove the personal details of a customer everywhere; the history stays
     *
     * Afterwards no store of the deployment has the name or the email, including transcripts and webhook
     * logs. Ids, statuses, timestamps and scores stay, the customer's id for ever. Open interactions expire. All links and sessions end. May be repeated.
     * If 25 seconds are not enough, the answer is 504, and the removal continues. `detail` has
     * the path of the erasure, which shows the progress. A call for a customer whose anonymisation is running joins it.
     *
     * Needs the scope `customers:write`.
     */
    anonymise: (customerId: string, options?: CallOptions<'requestId'>) =>
      send<null>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/customers/{customerId}/anonymise' },
        { params: { workspaceId, customerId } },
        options,
      ),
    /**
     * Export everything that is stored about a customer
     *
     * The answer to a request for access by the person (GDPR, article 15): profile, interactions with
     * transcripts, links without their URLs, and deliveries to webhooks. It has no secret and nothing about others. The ETag
     * covers everything but `exportedAt`. A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete JSON: send the request again. Allow more time for very large lists.
     *
     * Needs the scope `customers:read`.
     */
    export: (customerId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<CustomerExport>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/customers/{customerId}/export' },
        { params: { workspaceId, customerId } },
        options,
      ),
    /**
     * Sign a customer token
     *
     * For `POST /public/v1/workspaces/{workspaceId}/sessions`, called by the customer's browser. The customer must exist.
     *
     * Needs the scope `customers:write`.
     */
    createToken: (customerId: string, options?: CallOptions<'requestId'>) =>
      send<{
        customerToken: string;
        /** UTC, ISO 8601 with six fractional digits and no zone */
        expiresAt: string;
      }>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/customers/{customerId}/token' },
        { params: { workspaceId, customerId } },
        options,
      ),
  },
  branding: {
    /**
     * Get the branding of a workspace
     *
     * Needs the scope `workspace:read`.
     */
    get: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Branding>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/branding' },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Change the branding of a workspace
     *
     * Absent fields stay, null clears a field. Link pages show the change at once, widgets from their next session on.
     *
     * Needs the scope `workspace:write`.
     */
    update: (body: BrandingChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<Branding>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/branding' },
        { params: { workspaceId }, body },
        options,
      ),
  },
  bots: {
    /**
     * List the bots, oldest first
     *
     * Needs the scope `bots:read`.
     */
    list: (
      query: {
        /** Only the bot with this key */
        key?: string | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Bot, null>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Create a bot from its definition, or from a template
     *
     * Instead of a definition, the body may have the id of a `template`, with the `key` and the `name` of the bot, and its language in `locale`. Each of them is optional.
     *
     * Needs the scope `bots:write`.
     */
    create: (body: BotDefinition, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
      send<PublishedBot>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/bots', takesIdempotencyKey: true },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Get a bot
     *
     * Needs the scope `bots:read`.
     */
    get: (botId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Bot>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}' },
        { params: { workspaceId, botId } },
        options,
      ),
    /**
     * Publish a new version of a bot; started conversations keep theirs
     *
     * An unchanged definition creates no version. A version that is restored always becomes a new one, also the live one. `publishDraft` publishes the draft and removes it, both or neither: a draft with faults is refused with them, and stays. `If-Match` has the ETag of the draft, and is only for that.
     *
     * Needs the scope `bots:write`.
     */
    publishVersion: (
      botId: string,
      body: NewBotVersion,
      options?: CallOptions<'idempotencyKey' | 'ifMatch' | 'requestId'>,
    ) =>
      send<PublishedBot>(
        {
          method: 'POST',
          path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
          takesIdempotencyKey: true,
        },
        { params: { workspaceId, botId }, body },
        options,
      ),
    /**
     * List the versions of a bot, newest first
     *
     * Needs the scope `bots:read`.
     */
    listVersions: (botId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      readList<BotVersion, null>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions' },
        { params: { workspaceId, botId } },
        options,
      ),
    /**
     * Get a version of a bot with its definition
     *
     * Needs the scope `bots:read`.
     */
    getVersion: (
      botId: string,
      version: number,
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      send<BotVersionWithDefinition>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions/{version}' },
        { params: { workspaceId, botId, version } },
        options,
      ),
    /**
     * Replay the last conversations with another definition, before it is published
     *
     * Changes nothing. Each question gets the answer that the customer gave to the question of the same id, and
     * each step of the model the values that it found. What differs is what the definition causes: the same replay with the
     * version of the conversation is the comparison. Also needs the scope `personal-data:read`: the conditions of a definition
     * can test each personal value.
     *
     * Needs the scope `interactions:read`.
     */
    replay: (botId: string, body: NewReplay, options?: CallOptions<'requestId'>) =>
      send<Replays>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/bots/{botId}/replays' },
        { params: { workspaceId, botId }, body },
        options,
      ),
    /**
     * List which bots have a draft, the last saved first
     *
     * Needs the scope `bots:read`.
     */
    listDrafts: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      readList<BotDraftEntry, null>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bot-drafts' },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Get the draft of a bot with its faults
     *
     * Needs the scope `bots:read`.
     */
    getDraft: (botId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<BotDraft>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/draft' },
        { params: { workspaceId, botId } },
        options,
      ),
    /**
     * Save a definition as the draft of a bot; it may have faults
     *
     * A draft changes nothing that customers see. Needs `If-Match` with the ETag of the draft that it replaces, or `If-None-Match: *` for the first one. 412 says who has saved the current draft, and when. A repetition of the last save succeeds.
     *
     * Needs the scope `bots:write`.
     */
    saveDraft: (
      botId: string,
      body: NewBotDraft,
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      send<BotDraft>(
        { method: 'PUT', path: '/v1/workspaces/{workspaceId}/bots/{botId}/draft' },
        { params: { workspaceId, botId }, body },
        options,
      ),
    /**
     * Discard the draft of a bot
     *
     * Needs the scope `bots:write`.
     */
    discardDraft: (botId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/bots/{botId}/draft' },
        { params: { workspaceId, botId } },
        options,
      ),
    /**
     * Say that the calling person has the editor of the bot open, and list who else has
     *
     * The person is listed until `DELETE`, or for 25 seconds: repeat the call every ten seconds. The answer has
     * each tab, the one that was opened first in front, at most 100. API keys are no people: 403.
     *
     * Needs the scope `bots:read`.
     */
    renewPresence: (botId: string, body: RenewedPresence, options?: CallOptions<'requestId'>) =>
      send<Presences>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/bots/{botId}/presences' },
        { params: { workspaceId, botId }, body },
        options,
      ),
    /**
     * Say that the calling person has closed the editor of the bot
     *
     * Needs the scope `bots:read`.
     */
    endPresence: (botId: string, presenceId: string, options?: CallOptions<'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/bots/{botId}/presences/{presenceId}' },
        { params: { workspaceId, botId, presenceId } },
        options,
      ),
    /**
     * List the templates of bots
     *
     * Needs the scope `bots:read`.
     */
    listTemplates: (
      query: {
        /** The language of names and descriptions, and the `locale` of the definitions. Default: `"en"` */
        locale?: 'en' | 'de' | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<BotTemplate, null>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bot-templates' },
        { params: { workspaceId }, query },
        options,
      ),
    openLinks: {
      /**
       * List the open links of a bot, newest first
       *
       * Needs the scope `bots:read`.
       */
      list: (
        botId: string,
        query: {
          /** The `nextCursor` of the page before; none for the first page */
          cursor?: string | undefined;
          /** How many results a page has at most. Default: `20` */
          limit?: number | undefined;
        } = {},
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        readList<OpenLink, CursorMeta>(
          send,
          { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/open-links' },
          { params: { workspaceId, botId }, query },
          options,
        ),
      /**
       * Create a link by which anybody can hold a conversation with the bot
       *
       * Opening the `url` changes nothing. Who presses “Start” there gets an interaction for a new customer, whose
       * id is `anonymous-` and 32 hexadecimal digits. The same browser continues it for 30 days. A parameter of the URL that
       * `contextKeys` names becomes context, as a text: `?table=7`. A bot has at most 1000 open links.
       *
       * Needs the scope `bots:write`.
       */
      create: (botId: string, body: NewOpenLink, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
        send<OpenLink>(
          {
            method: 'POST',
            path: '/v1/workspaces/{workspaceId}/bots/{botId}/open-links',
            takesIdempotencyKey: true,
          },
          { params: { workspaceId, botId }, body },
          options,
        ),
      /**
       * Get an open link
       *
       * Needs the scope `bots:read`.
       */
      get: (
        botId: string,
        openLinkId: string,
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        send<OpenLink>(
          { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}' },
          { params: { workspaceId, botId, openLinkId } },
          options,
        ),
      /**
       * Change an open link; its URL stays
       *
       * Conversations that it has begun go on, also after it is closed.
       *
       * Needs the scope `bots:write`.
       */
      update: (
        botId: string,
        openLinkId: string,
        body: OpenLinkChange,
        options?: CallOptions<'ifMatch' | 'requestId'>,
      ) =>
        send<OpenLink>(
          { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}' },
          { params: { workspaceId, botId, openLinkId }, body },
          options,
        ),
      /**
       * Delete an open link
       *
       * Its page then says that the link is closed. Conversations that it has begun stay, and go on.
       *
       * Needs the scope `bots:write`.
       */
      delete: (botId: string, openLinkId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
        send<null>(
          { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}' },
          { params: { workspaceId, botId, openLinkId } },
          options,
        ),
      /**
       * Get an open link as a QR code
       *
       * The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter of
       * the code may be worn off or covered. Print it at least 2 cm wide.
       *
       * Needs the scope `bots:read`.
       */
      qr: (
        botId: string,
        openLinkId: string,
        query: {
          /** SVG can be printed in any size. Default: `"svg"` */
          format?: 'svg' | 'png' | undefined;
        } = {},
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        readFile(
          send,
          { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}/qr' },
          { params: { workspaceId, botId, openLinkId }, query },
          options,
        ),
    },
    /**
     * Get the figures of a bot: how many answer, where they stop, and what they say
     *
     * Counts the interactions that were created in the window, by their state at `asOf`. Figures are exact,
     * except times, which are at most 5 % off.
     *
     * Needs the scope `insight:read`.
     */
    getInsight: (
      botId: string,
      query: {
        /** Only interactions created at or after this instant. Default: 30 days before `to`, at the full hour (UTC) */
        from?: string | undefined;
        /** Only interactions created before this instant, at most 400 days after `from`. Default: now */
        to?: string | undefined;
        /** The time zone in which days begin: a name of IANA. Default: `"UTC"` */
        tz?: string | undefined;
        /** Only conversations on this version of the bot */
        version?: number | undefined;
        /** Also answers the totals of the window of the same length before this one */
        compare?: 'previous' | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      send<Insight>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/bots/{botId}/insight' },
        { params: { workspaceId, botId }, query },
        options,
      ),
  },
  webhooks: {
    portalLinks: {
      /**
       * Create a link that opens the webhook screens without an account; its URL is shown only once
       *
       * The link works once. Who opens it can do what `webhooks:read` and `webhooks:write` allow, and the
       * caller must have both (`missing-scope`). With `webhookIds`, other webhooks are hidden, none can be created or
       * deleted, and the events and the filter stay. `personalData` needs `personal-data:read`. An `Idempotency-Key` is
       * rejected (400).
       *
       * Needs the scope `webhooks:write`.
       */
      create: (body?: NewPortalLink, options?: CallOptions<'requestId'>) =>
        send<CreatedPortalLink>(
          { method: 'POST', path: '/v1/workspaces/{workspaceId}/webhooks/portal-links', isRepeatable: false },
          { params: { workspaceId }, body },
          options,
        ),
      /**
       * List the portal links, newest first
       *
       * A link is in the list until a day after its end.
       *
       * Needs the scope `webhooks:read`.
       */
      list: (
        query: {
          /** The `nextCursor` of the page before; none for the first page */
          cursor?: string | undefined;
          /** How many results a page has at most. Default: `20` */
          limit?: number | undefined;
        } = {},
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        readList<PortalLink, CursorMeta>(
          send,
          { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/portal-links' },
          { params: { workspaceId }, query },
          options,
        ),
      /**
       * Revoke a portal link, and end its session
       *
       * After the answer, no gateway accepts the link or its session. The record stays, with `revokedAt`.
       *
       * Needs the scope `webhooks:write`.
       */
      revoke: (portalLinkId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
        send<null>(
          { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/webhooks/portal-links/{portalLinkId}' },
          { params: { workspaceId, portalLinkId } },
          options,
        ),
    },
    /**
     * List the webhooks, oldest first
     *
     * Needs the scope `webhooks:read`.
     */
    list: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      readList<Webhook, null>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks' },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Create a webhook
     *
     * A portal link creates webhooks only with `personalData` and without `webhookIds`.
     *
     * Needs the scope `webhooks:write`.
     */
    create: (body: NewWebhook, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
      send<Webhook>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/webhooks', takesIdempotencyKey: true },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Get a webhook
     *
     * Needs the scope `webhooks:read`.
     */
    get: (webhookId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Webhook>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}' },
        { params: { workspaceId, webhookId } },
        options,
      ),
    /**
     * Activate or deactivate a webhook
     *
     * An inactive webhook sends nothing and skips due deliveries. `isActive: true` also ends a pause: due deliveries are attempted at once. A portal link with `webhookIds` or without `personalData` cannot activate a webhook that the company has deactivated.
     *
     * Needs the scope `webhooks:write`.
     */
    update: (webhookId: string, body: WebhookChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<Webhook>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}' },
        { params: { workspaceId, webhookId }, body },
        options,
      ),
    /**
     * Delete a webhook and cancel its due deliveries
     *
     * Needs the scope `webhooks:write`.
     */
    delete: (webhookId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}' },
        { params: { workspaceId, webhookId } },
        options,
      ),
    /**
     * Create a new signing secret, which is shown only once
     *
     * Without a body the current secrets sign for another day. A webhook with `asymmetricSignature` also gets a new key pair. An `Idempotency-Key` is rejected (400).
     *
     * Needs the scope `webhooks:write`.
     */
    rotateSigningSecret: (
      webhookId: string,
      body?: {
        /** How long the current secrets continue to sign. Default: `86400` */
        overlapSeconds?: number;
      },
      options?: CallOptions<'requestId'>,
    ) =>
      send<{
        signingSecret: string;
      }>(
        {
          method: 'POST',
          path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate',
          isRepeatable: false,
        },
        { params: { workspaceId, webhookId }, body },
        options,
      ),
    /**
     * Get the options of a webhook
     *
     * Needs the scope `webhooks:read`.
     */
    getOptions: (webhookId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<WebhookOptions>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options' },
        { params: { workspaceId, webhookId } },
        options,
      ),
    /**
     * Change the options of a webhook
     *
     * Absent fields stay. Ordering, events, filter and envelope apply to events that are raised after the answer. All others apply from the next attempt on, which may be a retry of an earlier event. An attempt that is in flight is not affected. The webhook shows its `url`. If a portal link changes the origin of the `url`, header fields are deleted and the secret token is replaced by a random one, unless the call has new ones.
     *
     * Needs the scope `webhooks:write`.
     */
    updateOptions: (
      webhookId: string,
      body: WebhookOptionsChange,
      options?: CallOptions<'ifMatch' | 'requestId'>,
    ) =>
      send<WebhookOptions>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options' },
        { params: { workspaceId, webhookId }, body },
        options,
      ),
    /**
     * List the events that webhooks can get
     *
     * Without the option `envelope`, the body of `InteractionCompleted` is only its `result`.
     *
     * Needs the scope `webhooks:read`.
     */
    listEventTypes: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      readList<EventType, null>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/event-types' },
        { params: { workspaceId } },
        options,
      ),
    deliveries: {
      /**
       * List the deliveries of a webhook, newest first
       *
       * Finished deliveries are kept for 30 days.
       *
       * Needs the scope `webhooks:read`.
       */
      list: (
        webhookId: string,
        query: {
          /** The `nextCursor` of the page before; none for the first page */
          cursor?: string | undefined;
          /** How many results a page has at most. Default: `20` */
          limit?: number | undefined;
          /** Only those in this state */
          state?: 'pending' | 'succeeded' | 'failed' | 'skipped' | undefined;
          /** Only deliveries of events about this interaction; none for an unknown interaction */
          interactionId?: string | undefined;
          /** Only the delivery of this event, also of a test: the `webhook-id` of its requests, which is the `webhookMessageId` of a delivery */
          eventId?: string | undefined;
          /** Only deliveries of events with this name. A page can then be short although `nextCursor` leads to more */
          event?: DeliveredEvent | undefined;
          /** Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it */
          since?: string | undefined;
          /** Only deliveries created before this instant */
          until?: string | undefined;
        } = {},
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        readList<Delivery, CursorMeta>(
          send,
          { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries' },
          { params: { workspaceId, webhookId }, query },
          options,
        ),
      /**
       * Get a delivery
       *
       * Needs the scope `webhooks:read`.
       */
      get: (
        webhookId: string,
        deliveryId: string,
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        send<Delivery>(
          {
            method: 'GET',
            path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}',
          },
          { params: { workspaceId, webhookId, deliveryId } },
          options,
        ),
      /**
       * Get the body that the requests of a delivery have
       *
       * Needs the scope `webhooks:read`.
       */
      getBody: (
        webhookId: string,
        deliveryId: string,
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        send<DeliveryBody>(
          {
            method: 'GET',
            path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/body',
          },
          { params: { workspaceId, webhookId, deliveryId } },
          options,
        ),
      /**
       * List the attempts of a delivery, first to last
       *
       * An attempt is kept for 30 days. A 429 or 503 that pauses the webhook is here too, but does
       * not count as an attempt: `isCounted` is false, and the next one has the same `number`. Of these a delivery keeps the
       * newest ten.
       *
       * Needs the scope `webhooks:read`.
       */
      listAttempts: (
        webhookId: string,
        deliveryId: string,
        query: {
          /** The `nextCursor` of the page before; none for the first page */
          cursor?: string | undefined;
          /** How many results a page has at most. Default: `20` */
          limit?: number | undefined;
        } = {},
        options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
      ) =>
        readList<Attempt, CursorMeta>(
          send,
          {
            method: 'GET',
            path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/attempts',
          },
          { params: { workspaceId, webhookId, deliveryId }, query },
          options,
        ),
      /**
       * Retry a delivery now, whatever its state
       *
       * It keeps its id, its `webhook-id` and the numbers of its attempts. One that waits for an attempt is
       * tried now, too: if that fails, the planned attempt comes at its time. A delivery without attempts left gets one more. It waits for a pause or an open breaker, which `PATCH {"isActive": true}` of the webhook ends. A
       * repeated call changes nothing while the delivery waits.
       *
       * Needs the scope `webhooks:write`.
       */
      retry: (webhookId: string, deliveryId: string, options?: CallOptions<'requestId'>) =>
        send<Delivery>(
          {
            method: 'POST',
            path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
            isRepeatable: false,
          },
          { params: { workspaceId, webhookId, deliveryId } },
          options,
        ),
    },
    /**
     * Send a test event
     *
     * It is delivered, signed, retried and logged like any event. With `event`, it is the example of that event. Otherwise it is a completion whose `x-parley-event` is `Test`. Its requests have the header field `x-parley-test: true`, and its body has `"test": true`. Returns its delivery.
     *
     * Needs the scope `webhooks:write`.
     */
    sendTest: (
      webhookId: string,
      body?: {
        event?: EventName;
        /** Whether it is sent although the filter of the webhook refuses it. Default: `false` */
        ignoreFilter?: boolean;
      },
      options?: CallOptions<'idempotencyKey' | 'requestId'>,
    ) =>
      send<Delivery>(
        {
          method: 'POST',
          path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test',
          takesIdempotencyKey: true,
        },
        { params: { workspaceId, webhookId }, body },
        options,
      ),
    /**
     * Get the statistics of a webhook
     *
     * Needs the scope `webhooks:read`.
     */
    getStats: (webhookId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<WebhookStats>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/stats' },
        { params: { workspaceId, webhookId } },
        options,
      ),
    /**
     * Make the undelivered deliveries of a period due again
     *
     * It runs in the background: at most 500 deliveries per second, oldest first. The answer has the id for reading its progress. It stops when the webhook is deactivated.
     *
     * Needs the scope `webhooks:write`.
     */
    recover: (webhookId: string, body: NewRecovery, options?: CallOptions<'idempotencyKey' | 'requestId'>) =>
      send<Recovery>(
        {
          method: 'POST',
          path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recover',
          takesIdempotencyKey: true,
        },
        { params: { workspaceId, webhookId }, body },
        options,
      ),
    /**
     * List the recoveries of a webhook, newest first
     *
     * A recovery is kept for 30 days.
     *
     * Needs the scope `webhooks:read`.
     */
    listRecoveries: (
      webhookId: string,
      query: {
        /** The `nextCursor` of the page before; none for the first page */
        cursor?: string | undefined;
        /** How many results a page has at most. Default: `20` */
        limit?: number | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Recovery, CursorMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries' },
        { params: { workspaceId, webhookId }, query },
        options,
      ),
    /**
     * Get the progress of a recovery
     *
     * Needs the scope `webhooks:read`.
     */
    getRecovery: (
      webhookId: string,
      recoveryId: string,
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      send<Recovery>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries/{recoveryId}' },
        { params: { workspaceId, webhookId, recoveryId } },
        options,
      ),
  },
  erasures: {
    /**
     * List the erasures, newest first
     *
     * Needs the scope `customers:read`.
     */
    list: (
      query: {
        /** The `nextCursor` of the page before; none for the first page */
        cursor?: string | undefined;
        /** How many results a page has at most. Default: `20` */
        limit?: number | undefined;
        /** Only erasures of this customer; none for an unknown customer */
        customerId?: string | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Erasure, CursorMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/erasures' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Get the progress of an erasure
     *
     * Needs the scope `customers:read`.
     */
    get: (erasureId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Erasure>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/erasures/{erasureId}' },
        { params: { workspaceId, erasureId } },
        options,
      ),
  },
  retention: {
    /**
     * Get how long the workspace keeps interactions
     *
     * Needs the scope `workspace:read`.
     */
    get: (options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Retention>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/retention' },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Change how long the workspace keeps interactions
     *
     * Days are counted from the last change of an interaction. Those whose time is over are deleted in small
     * batches from now on, as with `DELETE`, except those with open deliveries. See first what would be deleted:
     * `POST /retention/preview`.
     *
     * Needs the scope `workspace:write`.
     */
    update: (body: RetentionChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<Retention>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/retention' },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Count the interactions that a change of the retention would delete now
     *
     * Needs the scope `workspace:read`.
     */
    preview: (body: RetentionChange, options?: CallOptions<'requestId'>) =>
      send<RetentionPreview>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/retention/preview' },
        { params: { workspaceId }, body },
        options,
      ),
  },
  keys: {
    /**
     * Replace the API key's secret; only in the workspace that the key was created for
     *
     * After the answer, no gateway accepts the old secret. The new one is shown only once, so an
     * `Idempotency-Key` is rejected (400). Of concurrent calls with the same secret, one succeeds and the others get 401.
     */
    rotateApiKeySecret: (options?: CallOptions<'requestId'>) =>
      send<{
        secret: string;
      }>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/apikeys/rotate', isRepeatable: false },
        { params: { workspaceId } },
        options,
      ),
    /**
     * Create a new SDK secret; the previous one stays valid until the next rotation
     *
     * The secret is shown only once, so an `Idempotency-Key` is rejected (400).
     *
     * Needs the scope `keys:write`.
     */
    rotateSdkSecret: (options?: CallOptions<'requestId'>) =>
      send<{
        kid: string;
        secret: string;
      }>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/sdk-secret/rotate', isRepeatable: false },
        { params: { workspaceId } },
        options,
      ),
    /**
     * List the API keys that were created for the workspace, oldest first
     *
     * Revoked and expired keys are in the list too.
     *
     * Needs the scope `keys:read`.
     */
    list: (
      query: {
        /** The `nextCursor` of the page before; none for the first page */
        cursor?: string | undefined;
        /** How many results a page has at most. Default: `20` */
        limit?: number | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<ApiKey, CursorMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/apikeys' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Create an API key of this workspace; its secret is shown only once
     *
     * The new key cannot do more than the calling key: each of its scopes must be one of the caller's
     * (`missing-scope`), and it must not expire later (`stronger-key`). A workspace has at most 1,000 keys, revoked and
     * expired ones too; then a new key replaces the oldest one that ended a day ago or earlier. An `Idempotency-Key` is rejected (400).
     *
     * Needs the scope `keys:write`.
     */
    create: (body: NewApiKey, options?: CallOptions<'requestId'>) =>
      send<CreatedApiKey>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/apikeys', isRepeatable: false },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * Get an API key that was created for the workspace
     *
     * Needs the scope `keys:read`.
     */
    get: (apiKey: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<ApiKey>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/apikeys/{apiKey}' },
        { params: { workspaceId, apiKey } },
        options,
      ),
    /**
     * Change the name, the scopes or the expiry of an API key
     *
     * After the answer, no gateway uses the former scopes and expiry. The calling key must have all scopes and
     * workspaces of the other key, and the scopes that it gives. Only an owner, or another key without limits, changes a key
     * without limits. A key that has ended stays ended. API keys, invitations and portal links of the key that it could not
     * make any more end.
     *
     * Needs the scope `keys:write`.
     */
    update: (apiKey: string, body: ApiKeyChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<ApiKey>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/apikeys/{apiKey}' },
        { params: { workspaceId, apiKey }, body },
        options,
      ),
    /**
     * Revoke an API key for good
     *
     * After the answer, no gateway accepts it. Its record stays, with `revokedAt`. The calling key must have
     * all scopes and workspaces of the other key. Only an owner, or another key without limits, revokes a key without limits.
     * A key can revoke itself. API keys, invitations and portal links that it made end, too.
     *
     * Needs the scope `keys:write`.
     */
    revoke: (apiKey: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/apikeys/{apiKey}' },
        { params: { workspaceId, apiKey } },
        options,
      ),
  },
  members: {
    /**
     * Invite a person; the link of the invitation is shown only once
     *
     * The link is valid once, for 7 days. Parley sends no mail: pass it on. Another invitation of the same
     * address replaces the first one. The role must not do more than the caller (`missing-scope`), and only an owner makes
     * owners (`owner-only`). With a sign-in provider, the person signs in there. An `Idempotency-Key` is rejected (400).
     *
     * Needs the scope `workspace:write`.
     */
    invite: (body: NewInvitation, options?: CallOptions<'requestId'>) =>
      send<Invitation>(
        { method: 'POST', path: '/v1/workspaces/{workspaceId}/members/invitations', isRepeatable: false },
        { params: { workspaceId }, body },
        options,
      ),
    /**
     * List the members of the workspace and the invitations, oldest first
     *
     * Needs the scope `workspace:read`.
     */
    list: (
      query: {
        /** The `nextCursor` of the page before; none for the first page */
        cursor?: string | undefined;
        /** How many results a page has at most. Default: `20` */
        limit?: number | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<Member, CursorMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/members' },
        { params: { workspaceId }, query },
        options,
      ),
    /**
     * Get a member of the workspace
     *
     * Needs the scope `workspace:read`.
     */
    get: (memberId: string, options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>) =>
      send<Member>(
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/members/{memberId}' },
        { params: { workspaceId, memberId } },
        options,
      ),
    /**
     * Change the role of a member, or whether it may see personal data
     *
     * After the answer, no gateway uses the former role. The caller must be able to do what the member can do
     * before and after the change. Only an owner changes owners, and a workspace keeps an owner once it has one. API keys,
     * invitations and portal links of the member that it could not make any more end.
     *
     * Needs the scope `workspace:write`.
     */
    update: (memberId: string, body: MemberChange, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<Member>(
        { method: 'PATCH', path: '/v1/workspaces/{workspaceId}/members/{memberId}' },
        { params: { workspaceId, memberId }, body },
        options,
      ),
    /**
     * Remove a member, or withdraw an invitation
     *
     * After the answer, no gateway gives the person access to the workspace. A person without a workspace is
     * signed out, unless it is an operator. API keys, invitations and portal links that the person made in the workspace end,
     * too. The caller must be able to do what the member can do.
     *
     * Needs the scope `workspace:write`.
     */
    remove: (memberId: string, options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/members/{memberId}' },
        { params: { workspaceId, memberId } },
        options,
      ),
    /**
     * Leave the workspace, as the calling person
     *
     * After the answer, no gateway gives the person access to the workspace. Without another workspace, the
     * person is signed out, unless it is an operator. API keys, invitations and portal links that it made in the workspace
     * end, too. A role of a group comes back at the next sign-in.
     */
    leave: (options?: CallOptions<'ifMatch' | 'requestId'>) =>
      send<null>(
        { method: 'DELETE', path: '/v1/workspaces/{workspaceId}/membership' },
        { params: { workspaceId } },
        options,
      ),
  },
  audit: {
    /**
     * List who changed what, newest first
     *
     * With `actor`, `action` or `target`, a page can be short although `nextCursor` leads to more.
     * Events are kept for the time that the operator has set, 400 days by default.
     *
     * Needs the scope `audit:read`.
     */
    list: (
      query: {
        /** The `nextCursor` of the page before; none for the first page */
        cursor?: string | undefined;
        /** How many results a page has at most. Default: `20` */
        limit?: number | undefined;
        /** Only events at or after this instant */
        from?: string | undefined;
        /** Only events before this instant */
        to?: string | undefined;
        /** Only what actors did whose kind, id and name contain each of these words: an API key, a person or a part of its name, or `operator`. Case does not matter */
        actor?: string | undefined;
        /** Only actions that contain each of these words. Case does not matter */
        action?: string | undefined;
        /** Only events about the thing with this id, about things whose UUID begins so (from 4 characters on), or about things of this kind, such as `webhook` */
        target?: string | undefined;
      } = {},
      options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
    ) =>
      readList<AuditEvent, CursorMeta>(
        send,
        { method: 'GET', path: '/v1/workspaces/{workspaceId}/audit-events' },
        { params: { workspaceId }, query },
        options,
      ),
  },
});

/** The calls that open a session. */
export const tokenCalls = (send: Send) => ({
  /**
   * Begin a session with a customer token
   *
   * The body has at most 16 KiB.
   */
  createSession: (
    workspaceId: string,
    body: {
      customerToken: string;
    },
    options?: CallOptions<'requestId'>,
  ) =>
    send<{
      sessionToken: string;
      /** Seconds */
      expiresIn: number;
      /** After how many seconds to ask for what is pending */
      pollAfter: number;
      branding?: Branding;
    }>(
      { method: 'POST', path: '/public/v1/workspaces/{workspaceId}/sessions' },
      { params: { workspaceId }, body },
      options,
    ),
  /**
   * Begin a session with the token of a link
   *
   * The token is the last part of the `link` of an interaction. Changes nothing. Only the landing page may
   * call it.
   * The body has at most 16 KiB.
   */
  createLinkSession: (
    body: {
      token: string;
    },
    options?: CallOptions<'requestId'>,
  ) =>
    send<{
      sessionToken: string;
      /** Seconds */
      expiresIn: number;
      workspaceId: string;
      interactionId: string;
      status: Open<InteractionStatus>;
      botName: string;
    }>({ method: 'POST', path: '/public/v1/link-sessions' }, { body }, options),
});

/** The calls of one customer's session. */
export const sessionCalls = (send: Send, workspaceId: string) => ({
  /**
   * Get the conversation; waits up to `wait` seconds for entries newer than `after`
   *
   * One call of a session waits for a conversation at a time. A newer call ends the older one, which returns the conversation unchanged.
   */
  getConversation: (
    interactionId: string,
    query: {
      /** Entries after this number only; all if a revision has withdrawn some since. Default: `0` */
      after?: number | undefined;
      /** How many seconds to wait for something newer than `after`. Default: `0` */
      wait?: number | undefined;
      /** The `input` is the question of this step, with its answer as `prefill`, if that can be revised */
      revisedStepId?: string | undefined;
    } = {},
    options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
  ) =>
    send<Snapshot>(
      { method: 'GET', path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}' },
      { params: { workspaceId, interactionId }, query },
      options,
    ),
  /**
   * Start the conversation; one in progress is returned unchanged
   *
   * A body is optional. Texts are in the language of `locale` if the bot has them, else in its own.
   *
   * The body has at most 16 KiB.
   */
  startConversation: (
    interactionId: string,
    body?: {
      /** The customer's language, a BCP 47 tag */
      locale?: string;
    },
    options?: CallOptions<'requestId'>,
  ) =>
    send<Snapshot>(
      { method: 'POST', path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/start' },
      { params: { workspaceId, interactionId }, body },
      options,
    ),
  /**
   * Answer the current step
   *
   * The body has at most 16 KiB.
   */
  postMessage: (interactionId: string, body: Message, options?: CallOptions<'requestId'>) =>
    send<Snapshot>(
      { method: 'POST', path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages' },
      { params: { workspaceId, interactionId }, body },
      options,
    ),
  /**
   * Replace the answer to an earlier step
   *
   * The conversation continues at the first question without an answer. Answers that the new course does not
   * come to, and texts of the bot, are `withdrawn`. At most 50 times in a conversation.
   *
   * The body has at most 16 KiB.
   */
  reviseAnswer: (interactionId: string, body: Revision, options?: CallOptions<'requestId'>) =>
    send<Snapshot>(
      { method: 'POST', path: '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/revise' },
      { params: { workspaceId, interactionId }, body },
      options,
    ),
  /** Get the best waiting interaction of the session, or null */
  getPending: (
    query: {
      /** The customer's language, a BCP 47 tag */
      locale?: string | undefined;
    } = {},
    options?: CallOptions<'ifMatch' | 'ifNoneMatch' | 'requestId'>,
  ) =>
    send<Pending | null>(
      { method: 'GET', path: '/public/v1/workspaces/{workspaceId}/pending' },
      { params: { workspaceId }, query },
      options,
    ),
});
