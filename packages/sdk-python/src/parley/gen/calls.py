# Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.
"""The calls of the API."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union

from parley.gen.io import Export, Pager, Sender
from parley._core import NO_OPTIONS, CallInput, Operation, body_of
from parley._model import NOT_GIVEN, NotGiven, either, many, model, nothing, optional
from parley.gen.options import CallOptions
from parley.gen.types import (
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
    BrandingEndLinkInput,
    CallerSession,
    ContactLimitInput,
    ContactPolicy,
    ContactPolicyChange,
    Contactability,
    CreateCustomerTokenResult,
    CreateLinkSessionBody,
    CreateLinkSessionResult,
    CreateSessionBody,
    CreateSessionResult,
    CreatedApiKey,
    CreatedItem,
    CreatedPortalLink,
    CursorMeta,
    Customer,
    CustomerChange,
    CustomerDetails,
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
    GetInteractionEmailBlockFormat,
    GetInteractionQrFormat,
    GetOpenLinkQrFormat,
    Insight,
    Interaction,
    InteractionChange,
    InteractionStatus,
    Invitation,
    ListBotTemplatesLocale,
    ListDeliveriesState,
    Member,
    MemberChange,
    Message,
    MessageAnswer,
    NewApiKey,
    NewBotDraft,
    NewBotVersion,
    NewCustomer,
    NewInteraction,
    NewInteractionContext,
    NewInteractions,
    NewInvitation,
    NewOpenLink,
    NewPortalLink,
    NewRecovery,
    NewRecoveryState,
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
    RevisionAnswer,
    Role,
    RotateApiKeySecretResult,
    RotateSdkSecretResult,
    RotateSigningSecretBody,
    RotateSigningSecretResult,
    Scope,
    SendTestEventBody,
    Snapshot,
    StartConversationBody,
    Webhook,
    WebhookChange,
    WebhookOptions,
    WebhookOptionsChange,
    WebhookOrdering,
    WebhookRateLimitInput,
    WebhookStats,
    Workspace,
)


class ParleyCalls:
    """The calls with an API key outside of a workspace."""

    def __init__(self, send: Sender) -> None:
        self._send = send
        self.workspaces = WorkspacesCalls(send)
        self.session = SessionCalls(send)
        self.deployment = DeploymentCalls(send)


class WorkspacesCalls:
    """The calls of `workspaces`."""

    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Workspace, None]:
        """List the workspaces that the key can access"""
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces", headers=("if_match", "if_none_match", "request_id",)),
            model(Workspace),
            nothing,
            CallInput(),
            options,
        )

    def get(
        self,
        workspace_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Workspace:
        """Get a workspace

        Needs the scope `workspace:read`.

        Args:
            workspace_id: The id of the workspace
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Workspace),
            CallInput(
                params={
                    "workspaceId": workspace_id,
                },
            ),
            options,
        )

    def set_allowed_domains(
        self,
        workspace_id: str,
        *,
        allowed_domains: Sequence[str],
        options: CallOptions = NO_OPTIONS,
    ) -> Workspace:
        """Replace the allowed domains of a workspace

        Gateways may use the former ones for ten more seconds.

        Needs the scope `workspace:write`.

        Args:
            workspace_id: The id of the workspace
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/allowed-domains", headers=("request_id",)),
            model(Workspace),
            CallInput(
                params={
                    "workspaceId": workspace_id,
                },
                body=body_of("AllowedDomains", {
                    "allowed_domains": allowed_domains,
                }),
            ),
            options,
        )


class SessionCalls:
    """The calls of `session`."""

    def __init__(self, send: Sender) -> None:
        self._send = send

    def get(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> CallerSession:
        """Get who is calling: the key, person or portal link, its workspaces and its scopes in each of them"""
        return self._send.value(
            Operation("GET", "/v1/session", headers=("if_match", "if_none_match", "request_id",)),
            model(CallerSession),
            CallInput(),
            options,
        )

    def end(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Sign out the calling person or portal session

        After the answer, no gateway accepts the session.
        """
        return self._send.value(
            Operation("DELETE", "/v1/session", headers=("if_match", "request_id",)),
            nothing,
            CallInput(),
            options,
        )


class DeploymentCalls:
    """The calls of `deployment`."""

    def __init__(self, send: Sender) -> None:
        self._send = send

    def get(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Deployment:
        """Get whether everything is well: services, events, stream and deliveries

        The limits are those of the alerts, without their waiting time. A replica that does not answer is
        shown as silent. The answer is up to a second old, and has no data of a workspace.

        Only for people who have signed in as operators.
        """
        return self._send.value(
            Operation("GET", "/v1/deployment", headers=("if_match", "if_none_match", "request_id",)),
            model(Deployment),
            CallInput(),
            options,
        )


class WorkspaceClient:
    """The calls inside one workspace."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id
        self.interactions = InteractionsCalls(send, workspace_id)
        self.contact_policy = ContactPolicyCalls(send, workspace_id)
        self.customers = CustomersCalls(send, workspace_id)
        self.branding = BrandingCalls(send, workspace_id)
        self.bots = BotsCalls(send, workspace_id)
        self.webhooks = WebhooksCalls(send, workspace_id)
        self.erasures = ErasuresCalls(send, workspace_id)
        self.retention = RetentionCalls(send, workspace_id)
        self.keys = KeysCalls(send, workspace_id)
        self.members = MembersCalls(send, workspace_id)
        self.audit = AuditCalls(send, workspace_id)


class InteractionsCalls:
    """The calls of `interactions`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def create_bulk(
        self,
        *,
        interactions: Sequence[NewInteraction],
        options: CallOptions = NO_OPTIONS,
    ) -> List[Union[CreatedItem, RejectedItem]]:
        """Create up to 500 interactions

        Each item is a body of `POST /interactions`, with its rules, and is created as by a single call, in
        order. `data` has one item per body, in order: the interaction, or the error that the single call
        would have. A bad item harms no other. Other errors are about the request as a whole, which then has
        no effect. The body has at most 2 MiB and 50000 values. Every 3 items count as a call. An
        `Idempotency-Key` covers the request: a replay has the same interactions and errors.

        Needs the scope `interactions:write`.
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/interactions/bulk", headers=("idempotency_key", "request_id",)),
            many(either(CreatedItem, RejectedItem)),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewInteractions", {
                    "interactions": interactions,
                }),
            ),
            options,
        )

    def delete_tests(
        self,
        *,
        is_test: Optional[bool] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> DeletedTests:
        """Delete all test interactions

        Deletes each as `DELETE /interactions/{interactionId}` does. `is_test` must be `true`, so that no call
        without it deletes anything. A call ends after 15 seconds, with `has_more`.

        Needs the scope `interactions:write`.

        Args:
            is_test: Must be `true`
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/interactions", headers=("request_id",)),
            model(DeletedTests),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "isTest": is_test,
                },
            ),
            options,
        )

    def list(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        status: Optional[InteractionStatus] = None,
        priority: Optional[Priority] = None,
        customer_id: Optional[str] = None,
        bot_id: Optional[str] = None,
        bot_key: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        updated_from: Optional[str] = None,
        completed_from: Optional[str] = None,
        completed_to: Optional[str] = None,
        evaluation: Optional[Sequence[str]] = None,
        stopped_at: Optional[str] = None,
        bot_version: Optional[int] = None,
        is_test: Optional[bool] = None,
        include: Optional[Literal["details"]] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Interaction, PageMeta]:
        """List the interactions, newest first

        A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not
        complete JSON: send the request again. Allow more time for very large lists.

        Needs the scope `interactions:read`.

        Args:
            page: Which page; one past the last is empty. Default: `1`
            page_size: How many results a page has. Default: `20`
            status: Only those in this status
            priority: Only those of this priority
            customer_id: Only those of this customer
            bot_id: Only those with this bot
            bot_key: Only those with the bot of this `key`
            created_from: Only those created at or after this instant: with a zone (RFC 3339), or in UTC
                as the API writes it
            created_to: Only those created before this instant
            updated_from: Only those that changed last at or after this instant
            completed_from: Only those completed at or after this instant
            completed_to: Only those completed before this instant
            evaluation: Only those whose evaluation has this value for this key, written `key:value`,
                compared exactly. May be repeated: all must hold. A key that is personal in a bot needs the
                scope `personal-data:read`
            stopped_at: Only those that have expired or stalled at this step of the bot, the last one
                shown: what `dropped` of its insight counts. Needs `bot_id` or `bot_key`
            bot_version: Only conversations on this version of the bot. Needs `stopped_at`
            is_test: `true`: only test interactions; `false`: only others
            include: Adds the field `details`: the bot, its version, and the times of the conversation
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/interactions", headers=("if_match", "if_none_match", "request_id",)),
            model(Interaction),
            model(PageMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "page": page,
                    "pageSize": page_size,
                    "status": status,
                    "priority": priority,
                    "customerId": customer_id,
                    "botId": bot_id,
                    "botKey": bot_key,
                    "createdFrom": created_from,
                    "createdTo": created_to,
                    "updatedFrom": updated_from,
                    "completedFrom": completed_from,
                    "completedTo": completed_to,
                    "evaluation": evaluation,
                    "stoppedAt": stopped_at,
                    "botVersion": bot_version,
                    "isTest": is_test,
                    "include": include,
                },
            ),
            options,
        )

    def create(
        self,
        *,
        customer_id: str,
        customer: Union[CustomerDetails, NotGiven] = NOT_GIVEN,
        bot_id: Union[str, NotGiven] = NOT_GIVEN,
        bot_key: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[InteractionStatus, NotGiven] = NOT_GIVEN,
        priority: Union[Priority, NotGiven] = NOT_GIVEN,
        expiry: Union[Optional[float], NotGiven] = NOT_GIVEN,
        available_from: Union[Optional[str], NotGiven] = NOT_GIVEN,
        context: Union[Sequence[NewInteractionContext], NotGiven] = NOT_GIVEN,
        is_test: Union[bool, NotGiven] = NOT_GIVEN,
        ignore_contact_policy: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Interaction:
        """Create an interaction, and its customer when there is none

        The default status `Draft` is invisible to the customer. Send `"status": "Pending"` to offer the
        conversation to the customer, in the widget and at the `link` of the answer. Any status is accepted.
        An interaction created `Completed` or `Expired` is an archived import and raises no event. With
        `available_from`, customers see it from then on, and `InteractionAvailable` is raised, at once if that
        is not in the future. Without the scope `customers:write`, `customer` sets the details of a new
        customer only: other details of one that exists are 403 (`missing-scope`). `context` may have the keys
        that the bot names, each once, with values of 2 KiB and 16 KiB in all (UTF-8).

        Needs the scope `interactions:write`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
            bot_id: The id of the bot; or give its `bot_key`
            bot_key: The `key` of the bot's definition, instead of `bot_id`
            status: `Draft` is invisible to the customer; `Pending` offers the conversation to the
                customer. Default: `"Draft"`
            priority: Default: `"Medium"`
            expiry: Seconds from the request; 0 and null mean none
            available_from: Customers do not see it before, while it is `Pending`. At most a year ahead;
                null: at once
            context: Default: `[]`
            is_test: Whether it is a test interaction: it works in every way, and counts nowhere
            ignore_contact_policy: Offers the conversation also beyond the contact policy. The audit log
                has it
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/interactions", headers=("idempotency_key", "request_id",)),
            model(Interaction),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewInteraction", {
                    "customer_id": customer_id,
                    "customer": customer,
                    "bot_id": bot_id,
                    "bot_key": bot_key,
                    "status": status,
                    "priority": priority,
                    "expiry": expiry,
                    "available_from": available_from,
                    "context": context,
                    "is_test": is_test,
                    "ignore_contact_policy": ignore_contact_policy,
                }),
            ),
            options,
        )

    def export(
        self,
        *,
        status: Optional[InteractionStatus] = None,
        priority: Optional[Priority] = None,
        customer_id: Optional[str] = None,
        bot_id: Optional[str] = None,
        bot_key: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        updated_from: Optional[str] = None,
        completed_from: Optional[str] = None,
        completed_to: Optional[str] = None,
        evaluation: Optional[Sequence[str]] = None,
        stopped_at: Optional[str] = None,
        bot_version: Optional[int] = None,
        is_test: Optional[bool] = None,
        cursor: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Export:
        """Export interactions as a stream, oldest change first

        The answer is no envelope. It is as long as there are interactions, and comes as fast as it is read.
        An interaction that changes meanwhile can be in it twice.

        NDJSON has a line per interaction, with its `cursor`. The last line is `{"end": true, "rows": N,
        "cursor": "..."}`. A stream without it was cut: repeat the call with the `cursor` of the last line
        that was read in full. Later, the last `cursor` returns what has changed since, and misses no change.
        For that, changes that are newer than a transaction in progress wait for its end. After the data have
        moved to another server or come from a backup, an older `cursor` is `cursor-expired`: `detail` has the
        `updated_from` with which an export without it has all changes since.

        CSV (RFC 4180) is UTF-8 with a byte order mark. It has a column for each evaluation key of all
        versions of the bot, named as the key. A matrix has a column for each row, `key.row`. A key with the
        name of another column, such as `status`, has the column `evaluation.status`. A cell that a
        spreadsheet would take for a formula begins with `'`, and so does each such line of a cell. Cells with
        a comma, a semicolon, a TAB, a quotation mark or a line break are in quotation marks. Times are in UTC
        and end in `Z`. A CSV stream that was cut is not complete HTTP: repeat the call.

        Needs the scope `interactions:read`.

        Args:
            status: Only those in this status
            priority: Only those of this priority
            customer_id: Only those of this customer
            bot_id: Only those with this bot
            bot_key: Only those with the bot of this `key`
            created_from: Only those created at or after this instant: with a zone (RFC 3339), or in UTC
                as the API writes it
            created_to: Only those created before this instant
            updated_from: Only those that changed last at or after this instant
            completed_from: Only those completed at or after this instant
            completed_to: Only those completed before this instant
            evaluation: Only those whose evaluation has this value for this key, written `key:value`,
                compared exactly. May be repeated: all must hold. A key that is personal in a bot needs the
                scope `personal-data:read`
            stopped_at: Only those that have expired or stalled at this step of the bot, the last one
                shown: what `dropped` of its insight counts. Needs `bot_id` or `bot_key`
            bot_version: Only conversations on this version of the bot. Needs `stopped_at`
            is_test: `true`: only test interactions. Else an export has none
            cursor: Continues an export with these filters behind the line with this `cursor`;
                `updated_from` may differ
        """
        return Export(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/interactions/export", headers=("request_id",)),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "status": status,
                    "priority": priority,
                    "customerId": customer_id,
                    "botId": bot_id,
                    "botKey": bot_key,
                    "createdFrom": created_from,
                    "createdTo": created_to,
                    "updatedFrom": updated_from,
                    "completedFrom": completed_from,
                    "completedTo": completed_to,
                    "evaluation": evaluation,
                    "stoppedAt": stopped_at,
                    "botVersion": bot_version,
                    "isTest": is_test,
                    "cursor": cursor,
                },
            ),
            options,
        )

    def get(
        self,
        interaction_id: str,
        *,
        include: Optional[Literal["details"]] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Interaction:
        """Get an interaction

        Needs the scope `interactions:read`.

        Args:
            interaction_id: The id of the interaction
            include: Adds the field `details`: the bot, its version, and the times of the conversation
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/interactions/{interactionId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Interaction),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                query={
                    "include": include,
                },
            ),
            options,
        )

    def update(
        self,
        interaction_id: str,
        *,
        status: Union[InteractionStatus, NotGiven] = NOT_GIVEN,
        priority: Union[Priority, NotGiven] = NOT_GIVEN,
        expiry: Union[Optional[float], NotGiven] = NOT_GIVEN,
        available_from: Union[Optional[str], NotGiven] = NOT_GIVEN,
        ignore_contact_policy: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Interaction:
        """Change status, priority, expiry or availability of an interaction

        `Draft` changes to `Pending` or `InProgress`. `Pending` changes to `Draft`, `InProgress` or
        `Completed`. `InProgress` changes to `Completed`. All three change to `Expired`. `Expired` changes to
        `Pending` with a future `expiry` in the same call. The same status is no change. `available_from`
        moves or clears from when customers see a `Pending` interaction.

        Needs the scope `interactions:write`.

        Args:
            interaction_id: The id of the interaction
            expiry: Seconds from the request; 0 and null mean none
            available_from: Customers do not see it before, while it is `Pending`. At most a year ahead;
                null: at once
            ignore_contact_policy: Offers the conversation also beyond the contact policy. The audit log
                has it
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/interactions/{interactionId}", headers=("if_match", "request_id",)),
            model(Interaction),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                body=body_of("InteractionChange", {
                    "status": status,
                    "priority": priority,
                    "expiry": expiry,
                    "available_from": available_from,
                    "ignore_contact_policy": ignore_contact_policy,
                }),
            ),
            options,
        )

    def delete(
        self,
        interaction_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Delete an interaction with its conversation

        Its link and sessions end at once. Seconds later, the bodies of its events, open deliveries and the
        answers of receivers are gone too. The log of deliveries keeps ids and times. A retry of its creation
        with the same `Idempotency-Key` is answered with 404.

        Needs the scope `interactions:write`.

        Args:
            interaction_id: The id of the interaction
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/interactions/{interactionId}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
            ),
            options,
        )

    def qr(
        self,
        interaction_id: str,
        *,
        format: Optional[GetInteractionQrFormat] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> bytes:
        """Get the link of an interaction as a QR code

        The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter
        of the code may be worn off or covered. Print it at least 2 cm wide. Also needs the scope
        `interactions:write`, as the link itself does.

        Needs the scope `interactions:read`.

        Args:
            interaction_id: The id of the interaction
            format: SVG can be printed in any size. Default: `"svg"`
        """
        return self._send.file(
            Operation("GET", "/v1/workspaces/{workspaceId}/interactions/{interactionId}/qr", headers=("if_match", "if_none_match", "request_id",)),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                query={
                    "format": format,
                },
            ),
            options,
        )

    def email_block(
        self,
        interaction_id: str,
        *,
        format: Optional[GetInteractionEmailBlockFormat] = None,
        locale: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> str:
        """Get the first question as a block for an e-mail, with a link per answer

        The answer is a file and no envelope. Put it into your e-mail: a table with inline styles in the
        colours of the branding, or plain text. The first question must be of the type `nps`, `rating`,
        `yes_no` or `choice`, with at most 11 answers. Opening a link writes nothing, however often, because
        programs open links of e-mails too: its page shows the answer, marked, and one button, which starts
        the conversation and sends the answer. Also needs the scopes `interactions:write`, for the links, and
        `personal-data:read`.

        Needs the scope `interactions:read`.

        Args:
            interaction_id: The id of the interaction
            format: Default: `"html"`
            locale: The customer's language, a BCP 47 tag
        """
        return self._send.text(
            Operation("GET", "/v1/workspaces/{workspaceId}/interactions/{interactionId}/email-block", headers=("if_match", "if_none_match", "request_id",)),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                query={
                    "format": format,
                    "locale": locale,
                },
            ),
            options,
        )

    def list_deliveries(
        self,
        interaction_id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Delivery, CursorMeta]:
        """List the deliveries of events about an interaction to all webhooks, newest first

        An unknown interaction has none. Finished deliveries are kept for 30 days.

        Needs the scope `webhooks:read`.

        Args:
            interaction_id: The id of the interaction
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/interactions/{interactionId}/deliveries", headers=("if_match", "if_none_match", "request_id",)),
            model(Delivery),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )


class ContactPolicyCalls:
    """The calls of `contact_policy`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def get(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ContactPolicy:
        """Get how often customers may be offered interactions

        Needs the scope `workspace:read`.
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/contact-policy", headers=("if_match", "if_none_match", "request_id",)),
            model(ContactPolicy),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def update(
        self,
        *,
        any_bot: Union[Optional[ContactLimitInput], NotGiven] = NOT_GIVEN,
        same_bot: Union[Optional[ContactLimitInput], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> ContactPolicy:
        """Change how often customers may be offered interactions

        Counts the interactions of a customer that were `Pending`, or started, in the last days. Drafts,
        imports and test interactions do not count. Deleted interactions count, until their customer is
        deleted. Beyond a limit, offering is `contact-limit`. The policy is in force for all calls that begin
        after the answer.

        Needs the scope `workspace:write`.

        Args:
            any_bot: Of all bots together. Null: no limit
            same_bot: Of one bot. Null: no limit
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/contact-policy", headers=("if_match", "request_id",)),
            model(ContactPolicy),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("ContactPolicyChange", {
                    "any_bot": any_bot,
                    "same_bot": same_bot,
                }),
            ),
            options,
        )


class CustomersCalls:
    """The calls of `customers`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def get_contactability(
        self,
        customer_id: str,
        *,
        bot_id: Optional[str] = None,
        bot_key: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Contactability:
        """Get whether a customer may be offered an interaction now

        Changes nothing. Without a bot, only the limit of all bots counts.

        Needs the scope `interactions:read`.

        Args:
            customer_id: The id of the customer
            bot_id: The id of the bot that would offer; or give its `bot_key`
            bot_key: The `key` of its definition, instead of `bot_id`
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/customers/{customerId}/contactability", headers=("if_match", "if_none_match", "request_id",)),
            model(Contactability),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
                query={
                    "botId": bot_id,
                    "botKey": bot_key,
                },
            ),
            options,
        )

    def get(
        self,
        customer_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Customer:
        """Get a customer with its interactions, newest first

        A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not
        complete JSON: send the request again. Allow more time for very large lists.

        Needs the scope `customers:read`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/customers/{customerId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Customer),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
            ),
            options,
        )

    def update(
        self,
        customer_id: str,
        *,
        first_name: Union[str, NotGiven] = NOT_GIVEN,
        last_name: Union[str, NotGiven] = NOT_GIVEN,
        email: Union[str, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Customer:
        """Change the details of a customer

        Needs the scope `customers:write`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
            email: An email address, or empty
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/customers/{customerId}", headers=("if_match", "request_id",)),
            model(Customer),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
                body=body_of("CustomerChange", {
                    "first_name": first_name,
                    "last_name": last_name,
                    "email": email,
                }),
            ),
            options,
        )

    def delete(
        self,
        customer_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Delete a customer with all interactions

        Afterwards no store of the deployment has the customer, its interactions, their conversations, the
        bodies of their events or the answers of receivers. All links and sessions end. The log of deliveries
        keeps ids and times. If 25 seconds are not enough, the answer is 504, and the deletion continues.
        `detail` has the path of the erasure, which shows the progress. A customer that is created again under
        this id has nothing of the deleted one. The id itself stays for ever in the erasure with its receipt.
        All else forgets it with its age.

        Needs the scope `customers:write`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/customers/{customerId}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
            ),
            options,
        )

    def list(
        self,
        *,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        ids: Optional[str] = None,
        q: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Customer, PageMeta]:
        """List the customers, oldest first

        Needs the scope `customers:read`.

        Args:
            page: Which page; one past the last is empty. Default: `1`
            page_size: How many results a page has. Default: `20`
            ids: Only the customers of these ids, separated by commas: 1 to 100, without those that do not
                exist. All are on one page, and `page` and `page_size` do not count. An id with a comma cannot
                be asked for like this
            q: Only those whose id, first name, last name or e-mail address begins with this text,
                ignoring case. Two words also find a first and a last name that begin with them. Needs the
                scope `personal-data:read`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/customers", headers=("if_match", "if_none_match", "request_id",)),
            model(Customer),
            model(PageMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "page": page,
                    "pageSize": page_size,
                    "ids": ids,
                    "q": q,
                },
            ),
            options,
        )

    def create(
        self,
        *,
        id: str,
        first_name: Union[str, NotGiven] = NOT_GIVEN,
        last_name: Union[str, NotGiven] = NOT_GIVEN,
        email: Union[str, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Customer:
        """Create a customer

        Needs the scope `customers:write`.

        Args:
            id: The client's own id of the customer, compared exactly; not `.` or `..`
            first_name: Default: `""`
            last_name: Default: `""`
            email: An email address, or empty. Default: `""`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/customers", headers=("idempotency_key", "request_id",)),
            model(Customer),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewCustomer", {
                    "id": id,
                    "first_name": first_name,
                    "last_name": last_name,
                    "email": email,
                }),
            ),
            options,
        )

    def delete_anonymous(
        self,
        *,
        anonymous: Optional[bool] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> DeletedCustomers:
        """Delete the customers of open links with all interactions

        Those whose ids are `anonymous-` and 32 hexadecimal digits, also if a client has created them.
        `anonymous` must be `true`, so that no call without it deletes anything. The deletions have begun with
        the answer, and go on as those of single customers do, each with a receipt. A call ends after 15
        seconds, with `has_more`.

        Needs the scope `customers:write`.

        Args:
            anonymous: Must be `true`
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/customers", headers=("request_id",)),
            model(DeletedCustomers),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "anonymous": anonymous,
                },
            ),
            options,
        )

    def anonymise(
        self,
        customer_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Remove the personal details of a customer everywhere; the history stays

        Afterwards no store of the deployment has the name or the email, including transcripts and webhook
        logs. Ids, statuses, timestamps and scores stay, the customer's id for ever. Open interactions expire.
        All links and sessions end. May be repeated. If 25 seconds are not enough, the answer is 504, and the
        removal continues. `detail` has the path of the erasure, which shows the progress. A call for a
        customer whose anonymisation is running joins it.

        Needs the scope `customers:write`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/customers/{customerId}/anonymise", headers=("request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
            ),
            options,
        )

    def export(
        self,
        customer_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> CustomerExport:
        """Export everything that is stored about a customer

        The answer to a request for access by the person (GDPR, article 15): profile, interactions with
        transcripts, links without their URLs, and deliveries to webhooks. It has no secret and nothing about
        others. The ETag covers everything but `exported_at`. A long list is sent in parts. If a part cannot
        be loaded, the connection is closed and the body is not complete JSON: send the request again. Allow
        more time for very large lists.

        Needs the scope `customers:read`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/customers/{customerId}/export", headers=("if_match", "if_none_match", "request_id",)),
            model(CustomerExport),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
            ),
            options,
        )

    def create_token(
        self,
        customer_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> CreateCustomerTokenResult:
        """Sign a customer token

        For `POST /public/v1/workspaces/{workspaceId}/sessions`, called by the customer's browser. The
        customer must exist.

        Needs the scope `customers:write`.

        Args:
            customer_id: The client's own id of the customer, compared exactly; not `.` or `..`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/customers/{customerId}/token", headers=("request_id",)),
            model(CreateCustomerTokenResult),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "customerId": customer_id,
                },
            ),
            options,
        )


class BrandingCalls:
    """The calls of `branding`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def get(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Branding:
        """Get the branding of a workspace

        Needs the scope `workspace:read`.
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/branding", headers=("if_match", "if_none_match", "request_id",)),
            model(Branding),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def update(
        self,
        *,
        display_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        logo: Union[Optional[str], NotGiven] = NOT_GIVEN,
        accent_color: Union[Optional[str], NotGiven] = NOT_GIVEN,
        end_text: Union[Optional[str], NotGiven] = NOT_GIVEN,
        end_link: Union[Optional[BrandingEndLinkInput], NotGiven] = NOT_GIVEN,
        privacy_text: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Branding:
        """Change the branding of a workspace

        Absent fields stay, null clears a field. Link pages show the change at once, widgets from their next
        session on.

        Needs the scope `workspace:write`.
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/branding", headers=("if_match", "request_id",)),
            model(Branding),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("BrandingChange", {
                    "display_name": display_name,
                    "logo": logo,
                    "accent_color": accent_color,
                    "end_text": end_text,
                    "end_link": end_link,
                    "privacy_text": privacy_text,
                }),
            ),
            options,
        )


class BotsCalls:
    """The calls of `bots`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id
        self.open_links = BotsOpenLinksCalls(send, workspace_id)

    def list(
        self,
        *,
        key: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Bot, None]:
        """List the bots, oldest first

        Needs the scope `bots:read`.

        Args:
            key: Only the bot with this key
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/bots", headers=("if_match", "if_none_match", "request_id",)),
            model(Bot),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "key": key,
                },
            ),
            options,
        )

    def create(
        self,
        body: BotDefinition,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> PublishedBot:
        """Create a bot from its definition, or from a template

        Instead of a definition, the body may have the id of a `template`, with the `key` and the `name` of
        the bot, and its language in `locale`. Each of them is optional.

        Needs the scope `bots:write`.
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/bots", headers=("idempotency_key", "request_id",)),
            model(PublishedBot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=dict(body),
            ),
            options,
        )

    def get(
        self,
        bot_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Bot:
        """Get a bot

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Bot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
            ),
            options,
        )

    def publish_version(
        self,
        bot_id: str,
        *,
        definition: Union[BotDefinition, NotGiven] = NOT_GIVEN,
        restore: Union[int, NotGiven] = NOT_GIVEN,
        publish_draft: Union[Literal[True], NotGiven] = NOT_GIVEN,
        expected_version: Union[int, NotGiven] = NOT_GIVEN,
        note: Union[str, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> PublishedBot:
        """Publish a new version of a bot; started conversations keep theirs

        An unchanged definition creates no version. A version that is restored always becomes a new one, also
        the live one. `publish_draft` publishes the draft and removes it, both or neither: a draft with faults
        is refused with them, and stays. `If-Match` has the ETag of the draft, and is only for that.

        Needs the scope `bots:write`.

        Args:
            bot_id: The id of the bot
            restore: Instead of a definition: the version to publish again as a new one
            publish_draft: Instead of a definition: publishes the draft of the bot, and removes it
            expected_version: The version that must be live: otherwise 409
            note: Why it is published
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/bots/{botId}/versions", headers=("idempotency_key", "if_match", "request_id",)),
            model(PublishedBot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                body=body_of("NewBotVersion", {
                    "definition": definition,
                    "restore": restore,
                    "publish_draft": publish_draft,
                    "expected_version": expected_version,
                    "note": note,
                }),
            ),
            options,
        )

    def list_versions(
        self,
        bot_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[BotVersion, None]:
        """List the versions of a bot, newest first

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/versions", headers=("if_match", "if_none_match", "request_id",)),
            model(BotVersion),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
            ),
            options,
        )

    def get_version(
        self,
        bot_id: str,
        version: int,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> BotVersionWithDefinition:
        """Get a version of a bot with its definition

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
            version: Its number
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/versions/{version}", headers=("if_match", "if_none_match", "request_id",)),
            model(BotVersionWithDefinition),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                    "version": version,
                },
            ),
            options,
        )

    def replay(
        self,
        bot_id: str,
        *,
        definition: BotDefinition,
        conversations: Union[int, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Replays:
        """Replay the last conversations with another definition, before it is published

        Changes nothing. Each question gets the answer that the customer gave to the question of the same id,
        and each step of the model the values that it found. What differs is what the definition causes: the
        same replay with the version of the conversation is the comparison. Also needs the scope
        `personal-data:read`: the conditions of a definition can test each personal value.

        Needs the scope `interactions:read`.

        Args:
            bot_id: The id of the bot
            conversations: How many of the completed conversations, the newest first. Default: `500`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/bots/{botId}/replays", headers=("request_id",)),
            model(Replays),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                body=body_of("NewReplay", {
                    "definition": definition,
                    "conversations": conversations,
                }),
            ),
            options,
        )

    def list_drafts(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[BotDraftEntry, None]:
        """List which bots have a draft, the last saved first

        Needs the scope `bots:read`.
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/bot-drafts", headers=("if_match", "if_none_match", "request_id",)),
            model(BotDraftEntry),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def get_draft(
        self,
        bot_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> BotDraft:
        """Get the draft of a bot with its faults

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/draft", headers=("if_match", "if_none_match", "request_id",)),
            model(BotDraft),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
            ),
            options,
        )

    def save_draft(
        self,
        bot_id: str,
        *,
        definition: BotDefinition,
        base_version: Union[int, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> BotDraft:
        """Save a definition as the draft of a bot; it may have faults

        A draft changes nothing that customers see. Needs `If-Match` with the ETag of the draft that it
        replaces, or `If-None-Match: *` for the first one. 412 says who has saved the current draft, and when.
        A repetition of the last save succeeds.

        Needs the scope `bots:write`.

        Args:
            bot_id: The id of the bot
            base_version: The version from which it began. Without it: as before, or else the live version
        """
        return self._send.value(
            Operation("PUT", "/v1/workspaces/{workspaceId}/bots/{botId}/draft", headers=("if_match", "if_none_match", "request_id",)),
            model(BotDraft),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                body=body_of("NewBotDraft", {
                    "definition": definition,
                    "base_version": base_version,
                }),
            ),
            options,
        )

    def discard_draft(
        self,
        bot_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Discard the draft of a bot

        Needs the scope `bots:write`.

        Args:
            bot_id: The id of the bot
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/bots/{botId}/draft", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
            ),
            options,
        )

    def renew_presence(
        self,
        bot_id: str,
        *,
        id: str,
        options: CallOptions = NO_OPTIONS,
    ) -> Presences:
        """Say that the calling person has the editor of the bot open, and list who else has

        The person is listed until `DELETE`, or for 25 seconds: repeat the call every ten seconds. The answer
        has each tab, the one that was opened first in front, at most 100. API keys are no people: 403.

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
            id: A new UUID for each tab
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/bots/{botId}/presences", headers=("request_id",)),
            model(Presences),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                body=body_of("RenewedPresence", {
                    "id": id,
                }),
            ),
            options,
        )

    def end_presence(
        self,
        bot_id: str,
        presence_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Say that the calling person has closed the editor of the bot

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
            presence_id: The `id` with which it was renewed
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/bots/{botId}/presences/{presenceId}", headers=("request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                    "presenceId": presence_id,
                },
            ),
            options,
        )

    def list_templates(
        self,
        *,
        locale: Optional[ListBotTemplatesLocale] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[BotTemplate, None]:
        """List the templates of bots

        Needs the scope `bots:read`.

        Args:
            locale: The language of names and descriptions, and the `locale` of the definitions. Default:
                `"en"`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/bot-templates", headers=("if_match", "if_none_match", "request_id",)),
            model(BotTemplate),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "locale": locale,
                },
            ),
            options,
        )

    def get_insight(
        self,
        bot_id: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        tz: Optional[str] = None,
        version: Optional[int] = None,
        compare: Optional[Literal["previous"]] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Insight:
        """Get the figures of a bot: how many answer, where they stop, and what they say

        Counts the interactions that were created in the window, by their state at `as_of`. Figures are exact,
        except times, which are at most 5 % off.

        Needs the scope `insight:read`.

        Args:
            bot_id: The id of the bot
            from_: Only interactions created at or after this instant. Default: 30 days before `to`, at
                the full hour (UTC)
            to: Only interactions created before this instant, at most 400 days after `from`. Default: now
            tz: The time zone in which days begin: a name of IANA. Default: `"UTC"`
            version: Only conversations on this version of the bot
            compare: Also answers the totals of the window of the same length before this one
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/insight", headers=("if_match", "if_none_match", "request_id",)),
            model(Insight),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                query={
                    "from": from_,
                    "to": to,
                    "tz": tz,
                    "version": version,
                    "compare": compare,
                },
            ),
            options,
        )


class BotsOpenLinksCalls:
    """The calls of `bots.open_links`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def list(
        self,
        bot_id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[OpenLink, CursorMeta]:
        """List the open links of a bot, newest first

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/open-links", headers=("if_match", "if_none_match", "request_id",)),
            model(OpenLink),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )

    def create(
        self,
        bot_id: str,
        *,
        name: str,
        expires_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        responses_max: Union[Optional[int], NotGiven] = NOT_GIVEN,
        context_keys: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        is_test: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> OpenLink:
        """Create a link by which anybody can hold a conversation with the bot

        Opening the `url` changes nothing. Who presses “Start” there gets an interaction for a new customer,
        whose id is `anonymous-` and 32 hexadecimal digits. The same browser continues it for 30 days. A
        parameter of the URL that `context_keys` names becomes context, as a text: `?table=7`. A bot has at
        most 1000 open links.

        Needs the scope `bots:write`.

        Args:
            bot_id: The id of the bot
            name: For people: it is in lists
            expires_at: Null: it does not expire
            responses_max: How many conversations it begins at most. Null: any number
            context_keys: The parameters of the URL that become context; the bot must declare them.
                Default: `[]`
            is_test: Whether its conversations are tests, which no figure counts. Default: `false`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/bots/{botId}/open-links", headers=("idempotency_key", "request_id",)),
            model(OpenLink),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                },
                body=body_of("NewOpenLink", {
                    "name": name,
                    "expires_at": expires_at,
                    "responses_max": responses_max,
                    "context_keys": context_keys,
                    "is_test": is_test,
                }),
            ),
            options,
        )

    def get(
        self,
        bot_id: str,
        open_link_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> OpenLink:
        """Get an open link

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
            open_link_id: The id of the open link
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}", headers=("if_match", "if_none_match", "request_id",)),
            model(OpenLink),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                    "openLinkId": open_link_id,
                },
            ),
            options,
        )

    def update(
        self,
        bot_id: str,
        open_link_id: str,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        expires_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        responses_max: Union[Optional[int], NotGiven] = NOT_GIVEN,
        context_keys: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        is_closed: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> OpenLink:
        """Change an open link; its URL stays

        Conversations that it has begun go on, also after it is closed.

        Needs the scope `bots:write`.

        Args:
            bot_id: The id of the bot
            open_link_id: The id of the open link
            name: For people: it is in lists
            expires_at: Null: it does not expire
            responses_max: How many conversations it begins at most. Null: any number
            context_keys: The parameters of the URL that become context; the bot must declare them
            is_closed: True: it takes no responses until it is opened again
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}", headers=("if_match", "request_id",)),
            model(OpenLink),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                    "openLinkId": open_link_id,
                },
                body=body_of("OpenLinkChange", {
                    "name": name,
                    "expires_at": expires_at,
                    "responses_max": responses_max,
                    "context_keys": context_keys,
                    "is_closed": is_closed,
                }),
            ),
            options,
        )

    def delete(
        self,
        bot_id: str,
        open_link_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Delete an open link

        Its page then says that the link is closed. Conversations that it has begun stay, and go on.

        Needs the scope `bots:write`.

        Args:
            bot_id: The id of the bot
            open_link_id: The id of the open link
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                    "openLinkId": open_link_id,
                },
            ),
            options,
        )

    def qr(
        self,
        bot_id: str,
        open_link_id: str,
        *,
        format: Optional[GetOpenLinkQrFormat] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> bytes:
        """Get an open link as a QR code

        The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter
        of the code may be worn off or covered. Print it at least 2 cm wide.

        Needs the scope `bots:read`.

        Args:
            bot_id: The id of the bot
            open_link_id: The id of the open link
            format: SVG can be printed in any size. Default: `"svg"`
        """
        return self._send.file(
            Operation("GET", "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}/qr", headers=("if_match", "if_none_match", "request_id",)),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "botId": bot_id,
                    "openLinkId": open_link_id,
                },
                query={
                    "format": format,
                },
            ),
            options,
        )


class WebhooksCalls:
    """The calls of `webhooks`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id
        self.portal_links = WebhooksPortalLinksCalls(send, workspace_id)
        self.deliveries = WebhooksDeliveriesCalls(send, workspace_id)

    def list(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Webhook, None]:
        """List the webhooks, oldest first

        Needs the scope `webhooks:read`.
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks", headers=("if_match", "if_none_match", "request_id",)),
            model(Webhook),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def create(
        self,
        *,
        url: str,
        secret_token: str,
        is_active: Union[bool, NotGiven] = NOT_GIVEN,
        event: Union[EventName, NotGiven] = NOT_GIVEN,
        events: Union[Sequence[EventName], NotGiven] = NOT_GIVEN,
        filter: Union[Optional[str], NotGiven] = NOT_GIVEN,
        envelope: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Webhook:
        """Create a webhook

        A portal link creates webhooks only with `personal_data` and without `webhook_ids`.

        Needs the scope `webhooks:write`.

        Args:
            url: http or https; a deployment takes public https URLs only
            secret_token: Sent as a query parameter of each delivery; unique in the workspace and never
                shown
            is_active: Default: `false`
            event: The only event; default: `InteractionCompleted`
            events: The events that it gets
            filter: null or absent: every event passes
            envelope: Whether `InteractionCompleted` has the envelope of the other events. Default:
                `false`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/webhooks", headers=("idempotency_key", "request_id",)),
            model(Webhook),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewWebhook", {
                    "url": url,
                    "secret_token": secret_token,
                    "is_active": is_active,
                    "event": event,
                    "events": events,
                    "filter": filter,
                    "envelope": envelope,
                }),
            ),
            options,
        )

    def get(
        self,
        webhook_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Webhook:
        """Get a webhook

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Webhook),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
            ),
            options,
        )

    def update(
        self,
        webhook_id: str,
        *,
        is_active: bool,
        options: CallOptions = NO_OPTIONS,
    ) -> Webhook:
        """Activate or deactivate a webhook

        An inactive webhook sends nothing and skips due deliveries. `isActive: true` also ends a pause: due
        deliveries are attempted at once. A portal link with `webhook_ids` or without `personal_data` cannot
        activate a webhook that the company has deactivated.

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}", headers=("if_match", "request_id",)),
            model(Webhook),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                body=body_of("WebhookChange", {
                    "is_active": is_active,
                }),
            ),
            options,
        )

    def delete(
        self,
        webhook_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Delete a webhook and cancel its due deliveries

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
            ),
            options,
        )

    def rotate_signing_secret(
        self,
        webhook_id: str,
        *,
        overlap_seconds: Union[int, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> RotateSigningSecretResult:
        """Create a new signing secret, which is shown only once

        Without a body the current secrets sign for another day. A webhook with `asymmetric_signature` also
        gets a new key pair. An `Idempotency-Key` is rejected (400).

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
            overlap_seconds: How long the current secrets continue to sign. Default: `86400`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate", headers=("request_id",), is_repeatable=False),
            model(RotateSigningSecretResult),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                body=body_of("RotateSigningSecretBody", {
                    "overlap_seconds": overlap_seconds,
                }, is_required=False),
            ),
            options,
        )

    def get_options(
        self,
        webhook_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> WebhookOptions:
        """Get the options of a webhook

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options", headers=("if_match", "if_none_match", "request_id",)),
            model(WebhookOptions),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
            ),
            options,
        )

    def update_options(
        self,
        webhook_id: str,
        *,
        url: Union[str, NotGiven] = NOT_GIVEN,
        secret_token: Union[str, NotGiven] = NOT_GIVEN,
        headers: Union[Mapping[str, str], NotGiven] = NOT_GIVEN,
        rate_limit: Union[Optional[WebhookRateLimitInput], NotGiven] = NOT_GIVEN,
        ordering: Union[WebhookOrdering, NotGiven] = NOT_GIVEN,
        asymmetric_signature: Union[bool, NotGiven] = NOT_GIVEN,
        events: Union[Sequence[EventName], NotGiven] = NOT_GIVEN,
        filter: Union[Optional[str], NotGiven] = NOT_GIVEN,
        envelope: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> WebhookOptions:
        """Change the options of a webhook

        Absent fields stay. Ordering, events, filter and envelope apply to events that are raised after the
        answer. All others apply from the next attempt on, which may be a retry of an earlier event. An
        attempt that is in flight is not affected. The webhook shows its `url`. If a portal link changes the
        origin of the `url`, header fields are deleted and the secret token is replaced by a random one,
        unless the call has new ones.

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
            url: http or https; a deployment takes public https URLs only
            secret_token: Sent as a query parameter of each delivery; unique in the workspace and never
                shown
            headers: Header fields of every delivery, by name. They replace all earlier ones. Reserved are
                `host`, `content-*`, `transfer-encoding`, `connection` and the like, `user-agent`,
                `traceparent`, `tracestate`, `webhook-*` and `x-parley-*`. Values are stored encrypted and
                never shown.
            rate_limit: null for none
            events: The events that it gets
            filter: null for none
            envelope: Whether `InteractionCompleted` has the envelope of the other events
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options", headers=("if_match", "request_id",)),
            model(WebhookOptions),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                body=body_of("WebhookOptionsChange", {
                    "url": url,
                    "secret_token": secret_token,
                    "headers": headers,
                    "rate_limit": rate_limit,
                    "ordering": ordering,
                    "asymmetric_signature": asymmetric_signature,
                    "events": events,
                    "filter": filter,
                    "envelope": envelope,
                }),
            ),
            options,
        )

    def list_event_types(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[EventType, None]:
        """List the events that webhooks can get

        Without the option `envelope`, the body of `InteractionCompleted` is only its `result`.

        Needs the scope `webhooks:read`.
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/event-types", headers=("if_match", "if_none_match", "request_id",)),
            model(EventType),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def send_test(
        self,
        webhook_id: str,
        *,
        event: Union[EventName, NotGiven] = NOT_GIVEN,
        ignore_filter: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Delivery:
        """Send a test event

        It is delivered, signed, retried and logged like any event. With `event`, it is the example of that
        event. Otherwise it is a completion whose `x-parley-event` is `Test`. Its requests have the header
        field `x-parley-test: true`, and its body has `"test": true`. Returns its delivery.

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
            ignore_filter: Whether it is sent although the filter of the webhook refuses it. Default:
                `false`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test", headers=("idempotency_key", "request_id",)),
            model(Delivery),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                body=body_of("SendTestEventBody", {
                    "event": event,
                    "ignore_filter": ignore_filter,
                }, is_required=False),
            ),
            options,
        )

    def get_stats(
        self,
        webhook_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> WebhookStats:
        """Get the statistics of a webhook

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/stats", headers=("if_match", "if_none_match", "request_id",)),
            model(WebhookStats),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
            ),
            options,
        )

    def recover(
        self,
        webhook_id: str,
        *,
        since: str,
        until: Union[str, NotGiven] = NOT_GIVEN,
        states: Union[Sequence[NewRecoveryState], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Recovery:
        """Make the undelivered deliveries of a period due again

        It runs in the background: at most 500 deliveries per second, oldest first. The answer has the id for
        reading its progress. It stops when the webhook is deactivated.

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
            since: Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as
                the API writes it
            until: Only deliveries created before this instant. Default: now
            states: Default: `["failed","skipped"]`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recover", headers=("idempotency_key", "request_id",)),
            model(Recovery),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                body=body_of("NewRecovery", {
                    "since": since,
                    "until": until,
                    "states": states,
                }),
            ),
            options,
        )

    def list_recoveries(
        self,
        webhook_id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Recovery, CursorMeta]:
        """List the recoveries of a webhook, newest first

        A recovery is kept for 30 days.

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries", headers=("if_match", "if_none_match", "request_id",)),
            model(Recovery),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )

    def get_recovery(
        self,
        webhook_id: str,
        recovery_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Recovery:
        """Get the progress of a recovery

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
            recovery_id: The id of the recovery
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries/{recoveryId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Recovery),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                    "recoveryId": recovery_id,
                },
            ),
            options,
        )


class WebhooksPortalLinksCalls:
    """The calls of `webhooks.portal_links`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def create(
        self,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        webhook_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        personal_data: Union[bool, NotGiven] = NOT_GIVEN,
        expires_in_seconds: Union[int, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> CreatedPortalLink:
        """Create a link that opens the webhook screens without an account; its URL is shown only once

        The link works once. Who opens it can do what `webhooks:read` and `webhooks:write` allow, and the
        caller must have both (`missing-scope`). With `webhook_ids`, other webhooks are hidden, none can be
        created or deleted, and the events and the filter stay. `personal_data` needs `personal-data:read`. An
        `Idempotency-Key` is rejected (400).

        Needs the scope `webhooks:write`.

        Args:
            name: For people: it is in lists and in the audit log. Default: `""`
            webhook_ids: The webhooks that it shows. Default: all, also later ones
            personal_data: Whether it shows bodies of deliveries, which have whole conversations, and what
                receivers have answered. Default: `false`
            expires_in_seconds: When the link and its session end, from now on. They end with the calling
                key, at the latest. Default: `3600`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/webhooks/portal-links", headers=("request_id",), is_repeatable=False),
            model(CreatedPortalLink),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewPortalLink", {
                    "name": name,
                    "webhook_ids": webhook_ids,
                    "personal_data": personal_data,
                    "expires_in_seconds": expires_in_seconds,
                }, is_required=False),
            ),
            options,
        )

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[PortalLink, CursorMeta]:
        """List the portal links, newest first

        A link is in the list until a day after its end.

        Needs the scope `webhooks:read`.

        Args:
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/portal-links", headers=("if_match", "if_none_match", "request_id",)),
            model(PortalLink),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )

    def revoke(
        self,
        portal_link_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Revoke a portal link, and end its session

        After the answer, no gateway accepts the link or its session. The record stays, with `revoked_at`.

        Needs the scope `webhooks:write`.

        Args:
            portal_link_id: The id of the portal link
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/webhooks/portal-links/{portalLinkId}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "portalLinkId": portal_link_id,
                },
            ),
            options,
        )


class WebhooksDeliveriesCalls:
    """The calls of `webhooks.deliveries`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def list(
        self,
        webhook_id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        state: Optional[ListDeliveriesState] = None,
        interaction_id: Optional[str] = None,
        event_id: Optional[str] = None,
        event: Optional[DeliveredEvent] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Delivery, CursorMeta]:
        """List the deliveries of a webhook, newest first

        Finished deliveries are kept for 30 days.

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
            state: Only those in this state
            interaction_id: Only deliveries of events about this interaction; none for an unknown
                interaction
            event_id: Only the delivery of this event, also of a test: the `webhook-id` of its requests,
                which is the `webhook_message_id` of a delivery
            event: Only deliveries of events with this name. A page can then be short although
                `next_cursor` leads to more
            since: Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as
                the API writes it
            until: Only deliveries created before this instant
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries", headers=("if_match", "if_none_match", "request_id",)),
            model(Delivery),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                    "state": state,
                    "interactionId": interaction_id,
                    "eventId": event_id,
                    "event": event,
                    "since": since,
                    "until": until,
                },
            ),
            options,
        )

    def get(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Delivery:
        """Get a delivery

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
            delivery_id: The id of the delivery
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Delivery),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                    "deliveryId": delivery_id,
                },
            ),
            options,
        )

    def get_body(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DeliveryBody:
        """Get the body that the requests of a delivery have

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
            delivery_id: The id of the delivery
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/body", headers=("if_match", "if_none_match", "request_id",)),
            model(DeliveryBody),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                    "deliveryId": delivery_id,
                },
            ),
            options,
        )

    def list_attempts(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Attempt, CursorMeta]:
        """List the attempts of a delivery, first to last

        An attempt is kept for 30 days. A 429 or 503 that pauses the webhook is here too, but does not count
        as an attempt: `is_counted` is false, and the next one has the same `number`. Of these a delivery
        keeps the newest ten.

        Needs the scope `webhooks:read`.

        Args:
            webhook_id: The id of the webhook
            delivery_id: The id of the delivery
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/attempts", headers=("if_match", "if_none_match", "request_id",)),
            model(Attempt),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                    "deliveryId": delivery_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )

    def retry(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Delivery:
        """Retry a delivery now, whatever its state

        It keeps its id, its `webhook-id` and the numbers of its attempts. One that waits for an attempt is
        tried now, too: if that fails, the planned attempt comes at its time. A delivery without attempts left
        gets one more. It waits for a pause or an open breaker, which `PATCH {"isActive": true}` of the
        webhook ends. A repeated call changes nothing while the delivery waits.

        Needs the scope `webhooks:write`.

        Args:
            webhook_id: The id of the webhook
            delivery_id: The id of the delivery
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry", headers=("request_id",), is_repeatable=False),
            model(Delivery),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "webhookId": webhook_id,
                    "deliveryId": delivery_id,
                },
            ),
            options,
        )


class ErasuresCalls:
    """The calls of `erasures`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        customer_id: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Erasure, CursorMeta]:
        """List the erasures, newest first

        Needs the scope `customers:read`.

        Args:
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
            customer_id: Only erasures of this customer; none for an unknown customer
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/erasures", headers=("if_match", "if_none_match", "request_id",)),
            model(Erasure),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                    "customerId": customer_id,
                },
            ),
            options,
        )

    def get(
        self,
        erasure_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Erasure:
        """Get the progress of an erasure

        Needs the scope `customers:read`.

        Args:
            erasure_id: The id of the erasure
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/erasures/{erasureId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Erasure),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "erasureId": erasure_id,
                },
            ),
            options,
        )


class RetentionCalls:
    """The calls of `retention`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def get(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Retention:
        """Get how long the workspace keeps interactions

        Needs the scope `workspace:read`.
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/retention", headers=("if_match", "if_none_match", "request_id",)),
            model(Retention),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def update(
        self,
        *,
        completed_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        ended_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        draft_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Retention:
        """Change how long the workspace keeps interactions

        Days are counted from the last change of an interaction. Those whose time is over are deleted in small
        batches from now on, as with `DELETE`, except those with open deliveries. See first what would be
        deleted: `POST /retention/preview`.

        Needs the scope `workspace:write`.

        Args:
            completed_days: `Completed` ones
            ended_days: `Expired` ones, and `InProgress` ones that nobody touches
            draft_days: `Draft` and `Pending` ones
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/retention", headers=("if_match", "request_id",)),
            model(Retention),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("RetentionChange", {
                    "completed_days": completed_days,
                    "ended_days": ended_days,
                    "draft_days": draft_days,
                }),
            ),
            options,
        )

    def preview(
        self,
        *,
        completed_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        ended_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        draft_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> RetentionPreview:
        """Count the interactions that a change of the retention would delete now

        Needs the scope `workspace:read`.

        Args:
            completed_days: `Completed` ones
            ended_days: `Expired` ones, and `InProgress` ones that nobody touches
            draft_days: `Draft` and `Pending` ones
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/retention/preview", headers=("request_id",)),
            model(RetentionPreview),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("RetentionChange", {
                    "completed_days": completed_days,
                    "ended_days": ended_days,
                    "draft_days": draft_days,
                }),
            ),
            options,
        )


class KeysCalls:
    """The calls of `keys`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def rotate_api_key_secret(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> RotateApiKeySecretResult:
        """Replace the API key's secret; only in the workspace that the key was created for

        After the answer, no gateway accepts the old secret. The new one is shown only once, so an
        `Idempotency-Key` is rejected (400). Of concurrent calls with the same secret, one succeeds and the
        others get 401.
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/apikeys/rotate", headers=("request_id",), is_repeatable=False),
            model(RotateApiKeySecretResult),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def rotate_sdk_secret(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> RotateSdkSecretResult:
        """Create a new SDK secret; the previous one stays valid until the next rotation

        The secret is shown only once, so an `Idempotency-Key` is rejected (400).

        Needs the scope `keys:write`.
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/sdk-secret/rotate", headers=("request_id",), is_repeatable=False),
            model(RotateSdkSecretResult),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[ApiKey, CursorMeta]:
        """List the API keys that were created for the workspace, oldest first

        Revoked and expired keys are in the list too.

        Needs the scope `keys:read`.

        Args:
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/apikeys", headers=("if_match", "if_none_match", "request_id",)),
            model(ApiKey),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )

    def create(
        self,
        *,
        name: str,
        scopes: Sequence[Scope],
        expires_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> CreatedApiKey:
        """Create an API key of this workspace; its secret is shown only once

        The new key cannot do more than the calling key: each of its scopes must be one of the caller's
        (`missing-scope`), and it must not expire later (`stronger-key`). A workspace has at most 1,000 keys,
        revoked and expired ones too; then a new key replaces the oldest one that ended a day ago or earlier.
        An `Idempotency-Key` is rejected (400).

        Needs the scope `keys:write`.

        Args:
            name: For people
            scopes: What the key may do: scopes that the calling key has too
            expires_at: From then on no gateway accepts the key. Null: it does not expire
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/apikeys", headers=("request_id",), is_repeatable=False),
            model(CreatedApiKey),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewApiKey", {
                    "name": name,
                    "scopes": scopes,
                    "expires_at": expires_at,
                }),
            ),
            options,
        )

    def get(
        self,
        api_key: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ApiKey:
        """Get an API key that was created for the workspace

        Needs the scope `keys:read`.

        Args:
            api_key: The public half, `prl_key_...`
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/apikeys/{apiKey}", headers=("if_match", "if_none_match", "request_id",)),
            model(ApiKey),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "apiKey": api_key,
                },
            ),
            options,
        )

    def update(
        self,
        api_key: str,
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        scopes: Union[Sequence[Scope], NotGiven] = NOT_GIVEN,
        expires_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> ApiKey:
        """Change the name, the scopes or the expiry of an API key

        After the answer, no gateway uses the former scopes and expiry. The calling key must have all scopes
        and workspaces of the other key, and the scopes that it gives. Only an owner, or another key without
        limits, changes a key without limits. A key that has ended stays ended. API keys, invitations and
        portal links of the key that it could not make any more end.

        Needs the scope `keys:write`.

        Args:
            api_key: The public half, `prl_key_...`
            name: For people
            scopes: What the key may do: scopes that the calling key has too
            expires_at: From then on no gateway accepts the key. Null: it does not expire
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/apikeys/{apiKey}", headers=("if_match", "request_id",)),
            model(ApiKey),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "apiKey": api_key,
                },
                body=body_of("ApiKeyChange", {
                    "name": name,
                    "scopes": scopes,
                    "expires_at": expires_at,
                }),
            ),
            options,
        )

    def revoke(
        self,
        api_key: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Revoke an API key for good

        After the answer, no gateway accepts it. Its record stays, with `revoked_at`. The calling key must
        have all scopes and workspaces of the other key. Only an owner, or another key without limits, revokes
        a key without limits. A key can revoke itself. API keys, invitations and portal links that it made
        end, too.

        Needs the scope `keys:write`.

        Args:
            api_key: The public half, `prl_key_...`
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/apikeys/{apiKey}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "apiKey": api_key,
                },
            ),
            options,
        )


class MembersCalls:
    """The calls of `members`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def invite(
        self,
        *,
        email: str,
        role: Role,
        personal_data: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Invitation:
        """Invite a person; the link of the invitation is shown only once

        The link is valid once, for 7 days. Parley sends no mail: pass it on. Another invitation of the same
        address replaces the first one. The role must not do more than the caller (`missing-scope`), and only
        an owner makes owners (`owner-only`). With a sign-in provider, the person signs in there. An
        `Idempotency-Key` is rejected (400).

        Needs the scope `workspace:write`.

        Args:
            personal_data: Whether the member may see personal data. Default: `true`
        """
        return self._send.value(
            Operation("POST", "/v1/workspaces/{workspaceId}/members/invitations", headers=("request_id",), is_repeatable=False),
            model(Invitation),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                body=body_of("NewInvitation", {
                    "email": email,
                    "role": role,
                    "personal_data": personal_data,
                }),
            ),
            options,
        )

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Member, CursorMeta]:
        """List the members of the workspace and the invitations, oldest first

        Needs the scope `workspace:read`.

        Args:
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/members", headers=("if_match", "if_none_match", "request_id",)),
            model(Member),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            options,
        )

    def get(
        self,
        member_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Member:
        """Get a member of the workspace

        Needs the scope `workspace:read`.

        Args:
            member_id: The id of the member
        """
        return self._send.value(
            Operation("GET", "/v1/workspaces/{workspaceId}/members/{memberId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Member),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "memberId": member_id,
                },
            ),
            options,
        )

    def update(
        self,
        member_id: str,
        *,
        role: Union[Role, NotGiven] = NOT_GIVEN,
        personal_data: Union[bool, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Member:
        """Change the role of a member, or whether it may see personal data

        After the answer, no gateway uses the former role. The caller must be able to do what the member can
        do before and after the change. Only an owner changes owners, and a workspace keeps an owner once it
        has one. API keys, invitations and portal links of the member that it could not make any more end.

        Needs the scope `workspace:write`.

        Args:
            member_id: The id of the member
            personal_data: Whether the member may see personal data
        """
        return self._send.value(
            Operation("PATCH", "/v1/workspaces/{workspaceId}/members/{memberId}", headers=("if_match", "request_id",)),
            model(Member),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "memberId": member_id,
                },
                body=body_of("MemberChange", {
                    "role": role,
                    "personal_data": personal_data,
                }),
            ),
            options,
        )

    def remove(
        self,
        member_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Remove a member, or withdraw an invitation

        After the answer, no gateway gives the person access to the workspace. A person without a workspace is
        signed out, unless it is an operator. API keys, invitations and portal links that the person made in
        the workspace end, too. The caller must be able to do what the member can do.

        Needs the scope `workspace:write`.

        Args:
            member_id: The id of the member
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/members/{memberId}", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "memberId": member_id,
                },
            ),
            options,
        )

    def leave(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> None:
        """Leave the workspace, as the calling person

        After the answer, no gateway gives the person access to the workspace. Without another workspace, the
        person is signed out, unless it is an operator. API keys, invitations and portal links that it made in
        the workspace end, too. A role of a group comes back at the next sign-in.
        """
        return self._send.value(
            Operation("DELETE", "/v1/workspaces/{workspaceId}/membership", headers=("if_match", "request_id",)),
            nothing,
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
            ),
            options,
        )


class AuditCalls:
    """The calls of `audit`."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        target: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[AuditEvent, CursorMeta]:
        """List who changed what, newest first

        With `actor`, `action` or `target`, a page can be short although `next_cursor` leads to more. Events
        are kept for the time that the operator has set, 400 days by default.

        Needs the scope `audit:read`.

        Args:
            cursor: The `next_cursor` of the page before; none for the first page
            limit: How many results a page has at most. Default: `20`
            from_: Only events at or after this instant
            to: Only events before this instant
            actor: Only what actors did whose kind, id and name contain each of these words: an API key, a
                person or a part of its name, or `operator`. Case does not matter
            action: Only actions that contain each of these words. Case does not matter
            target: Only events about the thing with this id, about things whose UUID begins so (from 4
                characters on), or about things of this kind, such as `webhook`
        """
        return Pager(
            self._send,
            Operation("GET", "/v1/workspaces/{workspaceId}/audit-events", headers=("if_match", "if_none_match", "request_id",)),
            model(AuditEvent),
            model(CursorMeta),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "cursor": cursor,
                    "limit": limit,
                    "from": from_,
                    "to": to,
                    "actor": actor,
                    "action": action,
                    "target": target,
                },
            ),
            options,
        )


class PublicCalls:
    """The calls that open a session."""

    def __init__(self, send: Sender) -> None:
        self._send = send

    def create_session(
        self,
        workspace_id: str,
        *,
        customer_token: str,
        options: CallOptions = NO_OPTIONS,
    ) -> CreateSessionResult:
        """Begin a session with a customer token

        The body has at most 16 KiB.

        Args:
            workspace_id: The id of the workspace
        """
        return self._send.value(
            Operation("POST", "/public/v1/workspaces/{workspaceId}/sessions", headers=("request_id",)),
            model(CreateSessionResult),
            CallInput(
                params={
                    "workspaceId": workspace_id,
                },
                body=body_of("CreateSessionBody", {
                    "customer_token": customer_token,
                }),
            ),
            options,
        )

    def create_link_session(
        self,
        *,
        token: str,
        options: CallOptions = NO_OPTIONS,
    ) -> CreateLinkSessionResult:
        """Begin a session with the token of a link

        The token is the last part of the `link` of an interaction. Changes nothing. Only the landing page may
        call it. The body has at most 16 KiB.
        """
        return self._send.value(
            Operation("POST", "/public/v1/link-sessions", headers=("request_id",)),
            model(CreateLinkSessionResult),
            CallInput(
                body=body_of("CreateLinkSessionBody", {
                    "token": token,
                }),
            ),
            options,
        )


class SessionClient:
    """The calls of one customer's session."""

    def __init__(self, send: Sender, workspace_id: str) -> None:
        self._send = send
        self._workspace_id = workspace_id

    def get_conversation(
        self,
        interaction_id: str,
        *,
        after: Optional[int] = None,
        wait: Optional[int] = None,
        revised_step_id: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Snapshot:
        """Get the conversation; waits up to `wait` seconds for entries newer than `after`

        One call of a session waits for a conversation at a time. A newer call ends the older one, which
        returns the conversation unchanged.

        Args:
            interaction_id: The id of the interaction
            after: Entries after this number only; all if a revision has withdrawn some since. Default:
                `0`
            wait: How many seconds to wait for something newer than `after`. Default: `0`
            revised_step_id: The `input` is the question of this step, with its answer as `prefill`, if
                that can be revised
        """
        return self._send.value(
            Operation("GET", "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}", headers=("if_match", "if_none_match", "request_id",)),
            model(Snapshot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                query={
                    "after": after,
                    "wait": wait,
                    "revisedStepId": revised_step_id,
                },
            ),
            options,
        )

    def start_conversation(
        self,
        interaction_id: str,
        *,
        locale: Union[str, NotGiven] = NOT_GIVEN,
        options: CallOptions = NO_OPTIONS,
    ) -> Snapshot:
        """Start the conversation; one in progress is returned unchanged

        A body is optional. Texts are in the language of `locale` if the bot has them, else in its own.

        The body has at most 16 KiB.

        Args:
            interaction_id: The id of the interaction
            locale: The customer's language, a BCP 47 tag
        """
        return self._send.value(
            Operation("POST", "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/start", headers=("request_id",)),
            model(Snapshot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                body=body_of("StartConversationBody", {
                    "locale": locale,
                }, is_required=False),
            ),
            options,
        )

    def post_message(
        self,
        interaction_id: str,
        *,
        client_message_id: str,
        expected_seq: int,
        step_id: str,
        answer: MessageAnswer,
        options: CallOptions = NO_OPTIONS,
    ) -> Snapshot:
        """Answer the current step

        The body has at most 16 KiB.

        Args:
            interaction_id: The id of the interaction
            client_message_id: The same id and message again get the stored outcome
            expected_seq: The `seq` of the snapshot that is answered
            step_id: The `input.stepId` of that snapshot
            answer: Exactly one: a `value` of the step's type, `text` that the service reads as a value if
                possible, or `skip`. Values are strings for text, longText, email, phone, url and choice,
                arrays of strings for multiChoice and ranking, numbers for nps, rating and number, booleans
                for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time and objects of strings for
                matrix.
        """
        return self._send.value(
            Operation("POST", "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages", headers=("request_id",)),
            model(Snapshot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                body=body_of("Message", {
                    "client_message_id": client_message_id,
                    "expected_seq": expected_seq,
                    "step_id": step_id,
                    "answer": answer,
                }),
            ),
            options,
        )

    def revise_answer(
        self,
        interaction_id: str,
        *,
        client_message_id: str,
        expected_seq: int,
        step_id: str,
        answer: RevisionAnswer,
        options: CallOptions = NO_OPTIONS,
    ) -> Snapshot:
        """Replace the answer to an earlier step

        The conversation continues at the first question without an answer. Answers that the new course does
        not come to, and texts of the bot, are `withdrawn`. At most 50 times in a conversation.

        The body has at most 16 KiB.

        Args:
            interaction_id: The id of the interaction
            client_message_id: The same id and revision again get the stored outcome
            expected_seq: The `seq` of the snapshot that is answered
            step_id: The `step_id` of an entry that has `can_revise`
            answer: Exactly one: a `value` of the step's type, `text` that the service reads as a value if
                possible, or `skip`. Values are strings for text, longText, email, phone, url and choice,
                arrays of strings for multiChoice and ranking, numbers for nps, rating and number, booleans
                for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time and objects of strings for
                matrix.
        """
        return self._send.value(
            Operation("POST", "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/revise", headers=("request_id",)),
            model(Snapshot),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                    "interactionId": interaction_id,
                },
                body=body_of("Revision", {
                    "client_message_id": client_message_id,
                    "expected_seq": expected_seq,
                    "step_id": step_id,
                    "answer": answer,
                }),
            ),
            options,
        )

    def get_pending(
        self,
        *,
        locale: Optional[str] = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Optional[Pending]:
        """Get the best waiting interaction of the session, or null

        Args:
            locale: The customer's language, a BCP 47 tag
        """
        return self._send.value(
            Operation("GET", "/public/v1/workspaces/{workspaceId}/pending", headers=("if_match", "if_none_match", "request_id",)),
            optional(model(Pending)),
            CallInput(
                params={
                    "workspaceId": self._workspace_id,
                },
                query={
                    "locale": locale,
                },
            ),
            options,
        )
