# Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.
"""The types of the API: dataclasses of answers, typed dictionaries of requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from parley._model import Event, Model, chain, either, many, mapped, model, register, register_inputs

__all__ = [
    "AllowedDomains",
    "ApiKey",
    "ApiKeyChange",
    "Attempt",
    "AttemptLatency",
    "AuditActor",
    "AuditActorType",
    "AuditEvent",
    "AuditTarget",
    "Bot",
    "BotDefinition",
    "BotDraft",
    "BotDraftEntry",
    "BotDraftFault",
    "BotTemplate",
    "BotVersion",
    "BotVersionWithDefinition",
    "Branding",
    "BrandingChange",
    "BrandingEndLink",
    "BrandingEndLinkInput",
    "CallerSession",
    "CallerSessionType",
    "CallerSessionWorkspace",
    "CatalogueEvent",
    "ContactLimit",
    "ContactLimitInput",
    "ContactPolicy",
    "ContactPolicyChange",
    "Contactability",
    "ConversationDifference",
    "Course",
    "CourseStopped",
    "CourseStoppedReason",
    "CreateCustomerTokenResult",
    "CreateLinkSessionBody",
    "CreateLinkSessionResult",
    "CreateSessionBody",
    "CreateSessionResult",
    "CreatedApiKey",
    "CreatedItem",
    "CreatedPortalLink",
    "CursorMeta",
    "Customer",
    "CustomerAnonymisedEvent",
    "CustomerAnonymisedEventData",
    "CustomerChange",
    "CustomerDetails",
    "CustomerExport",
    "CustomerExportCustomer",
    "CustomerExportDelivery",
    "CustomerExportInteraction",
    "CustomerExportInteractionBot",
    "CustomerExportInteractionContext",
    "CustomerExportInteractionConversation",
    "CustomerExportInteractionConversationCustomer",
    "CustomerExportInteractionLink",
    "CustomerExportInteractionTranscript",
    "CustomerExportInteractionTranscriptConsent",
    "CustomerExportInteractionTranscriptType",
    "CustomerInteraction",
    "DeletedCustomers",
    "DeletedTests",
    "DeliveredEvent",
    "Delivery",
    "DeliveryBody",
    "DeliveryState",
    "Deployment",
    "DeploymentConsumer",
    "DeploymentDeliveries",
    "DeploymentDeliveriesEgress",
    "DeploymentEventLog",
    "DeploymentFigures",
    "DeploymentProblem",
    "DeploymentProblemPart",
    "DeploymentReplica",
    "DeploymentReplicaState",
    "DeploymentService",
    "DeploymentShards",
    "DeploymentShardsOwner",
    "DeploymentStream",
    "DeploymentStreamReplicas",
    "DifferenceGroup",
    "DifferenceGroupEvaluation",
    "DifferenceGroupText",
    "Erasure",
    "ErasureKind",
    "ErasureStore",
    "ErasureStoreStore",
    "ErrorType",
    "EventName",
    "EventType",
    "ExportedInteraction",
    "Failure",
    "FailureError",
    "GetInteractionEmailBlockFormat",
    "GetInteractionQrFormat",
    "GetOpenLinkQrFormat",
    "Input",
    "InputChoice",
    "InputColumn",
    "InputOther",
    "InputPrefill",
    "InputRow",
    "InputType",
    "Insight",
    "InsightBot",
    "InsightCounts",
    "InsightDay",
    "InsightMatrix",
    "InsightMatrixRow",
    "InsightNps",
    "InsightNumbers",
    "InsightPrevious",
    "InsightRanking",
    "InsightRankingItem",
    "InsightStep",
    "InsightStepKind",
    "InsightTexts",
    "InsightTimes",
    "InsightTotals",
    "InsightWay",
    "InsightWeek",
    "Interaction",
    "InteractionAvailableEvent",
    "InteractionAvailableEventData",
    "InteractionAvailableEventDataContext",
    "InteractionChange",
    "InteractionCompletedEvent",
    "InteractionCompletedEventData",
    "InteractionCompletedEventDataContext",
    "InteractionContext",
    "InteractionCreatedEvent",
    "InteractionCreatedEventData",
    "InteractionCreatedEventDataContext",
    "InteractionDetails",
    "InteractionDetailsReminder",
    "InteractionExpiredEvent",
    "InteractionExpiredEventData",
    "InteractionExpiredEventDataContext",
    "InteractionExpiredEventDataReason",
    "InteractionHistory",
    "InteractionHistoryTranscript",
    "InteractionHistoryTranscriptConsent",
    "InteractionHistoryTranscriptType",
    "InteractionReminderDueEvent",
    "InteractionReminderDueEventData",
    "InteractionReminderDueEventDataContext",
    "InteractionStalledEvent",
    "InteractionStalledEventData",
    "InteractionStalledEventDataContext",
    "InteractionStartedEvent",
    "InteractionStartedEventData",
    "InteractionStartedEventDataContext",
    "InteractionStatus",
    "Invitation",
    "InvitationOrigin",
    "InvitationStatus",
    "ItemError",
    "ItemErrorError",
    "ListBotTemplatesLocale",
    "ListDeliveriesState",
    "Member",
    "MemberChange",
    "MemberOrigin",
    "MemberStatus",
    "Message",
    "MessageAnswer",
    "NewApiKey",
    "NewBotDraft",
    "NewBotVersion",
    "NewCustomer",
    "NewInteraction",
    "NewInteractionContext",
    "NewInteractions",
    "NewInvitation",
    "NewOpenLink",
    "NewPortalLink",
    "NewRecovery",
    "NewRecoveryState",
    "NewReplay",
    "NewWebhook",
    "OpenLink",
    "OpenLinkChange",
    "PageMeta",
    "Pending",
    "PendingEffort",
    "PortalLink",
    "Presence",
    "Presences",
    "Priority",
    "PublishedBot",
    "Recovery",
    "RecoveryState",
    "RecoveryStatesItem",
    "RejectedItem",
    "RenewedPresence",
    "Replays",
    "Retention",
    "RetentionChange",
    "RetentionPreview",
    "Revision",
    "RevisionAnswer",
    "Role",
    "RotateApiKeySecretResult",
    "RotateSdkSecretResult",
    "RotateSigningSecretBody",
    "RotateSigningSecretResult",
    "Scope",
    "SendTestEventBody",
    "Snapshot",
    "SnapshotEntry",
    "SnapshotEntryType",
    "StartConversationBody",
    "Webhook",
    "WebhookChange",
    "WebhookDeactivatedEvent",
    "WebhookDeactivatedEventData",
    "WebhookDeactivatedEventDataReason",
    "WebhookOptions",
    "WebhookOptionsChange",
    "WebhookOrdering",
    "WebhookRateLimit",
    "WebhookRateLimitInput",
    "WebhookStats",
    "WebhookStatsBreaker",
    "WebhookStatsDelayReason",
    "WebhookStatsHour",
    "WebhookStatsInactiveReason",
    "WebhookStatsPauseReason",
    "Workspace",
]

AuditActorType = Literal["key", "person", "portal", "operator"]
BotDefinition = Dict[str, Any]
"""A conversation as data: at least `schema_version`, `key`, `name`, `type` and `steps`. It has its own JSON
Schema (bot-v1).
"""
CallerSessionType = Literal["key", "person", "portal"]
CourseStoppedReason = Literal["no-answer", "refused"]
CustomerExportInteractionTranscriptType = Literal["bot", "customer"]
DeliveredEvent = Literal["InteractionCreated", "InteractionAvailable", "InteractionReminderDue", "InteractionStarted", "InteractionStalled", "InteractionCompleted", "InteractionExpired", "CustomerAnonymised", "WebhookDeactivated", "Test"]
DeliveryState = Literal["pending", "succeeded", "failed", "skipped", "discarded"]
DeploymentProblemPart = Literal["services", "eventLogs", "consumers", "shards", "stream", "deliveries", "figures"]
DeploymentReplicaState = Literal["ready", "not-ready", "silent", "unknown"]
"""`ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does not answer.
`unknown`: it answers calls, but its release does not say
"""
ErasureKind = Literal["anonymisation", "deletion"]
ErasureStoreStore = Literal["customer", "interaction", "webhook"]
EventName = Literal["InteractionCreated", "InteractionAvailable", "InteractionReminderDue", "InteractionStarted", "InteractionStalled", "InteractionCompleted", "InteractionExpired", "CustomerAnonymised", "WebhookDeactivated"]
GetInteractionEmailBlockFormat = Literal["html", "text"]
"""Default: `"html"`"""
GetInteractionQrFormat = Literal["svg", "png"]
"""SVG can be printed in any size. Default: `"svg"`"""
GetOpenLinkQrFormat = Literal["svg", "png"]
"""SVG can be printed in any size. Default: `"svg"`"""
InputType = Literal["text", "longText", "email", "phone", "url", "choice", "multiChoice", "nps", "rating", "number", "yesNo", "date", "time", "ranking", "matrix", "consent"]
InsightStepKind = Literal["ask", "llm"]
InteractionExpiredEventDataReason = Literal["clock", "client", "anonymised"]
"""Its time was over, by a call, or with its customer"""
InteractionHistoryTranscriptType = Literal["bot", "customer"]
InteractionStatus = Literal["Draft", "Pending", "InProgress", "Completed", "Expired"]
"""`Draft` is invisible to the customer. `Pending` waits until the customer starts it. `InProgress` has started.
`Completed` and `Expired` have ended
"""
InvitationOrigin = Literal["link", "invitation", "group"]
"""A link of the operator, an invitation, or a group of the sign-in provider"""
InvitationStatus = Literal["active", "invited"]
ListBotTemplatesLocale = Literal["en", "de"]
"""The language of names and descriptions, and the `locale` of the definitions. Default: `"en"`"""
ListDeliveriesState = Literal["pending", "succeeded", "failed", "skipped"]
"""Only those in this state"""
MemberOrigin = Literal["link", "invitation", "group"]
"""A link of the operator, an invitation, or a group of the sign-in provider"""
MemberStatus = Literal["active", "invited"]
NewRecoveryState = Literal["failed", "skipped"]
"""Default: `["failed","skipped"]`"""
Priority = Literal["Low", "Medium", "High"]
RecoveryState = Literal["running", "done", "stopped"]
"""`stopped`: the webhook was deactivated meanwhile"""
RecoveryStatesItem = Literal["failed", "skipped"]
Role = Literal["owner", "admin", "editor", "viewer"]
Scope = Literal["customers:read", "customers:write", "interactions:read", "interactions:write", "bots:read", "bots:write", "webhooks:read", "webhooks:write", "insight:read", "insight:write", "keys:read", "keys:write", "workspace:read", "workspace:write", "audit:read", "audit:write", "personal-data:read"]
SnapshotEntryType = Literal["bot", "customer"]
WebhookDeactivatedEventDataReason = Literal["gone", "auto"]
"""The receiver answered 410, or has failed for five days"""
WebhookOrdering = Literal["none", "perCustomer", "strict"]
"""`per_customer`: the deliveries of a customer one after another. `strict`: all deliveries of the webhook. A
failed delivery blocks later ones until it succeeds or has no attempts left
"""
WebhookStatsBreaker = Literal["closed", "open"]
"""`open` after many failures: one delivery at a time is tried"""
WebhookStatsDelayReason = Literal["filter", "workspace"]
"""`filter`: the filter of this webhook is costly: use fewer or shorter conditions on long texts. `workspace`:
many webhooks or many events. Null without a delay
"""
WebhookStatsInactiveReason = Literal["user", "gone", "auto"]
"""`user`: deactivated by a call. `gone`: the receiver answered 410. `auto`: it has failed for five days. Null
while it is active
"""
WebhookStatsPauseReason = Literal["rate_limited", "unavailable", "breaker"]
"""The receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or the `breaker` is
open. Null without a pause
"""
ErrorType = Literal["invalid-request", "malformed-json", "malformed-path", "malformed-request", "invalid-credentials", "missing-scope", "not-for-caller", "cross-site", "not-found", "not-acceptable", "request-timeout", "body-too-large", "conversations-too-large", "unsupported-media-type", "idempotency-key-reused", "rate-limited", "too-many-failures", "workspace-busy", "headers-too-large", "internal", "overloaded", "unavailable", "timeout", "precondition-failed", "invalid-cursor", "cursor-expired", "contact-limit", "illegal-transition", "illegal-expiry", "illegal-availability", "lost-race", "no-email-question", "customer-exists", "anonymisation-continues", "deletion-continues", "invalid-session", "not-available-yet", "conversation-ended", "client-message-id-reused", "stale-sequence", "not-started", "unanswerable-answer", "revising-off", "bot-key-in-use", "too-many-bots", "too-many-bot-versions", "unexpected-bot-version", "precondition-required", "too-many-open-links", "no-insight", "too-many-portal-links", "secret-token-in-use", "too-many-webhooks", "webhook-inactive", "delivery-under-way", "event-expired", "event-filtered", "too-many-recoveries", "not-home-workspace", "stronger-key", "too-many-api-keys", "key-ended", "owner-only", "member-exists", "too-many-members", "last-owner", "role-of-group", "operator-only", "invalid-customer-token", "foreign-origin"]
"""The stable type of an error."""


class AllowedDomains(TypedDict):
    """Part of a request: AllowedDomains."""

    allowed_domains: Sequence[str]


@dataclass
class ApiKey(Model):
    """Part of an answer: ApiKey."""

    api_key: str
    """The public half, `prl_key_...`"""
    name: str
    """May be empty"""
    scopes: List[Union[Scope, str]]
    """In the order of the catalogue"""
    workspace_ids: List[str]
    """Those of its workspaces that the caller can access too"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    created_by: str
    """The API key or the id of the person that created it or has taken it over, or `operator`"""
    expires_at: Optional[str]
    """Null: it does not expire"""
    last_used_at: Optional[str]
    """The hour of its last use; null if it was never used"""
    revoked_at: Optional[str]
    """Null: it is not revoked"""
    extra: Dict[str, Any] = field(default_factory=dict)


class ApiKeyChange(TypedDict, total=False):
    """Part of a request: ApiKeyChange."""

    name: str
    """For people"""
    scopes: Sequence[Scope]
    """What the key may do: scopes that the calling key has too"""
    expires_at: Optional[str]
    """From then on no gateway accepts the key. Null: it does not expire"""


@dataclass
class Attempt(Model):
    """Part of an answer: Attempt."""

    number: int
    """From 1, as `x-parley-attempt` of its request. An uncounted attempt has the number of the next one"""
    is_counted: bool
    """Whether it uses up one of the attempts: false when its answer paused the webhook"""
    started_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    duration_ms: int
    """In all"""
    latency: AttemptLatency
    """The parts; null for what was not done: a kept connection needs no DNS, TCP and TLS"""
    status: Optional[int]
    """Of the answer; null when there was none"""
    error: Optional[str]
    """`http_<status>`, `dns`, `refused`, `reset`, `tls_untrusted`, `tls_expired`, `tls_name`, `tls_protocol`,
    `timeout_connect`, `timeout_total`, `protocol` or `blocked_address`; null for a success
    """
    retry_after_seconds: Optional[int]
    """For how long its `Retry-After` (429 or 503) paused the webhook; null when it is counted"""
    response_excerpt: Optional[str]
    """The beginning of the answer's body, at most 16 KiB. Bytes that are not UTF-8 become U+FFFD. Null if it was
    empty, or deleted by an anonymisation. `[hidden]` without the scope `personal-data:read`. Links in it are
    `[hidden]` without the scope `interactions:write`
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class AttemptLatency(Model):
    """The parts; null for what was not done: a kept connection needs no DNS, TCP and TLS"""

    dns_ms: Optional[int]
    connect_ms: Optional[int]
    tls_ms: Optional[int]
    first_byte_ms: Optional[int]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class AuditActor(Model):
    """Part of an answer: AuditActor."""

    type: Union[AuditActorType, str]
    id: str
    """The API key, the id of the person or portal link, or `operator`"""
    name: str
    """Its name at that time; may be empty"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class AuditEvent(Model):
    """Part of an answer: AuditEvent."""

    id: str
    occurred_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    action: str
    """What was done: a thing and a verb in the past tense"""
    actor: AuditActor
    targets: List[AuditTarget]
    request_id: str
    """The `x-request-id` of the request"""
    client_address: Optional[str]
    """The IP address of the client; null for the operator"""
    changes: Dict[str, List[Any]]
    """`[before, after]` by field. Secrets and personal data of customers are `[hidden]`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class AuditTarget(Model):
    """Part of an answer: AuditTarget."""

    type: str
    id: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Bot(Model):
    """Part of an answer: Bot."""

    id: str
    name: str
    context: List[str]
    """The properties that an interaction may supply"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class BotDraft(Model):
    """Part of an answer: BotDraft."""

    base_version: int
    """The version of the bot from which it began"""
    updated_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    updated_by: str
    """The API key, the id of the person, or `operator`"""
    faults: List[BotDraftFault]
    """Why it cannot be published; at most 100"""
    definition: Dict[str, Any]
    """Byte for byte as it was saved"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class BotDraftEntry(Model):
    """Part of an answer: BotDraftEntry."""

    bot_id: str
    base_version: int
    """The version of the bot from which it began"""
    updated_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    updated_by: str
    """The API key, the id of the person, or `operator`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class BotDraftFault(Model):
    """Why it cannot be published; at most 100"""

    pointer: str
    """A place in the definition"""
    detail: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class BotTemplate(Model):
    """Part of an answer: BotTemplate."""

    id: str
    """For `template` of a new bot"""
    name: str
    description: str
    definition: Dict[str, Any]
    """A valid definition. It has its texts in all languages of the templates"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class BotVersion(Model):
    """Part of an answer: BotVersion."""

    version: int
    published_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    published_by: str
    """The API key, the id of the person, or `operator`"""
    note: Optional[str]
    digest: str
    """SHA-256 of the definition, in hex; layout and the order of fields do not count"""
    is_live: bool
    """Whether new conversations start with it"""
    restored_from: Optional[int]
    """The version that was published again as this one"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class BotVersionWithDefinition(Model):
    """Part of an answer: BotVersionWithDefinition."""

    version: int
    published_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    published_by: str
    """The API key, the id of the person, or `operator`"""
    note: Optional[str]
    digest: str
    """SHA-256 of the definition, in hex; layout and the order of fields do not count"""
    is_live: bool
    """Whether new conversations start with it"""
    restored_from: Optional[int]
    """The version that was published again as this one"""
    key: str
    """The `key` of the bot's definition"""
    definition: Dict[str, Any]
    """Byte for byte as it was published"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Branding(Model):
    """The look of the workspace on link pages and in the widget. For a field that is null, the product has
    defaults
    """

    display_name: Optional[str]
    logo_url: Optional[str]
    """Where the logo is served. Its name is the first half of the SHA-256 of the image, in hex, so that it can
    be cached for ever
    """
    accent_color: Optional[str]
    end_text: Optional[str]
    end_link: Optional[BrandingEndLink]
    privacy_text: Optional[str]
    extra: Dict[str, Any] = field(default_factory=dict)


class BrandingChange(TypedDict, total=False):
    """Part of a request: BrandingChange."""

    display_name: Optional[str]
    logo: Optional[str]
    accent_color: Optional[str]
    end_text: Optional[str]
    end_link: Optional[BrandingEndLinkInput]
    privacy_text: Optional[str]


@dataclass
class BrandingEndLink(Model):
    """A link below `end_text`"""

    url: str
    """An https URL without user name and password"""
    label: str
    """The words of the link"""
    extra: Dict[str, Any] = field(default_factory=dict)


class BrandingEndLinkInput(TypedDict):
    """A link below `end_text`"""

    url: str
    """An https URL without user name and password"""
    label: str
    """The words of the link"""


@dataclass
class CallerSession(Model):
    """Part of an answer: CallerSession."""

    type: Union[CallerSessionType, str]
    id: str
    """The API key, or the id of the person or of the portal link"""
    name: str
    """May be empty"""
    email: Optional[str]
    """Null for all but people"""
    is_operator: bool
    """Whether the caller may see the state of the deployment"""
    workspaces: List[CallerSessionWorkspace]
    webhook_ids: Optional[List[str]]
    """The webhooks that a portal link is limited to; null: no limit"""
    expires_at: Optional[str]
    """When the key or the session ends; a session ends later if it is used. Null: never"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CallerSessionWorkspace(Model):
    """Part of an answer: CallerSessionWorkspace."""

    workspace_id: str
    name: str
    role: Optional[Union[Role, str]]
    """Null for all but people"""
    scopes: List[Union[Scope, str]]
    """In the order of the catalogue"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ContactLimit(Model):
    """Part of an answer: ContactLimit."""

    count: int
    """How many interactions"""
    days: int
    """In so many last days"""
    extra: Dict[str, Any] = field(default_factory=dict)


class ContactLimitInput(TypedDict):
    """Part of a request: ContactLimitInput."""

    count: int
    """How many interactions"""
    days: int
    """In so many last days"""


@dataclass
class ContactPolicy(Model):
    """How many interactions a customer may be offered in the last days"""

    any_bot: Optional[ContactLimit]
    """Of all bots together. Null: no limit"""
    same_bot: Optional[ContactLimit]
    """Of one bot. Null: no limit"""
    extra: Dict[str, Any] = field(default_factory=dict)


class ContactPolicyChange(TypedDict, total=False):
    """Part of a request: ContactPolicyChange."""

    any_bot: Optional[ContactLimitInput]
    """Of all bots together. Null: no limit"""
    same_bot: Optional[ContactLimitInput]
    """Of one bot. Null: no limit"""


@dataclass
class Contactability(Model):
    """Part of an answer: Contactability."""

    allowed: bool
    """Whether an interaction may be offered now"""
    retry_at: Optional[str]
    """From when it is allowed, unless others are offered meanwhile; null if it is allowed"""
    policy: ContactPolicy
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ConversationDifference(Model):
    """Part of an answer: ConversationDifference."""

    interaction_id: str
    bot_version: int
    """The version that it ran on"""
    completed_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    before: Course
    after: Course
    takes_another_way: bool
    """Whether other questions are asked"""
    ends_differently: bool
    """Whether it reaches another end"""
    evaluation_keys: List[str]
    """The keys of the evaluation that have another value"""
    hears_another_text: bool
    """Whether the customer hears another text at a question, or at the end"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Course(Model):
    """Part of an answer: Course."""

    step_ids: List[str]
    """The questions that are asked, in their order"""
    end_step_id: Optional[str]
    """The `end` step; null if the conversation stops, or is closed because of its size"""
    stopped: Optional[CourseStopped]
    """The question at which it stops: the customer has not answered it, or the definition refuses the answer"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CourseStopped(Model):
    """The question at which it stops: the customer has not answered it, or the definition refuses the answer"""

    step_id: str
    reason: Union[CourseStoppedReason, str]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CreateCustomerTokenResult(Model):
    """Part of an answer: CreateCustomerTokenResult."""

    customer_token: str = field(repr=False)
    expires_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    extra: Dict[str, Any] = field(default_factory=dict)


class CreateLinkSessionBody(TypedDict):
    """Part of a request: CreateLinkSessionBody."""

    token: str


@dataclass
class CreateLinkSessionResult(Model):
    """Part of an answer: CreateLinkSessionResult."""

    session_token: str = field(repr=False)
    expires_in: int
    """Seconds"""
    workspace_id: str
    interaction_id: str
    status: Union[InteractionStatus, str]
    bot_name: str
    extra: Dict[str, Any] = field(default_factory=dict)


class CreateSessionBody(TypedDict):
    """Part of a request: CreateSessionBody."""

    customer_token: str


@dataclass
class CreateSessionResult(Model):
    """Part of an answer: CreateSessionResult."""

    session_token: str = field(repr=False)
    expires_in: int
    """Seconds"""
    poll_after: int
    """After how many seconds to ask for what is pending"""
    branding: Optional[Branding] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CreatedApiKey(Model):
    """Part of an answer: CreatedApiKey."""

    api_key: str
    """The public half, `prl_key_...`"""
    name: str
    """May be empty"""
    scopes: List[Union[Scope, str]]
    """In the order of the catalogue"""
    workspace_ids: List[str]
    """Those of its workspaces that the caller can access too"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    created_by: str
    """The API key or the id of the person that created it or has taken it over, or `operator`"""
    expires_at: Optional[str]
    """Null: it does not expire"""
    last_used_at: Optional[str]
    """The hour of its last use; null if it was never used"""
    revoked_at: Optional[str]
    """Null: it is not revoked"""
    secret: str = field(repr=False)
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CreatedItem(Model):
    """Part of an answer: CreatedItem."""

    index: int
    """The place in the request, from 0"""
    interaction: Interaction
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CreatedPortalLink(Model):
    """Part of an answer: CreatedPortalLink."""

    id: str
    name: str
    """For people; may be empty"""
    webhook_ids: Optional[List[str]]
    """The webhooks that it shows. Null: all, also later ones"""
    personal_data: bool
    """Whether it shows personal data"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    created_by: str
    """The API key or the id of the person that created it"""
    expires_at: str
    """When the link and its session end"""
    used_at: Optional[str]
    """When it was opened. Null: not yet"""
    revoked_at: Optional[str]
    """Null: it is not revoked"""
    url: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CursorMeta(Model):
    """Part of an answer: CursorMeta."""

    next_cursor: Optional[str]
    """Returns the next page as `cursor`; null when there is none"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Customer(Model):
    """Part of an answer: Customer."""

    id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    first_name: str
    """`[hidden]` without the scope `personal-data:read`"""
    last_name: str
    """`[hidden]` without the scope `personal-data:read`"""
    email: str
    """`[hidden]` without the scope `personal-data:read`"""
    interactions: List[CustomerInteraction]
    """Newest first; empty in lists and on creation"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerAnonymisedEvent(Event):
    """Part of an answer: CustomerAnonymisedEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["CustomerAnonymised"], str]
    timestamp: str
    """When it happened"""
    data: CustomerAnonymisedEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerAnonymisedEventData(Model):
    """Part of an answer: CustomerAnonymisedEventData."""

    id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    extra: Dict[str, Any] = field(default_factory=dict)


class CustomerChange(TypedDict, total=False):
    """Part of a request: CustomerChange."""

    first_name: str
    last_name: str
    email: str
    """An email address, or empty"""


class CustomerDetails(TypedDict, total=False):
    """Details of the customer to set; the others stay as they are. Needs the scope `customers:write` if the
    customer exists and has others
    """

    first_name: str
    last_name: str
    email: str
    """An email address, or empty"""


@dataclass
class CustomerExport(Model):
    """Part of an answer: CustomerExport."""

    schema_version: int
    """Rises when a field changes its meaning or is removed. New fields do not raise it"""
    exported_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer: CustomerExportCustomer
    """Empty texts: nothing is stored"""
    interactions: List[CustomerExportInteraction]
    """Newest first"""
    deliveries: List[CustomerExportDelivery]
    """Of events about the customer to webhooks, for as long as the log keeps them. Oldest event first"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportCustomer(Model):
    """Empty texts: nothing is stored"""

    id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    first_name: str
    """`[hidden]` without the scope `personal-data:read`"""
    last_name: str
    """`[hidden]` without the scope `personal-data:read`"""
    email: str
    """`[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportDelivery(Model):
    """Part of an answer: CustomerExportDelivery."""

    id: str
    event: Union[DeliveredEvent, str]
    event_id: str
    """Its requests carried it as `webhook-id`"""
    interaction_id: Optional[str]
    """Null for an event about the customer"""
    webhook_id: str
    receiver: str
    """The address of the webhook now, without user, password, query and fragment"""
    state: Union[DeliveryState, str]
    attempts: int
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    finished_at: Optional[str]
    """Null while it is pending"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteraction(Model):
    """Part of an answer: CustomerExportInteraction."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    type: str
    """The type of the bot"""
    bot: CustomerExportInteractionBot
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    started_at: Optional[str]
    completed_at: Optional[str]
    link: CustomerExportInteractionLink
    """The link to the conversation. Its URL is a secret and no part of the export"""
    context: List[CustomerExportInteractionContext]
    evaluation: Optional[Dict[str, str]]
    transcript: Optional[List[CustomerExportInteractionTranscript]]
    """Null until the interaction has started"""
    conversation: Optional[CustomerExportInteractionConversation]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionBot(Model):
    """Part of an answer: CustomerExportInteractionBot."""

    key: str
    version: Optional[int]
    """Null until the interaction has started"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionContext(Model):
    """Part of an answer: CustomerExportInteractionContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionConversation(Model):
    """Part of an answer: CustomerExportInteractionConversation."""

    answers: Dict[str, Any]
    """The values of the answers by the steps of the bot. Each is `[hidden]` without the scope
    `personal-data:read`
    """
    customer: CustomerExportInteractionConversationCustomer
    """The profile as it was when the conversation started"""
    locale: str
    """The language of the browser"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionConversationCustomer(Model):
    """The profile as it was when the conversation started"""

    id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    first_name: str
    """`[hidden]` without the scope `personal-data:read`"""
    last_name: str
    """`[hidden]` without the scope `personal-data:read`"""
    email: str
    """`[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionLink(Model):
    """The link to the conversation. Its URL is a secret and no part of the export"""

    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    expires_at: Optional[str]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionTranscript(Model):
    """Null until the interaction has started"""

    body: str
    """Of the customer: `[hidden]` without the scope `personal-data:read`. Of the bot: then `[hidden]` is in
    place of what was filled in, and of what a model has written
    """
    timestamp: float
    """Epoch seconds with fraction"""
    type: Union[CustomerExportInteractionTranscriptType, str]
    order: Optional[List[str]] = None
    """The values of choices or rows, in the random order in which they were shown"""
    consent: Optional[CustomerExportInteractionTranscriptConsent] = None
    """Of the answer to a consent: to what. Its instant is `timestamp`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerExportInteractionTranscriptConsent(Model):
    """Of the answer to a consent: to what. Its instant is `timestamp`"""

    sha256: str
    """SHA-256 of the text that was shown, in hexadecimal"""
    locale: str
    """The language of the text"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class CustomerInteraction(Model):
    """Part of an answer: CustomerInteraction."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The longer label of the type"""
    data: Optional[str]
    """JSON text of an `InteractionHistory`; null until the interaction has started"""
    context: List[str]
    """The names of the properties"""
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeletedCustomers(Model):
    """Part of an answer: DeletedCustomers."""

    deleted: int
    """How many this call has deleted"""
    has_more: bool
    """Whether there may be more: the time of the call was over. Repeat it"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeletedTests(Model):
    """Part of an answer: DeletedTests."""

    deleted: int
    """How many this call has deleted"""
    has_more: bool
    """Whether there may be more: the time of the call was over. Repeat it"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Delivery(Model):
    """Part of an answer: Delivery."""

    id: str
    """Its requests carry it as `x-parley-delivery-id`"""
    event: Optional[Union[DeliveredEvent, str]]
    """Its requests carry it as `x-parley-event`. `Test`: a test event without a name. Null if it is deleted"""
    interaction_id: Optional[str]
    """The interaction that the event is about; null for a test, and for an event about no interaction"""
    is_test: bool
    """Whether it is a test event"""
    webhook_id: str
    """The webhook that gets it"""
    webhook_message_id: str
    """The id of the event: its requests carry it as `webhook-id`"""
    state: Union[DeliveryState, str]
    attempts: int
    """How many were made, have ended and are counted"""
    last_error: Optional[str]
    """The `error` of the last attempt; null after a success, and as long as there is no attempt in the log"""
    is_under_way: bool
    """An attempt has been in flight for half a second or longer"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    due_at: Optional[str]
    """When the next attempt is due; null in flight, while it waits for an earlier one, and in the end"""
    finished_at: Optional[str]
    """When it came to its end; null while it is pending"""
    trace_id: Optional[str]
    """Of the call that led to the event (W3C trace context). Its attempts are in this trace too. Null if the
    event has no trace
    """
    is_test_interaction: Optional[bool] = None
    """Only if its event is about a test interaction"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeliveryBody(Model):
    """Part of an answer: DeliveryBody."""

    body: Optional[str]
    """The body of each of its requests, byte for byte. Null if the event is deleted. `[hidden]` without the
    scope `personal-data:read`. Links in it are `[hidden]` without the scope `interactions:write`
    """
    is_redacted: bool
    """Whether an anonymisation has replaced it: requests before had the personal data of the customer"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Deployment(Model):
    """Part of an answer: Deployment."""

    is_well: bool
    """Whether there is no problem"""
    checked_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    problems: List[DeploymentProblem]
    services: List[DeploymentService]
    event_logs: List[DeploymentEventLog]
    consumers: List[DeploymentConsumer]
    shards: DeploymentShards
    stream: Optional[DeploymentStream]
    """Null: no replica says"""
    deliveries: DeploymentDeliveries
    figures: Optional[DeploymentFigures]
    """Null: no replica of the insight service says"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentConsumer(Model):
    """Part of an answer: DeploymentConsumer."""

    durable: str
    is_well: bool
    lag: Optional[int]
    """Events that it has not acknowledged. Null: the broker has no such durable, or does not answer"""
    redelivered: Optional[int]
    """Those among them that were delivered more than once"""
    put_aside: Optional[int]
    """Events that could not be handled and are tried again. Null: not a consumer of Parley"""
    behind_seconds: Optional[float]
    """The age of the oldest event of the event logs that it should have handled"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentDeliveries(Model):
    """Part of an answer: DeploymentDeliveries."""

    is_well: bool
    oldest_due_age_seconds: Optional[float]
    """The age of the oldest due delivery that could be sent: not of those that wait for their receiver"""
    open_breakers: Optional[int]
    """Webhooks with waiting deliveries whose breaker is open, because they fail"""
    paused: Optional[int]
    """Webhooks with waiting deliveries that are paused"""
    egress: List[DeploymentDeliveriesEgress]
    """Whether each replica of the webhook service can send"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentDeliveriesEgress(Model):
    """Whether each replica of the webhook service can send"""

    address: str
    """As the gateway reaches it"""
    is_up: bool
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentEventLog(Model):
    """Part of an answer: DeploymentEventLog."""

    service: str
    is_well: bool
    waiting: int
    """Events that no consumer can read yet, counted up to 10,000"""
    oldest_age_seconds: float
    """The age of the oldest of them; 0 without one"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentFigures(Model):
    """Null: no replica of the insight service says"""

    as_of_age_seconds: float
    """The figures have everything up to then"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentProblem(Model):
    """Part of an answer: DeploymentProblem."""

    part: Union[DeploymentProblemPart, str]
    subject: str
    """What it is about, such as a service, a replica or a durable; may be empty"""
    alert: str
    """The alert about it, which has the same limit"""
    detail: str
    runbook_url: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentReplica(Model):
    """Part of an answer: DeploymentReplica."""

    address: str
    """As the gateway reaches it"""
    state: Union[DeploymentReplicaState, str]
    """`ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does not answer.
    `unknown`: it answers calls, but its release does not say
    """
    host: Optional[str]
    version: Optional[str]
    started_at: Optional[str]
    silent_since: Optional[str]
    """Since when it does not answer this gateway. Null: it does"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentService(Model):
    """Part of an answer: DeploymentService."""

    name: str
    is_well: bool
    versions: List[str]
    replicas: List[DeploymentReplica]
    """Of the gateway: only the one that answers"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentShards(Model):
    """Part of an answer: DeploymentShards."""

    is_well: bool
    total: int
    unowned: Optional[int]
    """Those without an owner. Null: a replica does not say what it owns"""
    owners: List[DeploymentShardsOwner]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentShardsOwner(Model):
    """Part of an answer: DeploymentShardsOwner."""

    address: str
    """As the gateway reaches it"""
    shards: int
    since: Optional[str]
    """When it last gained or lost shards"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentStream(Model):
    """Part of an answer: DeploymentStream."""

    name: str
    is_well: bool
    replicas: DeploymentStreamReplicas
    leader: Optional[str]
    """The server that leads it. Null: none, a server without a cluster, or not known"""
    messages: Optional[int]
    bytes: Optional[int]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DeploymentStreamReplicas(Model):
    """Part of an answer: DeploymentStreamReplicas."""

    set: int
    """Those that it must have"""
    configured: int
    """Those that it has by its configuration"""
    online: int
    """Those that are up to date; 0 without a leader or a quorum"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DifferenceGroup(Model):
    """Part of an answer: DifferenceGroup."""

    count: int
    """How many go differently in this way"""
    newest: ConversationDifference
    """The newest of them. The texts and values are from it"""
    texts: List[DifferenceGroupText]
    """What the customer hears otherwise; the first 10. Long texts are cut around the difference"""
    evaluation: List[DifferenceGroupEvaluation]
    """The values of the evaluation that differ; the first 10. Long texts are cut around the difference"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DifferenceGroupEvaluation(Model):
    """The values of the evaluation that differ; the first 10. Long texts are cut around the difference"""

    key: str
    before: Optional[str]
    """Null: there is none"""
    after: Optional[str]
    """Null: there is none"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class DifferenceGroupText(Model):
    """What the customer hears otherwise; the first 10. Long texts are cut around the difference"""

    step_id: Optional[str]
    """The question; null at the end"""
    before: str
    after: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Erasure(Model):
    """Part of an answer: Erasure."""

    id: str
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    kind: Union[ErasureKind, str]
    requested_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    completed_at: Optional[str]
    """Null while it runs"""
    requested_by: str
    """The API key or the `person_id` of its first call, or of the deletion that an anonymisation has become"""
    stores: List[ErasureStore]
    receipt: Optional[str]
    """Null while it runs. A JWS (RFC 7515, compact, Ed25519) over the JSON of the other fields.
    `/.well-known/parley/erasure-keys` has the keys that verify it
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ErasureStore(Model):
    """Part of an answer: ErasureStore."""

    store: Union[ErasureStoreStore, str]
    removed: int
    """How many records have lost their personal data so far: the customer, its interactions, the bodies of its
    events. Another anonymisation of the customer, while this one runs, restarts the count.
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class EventType(Model):
    """Part of an answer: EventType."""

    name: Union[EventName, str]
    description: str
    schema: Dict[str, Any]
    """The JSON Schema of the body"""
    example: Dict[str, Any]
    """A body with the envelope"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ExportedInteraction(Model):
    """An interaction of an export"""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    context: List[InteractionContext]
    data: Optional[InteractionHistory]
    """Null until the conversation has started"""
    started_at: Optional[str]
    completed_at: Optional[str]
    updated_at: str
    cursor: str
    """An export with this `cursor` goes on behind the interaction"""
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Failure(Model):
    """Part of an answer: Failure."""

    success: bool
    code: int
    """The HTTP status"""
    detail: str
    """For people"""
    data: Any
    """null, but for `stale-sequence`: the current snapshot"""
    meta: None
    type: str
    """For programs: a stable slug per cause"""
    request_id: str
    errors: Optional[List[FailureError]] = None
    """Every fault of the request, the first hundred of them: with `invalid-request`, `malformed-json`, and, if
    they name what the key may not do, `missing-scope` and `stronger-key`; with `invalid-cursor`, the cursor
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class FailureError(Model):
    """Every fault of the request, the first hundred of them: with `invalid-request`, `malformed-json`, and, if
    they name what the key may not do, `missing-scope` and `stronger-key`; with `invalid-cursor`, the cursor
    """

    pointer: str
    """A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields"""
    detail: str
    retry_at: Optional[str] = None
    """Of `contact-limit`: when it is allowed again"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Input(Model):
    """The current question with the fields of its type. `min` and `max` are numbers for nps, rating and number,
    `YYYY-MM-DD` for date, `HH:MM` for time. `labels` are those of `yes` and `no`, or of the `low` and `high`
    end. `prefill` is the first content of the field.
    """

    step_id: str
    type: Union[InputType, str]
    required: bool
    choices: Optional[List[InputChoice]] = None
    other: Optional[InputOther] = None
    rank_max: Optional[int] = None
    rows: Optional[List[InputRow]] = None
    columns: Optional[List[InputColumn]] = None
    rows_required: Optional[bool] = None
    label: Optional[str] = None
    url: Optional[str] = None
    min: Optional[Union[float, str]] = None
    max: Optional[Union[float, str]] = None
    min_length: Optional[int] = None
    max_length: Optional[int] = None
    min_selections: Optional[int] = None
    max_selections: Optional[int] = None
    labels: Optional[Dict[str, str]] = None
    prefill: Optional[Union[str, float, bool, List[Union[str, InputPrefill]], Dict[str, str]]] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InputChoice(Model):
    """Part of an answer: InputChoice."""

    value: str
    label: str
    exclusive: Optional[bool] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InputColumn(Model):
    """Part of an answer: InputColumn."""

    value: str
    label: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InputOther(Model):
    """Part of an answer: InputOther."""

    label: str
    max_length: int
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InputPrefill(Model):
    """Part of an answer: InputPrefill."""

    other: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InputRow(Model):
    """Part of an answer: InputRow."""

    value: str
    label: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Insight(Model):
    """Part of an answer: Insight."""

    bot: InsightBot
    from_: str
    """The start of the window, inclusive"""
    to: str
    """The end of the window, exclusive"""
    as_of: str
    """The figures have everything that was committed until then"""
    totals: InsightTotals
    steps: List[InsightStep]
    """Questions and chats in the order of the newest version, then those of older versions only"""
    evaluation: Dict[str, Union[InsightNps, InsightNumbers, InsightCounts, InsightRanking, InsightMatrix, InsightTexts]]
    """By key, in the order of the newest version: of nps (`InsightNps`), rating and number (`InsightNumbers`),
    choice, multiChoice, yesNo and consent (`InsightCounts`), ranking (`InsightRanking`), matrix
    (`InsightMatrix`), and of texts and personal keys (`InsightTexts`)
    """
    days: List[InsightDay]
    """Every day that the window touches"""
    previous: Optional[InsightPrevious] = None
    ways: Optional[List[InsightWay]] = None
    """The ways between steps of all kinds that were taken, in the order of the newest version, then those of
    steps of older versions only. Absent if none is known
    """
    weeks: Optional[List[InsightWeek]] = None
    """The score of every week that the window touches, of the days in the window. Absent if the bot has no nps
    key
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightBot(Model):
    """Part of an answer: InsightBot."""

    id: str
    key: str
    """The `key` of the bot's definition"""
    name: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightCounts(Model):
    """Part of an answer: InsightCounts."""

    n: int
    """Started interactions that have the key, completed or not"""
    counts: Dict[str, int]
    """How many have each choice; of multiChoice, an interaction may have several. Own words count as `other`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightDay(Model):
    """Part of an answer: InsightDay."""

    date: str
    """In the time zone of `tz`"""
    created: int
    """Interactions created on this day, imports excepted"""
    started: int
    """Of these, those that are started by now"""
    completed: int
    """Of these, those that are completed by now"""
    nps: Optional[float] = None
    """The score of the started ones over the first nps key of `evaluation`; null without an answer. Absent if
    the bot has no nps key
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightMatrix(Model):
    """Part of an answer: InsightMatrix."""

    n: int
    """Started interactions that have the key, completed or not"""
    rows: List[InsightMatrixRow]
    """In the order of the question"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightMatrixRow(Model):
    """In the order of the question"""

    value: str
    counts: Dict[str, int]
    """How many have chosen each column"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightNps(Model):
    """Part of an answer: InsightNps."""

    n: int
    """Started interactions that have the key, completed or not"""
    score: Optional[float]
    """`100 · (promoters − detractors) / n`; null without an answer"""
    margin: Optional[float]
    """`196 · √((p + d − (p − d)²) / n)`, p and d being the shares of promoters and detractors: with 95 %, the
    true score is within `score` ± `margin`. Unreliable under 30 answers; null without an answer
    """
    promoters: int
    """Scores of 9 and 10"""
    passives: int
    """Scores of 7 and 8"""
    detractors: int
    """Scores of 0 to 6"""
    distribution: Dict[str, int]
    """How many have each value, rising; for a number at most the 1,000 most frequent ones"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightNumbers(Model):
    """Part of an answer: InsightNumbers."""

    n: int
    """Started interactions that have the key, completed or not"""
    mean: Optional[float]
    """The mean; null without a value"""
    median: Optional[float]
    """The mean of the middle two of an even number of values"""
    distribution: Dict[str, int]
    """How many have each value, rising; for a number at most the 1,000 most frequent ones"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightPrevious(Model):
    """The totals of the window of the same length before this one, with `compare=previous`"""

    from_: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    to: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    created: int
    """Interactions created in the window, imports excepted"""
    started: int
    """Of the created ones, those with an answered or skipped question"""
    completed: int
    """Of the started ones, those that are `Completed` now"""
    expired: int
    """Of the started ones, those that are `Expired` now"""
    stalled: int
    """Of the started ones, those in progress that nobody has answered for `stalled_after_seconds`"""
    active: int
    """Of the started ones, those in progress and not stalled"""
    start_rate: Optional[float]
    """`started / created`; null if none was created"""
    completion_rate: Optional[float]
    """`completed / started`; null if none was started"""
    time_to_complete: InsightTimes
    """From the start to the completion, of the completed ones"""
    active_seconds: InsightTimes
    """As `time_to_complete`, each pause counted as at most 30 minutes"""
    unknown: Optional[int] = None
    """Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if
    there is none
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightRanking(Model):
    """Part of an answer: InsightRanking."""

    n: int
    """Started interactions that have the key, completed or not"""
    items: List[InsightRankingItem]
    """In the order of the question"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightRankingItem(Model):
    """In the order of the question"""

    value: str
    mean_rank: Optional[float]
    """Of the answers that give it a place; null without any"""
    first: int
    """How many have put it first"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightStep(Model):
    """Part of an answer: InsightStep."""

    step_id: str
    """Steps are joined over versions by their id"""
    kind: Union[InsightStepKind, str]
    text: Optional[str]
    """The question in the language of the bot; null for a chat of a model"""
    since: str
    """When the first version with the step was published"""
    seen: int
    """Interactions that have shown the step"""
    answered: int
    """Interactions that have answered it"""
    skipped: int
    """Interactions that have skipped it"""
    dropped: int
    """Interactions that are expired or stalled, and this was the last step shown"""
    drop_rate: Optional[float]
    """`dropped / seen`; null if it was never seen"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightTexts(Model):
    """Part of an answer: InsightTexts."""

    n: int
    """Started interactions that have the key, completed or not"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightTimes(Model):
    """Part of an answer: InsightTimes."""

    n: int
    """How many interactions have this time"""
    median_seconds: Optional[float]
    """The median, at most 5 % off; null without a time"""
    p90_seconds: Optional[float]
    """Nine of ten took at most this long, at most 5 % off; null without a time"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightTotals(Model):
    """Part of an answer: InsightTotals."""

    created: int
    """Interactions created in the window, imports excepted"""
    started: int
    """Of the created ones, those with an answered or skipped question"""
    completed: int
    """Of the started ones, those that are `Completed` now"""
    expired: int
    """Of the started ones, those that are `Expired` now"""
    stalled: int
    """Of the started ones, those in progress that nobody has answered for `stalled_after_seconds`"""
    active: int
    """Of the started ones, those in progress and not stalled"""
    start_rate: Optional[float]
    """`started / created`; null if none was created"""
    completion_rate: Optional[float]
    """`completed / started`; null if none was started"""
    time_to_complete: InsightTimes
    """From the start to the completion, of the completed ones"""
    active_seconds: InsightTimes
    """As `time_to_complete`, each pause counted as at most 30 minutes"""
    unknown: Optional[int] = None
    """Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if
    there is none
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightWay(Model):
    """Part of an answer: InsightWay."""

    from_: str
    """The id of the step that it leaves"""
    to: str
    """The id of the step to which it leads: also `from` itself"""
    n: int
    """Interactions that have taken it, once or more"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InsightWeek(Model):
    """Part of an answer: InsightWeek."""

    date: str
    """Its Monday. It may be before the window"""
    n: int
    """How many have answered"""
    nps: Optional[float]
    """The score, as in `days`; null without an answer"""
    margin: Optional[float]
    """As in `evaluation`; null without an answer"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Interaction(Model):
    """Part of an answer: Interaction."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: Optional[str]
    """JSON text of an `InteractionHistory`; null until the interaction has started"""
    context: List[InteractionContext]
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionAvailableEvent(Event):
    """Part of an answer: InteractionAvailableEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionAvailable"], str]
    timestamp: str
    """When it happened"""
    data: InteractionAvailableEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionAvailableEventData(Model):
    """Part of an answer: InteractionAvailableEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionAvailableEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionAvailableEventDataContext(Model):
    """Part of an answer: InteractionAvailableEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


class InteractionChange(TypedDict, total=False):
    """Part of a request: InteractionChange."""

    status: InteractionStatus
    priority: Priority
    expiry: Optional[float]
    """Seconds from the request; 0 and null mean none"""
    available_from: Optional[str]
    """Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once"""
    ignore_contact_policy: bool
    """Offers the conversation also beyond the contact policy. The audit log has it"""


@dataclass
class InteractionCompletedEvent(Event):
    """Part of an answer: InteractionCompletedEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionCompleted"], str]
    timestamp: str
    """When it happened"""
    data: InteractionCompletedEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionCompletedEventData(Model):
    """Part of an answer: InteractionCompletedEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionCompletedEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    result: InteractionHistory
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionCompletedEventDataContext(Model):
    """Part of an answer: InteractionCompletedEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionContext(Model):
    """Part of an answer: InteractionContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionCreatedEvent(Event):
    """Part of an answer: InteractionCreatedEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionCreated"], str]
    timestamp: str
    """When it happened"""
    data: InteractionCreatedEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionCreatedEventData(Model):
    """Part of an answer: InteractionCreatedEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionCreatedEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionCreatedEventDataContext(Model):
    """Part of an answer: InteractionCreatedEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionDetails(Model):
    """Only with `include=details`"""

    bot_id: str
    bot_version: Optional[int]
    """That the conversation runs on; null until it has started"""
    started_at: Optional[str]
    """When the conversation started first"""
    completed_at: Optional[str]
    updated_at: str
    """When it changed last"""
    withdrawn: Optional[List[int]] = None
    """The numbers of the entries, from 1, that count no more since an answer was revised"""
    reminders: Optional[List[InteractionDetailsReminder]] = None
    """Those that are still to come. Only of one interaction that is `Pending`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionDetailsReminder(Model):
    """Those that are still to come. Only of one interaction that is `Pending`"""

    number: int
    """From 1, in the order of the bot"""
    due_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionExpiredEvent(Event):
    """Part of an answer: InteractionExpiredEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionExpired"], str]
    timestamp: str
    """When it happened"""
    data: InteractionExpiredEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionExpiredEventData(Model):
    """Part of an answer: InteractionExpiredEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionExpiredEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    reason: Union[InteractionExpiredEventDataReason, str]
    """Its time was over, by a call, or with its customer"""
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionExpiredEventDataContext(Model):
    """Part of an answer: InteractionExpiredEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionHistory(Model):
    """Part of an answer: InteractionHistory."""

    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    interaction_id: str
    evaluation: Dict[str, str]
    """By the keys of the bot. The values of personal keys are `[hidden]` without the scope `personal-data:read`"""
    transcript: List[InteractionHistoryTranscript]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionHistoryTranscript(Model):
    """Part of an answer: InteractionHistoryTranscript."""

    body: str
    """Of the customer: `[hidden]` without the scope `personal-data:read`. Of the bot: then `[hidden]` is in
    place of what was filled in, and of what a model has written
    """
    timestamp: float
    """Epoch seconds with fraction"""
    type: Union[InteractionHistoryTranscriptType, str]
    order: Optional[List[str]] = None
    """The values of choices or rows, in the random order in which they were shown"""
    consent: Optional[InteractionHistoryTranscriptConsent] = None
    """Of the answer to a consent: to what. Its instant is `timestamp`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionHistoryTranscriptConsent(Model):
    """Of the answer to a consent: to what. Its instant is `timestamp`"""

    sha256: str
    """SHA-256 of the text that was shown, in hexadecimal"""
    locale: str
    """The language of the text"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionReminderDueEvent(Event):
    """Part of an answer: InteractionReminderDueEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionReminderDue"], str]
    timestamp: str
    """When it happened"""
    data: InteractionReminderDueEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionReminderDueEventData(Model):
    """Part of an answer: InteractionReminderDueEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionReminderDueEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    number: int
    """From 1, in the order of the bot"""
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionReminderDueEventDataContext(Model):
    """Part of an answer: InteractionReminderDueEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionStalledEvent(Event):
    """Part of an answer: InteractionStalledEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionStalled"], str]
    timestamp: str
    """When it happened"""
    data: InteractionStalledEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionStalledEventData(Model):
    """Part of an answer: InteractionStalledEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionStalledEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    last_step_id: str
    """The step that waits for an answer"""
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionStalledEventDataContext(Model):
    """Part of an answer: InteractionStalledEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionStartedEvent(Event):
    """Part of an answer: InteractionStartedEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["InteractionStarted"], str]
    timestamp: str
    """When it happened"""
    data: InteractionStartedEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionStartedEventData(Model):
    """Part of an answer: InteractionStartedEventData."""

    id: str
    status: Union[InteractionStatus, str]
    priority: Union[Priority, str]
    link: str
    """Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`"""
    expires_at: Optional[str]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""
    type: str
    """The type of the bot"""
    data: None
    """Always null: `result` of a completion has the history"""
    context: List[InteractionStartedEventDataContext]
    bot_id: str
    bot_key: str
    bot_version: Optional[int]
    started_at: Optional[str]
    completed_at: Optional[str]
    available_from: Optional[str] = None
    """Customers do not see it before, while it is `Pending`. Absent: at once"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    details: Optional[InteractionDetails] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class InteractionStartedEventDataContext(Model):
    """Part of an answer: InteractionStartedEventDataContext."""

    key: str
    value: str
    """Of a personal property: `[hidden]` without the scope `personal-data:read`"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Invitation(Model):
    """Part of an answer: Invitation."""

    member_id: str
    person_id: Optional[str]
    """By which `created_by` and others name the person; null until the invitation is accepted"""
    email: Optional[str]
    is_email_verified: bool
    """Whether the sign-in provider has verified the address, or the person came by the link of an invitation to
    it
    """
    name: Optional[str]
    """Null: the invitation is not accepted"""
    role: Union[Role, str]
    personal_data: bool
    """Whether the member may see personal data"""
    status: Union[InvitationStatus, str]
    origin: Union[InvitationOrigin, str]
    """A link of the operator, an invitation, or a group of the sign-in provider"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    last_seen_at: Optional[str]
    """The hour of the last call; null if there was none"""
    groups_missing_since: Optional[str]
    """Since when the sign-in provider has not named the groups of the person: roles by groups stay. Null: it has"""
    url: str
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ItemError(Model):
    """Part of an answer: ItemError."""

    code: int
    """The HTTP status of the same call for this item alone"""
    type: str
    """For programs, as in `Failure`"""
    detail: str
    """For people"""
    errors: Optional[List[ItemErrorError]] = None
    """The faults, with pointers within the item"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ItemErrorError(Model):
    """The faults, with pointers within the item"""

    pointer: str
    """A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields"""
    detail: str
    retry_at: Optional[str] = None
    """Of `contact-limit`: when it is allowed again"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Member(Model):
    """Part of an answer: Member."""

    member_id: str
    person_id: Optional[str]
    """By which `created_by` and others name the person; null until the invitation is accepted"""
    email: Optional[str]
    is_email_verified: bool
    """Whether the sign-in provider has verified the address, or the person came by the link of an invitation to
    it
    """
    name: Optional[str]
    """Null: the invitation is not accepted"""
    role: Union[Role, str]
    personal_data: bool
    """Whether the member may see personal data"""
    status: Union[MemberStatus, str]
    origin: Union[MemberOrigin, str]
    """A link of the operator, an invitation, or a group of the sign-in provider"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    last_seen_at: Optional[str]
    """The hour of the last call; null if there was none"""
    groups_missing_since: Optional[str]
    """Since when the sign-in provider has not named the groups of the person: roles by groups stay. Null: it has"""
    extra: Dict[str, Any] = field(default_factory=dict)


class MemberChange(TypedDict, total=False):
    """Part of a request: MemberChange."""

    role: Role
    personal_data: bool
    """Whether the member may see personal data"""


class Message(TypedDict):
    """Part of a request: Message."""

    client_message_id: str
    """The same id and message again get the stored outcome"""
    expected_seq: int
    """The `seq` of the snapshot that is answered"""
    step_id: str
    """The `input.stepId` of that snapshot"""
    answer: MessageAnswer
    """Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or
    `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for
    multiChoice and ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD`
    for date, `HH:MM` for time and objects of strings for matrix.
    """


class MessageAnswer(TypedDict, total=False):
    """Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or
    `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for
    multiChoice and ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD`
    for date, `HH:MM` for time and objects of strings for matrix.
    """

    value: Any
    text: str
    skip: Literal[True]


class _NewApiKeyRequired(TypedDict):
    """Part of a request: NewApiKey."""

    name: str
    """For people"""
    scopes: Sequence[Scope]
    """What the key may do: scopes that the calling key has too"""


class NewApiKey(_NewApiKeyRequired, total=False):
    """Part of a request: NewApiKey."""

    expires_at: Optional[str]
    """From then on no gateway accepts the key. Null: it does not expire"""


class _NewBotDraftRequired(TypedDict):
    """Part of a request: NewBotDraft."""

    definition: BotDefinition


class NewBotDraft(_NewBotDraftRequired, total=False):
    """Part of a request: NewBotDraft."""

    base_version: int
    """The version from which it began. Without it: as before, or else the live version"""


class NewBotVersion(TypedDict, total=False):
    """A definition, in `definition` or as the body itself with these fields beside its own; or `restore` or
    `publish_draft` without one.
    """

    definition: BotDefinition
    restore: int
    """Instead of a definition: the version to publish again as a new one"""
    publish_draft: Literal[True]
    """Instead of a definition: publishes the draft of the bot, and removes it"""
    expected_version: int
    """The version that must be live: otherwise 409"""
    note: str
    """Why it is published"""


class _NewCustomerRequired(TypedDict):
    """Part of a request: NewCustomer."""

    id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""


class NewCustomer(_NewCustomerRequired, total=False):
    """Part of a request: NewCustomer."""

    first_name: str
    """Default: `""`"""
    last_name: str
    """Default: `""`"""
    email: str
    """An email address, or empty. Default: `""`"""


class _NewInteractionRequired(TypedDict):
    """Exactly one of `bot_id` and `bot_key` is required."""

    customer_id: str
    """The client's own id of the customer, compared exactly; not `.` or `..`"""


class NewInteraction(_NewInteractionRequired, total=False):
    """Exactly one of `bot_id` and `bot_key` is required."""

    customer: CustomerDetails
    bot_id: str
    """The id of the bot; or give its `bot_key`"""
    bot_key: str
    """The `key` of the bot's definition, instead of `bot_id`"""
    status: InteractionStatus
    """`Draft` is invisible to the customer; `Pending` offers the conversation to the customer. Default:
    `"Draft"`
    """
    priority: Priority
    """Default: `"Medium"`"""
    expiry: Optional[float]
    """Seconds from the request; 0 and null mean none"""
    available_from: Optional[str]
    """Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once"""
    context: Sequence[NewInteractionContext]
    """Default: `[]`"""
    is_test: bool
    """Whether it is a test interaction: it works in every way, and counts nowhere"""
    ignore_contact_policy: bool
    """Offers the conversation also beyond the contact policy. The audit log has it"""


class NewInteractionContext(TypedDict):
    """Default: `[]`"""

    key: str
    value: str


class NewInteractions(TypedDict):
    """Part of a request: NewInteractions."""

    interactions: Sequence[NewInteraction]


class _NewInvitationRequired(TypedDict):
    """Part of a request: NewInvitation."""

    email: str
    role: Role


class NewInvitation(_NewInvitationRequired, total=False):
    """Part of a request: NewInvitation."""

    personal_data: bool
    """Whether the member may see personal data. Default: `true`"""


class _NewOpenLinkRequired(TypedDict):
    """Part of a request: NewOpenLink."""

    name: str
    """For people: it is in lists"""


class NewOpenLink(_NewOpenLinkRequired, total=False):
    """Part of a request: NewOpenLink."""

    expires_at: Optional[str]
    """Null: it does not expire"""
    responses_max: Optional[int]
    """How many conversations it begins at most. Null: any number"""
    context_keys: Sequence[str]
    """The parameters of the URL that become context; the bot must declare them. Default: `[]`"""
    is_test: bool
    """Whether its conversations are tests, which no figure counts. Default: `false`"""


class NewPortalLink(TypedDict, total=False):
    """Part of a request: NewPortalLink."""

    name: str
    """For people: it is in lists and in the audit log. Default: `""`"""
    webhook_ids: Sequence[str]
    """The webhooks that it shows. Default: all, also later ones"""
    personal_data: bool
    """Whether it shows bodies of deliveries, which have whole conversations, and what receivers have answered.
    Default: `false`
    """
    expires_in_seconds: int
    """When the link and its session end, from now on. They end with the calling key, at the latest. Default:
    `3600`
    """


class _NewRecoveryRequired(TypedDict):
    """Part of a request: NewRecovery."""

    since: str
    """Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it"""


class NewRecovery(_NewRecoveryRequired, total=False):
    """Part of a request: NewRecovery."""

    until: str
    """Only deliveries created before this instant. Default: now"""
    states: Sequence[NewRecoveryState]
    """Default: `["failed","skipped"]`"""


class _NewReplayRequired(TypedDict):
    """Part of a request: NewReplay."""

    definition: BotDefinition


class NewReplay(_NewReplayRequired, total=False):
    """Part of a request: NewReplay."""

    conversations: int
    """How many of the completed conversations, the newest first. Default: `500`"""


class _NewWebhookRequired(TypedDict):
    """Part of a request: NewWebhook."""

    url: str
    """http or https; a deployment takes public https URLs only"""
    secret_token: str
    """Sent as a query parameter of each delivery; unique in the workspace and never shown"""


class NewWebhook(_NewWebhookRequired, total=False):
    """Part of a request: NewWebhook."""

    is_active: bool
    """Default: `false`"""
    event: EventName
    """The only event; default: `InteractionCompleted`"""
    events: Sequence[EventName]
    """The events that it gets"""
    filter: Optional[str]
    """null or absent: every event passes"""
    envelope: bool
    """Whether `InteractionCompleted` has the envelope of the other events. Default: `false`"""


@dataclass
class OpenLink(Model):
    """Part of an answer: OpenLink."""

    id: str
    bot_id: str
    name: str
    """For people"""
    url: str
    expires_at: Optional[str]
    """Null: it does not expire"""
    responses_max: Optional[int]
    """How many conversations it begins at most. Null: any number"""
    responses: int
    """How many it has begun, also deleted ones"""
    context_keys: List[str]
    """The parameters of the URL that become context"""
    is_closed: bool
    """Whether it takes no responses"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    created_by: str
    """The API key or the id of the person that created it"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    extra: Dict[str, Any] = field(default_factory=dict)


class OpenLinkChange(TypedDict, total=False):
    """Part of a request: OpenLinkChange."""

    name: str
    """For people: it is in lists"""
    expires_at: Optional[str]
    """Null: it does not expire"""
    responses_max: Optional[int]
    """How many conversations it begins at most. Null: any number"""
    context_keys: Sequence[str]
    """The parameters of the URL that become context; the bot must declare them"""
    is_closed: bool
    """True: it takes no responses until it is opened again"""


@dataclass
class PageMeta(Model):
    """Part of an answer: PageMeta."""

    total_results: int
    total_pages: int
    """0 when there are no results"""
    current_page: int
    page_size: int
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Pending(Model):
    """Part of an answer: Pending."""

    interaction_id: str
    status: Union[InteractionStatus, str]
    type: str
    priority: Union[Priority, str]
    bot_name: str
    """What the bot is called now"""
    teaser: str
    """How the bot begins"""
    expires_at: Optional[str]
    more: int
    """How many more are waiting"""
    effort: Optional[PendingEffort]
    """What the conversation takes, estimated from the bot; null when unknown"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class PendingEffort(Model):
    """What the conversation takes, estimated from the bot; null when unknown"""

    questions_min: int
    """On the shortest path"""
    questions_max: int
    """On the longest path"""
    minutes: int
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class PortalLink(Model):
    """Part of an answer: PortalLink."""

    id: str
    name: str
    """For people; may be empty"""
    webhook_ids: Optional[List[str]]
    """The webhooks that it shows. Null: all, also later ones"""
    personal_data: bool
    """Whether it shows personal data"""
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    created_by: str
    """The API key or the id of the person that created it"""
    expires_at: str
    """When the link and its session end"""
    used_at: Optional[str]
    """When it was opened. Null: not yet"""
    revoked_at: Optional[str]
    """Null: it is not revoked"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Presence(Model):
    """Part of an answer: Presence."""

    id: str
    """The tab has chosen it"""
    person_id: str
    """The `person_id` of a member"""
    opened_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Presences(Model):
    """Part of an answer: Presences."""

    presences: List[Presence]
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class PublishedBot(Model):
    """Part of an answer: PublishedBot."""

    id: str
    name: str
    context: List[str]
    """The properties that an interaction may supply"""
    version: int
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Recovery(Model):
    """Part of an answer: Recovery."""

    id: str
    state: Union[RecoveryState, str]
    """`stopped`: the webhook was deactivated meanwhile"""
    recovered: int
    """How many deliveries it has made due so far"""
    since: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    until: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    states: List[Union[RecoveryStatesItem, str]]
    created_at: str
    """UTC, ISO 8601 with six fractional digits and no zone"""
    finished_at: Optional[str]
    """Null while it is running"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class RejectedItem(Model):
    """An item without an interaction. Unless its error is `invalid-request`, its customer and the details in
    `customer` can have been set before
    """

    index: int
    """The place in the request, from 0"""
    error: ItemError
    extra: Dict[str, Any] = field(default_factory=dict)


class RenewedPresence(TypedDict):
    """Part of a request: RenewedPresence."""

    id: str
    """A new UUID for each tab"""


@dataclass
class Replays(Model):
    """Part of an answer: Replays."""

    replayed: int
    """How many conversations were replayed"""
    differing: int
    """How many of them go differently"""
    incomplete: int
    """How many have no complete record, because answers were removed or never given"""
    differences: List[ConversationDifference]
    """Those that go differently, the newest first; the first 100"""
    groups: List[DifferenceGroup]
    """The ways in which they go differently, the most frequent first; the first 50. Those of a way differ in the
    same questions and ends, in the texts of the same questions, and in the same values
    """
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Retention(Model):
    """After how many days without a change interactions are deleted. Null: never."""

    completed_days: Optional[int]
    """`Completed` ones"""
    ended_days: Optional[int]
    """`Expired` ones, and `InProgress` ones that nobody touches"""
    draft_days: Optional[int]
    """`Draft` and `Pending` ones"""
    extra: Dict[str, Any] = field(default_factory=dict)


class RetentionChange(TypedDict, total=False):
    """Part of a request: RetentionChange."""

    completed_days: Optional[int]
    """`Completed` ones"""
    ended_days: Optional[int]
    """`Expired` ones, and `InProgress` ones that nobody touches"""
    draft_days: Optional[int]
    """`Draft` and `Pending` ones"""


@dataclass
class RetentionPreview(Model):
    """Part of an answer: RetentionPreview."""

    interactions: int
    """In all"""
    completed: int
    ended: int
    """`Expired` or `InProgress`"""
    draft: int
    """`Draft` or `Pending`"""
    extra: Dict[str, Any] = field(default_factory=dict)


class Revision(TypedDict):
    """Part of a request: Revision."""

    client_message_id: str
    """The same id and revision again get the stored outcome"""
    expected_seq: int
    """The `seq` of the snapshot that is answered"""
    step_id: str
    """The `step_id` of an entry that has `can_revise`"""
    answer: RevisionAnswer
    """Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or
    `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for
    multiChoice and ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD`
    for date, `HH:MM` for time and objects of strings for matrix.
    """


class RevisionAnswer(TypedDict, total=False):
    """Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or
    `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for
    multiChoice and ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD`
    for date, `HH:MM` for time and objects of strings for matrix.
    """

    value: Any
    text: str
    skip: Literal[True]


@dataclass
class RotateApiKeySecretResult(Model):
    """Part of an answer: RotateApiKeySecretResult."""

    secret: str = field(repr=False)
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class RotateSdkSecretResult(Model):
    """Part of an answer: RotateSdkSecretResult."""

    kid: str
    secret: str = field(repr=False)
    extra: Dict[str, Any] = field(default_factory=dict)


class RotateSigningSecretBody(TypedDict, total=False):
    """Part of a request: RotateSigningSecretBody."""

    overlap_seconds: int
    """How long the current secrets continue to sign. Default: `86400`"""


@dataclass
class RotateSigningSecretResult(Model):
    """Part of an answer: RotateSigningSecretResult."""

    signing_secret: str = field(repr=False)
    extra: Dict[str, Any] = field(default_factory=dict)


class SendTestEventBody(TypedDict, total=False):
    """Part of a request: SendTestEventBody."""

    event: EventName
    ignore_filter: bool
    """Whether it is sent although the filter of the webhook refuses it. Default: `false`"""


@dataclass
class Snapshot(Model):
    """Part of an answer: Snapshot."""

    status: Union[InteractionStatus, str]
    seq: int
    """The number of the newest entry"""
    entries: List[SnapshotEntry]
    input: Optional[Input]
    awaiting: Optional[str]
    """What else is waited for; null when nothing is"""
    progress: float
    expires_at: Optional[str]
    bot_name: str
    """What the bot is called now"""
    available_from: Optional[str] = None
    """Only at a link, while the conversation cannot start yet: from when it can"""
    is_test: Optional[bool] = None
    """Only of a test interaction: it counts nowhere"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class SnapshotEntry(Model):
    """Part of an answer: SnapshotEntry."""

    seq: int
    type: Union[SnapshotEntryType, str]
    body: str
    timestamp: float
    """Epoch seconds with fraction"""
    skipped: Optional[bool] = None
    """The customer has skipped the question"""
    out_of: Optional[int] = None
    """The body is a number on a scale that ends here"""
    step_id: Optional[str] = None
    """The step that it answers, if the bot lets customers revise answers"""
    withdrawn: Optional[bool] = None
    """A revision has replaced it, or taken the conversation another way"""
    can_revise: Optional[bool] = None
    """The answer can be revised now"""
    extra: Dict[str, Any] = field(default_factory=dict)


class StartConversationBody(TypedDict, total=False):
    """Part of a request: StartConversationBody."""

    locale: str
    """The customer's language, a BCP 47 tag"""


@dataclass
class Webhook(Model):
    """Part of an answer: Webhook."""

    id: str
    url: str
    is_active: bool
    event: str
    """The names of its events, in the order of the catalogue, with commas"""
    extra: Dict[str, Any] = field(default_factory=dict)


class WebhookChange(TypedDict):
    """Part of a request: WebhookChange."""

    is_active: bool


@dataclass
class WebhookDeactivatedEvent(Event):
    """Part of an answer: WebhookDeactivatedEvent."""

    id: str
    """The id of the event, and its `webhook-id`"""
    type: Union[Literal["WebhookDeactivated"], str]
    timestamp: str
    """When it happened"""
    data: WebhookDeactivatedEventData
    test: Optional[bool] = None
    """Only of a test event"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class WebhookDeactivatedEventData(Model):
    """Part of an answer: WebhookDeactivatedEventData."""

    id: str
    url: str
    is_active: bool
    event: str
    """The names of its events, in the order of the catalogue, with commas"""
    reason: Union[WebhookDeactivatedEventDataReason, str]
    """The receiver answered 410, or has failed for five days"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class WebhookOptions(Model):
    """Part of an answer: WebhookOptions."""

    header_names: List[str]
    """Of the header fields that are added to every delivery; their values are never shown"""
    rate_limit: Optional[WebhookRateLimit]
    """null: as fast as the receiver answers"""
    ordering: Union[WebhookOrdering, str]
    asymmetric_signature: bool
    """Whether there is a `v1a` signature (Ed25519) as well"""
    public_keys: List[str]
    """Those that verify `v1a` signatures now, newest first: `whpk_` and base64 of 32 bytes"""
    events: List[Union[EventName, str]]
    filter: Optional[str]
    """null: every event passes"""
    envelope: bool
    """Whether `InteractionCompleted` has the envelope of the other events"""
    extra: Dict[str, Any] = field(default_factory=dict)


class WebhookOptionsChange(TypedDict, total=False):
    """Part of a request: WebhookOptionsChange."""

    url: str
    """http or https; a deployment takes public https URLs only"""
    secret_token: str
    """Sent as a query parameter of each delivery; unique in the workspace and never shown"""
    headers: Mapping[str, str]
    """Header fields of every delivery, by name. They replace all earlier ones. Reserved are `host`, `content-*`,
    `transfer-encoding`, `connection` and the like, `user-agent`, `traceparent`, `tracestate`, `webhook-*` and
    `x-parley-*`. Values are stored encrypted and never shown.
    """
    rate_limit: Optional[WebhookRateLimitInput]
    """null for none"""
    ordering: WebhookOrdering
    asymmetric_signature: bool
    events: Sequence[EventName]
    """The events that it gets"""
    filter: Optional[str]
    """null for none"""
    envelope: bool
    """Whether `InteractionCompleted` has the envelope of the other events"""


@dataclass
class WebhookRateLimit(Model):
    """Of attempts, over all replicas of the service"""

    per_second: float
    burst: int
    """How many may go out at once after a pause"""
    extra: Dict[str, Any] = field(default_factory=dict)


class WebhookRateLimitInput(TypedDict):
    """Of attempts, over all replicas of the service"""

    per_second: float
    burst: int
    """How many may go out at once after a pause"""


@dataclass
class WebhookStats(Model):
    """Part of an answer: WebhookStats."""

    pending: int
    """Open deliveries, counted up to 10,000"""
    oldest_due_seconds: float
    """For how long the oldest of them has been due; 0 when none is"""
    breaker: Union[WebhookStatsBreaker, str]
    """`open` after many failures: one delivery at a time is tried"""
    paused_until: Optional[str]
    """The end of the pause, set by `Retry-After` or the breaker. Null without a pause"""
    pause_reason: Optional[Union[WebhookStatsPauseReason, str]]
    """The receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or the `breaker` is
    open. Null without a pause
    """
    inactive_reason: Optional[Union[WebhookStatsInactiveReason, str]]
    """`user`: deactivated by a call. `gone`: the receiver answered 410. `auto`: it has failed for five days.
    Null while it is active
    """
    last_success_at: Optional[str]
    failing_since: Optional[str]
    """The first failure after the last success"""
    disabled_at: Optional[str]
    """When it is deactivated if it continues to fail"""
    filtered: int
    """Events that the filter has kept back"""
    filter_errors: int
    """Events for which the filter failed"""
    last_filter_error: Optional[str]
    """Why it failed last"""
    delayed_since: Optional[str]
    """Since when events wait before they become deliveries of this webhook, because its filter or its workspace
    needs much work. Null if none waits. It ends by itself
    """
    delay_reason: Optional[Union[WebhookStatsDelayReason, str]]
    """`filter`: the filter of this webhook is costly: use fewer or shorter conditions on long texts.
    `workspace`: many webhooks or many events. Null without a delay
    """
    waiting_events: Optional[int]
    """Events that wait so, counted up to 1,000. Null for a portal link of certain webhooks, from which all
    others are hidden
    """
    hours: List[WebhookStatsHour]
    """The last 24 hours (UTC) that had attempts, oldest first; kept for 7 days"""
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class WebhookStatsHour(Model):
    """The last 24 hours (UTC) that had attempts, oldest first; kept for 7 days"""

    hour: str
    """When it began"""
    attempts: int
    failures: int
    mean_ms: int
    max_ms: int
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Workspace(Model):
    """Part of an answer: Workspace."""

    id: str
    name: str
    allowed_domains: List[str]
    """Origins of pages that may use the browser SDK, and show the portal in a frame. `https://*.shop.example` is
    every host below shop.example
    """
    extra: Dict[str, Any] = field(default_factory=dict)


CatalogueEvent = Union[InteractionCreatedEvent, InteractionAvailableEvent, InteractionReminderDueEvent, InteractionStartedEvent, InteractionStalledEvent, InteractionCompletedEvent, InteractionExpiredEvent, CustomerAnonymisedEvent, WebhookDeactivatedEvent]
"""The body of an event of the catalogue with its envelope."""

EVENTS: Dict[str, Callable[[Any], CatalogueEvent]] = {
    "InteractionCreated": model(InteractionCreatedEvent),
    "InteractionAvailable": model(InteractionAvailableEvent),
    "InteractionReminderDue": model(InteractionReminderDueEvent),
    "InteractionStarted": model(InteractionStartedEvent),
    "InteractionStalled": model(InteractionStalledEvent),
    "InteractionCompleted": model(InteractionCompletedEvent),
    "InteractionExpired": model(InteractionExpiredEvent),
    "CustomerAnonymised": model(CustomerAnonymisedEvent),
    "WebhookDeactivated": model(WebhookDeactivatedEvent),
}

register(
    ApiKey,
    {
        "apiKey": ("api_key", None, True),
        "name": ("name", None, True),
        "scopes": ("scopes", None, True),
        "workspaceIds": ("workspace_ids", None, True),
        "createdAt": ("created_at", None, True),
        "createdBy": ("created_by", None, True),
        "expiresAt": ("expires_at", None, True),
        "lastUsedAt": ("last_used_at", None, True),
        "revokedAt": ("revoked_at", None, True),
    },
)
register(
    Attempt,
    {
        "number": ("number", None, True),
        "isCounted": ("is_counted", None, True),
        "startedAt": ("started_at", None, True),
        "durationMs": ("duration_ms", None, True),
        "latency": ("latency", model(AttemptLatency), True),
        "status": ("status", None, True),
        "error": ("error", None, True),
        "retryAfterSeconds": ("retry_after_seconds", None, True),
        "responseExcerpt": ("response_excerpt", None, True),
    },
)
register(
    AttemptLatency,
    {
        "dnsMs": ("dns_ms", None, True),
        "connectMs": ("connect_ms", None, True),
        "tlsMs": ("tls_ms", None, True),
        "firstByteMs": ("first_byte_ms", None, True),
    },
)
register(
    AuditActor,
    {
        "type": ("type", None, True),
        "id": ("id", None, True),
        "name": ("name", None, True),
    },
)
register(
    AuditEvent,
    {
        "id": ("id", None, True),
        "occurredAt": ("occurred_at", None, True),
        "action": ("action", None, True),
        "actor": ("actor", model(AuditActor), True),
        "targets": ("targets", many(model(AuditTarget)), True),
        "requestId": ("request_id", None, True),
        "clientAddress": ("client_address", None, True),
        "changes": ("changes", None, True),
    },
)
register(
    AuditTarget,
    {
        "type": ("type", None, True),
        "id": ("id", None, True),
    },
)
register(
    Bot,
    {
        "id": ("id", None, True),
        "name": ("name", None, True),
        "context": ("context", None, True),
    },
)
register(
    BotDraft,
    {
        "baseVersion": ("base_version", None, True),
        "updatedAt": ("updated_at", None, True),
        "updatedBy": ("updated_by", None, True),
        "faults": ("faults", many(model(BotDraftFault)), True),
        "definition": ("definition", None, True),
    },
)
register(
    BotDraftEntry,
    {
        "botId": ("bot_id", None, True),
        "baseVersion": ("base_version", None, True),
        "updatedAt": ("updated_at", None, True),
        "updatedBy": ("updated_by", None, True),
    },
)
register(
    BotDraftFault,
    {
        "pointer": ("pointer", None, True),
        "detail": ("detail", None, True),
    },
)
register(
    BotTemplate,
    {
        "id": ("id", None, True),
        "name": ("name", None, True),
        "description": ("description", None, True),
        "definition": ("definition", None, True),
    },
)
register(
    BotVersion,
    {
        "version": ("version", None, True),
        "publishedAt": ("published_at", None, True),
        "publishedBy": ("published_by", None, True),
        "note": ("note", None, True),
        "digest": ("digest", None, True),
        "isLive": ("is_live", None, True),
        "restoredFrom": ("restored_from", None, True),
    },
)
register(
    BotVersionWithDefinition,
    {
        "version": ("version", None, True),
        "publishedAt": ("published_at", None, True),
        "publishedBy": ("published_by", None, True),
        "note": ("note", None, True),
        "digest": ("digest", None, True),
        "isLive": ("is_live", None, True),
        "restoredFrom": ("restored_from", None, True),
        "key": ("key", None, True),
        "definition": ("definition", None, True),
    },
)
register(
    Branding,
    {
        "displayName": ("display_name", None, True),
        "logoUrl": ("logo_url", None, True),
        "accentColor": ("accent_color", None, True),
        "endText": ("end_text", None, True),
        "endLink": ("end_link", model(BrandingEndLink), True),
        "privacyText": ("privacy_text", None, True),
    },
)
register(
    BrandingEndLink,
    {
        "url": ("url", None, True),
        "label": ("label", None, True),
    },
)
register(
    CallerSession,
    {
        "type": ("type", None, True),
        "id": ("id", None, True),
        "name": ("name", None, True),
        "email": ("email", None, True),
        "isOperator": ("is_operator", None, True),
        "workspaces": ("workspaces", many(model(CallerSessionWorkspace)), True),
        "webhookIds": ("webhook_ids", None, True),
        "expiresAt": ("expires_at", None, True),
    },
)
register(
    CallerSessionWorkspace,
    {
        "workspaceId": ("workspace_id", None, True),
        "name": ("name", None, True),
        "role": ("role", None, True),
        "scopes": ("scopes", None, True),
    },
)
register(
    ContactLimit,
    {
        "count": ("count", None, True),
        "days": ("days", None, True),
    },
)
register(
    ContactPolicy,
    {
        "anyBot": ("any_bot", model(ContactLimit), True),
        "sameBot": ("same_bot", model(ContactLimit), True),
    },
)
register(
    Contactability,
    {
        "allowed": ("allowed", None, True),
        "retryAt": ("retry_at", None, True),
        "policy": ("policy", model(ContactPolicy), True),
    },
)
register(
    ConversationDifference,
    {
        "interactionId": ("interaction_id", None, True),
        "botVersion": ("bot_version", None, True),
        "completedAt": ("completed_at", None, True),
        "before": ("before", model(Course), True),
        "after": ("after", model(Course), True),
        "takesAnotherWay": ("takes_another_way", None, True),
        "endsDifferently": ("ends_differently", None, True),
        "evaluationKeys": ("evaluation_keys", None, True),
        "hearsAnotherText": ("hears_another_text", None, True),
    },
)
register(
    Course,
    {
        "stepIds": ("step_ids", None, True),
        "endStepId": ("end_step_id", None, True),
        "stopped": ("stopped", model(CourseStopped), True),
    },
)
register(
    CourseStopped,
    {
        "stepId": ("step_id", None, True),
        "reason": ("reason", None, True),
    },
)
register(
    CreateCustomerTokenResult,
    {
        "customerToken": ("customer_token", None, True),
        "expiresAt": ("expires_at", None, True),
    },
)
register(
    CreateLinkSessionResult,
    {
        "sessionToken": ("session_token", None, True),
        "expiresIn": ("expires_in", None, True),
        "workspaceId": ("workspace_id", None, True),
        "interactionId": ("interaction_id", None, True),
        "status": ("status", None, True),
        "botName": ("bot_name", None, True),
    },
)
register(
    CreateSessionResult,
    {
        "sessionToken": ("session_token", None, True),
        "expiresIn": ("expires_in", None, True),
        "pollAfter": ("poll_after", None, True),
        "branding": ("branding", model(Branding), False),
    },
)
register(
    CreatedApiKey,
    {
        "apiKey": ("api_key", None, True),
        "name": ("name", None, True),
        "scopes": ("scopes", None, True),
        "workspaceIds": ("workspace_ids", None, True),
        "createdAt": ("created_at", None, True),
        "createdBy": ("created_by", None, True),
        "expiresAt": ("expires_at", None, True),
        "lastUsedAt": ("last_used_at", None, True),
        "revokedAt": ("revoked_at", None, True),
        "secret": ("secret", None, True),
    },
)
register(
    CreatedItem,
    {
        "index": ("index", None, True),
        "interaction": ("interaction", model(Interaction), True),
    },
)
register(
    CreatedPortalLink,
    {
        "id": ("id", None, True),
        "name": ("name", None, True),
        "webhookIds": ("webhook_ids", None, True),
        "personalData": ("personal_data", None, True),
        "createdAt": ("created_at", None, True),
        "createdBy": ("created_by", None, True),
        "expiresAt": ("expires_at", None, True),
        "usedAt": ("used_at", None, True),
        "revokedAt": ("revoked_at", None, True),
        "url": ("url", None, True),
    },
)
register(
    CursorMeta,
    {
        "nextCursor": ("next_cursor", None, True),
    },
)
register(
    Customer,
    {
        "id": ("id", None, True),
        "firstName": ("first_name", None, True),
        "lastName": ("last_name", None, True),
        "email": ("email", None, True),
        "interactions": ("interactions", many(model(CustomerInteraction)), True),
    },
)
register(
    CustomerAnonymisedEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(CustomerAnonymisedEventData), True),
    },
)
register(
    CustomerAnonymisedEventData,
    {
        "id": ("id", None, True),
    },
)
register(
    CustomerExport,
    {
        "schemaVersion": ("schema_version", None, True),
        "exportedAt": ("exported_at", None, True),
        "customer": ("customer", model(CustomerExportCustomer), True),
        "interactions": ("interactions", many(model(CustomerExportInteraction)), True),
        "deliveries": ("deliveries", many(model(CustomerExportDelivery)), True),
    },
)
register(
    CustomerExportCustomer,
    {
        "id": ("id", None, True),
        "firstName": ("first_name", None, True),
        "lastName": ("last_name", None, True),
        "email": ("email", None, True),
    },
)
register(
    CustomerExportDelivery,
    {
        "id": ("id", None, True),
        "event": ("event", None, True),
        "eventId": ("event_id", None, True),
        "interactionId": ("interaction_id", None, True),
        "webhookId": ("webhook_id", None, True),
        "receiver": ("receiver", None, True),
        "state": ("state", None, True),
        "attempts": ("attempts", None, True),
        "createdAt": ("created_at", None, True),
        "finishedAt": ("finished_at", None, True),
    },
)
register(
    CustomerExportInteraction,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "type": ("type", None, True),
        "bot": ("bot", model(CustomerExportInteractionBot), True),
        "createdAt": ("created_at", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "link": ("link", model(CustomerExportInteractionLink), True),
        "context": ("context", many(model(CustomerExportInteractionContext)), True),
        "evaluation": ("evaluation", None, True),
        "transcript": ("transcript", many(model(CustomerExportInteractionTranscript)), True),
        "conversation": ("conversation", model(CustomerExportInteractionConversation), True),
    },
)
register(
    CustomerExportInteractionBot,
    {
        "key": ("key", None, True),
        "version": ("version", None, True),
    },
)
register(
    CustomerExportInteractionContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    CustomerExportInteractionConversation,
    {
        "answers": ("answers", None, True),
        "customer": ("customer", model(CustomerExportInteractionConversationCustomer), True),
        "locale": ("locale", None, True),
    },
)
register(
    CustomerExportInteractionConversationCustomer,
    {
        "id": ("id", None, True),
        "firstName": ("first_name", None, True),
        "lastName": ("last_name", None, True),
        "email": ("email", None, True),
    },
)
register(
    CustomerExportInteractionLink,
    {
        "createdAt": ("created_at", None, True),
        "expiresAt": ("expires_at", None, True),
    },
)
register(
    CustomerExportInteractionTranscript,
    {
        "body": ("body", None, True),
        "timestamp": ("timestamp", None, True),
        "type": ("type", None, True),
        "order": ("order", None, False),
        "consent": ("consent", model(CustomerExportInteractionTranscriptConsent), False),
    },
)
register(
    CustomerExportInteractionTranscriptConsent,
    {
        "sha256": ("sha256", None, True),
        "locale": ("locale", None, True),
    },
)
register(
    CustomerInteraction,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", None, True),
        "isTest": ("is_test", None, False),
    },
)
register(
    DeletedCustomers,
    {
        "deleted": ("deleted", None, True),
        "hasMore": ("has_more", None, True),
    },
)
register(
    DeletedTests,
    {
        "deleted": ("deleted", None, True),
        "hasMore": ("has_more", None, True),
    },
)
register(
    Delivery,
    {
        "id": ("id", None, True),
        "event": ("event", None, True),
        "interactionId": ("interaction_id", None, True),
        "isTest": ("is_test", None, True),
        "isTestInteraction": ("is_test_interaction", None, False),
        "webhookId": ("webhook_id", None, True),
        "webhookMessageId": ("webhook_message_id", None, True),
        "state": ("state", None, True),
        "attempts": ("attempts", None, True),
        "lastError": ("last_error", None, True),
        "isUnderWay": ("is_under_way", None, True),
        "createdAt": ("created_at", None, True),
        "dueAt": ("due_at", None, True),
        "finishedAt": ("finished_at", None, True),
        "traceId": ("trace_id", None, True),
    },
)
register(
    DeliveryBody,
    {
        "body": ("body", None, True),
        "isRedacted": ("is_redacted", None, True),
    },
)
register(
    Deployment,
    {
        "isWell": ("is_well", None, True),
        "checkedAt": ("checked_at", None, True),
        "problems": ("problems", many(model(DeploymentProblem)), True),
        "services": ("services", many(model(DeploymentService)), True),
        "eventLogs": ("event_logs", many(model(DeploymentEventLog)), True),
        "consumers": ("consumers", many(model(DeploymentConsumer)), True),
        "shards": ("shards", model(DeploymentShards), True),
        "stream": ("stream", model(DeploymentStream), True),
        "deliveries": ("deliveries", model(DeploymentDeliveries), True),
        "figures": ("figures", model(DeploymentFigures), True),
    },
)
register(
    DeploymentConsumer,
    {
        "durable": ("durable", None, True),
        "isWell": ("is_well", None, True),
        "lag": ("lag", None, True),
        "redelivered": ("redelivered", None, True),
        "putAside": ("put_aside", None, True),
        "behindSeconds": ("behind_seconds", None, True),
    },
)
register(
    DeploymentDeliveries,
    {
        "isWell": ("is_well", None, True),
        "oldestDueAgeSeconds": ("oldest_due_age_seconds", None, True),
        "openBreakers": ("open_breakers", None, True),
        "paused": ("paused", None, True),
        "egress": ("egress", many(model(DeploymentDeliveriesEgress)), True),
    },
)
register(
    DeploymentDeliveriesEgress,
    {
        "address": ("address", None, True),
        "isUp": ("is_up", None, True),
    },
)
register(
    DeploymentEventLog,
    {
        "service": ("service", None, True),
        "isWell": ("is_well", None, True),
        "waiting": ("waiting", None, True),
        "oldestAgeSeconds": ("oldest_age_seconds", None, True),
    },
)
register(
    DeploymentFigures,
    {
        "asOfAgeSeconds": ("as_of_age_seconds", None, True),
    },
)
register(
    DeploymentProblem,
    {
        "part": ("part", None, True),
        "subject": ("subject", None, True),
        "alert": ("alert", None, True),
        "detail": ("detail", None, True),
        "runbookUrl": ("runbook_url", None, True),
    },
)
register(
    DeploymentReplica,
    {
        "address": ("address", None, True),
        "state": ("state", None, True),
        "host": ("host", None, True),
        "version": ("version", None, True),
        "startedAt": ("started_at", None, True),
        "silentSince": ("silent_since", None, True),
    },
)
register(
    DeploymentService,
    {
        "name": ("name", None, True),
        "isWell": ("is_well", None, True),
        "versions": ("versions", None, True),
        "replicas": ("replicas", many(model(DeploymentReplica)), True),
    },
)
register(
    DeploymentShards,
    {
        "isWell": ("is_well", None, True),
        "total": ("total", None, True),
        "unowned": ("unowned", None, True),
        "owners": ("owners", many(model(DeploymentShardsOwner)), True),
    },
)
register(
    DeploymentShardsOwner,
    {
        "address": ("address", None, True),
        "shards": ("shards", None, True),
        "since": ("since", None, True),
    },
)
register(
    DeploymentStream,
    {
        "name": ("name", None, True),
        "isWell": ("is_well", None, True),
        "replicas": ("replicas", model(DeploymentStreamReplicas), True),
        "leader": ("leader", None, True),
        "messages": ("messages", None, True),
        "bytes": ("bytes", None, True),
    },
)
register(
    DeploymentStreamReplicas,
    {
        "set": ("set", None, True),
        "configured": ("configured", None, True),
        "online": ("online", None, True),
    },
)
register(
    DifferenceGroup,
    {
        "count": ("count", None, True),
        "newest": ("newest", model(ConversationDifference), True),
        "texts": ("texts", many(model(DifferenceGroupText)), True),
        "evaluation": ("evaluation", many(model(DifferenceGroupEvaluation)), True),
    },
)
register(
    DifferenceGroupEvaluation,
    {
        "key": ("key", None, True),
        "before": ("before", None, True),
        "after": ("after", None, True),
    },
)
register(
    DifferenceGroupText,
    {
        "stepId": ("step_id", None, True),
        "before": ("before", None, True),
        "after": ("after", None, True),
    },
)
register(
    Erasure,
    {
        "id": ("id", None, True),
        "customerId": ("customer_id", None, True),
        "kind": ("kind", None, True),
        "requestedAt": ("requested_at", None, True),
        "completedAt": ("completed_at", None, True),
        "requestedBy": ("requested_by", None, True),
        "stores": ("stores", many(model(ErasureStore)), True),
        "receipt": ("receipt", None, True),
    },
)
register(
    ErasureStore,
    {
        "store": ("store", None, True),
        "removed": ("removed", None, True),
    },
)
register(
    EventType,
    {
        "name": ("name", None, True),
        "description": ("description", None, True),
        "schema": ("schema", None, True),
        "example": ("example", None, True),
    },
)
register(
    ExportedInteraction,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "context": ("context", many(model(InteractionContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "data": ("data", model(InteractionHistory), True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "updatedAt": ("updated_at", None, True),
        "cursor": ("cursor", None, True),
    },
)
register(
    Failure,
    {
        "success": ("success", None, True),
        "code": ("code", None, True),
        "detail": ("detail", None, True),
        "data": ("data", None, True),
        "meta": ("meta", None, True),
        "type": ("type", None, True),
        "requestId": ("request_id", None, True),
        "errors": ("errors", many(model(FailureError)), False),
    },
)
register(
    FailureError,
    {
        "pointer": ("pointer", None, True),
        "detail": ("detail", None, True),
        "retryAt": ("retry_at", None, False),
    },
)
register(
    Input,
    {
        "stepId": ("step_id", None, True),
        "type": ("type", None, True),
        "required": ("required", None, True),
        "choices": ("choices", many(model(InputChoice)), False),
        "other": ("other", model(InputOther), False),
        "rankMax": ("rank_max", None, False),
        "rows": ("rows", many(model(InputRow)), False),
        "columns": ("columns", many(model(InputColumn)), False),
        "rowsRequired": ("rows_required", None, False),
        "label": ("label", None, False),
        "url": ("url", None, False),
        "min": ("min", None, False),
        "max": ("max", None, False),
        "minLength": ("min_length", None, False),
        "maxLength": ("max_length", None, False),
        "minSelections": ("min_selections", None, False),
        "maxSelections": ("max_selections", None, False),
        "labels": ("labels", None, False),
        "prefill": ("prefill", many(either(InputPrefill)), False),
    },
)
register(
    InputChoice,
    {
        "value": ("value", None, True),
        "label": ("label", None, True),
        "exclusive": ("exclusive", None, False),
    },
)
register(
    InputColumn,
    {
        "value": ("value", None, True),
        "label": ("label", None, True),
    },
)
register(
    InputOther,
    {
        "label": ("label", None, True),
        "maxLength": ("max_length", None, True),
    },
)
register(
    InputPrefill,
    {
        "other": ("other", None, True),
    },
)
register(
    InputRow,
    {
        "value": ("value", None, True),
        "label": ("label", None, True),
    },
)
register(
    Insight,
    {
        "bot": ("bot", model(InsightBot), True),
        "from": ("from_", None, True),
        "to": ("to", None, True),
        "asOf": ("as_of", None, True),
        "totals": ("totals", model(InsightTotals), True),
        "previous": ("previous", model(InsightPrevious), False),
        "steps": ("steps", many(model(InsightStep)), True),
        "ways": ("ways", many(model(InsightWay)), False),
        "evaluation": ("evaluation", mapped(either(InsightNps, InsightNumbers, InsightCounts, InsightRanking, InsightMatrix, InsightTexts)), True),
        "days": ("days", many(model(InsightDay)), True),
        "weeks": ("weeks", many(model(InsightWeek)), False),
    },
)
register(
    InsightBot,
    {
        "id": ("id", None, True),
        "key": ("key", None, True),
        "name": ("name", None, True),
    },
)
register(
    InsightCounts,
    {
        "n": ("n", None, True),
        "counts": ("counts", None, True),
    },
)
register(
    InsightDay,
    {
        "date": ("date", None, True),
        "created": ("created", None, True),
        "started": ("started", None, True),
        "completed": ("completed", None, True),
        "nps": ("nps", None, False),
    },
)
register(
    InsightMatrix,
    {
        "n": ("n", None, True),
        "rows": ("rows", many(model(InsightMatrixRow)), True),
    },
)
register(
    InsightMatrixRow,
    {
        "value": ("value", None, True),
        "counts": ("counts", None, True),
    },
)
register(
    InsightNps,
    {
        "n": ("n", None, True),
        "score": ("score", None, True),
        "margin": ("margin", None, True),
        "promoters": ("promoters", None, True),
        "passives": ("passives", None, True),
        "detractors": ("detractors", None, True),
        "distribution": ("distribution", None, True),
    },
)
register(
    InsightNumbers,
    {
        "n": ("n", None, True),
        "mean": ("mean", None, True),
        "median": ("median", None, True),
        "distribution": ("distribution", None, True),
    },
)
register(
    InsightPrevious,
    {
        "from": ("from_", None, True),
        "to": ("to", None, True),
        "created": ("created", None, True),
        "started": ("started", None, True),
        "completed": ("completed", None, True),
        "expired": ("expired", None, True),
        "stalled": ("stalled", None, True),
        "active": ("active", None, True),
        "unknown": ("unknown", None, False),
        "startRate": ("start_rate", None, True),
        "completionRate": ("completion_rate", None, True),
        "timeToComplete": ("time_to_complete", model(InsightTimes), True),
        "activeSeconds": ("active_seconds", model(InsightTimes), True),
    },
)
register(
    InsightRanking,
    {
        "n": ("n", None, True),
        "items": ("items", many(model(InsightRankingItem)), True),
    },
)
register(
    InsightRankingItem,
    {
        "value": ("value", None, True),
        "meanRank": ("mean_rank", None, True),
        "first": ("first", None, True),
    },
)
register(
    InsightStep,
    {
        "stepId": ("step_id", None, True),
        "kind": ("kind", None, True),
        "text": ("text", None, True),
        "since": ("since", None, True),
        "seen": ("seen", None, True),
        "answered": ("answered", None, True),
        "skipped": ("skipped", None, True),
        "dropped": ("dropped", None, True),
        "dropRate": ("drop_rate", None, True),
    },
)
register(
    InsightTexts,
    {
        "n": ("n", None, True),
    },
)
register(
    InsightTimes,
    {
        "n": ("n", None, True),
        "medianSeconds": ("median_seconds", None, True),
        "p90Seconds": ("p90_seconds", None, True),
    },
)
register(
    InsightTotals,
    {
        "created": ("created", None, True),
        "started": ("started", None, True),
        "completed": ("completed", None, True),
        "expired": ("expired", None, True),
        "stalled": ("stalled", None, True),
        "active": ("active", None, True),
        "unknown": ("unknown", None, False),
        "startRate": ("start_rate", None, True),
        "completionRate": ("completion_rate", None, True),
        "timeToComplete": ("time_to_complete", model(InsightTimes), True),
        "activeSeconds": ("active_seconds", model(InsightTimes), True),
    },
)
register(
    InsightWay,
    {
        "from": ("from_", None, True),
        "to": ("to", None, True),
        "n": ("n", None, True),
    },
)
register(
    InsightWeek,
    {
        "date": ("date", None, True),
        "n": ("n", None, True),
        "nps": ("nps", None, True),
        "margin": ("margin", None, True),
    },
)
register(
    Interaction,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
    },
)
register(
    InteractionAvailableEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionAvailableEventData), True),
    },
)
register(
    InteractionAvailableEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionAvailableEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
    },
)
register(
    InteractionAvailableEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionCompletedEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionCompletedEventData), True),
    },
)
register(
    InteractionCompletedEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionCompletedEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "result": ("result", model(InteractionHistory), True),
    },
)
register(
    InteractionCompletedEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionCreatedEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionCreatedEventData), True),
    },
)
register(
    InteractionCreatedEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionCreatedEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
    },
)
register(
    InteractionCreatedEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionDetails,
    {
        "botId": ("bot_id", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "updatedAt": ("updated_at", None, True),
        "withdrawn": ("withdrawn", None, False),
        "reminders": ("reminders", many(model(InteractionDetailsReminder)), False),
    },
)
register(
    InteractionDetailsReminder,
    {
        "number": ("number", None, True),
        "dueAt": ("due_at", None, True),
    },
)
register(
    InteractionExpiredEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionExpiredEventData), True),
    },
)
register(
    InteractionExpiredEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionExpiredEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "reason": ("reason", None, True),
    },
)
register(
    InteractionExpiredEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionHistory,
    {
        "customer_id": ("customer_id", None, True),
        "interaction_id": ("interaction_id", None, True),
        "evaluation": ("evaluation", None, True),
        "transcript": ("transcript", many(model(InteractionHistoryTranscript)), True),
    },
)
register(
    InteractionHistoryTranscript,
    {
        "body": ("body", None, True),
        "timestamp": ("timestamp", None, True),
        "type": ("type", None, True),
        "order": ("order", None, False),
        "consent": ("consent", model(InteractionHistoryTranscriptConsent), False),
    },
)
register(
    InteractionHistoryTranscriptConsent,
    {
        "sha256": ("sha256", None, True),
        "locale": ("locale", None, True),
    },
)
register(
    InteractionReminderDueEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionReminderDueEventData), True),
    },
)
register(
    InteractionReminderDueEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionReminderDueEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "number": ("number", None, True),
    },
)
register(
    InteractionReminderDueEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionStalledEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionStalledEventData), True),
    },
)
register(
    InteractionStalledEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionStalledEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
        "lastStepId": ("last_step_id", None, True),
    },
)
register(
    InteractionStalledEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    InteractionStartedEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(InteractionStartedEventData), True),
    },
)
register(
    InteractionStartedEventData,
    {
        "id": ("id", None, True),
        "status": ("status", None, True),
        "priority": ("priority", None, True),
        "link": ("link", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "createdAt": ("created_at", None, True),
        "customerId": ("customer_id", None, True),
        "type": ("type", None, True),
        "data": ("data", None, True),
        "context": ("context", many(model(InteractionStartedEventDataContext)), True),
        "isTest": ("is_test", None, False),
        "details": ("details", model(InteractionDetails), False),
        "botId": ("bot_id", None, True),
        "botKey": ("bot_key", None, True),
        "botVersion": ("bot_version", None, True),
        "startedAt": ("started_at", None, True),
        "completedAt": ("completed_at", None, True),
    },
)
register(
    InteractionStartedEventDataContext,
    {
        "key": ("key", None, True),
        "value": ("value", None, True),
    },
)
register(
    Invitation,
    {
        "memberId": ("member_id", None, True),
        "personId": ("person_id", None, True),
        "email": ("email", None, True),
        "isEmailVerified": ("is_email_verified", None, True),
        "name": ("name", None, True),
        "role": ("role", None, True),
        "personalData": ("personal_data", None, True),
        "status": ("status", None, True),
        "origin": ("origin", None, True),
        "createdAt": ("created_at", None, True),
        "lastSeenAt": ("last_seen_at", None, True),
        "groupsMissingSince": ("groups_missing_since", None, True),
        "url": ("url", None, True),
    },
)
register(
    ItemError,
    {
        "code": ("code", None, True),
        "type": ("type", None, True),
        "detail": ("detail", None, True),
        "errors": ("errors", many(model(ItemErrorError)), False),
    },
)
register(
    ItemErrorError,
    {
        "pointer": ("pointer", None, True),
        "detail": ("detail", None, True),
        "retryAt": ("retry_at", None, False),
    },
)
register(
    Member,
    {
        "memberId": ("member_id", None, True),
        "personId": ("person_id", None, True),
        "email": ("email", None, True),
        "isEmailVerified": ("is_email_verified", None, True),
        "name": ("name", None, True),
        "role": ("role", None, True),
        "personalData": ("personal_data", None, True),
        "status": ("status", None, True),
        "origin": ("origin", None, True),
        "createdAt": ("created_at", None, True),
        "lastSeenAt": ("last_seen_at", None, True),
        "groupsMissingSince": ("groups_missing_since", None, True),
    },
)
register(
    OpenLink,
    {
        "id": ("id", None, True),
        "botId": ("bot_id", None, True),
        "name": ("name", None, True),
        "url": ("url", None, True),
        "expiresAt": ("expires_at", None, True),
        "responsesMax": ("responses_max", None, True),
        "responses": ("responses", None, True),
        "contextKeys": ("context_keys", None, True),
        "isClosed": ("is_closed", None, True),
        "isTest": ("is_test", None, False),
        "createdAt": ("created_at", None, True),
        "createdBy": ("created_by", None, True),
    },
)
register(
    PageMeta,
    {
        "totalResults": ("total_results", None, True),
        "totalPages": ("total_pages", None, True),
        "currentPage": ("current_page", None, True),
        "pageSize": ("page_size", None, True),
    },
)
register(
    Pending,
    {
        "interactionId": ("interaction_id", None, True),
        "status": ("status", None, True),
        "type": ("type", None, True),
        "priority": ("priority", None, True),
        "botName": ("bot_name", None, True),
        "teaser": ("teaser", None, True),
        "expiresAt": ("expires_at", None, True),
        "more": ("more", None, True),
        "effort": ("effort", model(PendingEffort), True),
        "isTest": ("is_test", None, False),
    },
)
register(
    PendingEffort,
    {
        "questionsMin": ("questions_min", None, True),
        "questionsMax": ("questions_max", None, True),
        "minutes": ("minutes", None, True),
    },
)
register(
    PortalLink,
    {
        "id": ("id", None, True),
        "name": ("name", None, True),
        "webhookIds": ("webhook_ids", None, True),
        "personalData": ("personal_data", None, True),
        "createdAt": ("created_at", None, True),
        "createdBy": ("created_by", None, True),
        "expiresAt": ("expires_at", None, True),
        "usedAt": ("used_at", None, True),
        "revokedAt": ("revoked_at", None, True),
    },
)
register(
    Presence,
    {
        "id": ("id", None, True),
        "personId": ("person_id", None, True),
        "openedAt": ("opened_at", None, True),
    },
)
register(
    Presences,
    {
        "presences": ("presences", many(model(Presence)), True),
    },
)
register(
    PublishedBot,
    {
        "id": ("id", None, True),
        "name": ("name", None, True),
        "context": ("context", None, True),
        "version": ("version", None, True),
    },
)
register(
    Recovery,
    {
        "id": ("id", None, True),
        "state": ("state", None, True),
        "recovered": ("recovered", None, True),
        "since": ("since", None, True),
        "until": ("until", None, True),
        "states": ("states", None, True),
        "createdAt": ("created_at", None, True),
        "finishedAt": ("finished_at", None, True),
    },
)
register(
    RejectedItem,
    {
        "index": ("index", None, True),
        "error": ("error", model(ItemError), True),
    },
)
register(
    Replays,
    {
        "replayed": ("replayed", None, True),
        "differing": ("differing", None, True),
        "incomplete": ("incomplete", None, True),
        "differences": ("differences", many(model(ConversationDifference)), True),
        "groups": ("groups", many(model(DifferenceGroup)), True),
    },
)
register(
    Retention,
    {
        "completedDays": ("completed_days", None, True),
        "endedDays": ("ended_days", None, True),
        "draftDays": ("draft_days", None, True),
    },
)
register(
    RetentionPreview,
    {
        "interactions": ("interactions", None, True),
        "completed": ("completed", None, True),
        "ended": ("ended", None, True),
        "draft": ("draft", None, True),
    },
)
register(
    RotateApiKeySecretResult,
    {
        "secret": ("secret", None, True),
    },
)
register(
    RotateSdkSecretResult,
    {
        "kid": ("kid", None, True),
        "secret": ("secret", None, True),
    },
)
register(
    RotateSigningSecretResult,
    {
        "signingSecret": ("signing_secret", None, True),
    },
)
register(
    Snapshot,
    {
        "status": ("status", None, True),
        "seq": ("seq", None, True),
        "entries": ("entries", many(model(SnapshotEntry)), True),
        "input": ("input", model(Input), True),
        "awaiting": ("awaiting", None, True),
        "progress": ("progress", None, True),
        "expiresAt": ("expires_at", None, True),
        "availableFrom": ("available_from", None, False),
        "botName": ("bot_name", None, True),
        "isTest": ("is_test", None, False),
    },
)
register(
    SnapshotEntry,
    {
        "seq": ("seq", None, True),
        "type": ("type", None, True),
        "body": ("body", None, True),
        "timestamp": ("timestamp", None, True),
        "skipped": ("skipped", None, False),
        "outOf": ("out_of", None, False),
        "stepId": ("step_id", None, False),
        "withdrawn": ("withdrawn", None, False),
        "canRevise": ("can_revise", None, False),
    },
)
register(
    Webhook,
    {
        "id": ("id", None, True),
        "url": ("url", None, True),
        "isActive": ("is_active", None, True),
        "event": ("event", None, True),
    },
)
register(
    WebhookDeactivatedEvent,
    {
        "id": ("id", None, True),
        "type": ("type", None, True),
        "timestamp": ("timestamp", None, True),
        "test": ("test", None, False),
        "data": ("data", model(WebhookDeactivatedEventData), True),
    },
)
register(
    WebhookDeactivatedEventData,
    {
        "id": ("id", None, True),
        "url": ("url", None, True),
        "isActive": ("is_active", None, True),
        "event": ("event", None, True),
        "reason": ("reason", None, True),
    },
)
register(
    WebhookOptions,
    {
        "headerNames": ("header_names", None, True),
        "rateLimit": ("rate_limit", model(WebhookRateLimit), True),
        "ordering": ("ordering", None, True),
        "asymmetricSignature": ("asymmetric_signature", None, True),
        "publicKeys": ("public_keys", None, True),
        "events": ("events", None, True),
        "filter": ("filter", None, True),
        "envelope": ("envelope", None, True),
    },
)
register(
    WebhookRateLimit,
    {
        "perSecond": ("per_second", None, True),
        "burst": ("burst", None, True),
    },
)
register(
    WebhookStats,
    {
        "pending": ("pending", None, True),
        "oldestDueSeconds": ("oldest_due_seconds", None, True),
        "breaker": ("breaker", None, True),
        "pausedUntil": ("paused_until", None, True),
        "pauseReason": ("pause_reason", None, True),
        "inactiveReason": ("inactive_reason", None, True),
        "lastSuccessAt": ("last_success_at", None, True),
        "failingSince": ("failing_since", None, True),
        "disabledAt": ("disabled_at", None, True),
        "filtered": ("filtered", None, True),
        "filterErrors": ("filter_errors", None, True),
        "lastFilterError": ("last_filter_error", None, True),
        "delayedSince": ("delayed_since", None, True),
        "delayReason": ("delay_reason", None, True),
        "waitingEvents": ("waiting_events", None, True),
        "hours": ("hours", many(model(WebhookStatsHour)), True),
    },
)
register(
    WebhookStatsHour,
    {
        "hour": ("hour", None, True),
        "attempts": ("attempts", None, True),
        "failures": ("failures", None, True),
        "meanMs": ("mean_ms", None, True),
        "maxMs": ("max_ms", None, True),
    },
)
register(
    Workspace,
    {
        "id": ("id", None, True),
        "name": ("name", None, True),
        "allowedDomains": ("allowed_domains", None, True),
    },
)
register_inputs(
    {
        "AllowedDomains": {
            "allowed_domains": ("allowedDomains", None),
        },
        "ApiKeyChange": {
            "name": ("name", None),
            "scopes": ("scopes", None),
            "expires_at": ("expiresAt", None),
        },
        "BrandingChange": {
            "display_name": ("displayName", None),
            "logo": ("logo", None),
            "accent_color": ("accentColor", None),
            "end_text": ("endText", None),
            "end_link": ("endLink", "BrandingEndLinkInput"),
            "privacy_text": ("privacyText", None),
        },
        "BrandingEndLinkInput": {
            "url": ("url", None),
            "label": ("label", None),
        },
        "ContactLimitInput": {
            "count": ("count", None),
            "days": ("days", None),
        },
        "ContactPolicyChange": {
            "any_bot": ("anyBot", "ContactLimitInput"),
            "same_bot": ("sameBot", "ContactLimitInput"),
        },
        "CreateLinkSessionBody": {
            "token": ("token", None),
        },
        "CreateSessionBody": {
            "customer_token": ("customerToken", None),
        },
        "CustomerChange": {
            "first_name": ("firstName", None),
            "last_name": ("lastName", None),
            "email": ("email", None),
        },
        "CustomerDetails": {
            "first_name": ("firstName", None),
            "last_name": ("lastName", None),
            "email": ("email", None),
        },
        "InteractionChange": {
            "status": ("status", None),
            "priority": ("priority", None),
            "expiry": ("expiry", None),
            "available_from": ("availableFrom", None),
            "ignore_contact_policy": ("ignoreContactPolicy", None),
        },
        "MemberChange": {
            "role": ("role", None),
            "personal_data": ("personalData", None),
        },
        "Message": {
            "client_message_id": ("clientMessageId", None),
            "expected_seq": ("expectedSeq", None),
            "step_id": ("stepId", None),
            "answer": ("answer", "MessageAnswer"),
        },
        "MessageAnswer": {
            "value": ("value", None),
            "text": ("text", None),
            "skip": ("skip", None),
        },
        "NewApiKey": {
            "name": ("name", None),
            "scopes": ("scopes", None),
            "expires_at": ("expiresAt", None),
        },
        "NewBotDraft": {
            "definition": ("definition", None),
            "base_version": ("baseVersion", None),
        },
        "NewBotVersion": {
            "definition": ("definition", None),
            "restore": ("restore", None),
            "publish_draft": ("publishDraft", None),
            "expected_version": ("expectedVersion", None),
            "note": ("note", None),
        },
        "NewCustomer": {
            "id": ("id", None),
            "first_name": ("firstName", None),
            "last_name": ("lastName", None),
            "email": ("email", None),
        },
        "NewInteraction": {
            "customer_id": ("customerId", None),
            "customer": ("customer", "CustomerDetails"),
            "bot_id": ("botId", None),
            "bot_key": ("botKey", None),
            "status": ("status", None),
            "priority": ("priority", None),
            "expiry": ("expiry", None),
            "available_from": ("availableFrom", None),
            "context": ("context", "NewInteractionContext"),
            "is_test": ("isTest", None),
            "ignore_contact_policy": ("ignoreContactPolicy", None),
        },
        "NewInteractionContext": {
            "key": ("key", None),
            "value": ("value", None),
        },
        "NewInteractions": {
            "interactions": ("interactions", "NewInteraction"),
        },
        "NewInvitation": {
            "email": ("email", None),
            "role": ("role", None),
            "personal_data": ("personalData", None),
        },
        "NewOpenLink": {
            "name": ("name", None),
            "expires_at": ("expiresAt", None),
            "responses_max": ("responsesMax", None),
            "context_keys": ("contextKeys", None),
            "is_test": ("isTest", None),
        },
        "NewPortalLink": {
            "name": ("name", None),
            "webhook_ids": ("webhookIds", None),
            "personal_data": ("personalData", None),
            "expires_in_seconds": ("expiresInSeconds", None),
        },
        "NewRecovery": {
            "since": ("since", None),
            "until": ("until", None),
            "states": ("states", None),
        },
        "NewReplay": {
            "definition": ("definition", None),
            "conversations": ("conversations", None),
        },
        "NewWebhook": {
            "url": ("url", None),
            "secret_token": ("secretToken", None),
            "is_active": ("isActive", None),
            "event": ("event", None),
            "events": ("events", None),
            "filter": ("filter", None),
            "envelope": ("envelope", None),
        },
        "OpenLinkChange": {
            "name": ("name", None),
            "expires_at": ("expiresAt", None),
            "responses_max": ("responsesMax", None),
            "context_keys": ("contextKeys", None),
            "is_closed": ("isClosed", None),
        },
        "RenewedPresence": {
            "id": ("id", None),
        },
        "RetentionChange": {
            "completed_days": ("completedDays", None),
            "ended_days": ("endedDays", None),
            "draft_days": ("draftDays", None),
        },
        "Revision": {
            "client_message_id": ("clientMessageId", None),
            "expected_seq": ("expectedSeq", None),
            "step_id": ("stepId", None),
            "answer": ("answer", "RevisionAnswer"),
        },
        "RevisionAnswer": {
            "value": ("value", None),
            "text": ("text", None),
            "skip": ("skip", None),
        },
        "RotateSigningSecretBody": {
            "overlap_seconds": ("overlapSeconds", None),
        },
        "SendTestEventBody": {
            "event": ("event", None),
            "ignore_filter": ("ignoreFilter", None),
        },
        "StartConversationBody": {
            "locale": ("locale", None),
        },
        "WebhookChange": {
            "is_active": ("isActive", None),
        },
        "WebhookOptionsChange": {
            "url": ("url", None),
            "secret_token": ("secretToken", None),
            "headers": ("headers", None),
            "rate_limit": ("rateLimit", "WebhookRateLimitInput"),
            "ordering": ("ordering", None),
            "asymmetric_signature": ("asymmetricSignature", None),
            "events": ("events", None),
            "filter": ("filter", None),
            "envelope": ("envelope", None),
        },
        "WebhookRateLimitInput": {
            "per_second": ("perSecond", None),
            "burst": ("burst", None),
        },
    }
)
