// Code generated from the OpenAPI document by packages/sdk-generator: `npm run generate`. DO NOT EDIT.

package parley

import (
	"context"
	"strconv"
)

// KeyCalls: The calls with an API key outside of a workspace.
type KeyCalls struct {
	// Workspaces has the calls of workspaces.
	Workspaces WorkspacesCalls

	// Session has the calls of session.
	Session SessionCalls

	// Deployment has the calls of deployment.
	Deployment DeploymentCalls

	s *sender
}

func newKeyCalls(s *sender) KeyCalls {
	return KeyCalls{newWorkspacesCalls(s), newSessionCalls(s), newDeploymentCalls(s), s}
}

// WorkspacesCalls has the calls of workspaces.
type WorkspacesCalls struct {
	s *sender
}

func newWorkspacesCalls(s *sender) WorkspacesCalls {
	return WorkspacesCalls{s}
}

// List: List the workspaces that the key can access.
func (c WorkspacesCalls) List(ctx context.Context, options ...Option) *List[Workspace, None] {
	return newList[Workspace, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces", headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Get: Get a workspace
//
// Needs the scope `workspace:read`.
func (c WorkspacesCalls) Get(ctx context.Context, workspaceID string, options ...Option) (*Workspace, error) {
	return value[Workspace](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}", params: []string{workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// SetAllowedDomains: Replace the allowed domains of a workspace
//
// Gateways may use the former ones for ten more seconds.
//
// Needs the scope `workspace:write`.
func (c WorkspacesCalls) SetAllowedDomains(ctx context.Context, workspaceID string, body AllowedDomains, options ...Option) (*Workspace, error) {
	return value[Workspace](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/allowed-domains", params: []string{workspaceID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// SessionCalls has the calls of session.
type SessionCalls struct {
	s *sender
}

func newSessionCalls(s *sender) SessionCalls {
	return SessionCalls{s}
}

// Get: Get who is calling: the key, person or portal link, its workspaces and its scopes in each of them.
func (c SessionCalls) Get(ctx context.Context, options ...Option) (*CallerSession, error) {
	return value[CallerSession](ctx, c.s, call{method: "GET", path: "/v1/session", headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// End: Sign out the calling person or portal session
//
// After the answer, no gateway accepts the session.
func (c SessionCalls) End(ctx context.Context, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/session", headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// DeploymentCalls has the calls of deployment.
type DeploymentCalls struct {
	s *sender
}

func newDeploymentCalls(s *sender) DeploymentCalls {
	return DeploymentCalls{s}
}

// Get: Get whether everything is well: services, events, stream and deliveries
//
// The limits are those of the alerts, without their waiting time. A replica that does not answer is shown as silent.
// The answer is up to a second old, and has no data of a workspace.
//
// Only for people who have signed in as operators.
func (c DeploymentCalls) Get(ctx context.Context, options ...Option) (*Deployment, error) {
	return value[Deployment](ctx, c.s, call{method: "GET", path: "/v1/deployment", headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// WorkspaceClient: The calls inside one workspace.
type WorkspaceClient struct {
	// Interactions has the calls of interactions.
	Interactions InteractionsCalls

	// ContactPolicy has the calls of contactPolicy.
	ContactPolicy ContactPolicyCalls

	// Customers has the calls of customers.
	Customers CustomersCalls

	// Branding has the calls of branding.
	Branding BrandingCalls

	// Bots has the calls of bots.
	Bots BotsCalls

	// Webhooks has the calls of webhooks.
	Webhooks WebhooksCalls

	// Erasures has the calls of erasures.
	Erasures ErasuresCalls

	// Retention has the calls of retention.
	Retention RetentionCalls

	// Keys has the calls of keys.
	Keys KeysCalls

	// Members has the calls of members.
	Members MembersCalls

	// Audit has the calls of audit.
	Audit AuditCalls

	s *sender
}

func newWorkspaceClient(s *sender) WorkspaceClient {
	return WorkspaceClient{newInteractionsCalls(s), newContactPolicyCalls(s), newCustomersCalls(s), newBrandingCalls(s), newBotsCalls(s), newWebhooksCalls(s), newErasuresCalls(s), newRetentionCalls(s), newKeysCalls(s), newMembersCalls(s), newAuditCalls(s), s}
}

// InteractionsCalls has the calls of interactions.
type InteractionsCalls struct {
	s *sender
}

func newInteractionsCalls(s *sender) InteractionsCalls {
	return InteractionsCalls{s}
}

// CreateBulk: Create up to 500 interactions
//
// Each item is a body of `POST /interactions`, with its rules, and is created as by a single call, in order. `data`
// has one item per body, in order: the interaction, or the error that the single call would have. A bad item harms no
// other. Other errors are about the request as a whole, which then has no effect. The body has at most 2 MiB and 50000
// values. Every 3 items count as a call. An `Idempotency-Key` covers the request: a replay has the same interactions
// and errors.
//
// Needs the scope `interactions:write`.
func (c InteractionsCalls) CreateBulk(ctx context.Context, body NewInteractions, options ...Option) ([]OneOf, error) {
	return many[OneOf](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/interactions/bulk", params: []string{c.s.workspaceID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// InteractionsDeleteTestsQuery is the query of [InteractionsCalls.DeleteTests]. Fields that are zero are left out.
type InteractionsDeleteTestsQuery struct {
	// IsTest: Must be `true`.
	IsTest *bool `json:"isTest"`
}

// DeleteTests: Delete all test interactions
//
// Deletes each as `DELETE /interactions/{interactionId}` does. `isTest` must be `true`, so that no call without it
// deletes anything. A call ends after 15 seconds, with `hasMore`.
//
// Needs the scope `interactions:write`.
func (c InteractionsCalls) DeleteTests(ctx context.Context, query *InteractionsDeleteTestsQuery, options ...Option) (*DeletedTests, error) {
	return value[DeletedTests](ctx, c.s, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/interactions", params: []string{c.s.workspaceID}, query: query, headers: []string{"X-Request-Id"}}, options)
}

// InteractionsListQuery is the query of [InteractionsCalls.List]. Fields that are zero are left out.
type InteractionsListQuery struct {
	// Page: Which page; one past the last is empty. Default: `1`.
	Page int `json:"page"`

	// PageSize: How many results a page has. Default: `20`.
	PageSize int `json:"pageSize"`

	// Status: Only those in this status.
	Status InteractionStatus `json:"status"`

	// Priority: Only those of this priority.
	Priority Priority `json:"priority"`

	// CustomerID: Only those of this customer.
	CustomerID string `json:"customerId"`

	// BotID: Only those with this bot.
	BotID string `json:"botId"`

	// BotKey: Only those with the bot of this `key`.
	BotKey string `json:"botKey"`

	// CreatedFrom: Only those created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it.
	CreatedFrom string `json:"createdFrom"`

	// CreatedTo: Only those created before this instant.
	CreatedTo string `json:"createdTo"`

	// UpdatedFrom: Only those that changed last at or after this instant.
	UpdatedFrom string `json:"updatedFrom"`

	// CompletedFrom: Only those completed at or after this instant.
	CompletedFrom string `json:"completedFrom"`

	// CompletedTo: Only those completed before this instant.
	CompletedTo string `json:"completedTo"`

	// Evaluation: Only those whose evaluation has this value for this key, written `key:value`, compared exactly. May be
	// repeated: all must hold. A key that is personal in a bot needs the scope `personal-data:read`.
	Evaluation []string `json:"evaluation"`

	// StoppedAt: Only those that have expired or stalled at this step of the bot, the last one shown: what `dropped` of
	// its insight counts. Needs `botId` or `botKey`.
	StoppedAt string `json:"stoppedAt"`

	// BotVersion: Only conversations on this version of the bot. Needs `stoppedAt`.
	BotVersion int `json:"botVersion"`

	// IsTest: `true`: only test interactions; `false`: only others.
	IsTest *bool `json:"isTest"`

	// Include: Adds the field `details`: the bot, its version, and the times of the conversation.
	Include string `json:"include"`
}

// List: List the interactions, newest first
//
// A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete
// JSON: send the request again. Allow more time for very large lists.
//
// Needs the scope `interactions:read`.
func (c InteractionsCalls) List(ctx context.Context, query *InteractionsListQuery, options ...Option) *List[Interaction, PageMeta] {
	return newList[Interaction, PageMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/interactions", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Create: Create an interaction, and its customer when there is none
//
// The default status `Draft` is invisible to the customer. Send `"status": "Pending"` to offer the conversation to the
// customer, in the widget and at the `link` of the answer. Any status is accepted. An interaction created `Completed`
// or `Expired` is an archived import and raises no event. With `availableFrom`, customers see it from then on, and
// `InteractionAvailable` is raised, at once if that is not in the future. Without the scope `customers:write`,
// `customer` sets the details of a new customer only: other details of one that exists are 403 (`missing-scope`).
// `context` may have the keys that the bot names, each once, with values of 2 KiB and 16 KiB in all (UTF-8).
//
// Needs the scope `interactions:write`.
func (c InteractionsCalls) Create(ctx context.Context, body NewInteraction, options ...Option) (*Interaction, error) {
	return value[Interaction](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/interactions", params: []string{c.s.workspaceID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// InteractionsExportQuery is the query of [InteractionsCalls.Export]. Fields that are zero are left out.
type InteractionsExportQuery struct {
	// Status: Only those in this status.
	Status InteractionStatus `json:"status"`

	// Priority: Only those of this priority.
	Priority Priority `json:"priority"`

	// CustomerID: Only those of this customer.
	CustomerID string `json:"customerId"`

	// BotID: Only those with this bot.
	BotID string `json:"botId"`

	// BotKey: Only those with the bot of this `key`.
	BotKey string `json:"botKey"`

	// CreatedFrom: Only those created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it.
	CreatedFrom string `json:"createdFrom"`

	// CreatedTo: Only those created before this instant.
	CreatedTo string `json:"createdTo"`

	// UpdatedFrom: Only those that changed last at or after this instant.
	UpdatedFrom string `json:"updatedFrom"`

	// CompletedFrom: Only those completed at or after this instant.
	CompletedFrom string `json:"completedFrom"`

	// CompletedTo: Only those completed before this instant.
	CompletedTo string `json:"completedTo"`

	// Evaluation: Only those whose evaluation has this value for this key, written `key:value`, compared exactly. May be
	// repeated: all must hold. A key that is personal in a bot needs the scope `personal-data:read`.
	Evaluation []string `json:"evaluation"`

	// StoppedAt: Only those that have expired or stalled at this step of the bot, the last one shown: what `dropped` of
	// its insight counts. Needs `botId` or `botKey`.
	StoppedAt string `json:"stoppedAt"`

	// BotVersion: Only conversations on this version of the bot. Needs `stoppedAt`.
	BotVersion int `json:"botVersion"`

	// IsTest: `true`: only test interactions. Else an export has none.
	IsTest *bool `json:"isTest"`

	// Cursor: Continues an export with these filters behind the line with this `cursor`; `updatedFrom` may differ.
	Cursor string `json:"cursor"`
}

// Export: Export interactions as a stream, oldest change first
//
// The answer is no envelope. It is as long as there are interactions, and comes as fast as it is read. An interaction
// that changes meanwhile can be in it twice.
//
// NDJSON has a line per interaction, with its `cursor`. The last line is `{"end": true, "rows": N, "cursor": "..."}`.
// A stream without it was cut: repeat the call with the `cursor` of the last line that was read in full. Later, the
// last `cursor` returns what has changed since, and misses no change. For that, changes that are newer than a
// transaction in progress wait for its end. After the data have moved to another server or come from a backup, an
// older `cursor` is `cursor-expired`: `detail` has the `updatedFrom` with which an export without it has all changes
// since.
//
// CSV (RFC 4180) is UTF-8 with a byte order mark. It has a column for each evaluation key of all versions of the bot,
// named as the key. A matrix has a column for each row, `key.row`. A key with the name of another column, such as
// `status`, has the column `evaluation.status`. A cell that a spreadsheet would take for a formula begins with `'`,
// and so does each such line of a cell. Cells with a comma, a semicolon, a TAB, a quotation mark or a line break are
// in quotation marks. Times are in UTC and end in `Z`. A CSV stream that was cut is not complete HTTP: repeat the
// call.
//
// Needs the scope `interactions:read`.
func (c InteractionsCalls) Export(ctx context.Context, query *InteractionsExportQuery, options ...Option) *Export {
	return newExport(ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/interactions/export", params: []string{c.s.workspaceID}, query: query, headers: []string{"X-Request-Id"}}, options)
}

// InteractionsGetQuery is the query of [InteractionsCalls.Get]. Fields that are zero are left out.
type InteractionsGetQuery struct {
	// Include: Adds the field `details`: the bot, its version, and the times of the conversation.
	Include string `json:"include"`
}

// Get: Get an interaction
//
// Needs the scope `interactions:read`.
func (c InteractionsCalls) Get(ctx context.Context, interactionID string, query *InteractionsGetQuery, options ...Option) (*Interaction, error) {
	return value[Interaction](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/interactions/{interactionId}", params: []string{c.s.workspaceID, interactionID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change status, priority, expiry or availability of an interaction
//
// `Draft` changes to `Pending` or `InProgress`. `Pending` changes to `Draft`, `InProgress` or `Completed`.
// `InProgress` changes to `Completed`. All three change to `Expired`. `Expired` changes to `Pending` with a future
// `expiry` in the same call. The same status is no change. `availableFrom` moves or clears from when customers see a
// `Pending` interaction.
//
// Needs the scope `interactions:write`.
func (c InteractionsCalls) Update(ctx context.Context, interactionID string, body InteractionChange, options ...Option) (*Interaction, error) {
	return value[Interaction](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/interactions/{interactionId}", params: []string{c.s.workspaceID, interactionID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Delete: Delete an interaction with its conversation
//
// Its link and sessions end at once. Seconds later, the bodies of its events, open deliveries and the answers of
// receivers are gone too. The log of deliveries keeps ids and times. A retry of its creation with the same
// `Idempotency-Key` is answered with 404.
//
// Needs the scope `interactions:write`.
func (c InteractionsCalls) Delete(ctx context.Context, interactionID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/interactions/{interactionId}", params: []string{c.s.workspaceID, interactionID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// InteractionsQrQuery is the query of [InteractionsCalls.Qr]. Fields that are zero are left out.
type InteractionsQrQuery struct {
	// Format: SVG can be printed in any size. Default: `"svg"`.
	Format GetInteractionQrFormat `json:"format"`
}

// Qr: Get the link of an interaction as a QR code
//
// The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter of the code
// may be worn off or covered. Print it at least 2 cm wide. Also needs the scope `interactions:write`, as the link
// itself does.
//
// Needs the scope `interactions:read`.
func (c InteractionsCalls) Qr(ctx context.Context, interactionID string, query *InteractionsQrQuery, options ...Option) ([]byte, error) {
	return c.s.file(ctx, call{method: "GET", path: "/v1/workspaces/{workspaceId}/interactions/{interactionId}/qr", params: []string{c.s.workspaceID, interactionID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// InteractionsEmailBlockQuery is the query of [InteractionsCalls.EmailBlock]. Fields that are zero are left out.
type InteractionsEmailBlockQuery struct {
	// Format: Default: `"html"`.
	Format GetInteractionEmailBlockFormat `json:"format"`

	// Locale: The customer's language, a BCP 47 tag.
	Locale string `json:"locale"`
}

// EmailBlock: Get the first question as a block for an e-mail, with a link per answer
//
// The answer is a file and no envelope. Put it into your e-mail: a table with inline styles in the colours of the
// branding, or plain text. The first question must be of the type `nps`, `rating`, `yesNo` or `choice`, with at most
// 11 answers. Opening a link writes nothing, however often, because programs open links of e-mails too: its page shows
// the answer, marked, and one button, which starts the conversation and sends the answer. Also needs the scopes
// `interactions:write`, for the links, and `personal-data:read`.
//
// Needs the scope `interactions:read`.
func (c InteractionsCalls) EmailBlock(ctx context.Context, interactionID string, query *InteractionsEmailBlockQuery, options ...Option) (string, error) {
	return c.s.text(ctx, call{method: "GET", path: "/v1/workspaces/{workspaceId}/interactions/{interactionId}/email-block", params: []string{c.s.workspaceID, interactionID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// InteractionsListDeliveriesQuery is the query of [InteractionsCalls.ListDeliveries]. Fields that are zero are left out.
type InteractionsListDeliveriesQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// ListDeliveries: List the deliveries of events about an interaction to all webhooks, newest first
//
// An unknown interaction has none. Finished deliveries are kept for 30 days.
//
// Needs the scope `webhooks:read`.
func (c InteractionsCalls) ListDeliveries(ctx context.Context, interactionID string, query *InteractionsListDeliveriesQuery, options ...Option) *List[Delivery, CursorMeta] {
	return newList[Delivery, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/interactions/{interactionId}/deliveries", params: []string{c.s.workspaceID, interactionID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// ContactPolicyCalls has the calls of contactPolicy.
type ContactPolicyCalls struct {
	s *sender
}

func newContactPolicyCalls(s *sender) ContactPolicyCalls {
	return ContactPolicyCalls{s}
}

// Get: Get how often customers may be offered interactions
//
// Needs the scope `workspace:read`.
func (c ContactPolicyCalls) Get(ctx context.Context, options ...Option) (*ContactPolicy, error) {
	return value[ContactPolicy](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/contact-policy", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change how often customers may be offered interactions
//
// Counts the interactions of a customer that were `Pending`, or started, in the last days. Drafts, imports and test
// interactions do not count. Deleted interactions count, until their customer is deleted. Beyond a limit, offering is
// `contact-limit`. The policy is in force for all calls that begin after the answer.
//
// Needs the scope `workspace:write`.
func (c ContactPolicyCalls) Update(ctx context.Context, body ContactPolicyChange, options ...Option) (*ContactPolicy, error) {
	return value[ContactPolicy](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/contact-policy", params: []string{c.s.workspaceID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// CustomersCalls has the calls of customers.
type CustomersCalls struct {
	s *sender
}

func newCustomersCalls(s *sender) CustomersCalls {
	return CustomersCalls{s}
}

// CustomersGetContactabilityQuery is the query of [CustomersCalls.GetContactability]. Fields that are zero are left out.
type CustomersGetContactabilityQuery struct {
	// BotID: The id of the bot that would offer; or give its `botKey`.
	BotID string `json:"botId"`

	// BotKey: The `key` of its definition, instead of `botId`.
	BotKey string `json:"botKey"`
}

// GetContactability: Get whether a customer may be offered an interaction now
//
// Changes nothing. Without a bot, only the limit of all bots counts.
//
// Needs the scope `interactions:read`.
func (c CustomersCalls) GetContactability(ctx context.Context, customerID string, query *CustomersGetContactabilityQuery, options ...Option) (*Contactability, error) {
	return value[Contactability](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/customers/{customerId}/contactability", params: []string{c.s.workspaceID, customerID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Get: Get a customer with its interactions, newest first
//
// A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete
// JSON: send the request again. Allow more time for very large lists.
//
// Needs the scope `customers:read`.
func (c CustomersCalls) Get(ctx context.Context, customerID string, options ...Option) (*Customer, error) {
	return value[Customer](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/customers/{customerId}", params: []string{c.s.workspaceID, customerID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change the details of a customer
//
// Needs the scope `customers:write`.
func (c CustomersCalls) Update(ctx context.Context, customerID string, body CustomerChange, options ...Option) (*Customer, error) {
	return value[Customer](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/customers/{customerId}", params: []string{c.s.workspaceID, customerID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Delete: Delete a customer with all interactions
//
// Afterwards no store of the deployment has the customer, its interactions, their conversations, the bodies of their
// events or the answers of receivers. All links and sessions end. The log of deliveries keeps ids and times. If 25
// seconds are not enough, the answer is 504, and the deletion continues. `detail` has the path of the erasure, which
// shows the progress. A customer that is created again under this id has nothing of the deleted one. The id itself
// stays for ever in the erasure with its receipt. All else forgets it with its age.
//
// Needs the scope `customers:write`.
func (c CustomersCalls) Delete(ctx context.Context, customerID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/customers/{customerId}", params: []string{c.s.workspaceID, customerID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// CustomersListQuery is the query of [CustomersCalls.List]. Fields that are zero are left out.
type CustomersListQuery struct {
	// Page: Which page; one past the last is empty. Default: `1`.
	Page int `json:"page"`

	// PageSize: How many results a page has. Default: `20`.
	PageSize int `json:"pageSize"`

	// IDs: Only the customers of these ids, separated by commas: 1 to 100, without those that do not exist. All are on
	// one page, and `page` and `pageSize` do not count. An id with a comma cannot be asked for like this.
	IDs string `json:"ids"`

	// Q: Only those whose id, first name, last name or e-mail address begins with this text, ignoring case. Two words
	// also find a first and a last name that begin with them. Needs the scope `personal-data:read`.
	Q string `json:"q"`
}

// List: List the customers, oldest first
//
// Needs the scope `customers:read`.
func (c CustomersCalls) List(ctx context.Context, query *CustomersListQuery, options ...Option) *List[Customer, PageMeta] {
	return newList[Customer, PageMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/customers", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Create: Create a customer
//
// Needs the scope `customers:write`.
func (c CustomersCalls) Create(ctx context.Context, body NewCustomer, options ...Option) (*Customer, error) {
	return value[Customer](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/customers", params: []string{c.s.workspaceID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// CustomersDeleteAnonymousQuery is the query of [CustomersCalls.DeleteAnonymous]. Fields that are zero are left out.
type CustomersDeleteAnonymousQuery struct {
	// Anonymous: Must be `true`.
	Anonymous *bool `json:"anonymous"`
}

// DeleteAnonymous: Delete the customers of open links with all interactions
//
// Those whose ids are `anonymous-` and 32 hexadecimal digits, also if a client has created them. `anonymous` must be
// `true`, so that no call without it deletes anything. The deletions have begun with the answer, and go on as those of
// single customers do, each with a receipt. A call ends after 15 seconds, with `hasMore`.
//
// Needs the scope `customers:write`.
func (c CustomersCalls) DeleteAnonymous(ctx context.Context, query *CustomersDeleteAnonymousQuery, options ...Option) (*DeletedCustomers, error) {
	return value[DeletedCustomers](ctx, c.s, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/customers", params: []string{c.s.workspaceID}, query: query, headers: []string{"X-Request-Id"}}, options)
}

// Anonymise: Remove the personal details of a customer everywhere; the history stays
//
// Afterwards no store of the deployment has the name or the email, including transcripts and webhook logs. Ids,
// statuses, timestamps and scores stay, the customer's id for ever. Open interactions expire. All links and sessions
// end. May be repeated. If 25 seconds are not enough, the answer is 504, and the removal continues. `detail` has the
// path of the erasure, which shows the progress. A call for a customer whose anonymisation is running joins it.
//
// Needs the scope `customers:write`.
func (c CustomersCalls) Anonymise(ctx context.Context, customerID string, options ...Option) error {
	return c.s.none(ctx, call{method: "POST", path: "/v1/workspaces/{workspaceId}/customers/{customerId}/anonymise", params: []string{c.s.workspaceID, customerID}, headers: []string{"X-Request-Id"}}, options)
}

// Export: Export everything that is stored about a customer
//
// The answer to a request for access by the person (GDPR, article 15): profile, interactions with transcripts, links
// without their URLs, and deliveries to webhooks. It has no secret and nothing about others. The ETag covers
// everything but `exportedAt`. A long list is sent in parts. If a part cannot be loaded, the connection is closed and
// the body is not complete JSON: send the request again. Allow more time for very large lists.
//
// Needs the scope `customers:read`.
func (c CustomersCalls) Export(ctx context.Context, customerID string, options ...Option) (*CustomerExport, error) {
	return value[CustomerExport](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/customers/{customerId}/export", params: []string{c.s.workspaceID, customerID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// CreateToken: Sign a customer token
//
// For `POST /public/v1/workspaces/{workspaceId}/sessions`, called by the customer's browser. The customer must exist.
//
// Needs the scope `customers:write`.
func (c CustomersCalls) CreateToken(ctx context.Context, customerID string, options ...Option) (*CreateCustomerTokenResult, error) {
	return value[CreateCustomerTokenResult](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/customers/{customerId}/token", params: []string{c.s.workspaceID, customerID}, headers: []string{"X-Request-Id"}}, options)
}

// BrandingCalls has the calls of branding.
type BrandingCalls struct {
	s *sender
}

func newBrandingCalls(s *sender) BrandingCalls {
	return BrandingCalls{s}
}

// Get: Get the branding of a workspace
//
// Needs the scope `workspace:read`.
func (c BrandingCalls) Get(ctx context.Context, options ...Option) (*Branding, error) {
	return value[Branding](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/branding", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change the branding of a workspace
//
// Absent fields stay, null clears a field. Link pages show the change at once, widgets from their next session on.
//
// Needs the scope `workspace:write`.
func (c BrandingCalls) Update(ctx context.Context, body BrandingChange, options ...Option) (*Branding, error) {
	return value[Branding](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/branding", params: []string{c.s.workspaceID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// BotsCalls has the calls of bots.
type BotsCalls struct {
	// OpenLinks has the calls of bots.openLinks.
	OpenLinks BotsOpenLinksCalls

	s *sender
}

func newBotsCalls(s *sender) BotsCalls {
	return BotsCalls{newBotsOpenLinksCalls(s), s}
}

// BotsListQuery is the query of [BotsCalls.List]. Fields that are zero are left out.
type BotsListQuery struct {
	// Key: Only the bot with this key.
	Key string `json:"key"`
}

// List: List the bots, oldest first
//
// Needs the scope `bots:read`.
func (c BotsCalls) List(ctx context.Context, query *BotsListQuery, options ...Option) *List[Bot, None] {
	return newList[Bot, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Create: Create a bot from its definition, or from a template
//
// Instead of a definition, the body may have the id of a `template`, with the `key` and the `name` of the bot, and its
// language in `locale`. Each of them is optional.
//
// Needs the scope `bots:write`.
func (c BotsCalls) Create(ctx context.Context, body BotDefinition, options ...Option) (*PublishedBot, error) {
	return value[PublishedBot](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/bots", params: []string{c.s.workspaceID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// Get: Get a bot
//
// Needs the scope `bots:read`.
func (c BotsCalls) Get(ctx context.Context, botID string, options ...Option) (*Bot, error) {
	return value[Bot](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}", params: []string{c.s.workspaceID, botID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// PublishVersion: Publish a new version of a bot; started conversations keep theirs
//
// An unchanged definition creates no version. A version that is restored always becomes a new one, also the live one.
// `publishDraft` publishes the draft and removes it, both or neither: a draft with faults is refused with them, and
// stays. `If-Match` has the ETag of the draft, and is only for that.
//
// Needs the scope `bots:write`.
func (c BotsCalls) PublishVersion(ctx context.Context, botID string, body NewBotVersion, options ...Option) (*PublishedBot, error) {
	return value[PublishedBot](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/bots/{botId}/versions", params: []string{c.s.workspaceID, botID}, body: body, headers: []string{"Idempotency-Key", "If-Match", "X-Request-Id"}}, options)
}

// ListVersions: List the versions of a bot, newest first
//
// Needs the scope `bots:read`.
func (c BotsCalls) ListVersions(ctx context.Context, botID string, options ...Option) *List[BotVersion, None] {
	return newList[BotVersion, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/versions", params: []string{c.s.workspaceID, botID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// GetVersion: Get a version of a bot with its definition
//
// Needs the scope `bots:read`.
func (c BotsCalls) GetVersion(ctx context.Context, botID string, version int, options ...Option) (*BotVersionWithDefinition, error) {
	return value[BotVersionWithDefinition](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/versions/{version}", params: []string{c.s.workspaceID, botID, strconv.Itoa(version)}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Replay: Replay the last conversations with another definition, before it is published
//
// Changes nothing. Each question gets the answer that the customer gave to the question of the same id, and each step
// of the model the values that it found. What differs is what the definition causes: the same replay with the version
// of the conversation is the comparison. Also needs the scope `personal-data:read`: the conditions of a definition can
// test each personal value.
//
// Needs the scope `interactions:read`.
func (c BotsCalls) Replay(ctx context.Context, botID string, body NewReplay, options ...Option) (*Replays, error) {
	return value[Replays](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/bots/{botId}/replays", params: []string{c.s.workspaceID, botID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// ListDrafts: List which bots have a draft, the last saved first
//
// Needs the scope `bots:read`.
func (c BotsCalls) ListDrafts(ctx context.Context, options ...Option) *List[BotDraftEntry, None] {
	return newList[BotDraftEntry, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bot-drafts", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// GetDraft: Get the draft of a bot with its faults
//
// Needs the scope `bots:read`.
func (c BotsCalls) GetDraft(ctx context.Context, botID string, options ...Option) (*BotDraft, error) {
	return value[BotDraft](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/draft", params: []string{c.s.workspaceID, botID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// SaveDraft: Save a definition as the draft of a bot; it may have faults
//
// A draft changes nothing that customers see. Needs `If-Match` with the ETag of the draft that it replaces, or
// `If-None-Match: *` for the first one. 412 says who has saved the current draft, and when. A repetition of the last
// save succeeds.
//
// Needs the scope `bots:write`.
func (c BotsCalls) SaveDraft(ctx context.Context, botID string, body NewBotDraft, options ...Option) (*BotDraft, error) {
	return value[BotDraft](ctx, c.s, call{method: "PUT", path: "/v1/workspaces/{workspaceId}/bots/{botId}/draft", params: []string{c.s.workspaceID, botID}, body: body, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// DiscardDraft: Discard the draft of a bot
//
// Needs the scope `bots:write`.
func (c BotsCalls) DiscardDraft(ctx context.Context, botID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/bots/{botId}/draft", params: []string{c.s.workspaceID, botID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// RenewPresence: Say that the calling person has the editor of the bot open, and list who else has
//
// The person is listed until `DELETE`, or for 25 seconds: repeat the call every ten seconds. The answer has each tab,
// the one that was opened first in front, at most 100. API keys are no people: 403.
//
// Needs the scope `bots:read`.
func (c BotsCalls) RenewPresence(ctx context.Context, botID string, body RenewedPresence, options ...Option) (*Presences, error) {
	return value[Presences](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/bots/{botId}/presences", params: []string{c.s.workspaceID, botID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// EndPresence: Say that the calling person has closed the editor of the bot
//
// Needs the scope `bots:read`.
func (c BotsCalls) EndPresence(ctx context.Context, botID string, presenceID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/bots/{botId}/presences/{presenceId}", params: []string{c.s.workspaceID, botID, presenceID}, headers: []string{"X-Request-Id"}}, options)
}

// BotsListTemplatesQuery is the query of [BotsCalls.ListTemplates]. Fields that are zero are left out.
type BotsListTemplatesQuery struct {
	// Locale: The language of names and descriptions, and the `locale` of the definitions. Default: `"en"`.
	Locale ListBotTemplatesLocale `json:"locale"`
}

// ListTemplates: List the templates of bots
//
// Needs the scope `bots:read`.
func (c BotsCalls) ListTemplates(ctx context.Context, query *BotsListTemplatesQuery, options ...Option) *List[BotTemplate, None] {
	return newList[BotTemplate, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bot-templates", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// BotsGetInsightQuery is the query of [BotsCalls.GetInsight]. Fields that are zero are left out.
type BotsGetInsightQuery struct {
	// From: Only interactions created at or after this instant. Default: 30 days before `to`, at the full hour (UTC)
	From string `json:"from"`

	// To: Only interactions created before this instant, at most 400 days after `from`. Default: now.
	To string `json:"to"`

	// Tz: The time zone in which days begin: a name of IANA. Default: `"UTC"`.
	Tz string `json:"tz"`

	// Version: Only conversations on this version of the bot.
	Version int `json:"version"`

	// Compare: Also answers the totals of the window of the same length before this one.
	Compare string `json:"compare"`
}

// GetInsight: Get the figures of a bot: how many answer, where they stop, and what they say
//
// Counts the interactions that were created in the window, by their state at `asOf`. Figures are exact, except times,
// which are at most 5 % off.
//
// Needs the scope `insight:read`.
func (c BotsCalls) GetInsight(ctx context.Context, botID string, query *BotsGetInsightQuery, options ...Option) (*Insight, error) {
	return value[Insight](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/insight", params: []string{c.s.workspaceID, botID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// BotsOpenLinksCalls has the calls of bots.openLinks.
type BotsOpenLinksCalls struct {
	s *sender
}

func newBotsOpenLinksCalls(s *sender) BotsOpenLinksCalls {
	return BotsOpenLinksCalls{s}
}

// BotsOpenLinksListQuery is the query of [BotsOpenLinksCalls.List]. Fields that are zero are left out.
type BotsOpenLinksListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// List: List the open links of a bot, newest first
//
// Needs the scope `bots:read`.
func (c BotsOpenLinksCalls) List(ctx context.Context, botID string, query *BotsOpenLinksListQuery, options ...Option) *List[OpenLink, CursorMeta] {
	return newList[OpenLink, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/open-links", params: []string{c.s.workspaceID, botID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Create: Create a link by which anybody can hold a conversation with the bot
//
// Opening the `url` changes nothing. Who presses “Start” there gets an interaction for a new customer, whose id is
// `anonymous-` and 32 hexadecimal digits. The same browser continues it for 30 days. A parameter of the URL that
// `contextKeys` names becomes context, as a text: `?table=7`. A bot has at most 1000 open links.
//
// Needs the scope `bots:write`.
func (c BotsOpenLinksCalls) Create(ctx context.Context, botID string, body NewOpenLink, options ...Option) (*OpenLink, error) {
	return value[OpenLink](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/bots/{botId}/open-links", params: []string{c.s.workspaceID, botID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// Get: Get an open link
//
// Needs the scope `bots:read`.
func (c BotsOpenLinksCalls) Get(ctx context.Context, botID string, openLinkID string, options ...Option) (*OpenLink, error) {
	return value[OpenLink](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}", params: []string{c.s.workspaceID, botID, openLinkID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change an open link; its URL stays
//
// Conversations that it has begun go on, also after it is closed.
//
// Needs the scope `bots:write`.
func (c BotsOpenLinksCalls) Update(ctx context.Context, botID string, openLinkID string, body OpenLinkChange, options ...Option) (*OpenLink, error) {
	return value[OpenLink](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}", params: []string{c.s.workspaceID, botID, openLinkID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Delete: Delete an open link
//
// Its page then says that the link is closed. Conversations that it has begun stay, and go on.
//
// Needs the scope `bots:write`.
func (c BotsOpenLinksCalls) Delete(ctx context.Context, botID string, openLinkID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}", params: []string{c.s.workspaceID, botID, openLinkID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// BotsOpenLinksQrQuery is the query of [BotsOpenLinksCalls.Qr]. Fields that are zero are left out.
type BotsOpenLinksQrQuery struct {
	// Format: SVG can be printed in any size. Default: `"svg"`.
	Format GetOpenLinkQrFormat `json:"format"`
}

// Qr: Get an open link as a QR code
//
// The answer is a file and no envelope: black on white, with the quiet zone that readers need. A quarter of the code
// may be worn off or covered. Print it at least 2 cm wide.
//
// Needs the scope `bots:read`.
func (c BotsOpenLinksCalls) Qr(ctx context.Context, botID string, openLinkID string, query *BotsOpenLinksQrQuery, options ...Option) ([]byte, error) {
	return c.s.file(ctx, call{method: "GET", path: "/v1/workspaces/{workspaceId}/bots/{botId}/open-links/{openLinkId}/qr", params: []string{c.s.workspaceID, botID, openLinkID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// WebhooksCalls has the calls of webhooks.
type WebhooksCalls struct {
	// PortalLinks has the calls of webhooks.portalLinks.
	PortalLinks WebhooksPortalLinksCalls

	// Deliveries has the calls of webhooks.deliveries.
	Deliveries WebhooksDeliveriesCalls

	s *sender
}

func newWebhooksCalls(s *sender) WebhooksCalls {
	return WebhooksCalls{newWebhooksPortalLinksCalls(s), newWebhooksDeliveriesCalls(s), s}
}

// List: List the webhooks, oldest first
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) List(ctx context.Context, options ...Option) *List[Webhook, None] {
	return newList[Webhook, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Create: Create a webhook
//
// A portal link creates webhooks only with `personalData` and without `webhookIds`.
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) Create(ctx context.Context, body NewWebhook, options ...Option) (*Webhook, error) {
	return value[Webhook](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/webhooks", params: []string{c.s.workspaceID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// Get: Get a webhook
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) Get(ctx context.Context, webhookID string, options ...Option) (*Webhook, error) {
	return value[Webhook](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}", params: []string{c.s.workspaceID, webhookID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Activate or deactivate a webhook
//
// An inactive webhook sends nothing and skips due deliveries. `isActive: true` also ends a pause: due deliveries are
// attempted at once. A portal link with `webhookIds` or without `personalData` cannot activate a webhook that the
// company has deactivated.
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) Update(ctx context.Context, webhookID string, body WebhookChange, options ...Option) (*Webhook, error) {
	return value[Webhook](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}", params: []string{c.s.workspaceID, webhookID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Delete: Delete a webhook and cancel its due deliveries
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) Delete(ctx context.Context, webhookID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}", params: []string{c.s.workspaceID, webhookID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// RotateSigningSecret: Create a new signing secret, which is shown only once
//
// Without a body the current secrets sign for another day. A webhook with `asymmetricSignature` also gets a new key
// pair. An `Idempotency-Key` is rejected (400).
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) RotateSigningSecret(ctx context.Context, webhookID string, body *RotateSigningSecretBody, options ...Option) (*RotateSigningSecretResult, error) {
	return value[RotateSigningSecretResult](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate", params: []string{c.s.workspaceID, webhookID}, body: body, headers: []string{"X-Request-Id"}, once: true}, options)
}

// GetOptions: Get the options of a webhook
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) GetOptions(ctx context.Context, webhookID string, options ...Option) (*WebhookOptions, error) {
	return value[WebhookOptions](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options", params: []string{c.s.workspaceID, webhookID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// UpdateOptions: Change the options of a webhook
//
// Absent fields stay. Ordering, events, filter and envelope apply to events that are raised after the answer. All
// others apply from the next attempt on, which may be a retry of an earlier event. An attempt that is in flight is not
// affected. The webhook shows its `url`. If a portal link changes the origin of the `url`, header fields are deleted
// and the secret token is replaced by a random one, unless the call has new ones.
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) UpdateOptions(ctx context.Context, webhookID string, body WebhookOptionsChange, options ...Option) (*WebhookOptions, error) {
	return value[WebhookOptions](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options", params: []string{c.s.workspaceID, webhookID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// ListEventTypes: List the events that webhooks can get
//
// Without the option `envelope`, the body of `InteractionCompleted` is only its `result`.
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) ListEventTypes(ctx context.Context, options ...Option) *List[EventType, None] {
	return newList[EventType, None](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/event-types", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// SendTest: Send a test event
//
// It is delivered, signed, retried and logged like any event. With `event`, it is the example of that event. Otherwise
// it is a completion whose `x-parley-event` is `Test`. Its requests have the header field `x-parley-test: true`, and
// its body has `"test": true`. Returns its delivery.
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) SendTest(ctx context.Context, webhookID string, body *SendTestEventBody, options ...Option) (*Delivery, error) {
	return value[Delivery](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test", params: []string{c.s.workspaceID, webhookID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// GetStats: Get the statistics of a webhook
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) GetStats(ctx context.Context, webhookID string, options ...Option) (*WebhookStats, error) {
	return value[WebhookStats](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/stats", params: []string{c.s.workspaceID, webhookID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Recover: Make the undelivered deliveries of a period due again
//
// It runs in the background: at most 500 deliveries per second, oldest first. The answer has the id for reading its
// progress. It stops when the webhook is deactivated.
//
// Needs the scope `webhooks:write`.
func (c WebhooksCalls) Recover(ctx context.Context, webhookID string, body NewRecovery, options ...Option) (*Recovery, error) {
	return value[Recovery](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recover", params: []string{c.s.workspaceID, webhookID}, body: body, headers: []string{"Idempotency-Key", "X-Request-Id"}}, options)
}

// WebhooksListRecoveriesQuery is the query of [WebhooksCalls.ListRecoveries]. Fields that are zero are left out.
type WebhooksListRecoveriesQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// ListRecoveries: List the recoveries of a webhook, newest first
//
// A recovery is kept for 30 days.
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) ListRecoveries(ctx context.Context, webhookID string, query *WebhooksListRecoveriesQuery, options ...Option) *List[Recovery, CursorMeta] {
	return newList[Recovery, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries", params: []string{c.s.workspaceID, webhookID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// GetRecovery: Get the progress of a recovery
//
// Needs the scope `webhooks:read`.
func (c WebhooksCalls) GetRecovery(ctx context.Context, webhookID string, recoveryID string, options ...Option) (*Recovery, error) {
	return value[Recovery](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries/{recoveryId}", params: []string{c.s.workspaceID, webhookID, recoveryID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// WebhooksPortalLinksCalls has the calls of webhooks.portalLinks.
type WebhooksPortalLinksCalls struct {
	s *sender
}

func newWebhooksPortalLinksCalls(s *sender) WebhooksPortalLinksCalls {
	return WebhooksPortalLinksCalls{s}
}

// Create: Create a link that opens the webhook screens without an account; its URL is shown only once
//
// The link works once. Who opens it can do what `webhooks:read` and `webhooks:write` allow, and the caller must have
// both (`missing-scope`). With `webhookIds`, other webhooks are hidden, none can be created or deleted, and the events
// and the filter stay. `personalData` needs `personal-data:read`. An `Idempotency-Key` is rejected (400).
//
// Needs the scope `webhooks:write`.
func (c WebhooksPortalLinksCalls) Create(ctx context.Context, body *NewPortalLink, options ...Option) (*CreatedPortalLink, error) {
	return value[CreatedPortalLink](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/webhooks/portal-links", params: []string{c.s.workspaceID}, body: body, headers: []string{"X-Request-Id"}, once: true}, options)
}

// WebhooksPortalLinksListQuery is the query of [WebhooksPortalLinksCalls.List]. Fields that are zero are left out.
type WebhooksPortalLinksListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// List: List the portal links, newest first
//
// A link is in the list until a day after its end.
//
// Needs the scope `webhooks:read`.
func (c WebhooksPortalLinksCalls) List(ctx context.Context, query *WebhooksPortalLinksListQuery, options ...Option) *List[PortalLink, CursorMeta] {
	return newList[PortalLink, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/portal-links", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Revoke: Revoke a portal link, and end its session
//
// After the answer, no gateway accepts the link or its session. The record stays, with `revokedAt`.
//
// Needs the scope `webhooks:write`.
func (c WebhooksPortalLinksCalls) Revoke(ctx context.Context, portalLinkID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/webhooks/portal-links/{portalLinkId}", params: []string{c.s.workspaceID, portalLinkID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// WebhooksDeliveriesCalls has the calls of webhooks.deliveries.
type WebhooksDeliveriesCalls struct {
	s *sender
}

func newWebhooksDeliveriesCalls(s *sender) WebhooksDeliveriesCalls {
	return WebhooksDeliveriesCalls{s}
}

// WebhooksDeliveriesListQuery is the query of [WebhooksDeliveriesCalls.List]. Fields that are zero are left out.
type WebhooksDeliveriesListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`

	// State: Only those in this state.
	State ListDeliveriesState `json:"state"`

	// InteractionID: Only deliveries of events about this interaction; none for an unknown interaction.
	InteractionID string `json:"interactionId"`

	// EventID: Only the delivery of this event, also of a test: the `webhook-id` of its requests, which is the
	// `webhookMessageId` of a delivery.
	EventID string `json:"eventId"`

	// Event: Only deliveries of events with this name. A page can then be short although `nextCursor` leads to more.
	Event DeliveredEvent `json:"event"`

	// Since: Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it.
	Since string `json:"since"`

	// Until: Only deliveries created before this instant.
	Until string `json:"until"`
}

// List: List the deliveries of a webhook, newest first
//
// Finished deliveries are kept for 30 days.
//
// Needs the scope `webhooks:read`.
func (c WebhooksDeliveriesCalls) List(ctx context.Context, webhookID string, query *WebhooksDeliveriesListQuery, options ...Option) *List[Delivery, CursorMeta] {
	return newList[Delivery, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries", params: []string{c.s.workspaceID, webhookID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Get: Get a delivery
//
// Needs the scope `webhooks:read`.
func (c WebhooksDeliveriesCalls) Get(ctx context.Context, webhookID string, deliveryID string, options ...Option) (*Delivery, error) {
	return value[Delivery](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}", params: []string{c.s.workspaceID, webhookID, deliveryID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// GetBody: Get the body that the requests of a delivery have
//
// Needs the scope `webhooks:read`.
func (c WebhooksDeliveriesCalls) GetBody(ctx context.Context, webhookID string, deliveryID string, options ...Option) (*DeliveryBody, error) {
	return value[DeliveryBody](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/body", params: []string{c.s.workspaceID, webhookID, deliveryID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// WebhooksDeliveriesListAttemptsQuery is the query of [WebhooksDeliveriesCalls.ListAttempts]. Fields that are zero are left out.
type WebhooksDeliveriesListAttemptsQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// ListAttempts: List the attempts of a delivery, first to last
//
// An attempt is kept for 30 days. A 429 or 503 that pauses the webhook is here too, but does not count as an attempt:
// `isCounted` is false, and the next one has the same `number`. Of these a delivery keeps the newest ten.
//
// Needs the scope `webhooks:read`.
func (c WebhooksDeliveriesCalls) ListAttempts(ctx context.Context, webhookID string, deliveryID string, query *WebhooksDeliveriesListAttemptsQuery, options ...Option) *List[Attempt, CursorMeta] {
	return newList[Attempt, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/attempts", params: []string{c.s.workspaceID, webhookID, deliveryID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Retry: Retry a delivery now, whatever its state
//
// It keeps its id, its `webhook-id` and the numbers of its attempts. One that waits for an attempt is tried now, too:
// if that fails, the planned attempt comes at its time. A delivery without attempts left gets one more. It waits for a
// pause or an open breaker, which `PATCH {"isActive": true}` of the webhook ends. A repeated call changes nothing
// while the delivery waits.
//
// Needs the scope `webhooks:write`.
func (c WebhooksDeliveriesCalls) Retry(ctx context.Context, webhookID string, deliveryID string, options ...Option) (*Delivery, error) {
	return value[Delivery](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry", params: []string{c.s.workspaceID, webhookID, deliveryID}, headers: []string{"X-Request-Id"}, once: true}, options)
}

// ErasuresCalls has the calls of erasures.
type ErasuresCalls struct {
	s *sender
}

func newErasuresCalls(s *sender) ErasuresCalls {
	return ErasuresCalls{s}
}

// ErasuresListQuery is the query of [ErasuresCalls.List]. Fields that are zero are left out.
type ErasuresListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`

	// CustomerID: Only erasures of this customer; none for an unknown customer.
	CustomerID string `json:"customerId"`
}

// List: List the erasures, newest first
//
// Needs the scope `customers:read`.
func (c ErasuresCalls) List(ctx context.Context, query *ErasuresListQuery, options ...Option) *List[Erasure, CursorMeta] {
	return newList[Erasure, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/erasures", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Get: Get the progress of an erasure
//
// Needs the scope `customers:read`.
func (c ErasuresCalls) Get(ctx context.Context, erasureID string, options ...Option) (*Erasure, error) {
	return value[Erasure](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/erasures/{erasureId}", params: []string{c.s.workspaceID, erasureID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// RetentionCalls has the calls of retention.
type RetentionCalls struct {
	s *sender
}

func newRetentionCalls(s *sender) RetentionCalls {
	return RetentionCalls{s}
}

// Get: Get how long the workspace keeps interactions
//
// Needs the scope `workspace:read`.
func (c RetentionCalls) Get(ctx context.Context, options ...Option) (*Retention, error) {
	return value[Retention](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/retention", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change how long the workspace keeps interactions
//
// Days are counted from the last change of an interaction. Those whose time is over are deleted in small batches from
// now on, as with `DELETE`, except those with open deliveries. See first what would be deleted: `POST
// /retention/preview`.
//
// Needs the scope `workspace:write`.
func (c RetentionCalls) Update(ctx context.Context, body RetentionChange, options ...Option) (*Retention, error) {
	return value[Retention](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/retention", params: []string{c.s.workspaceID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Preview: Count the interactions that a change of the retention would delete now
//
// Needs the scope `workspace:read`.
func (c RetentionCalls) Preview(ctx context.Context, body RetentionChange, options ...Option) (*RetentionPreview, error) {
	return value[RetentionPreview](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/retention/preview", params: []string{c.s.workspaceID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// KeysCalls has the calls of keys.
type KeysCalls struct {
	s *sender
}

func newKeysCalls(s *sender) KeysCalls {
	return KeysCalls{s}
}

// RotateAPIKeySecret: Replace the API key's secret; only in the workspace that the key was created for
//
// After the answer, no gateway accepts the old secret. The new one is shown only once, so an `Idempotency-Key` is
// rejected (400). Of concurrent calls with the same secret, one succeeds and the others get 401.
func (c KeysCalls) RotateAPIKeySecret(ctx context.Context, options ...Option) (*RotateAPIKeySecretResult, error) {
	return value[RotateAPIKeySecretResult](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/apikeys/rotate", params: []string{c.s.workspaceID}, headers: []string{"X-Request-Id"}, once: true}, options)
}

// RotateSDKSecret: Create a new SDK secret; the previous one stays valid until the next rotation
//
// The secret is shown only once, so an `Idempotency-Key` is rejected (400).
//
// Needs the scope `keys:write`.
func (c KeysCalls) RotateSDKSecret(ctx context.Context, options ...Option) (*RotateSDKSecretResult, error) {
	return value[RotateSDKSecretResult](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/sdk-secret/rotate", params: []string{c.s.workspaceID}, headers: []string{"X-Request-Id"}, once: true}, options)
}

// KeysListQuery is the query of [KeysCalls.List]. Fields that are zero are left out.
type KeysListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// List: List the API keys that were created for the workspace, oldest first
//
// Revoked and expired keys are in the list too.
//
// Needs the scope `keys:read`.
func (c KeysCalls) List(ctx context.Context, query *KeysListQuery, options ...Option) *List[APIKey, CursorMeta] {
	return newList[APIKey, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/apikeys", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Create: Create an API key of this workspace; its secret is shown only once
//
// The new key cannot do more than the calling key: each of its scopes must be one of the caller's (`missing-scope`),
// and it must not expire later (`stronger-key`). A workspace has at most 1,000 keys, revoked and expired ones too;
// then a new key replaces the oldest one that ended a day ago or earlier. An `Idempotency-Key` is rejected (400).
//
// Needs the scope `keys:write`.
func (c KeysCalls) Create(ctx context.Context, body NewAPIKey, options ...Option) (*CreatedAPIKey, error) {
	return value[CreatedAPIKey](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/apikeys", params: []string{c.s.workspaceID}, body: body, headers: []string{"X-Request-Id"}, once: true}, options)
}

// Get: Get an API key that was created for the workspace
//
// Needs the scope `keys:read`.
func (c KeysCalls) Get(ctx context.Context, apiKey string, options ...Option) (*APIKey, error) {
	return value[APIKey](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/apikeys/{apiKey}", params: []string{c.s.workspaceID, apiKey}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change the name, the scopes or the expiry of an API key
//
// After the answer, no gateway uses the former scopes and expiry. The calling key must have all scopes and workspaces
// of the other key, and the scopes that it gives. Only an owner, or another key without limits, changes a key without
// limits. A key that has ended stays ended. API keys, invitations and portal links of the key that it could not make
// any more end.
//
// Needs the scope `keys:write`.
func (c KeysCalls) Update(ctx context.Context, apiKey string, body APIKeyChange, options ...Option) (*APIKey, error) {
	return value[APIKey](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/apikeys/{apiKey}", params: []string{c.s.workspaceID, apiKey}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Revoke: Revoke an API key for good
//
// After the answer, no gateway accepts it. Its record stays, with `revokedAt`. The calling key must have all scopes
// and workspaces of the other key. Only an owner, or another key without limits, revokes a key without limits. A key
// can revoke itself. API keys, invitations and portal links that it made end, too.
//
// Needs the scope `keys:write`.
func (c KeysCalls) Revoke(ctx context.Context, apiKey string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/apikeys/{apiKey}", params: []string{c.s.workspaceID, apiKey}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// MembersCalls has the calls of members.
type MembersCalls struct {
	s *sender
}

func newMembersCalls(s *sender) MembersCalls {
	return MembersCalls{s}
}

// Invite: Invite a person; the link of the invitation is shown only once
//
// The link is valid once, for 7 days. Parley sends no mail: pass it on. Another invitation of the same address
// replaces the first one. The role must not do more than the caller (`missing-scope`), and only an owner makes owners
// (`owner-only`). With a sign-in provider, the person signs in there. An `Idempotency-Key` is rejected (400).
//
// Needs the scope `workspace:write`.
func (c MembersCalls) Invite(ctx context.Context, body NewInvitation, options ...Option) (*Invitation, error) {
	return value[Invitation](ctx, c.s, call{method: "POST", path: "/v1/workspaces/{workspaceId}/members/invitations", params: []string{c.s.workspaceID}, body: body, headers: []string{"X-Request-Id"}, once: true}, options)
}

// MembersListQuery is the query of [MembersCalls.List]. Fields that are zero are left out.
type MembersListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`
}

// List: List the members of the workspace and the invitations, oldest first
//
// Needs the scope `workspace:read`.
func (c MembersCalls) List(ctx context.Context, query *MembersListQuery, options ...Option) *List[Member, CursorMeta] {
	return newList[Member, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/members", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Get: Get a member of the workspace
//
// Needs the scope `workspace:read`.
func (c MembersCalls) Get(ctx context.Context, memberID string, options ...Option) (*Member, error) {
	return value[Member](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/members/{memberId}", params: []string{c.s.workspaceID, memberID}, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// Update: Change the role of a member, or whether it may see personal data
//
// After the answer, no gateway uses the former role. The caller must be able to do what the member can do before and
// after the change. Only an owner changes owners, and a workspace keeps an owner once it has one. API keys,
// invitations and portal links of the member that it could not make any more end.
//
// Needs the scope `workspace:write`.
func (c MembersCalls) Update(ctx context.Context, memberID string, body MemberChange, options ...Option) (*Member, error) {
	return value[Member](ctx, c.s, call{method: "PATCH", path: "/v1/workspaces/{workspaceId}/members/{memberId}", params: []string{c.s.workspaceID, memberID}, body: body, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Remove: Remove a member, or withdraw an invitation
//
// After the answer, no gateway gives the person access to the workspace. A person without a workspace is signed out,
// unless it is an operator. API keys, invitations and portal links that the person made in the workspace end, too. The
// caller must be able to do what the member can do.
//
// Needs the scope `workspace:write`.
func (c MembersCalls) Remove(ctx context.Context, memberID string, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/members/{memberId}", params: []string{c.s.workspaceID, memberID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// Leave: Leave the workspace, as the calling person
//
// After the answer, no gateway gives the person access to the workspace. Without another workspace, the person is
// signed out, unless it is an operator. API keys, invitations and portal links that it made in the workspace end, too.
// A role of a group comes back at the next sign-in.
func (c MembersCalls) Leave(ctx context.Context, options ...Option) error {
	return c.s.none(ctx, call{method: "DELETE", path: "/v1/workspaces/{workspaceId}/membership", params: []string{c.s.workspaceID}, headers: []string{"If-Match", "X-Request-Id"}}, options)
}

// AuditCalls has the calls of audit.
type AuditCalls struct {
	s *sender
}

func newAuditCalls(s *sender) AuditCalls {
	return AuditCalls{s}
}

// AuditListQuery is the query of [AuditCalls.List]. Fields that are zero are left out.
type AuditListQuery struct {
	// Cursor: The `nextCursor` of the page before; none for the first page.
	Cursor string `json:"cursor"`

	// Limit: How many results a page has at most. Default: `20`.
	Limit int `json:"limit"`

	// From: Only events at or after this instant.
	From string `json:"from"`

	// To: Only events before this instant.
	To string `json:"to"`

	// Actor: Only what actors did whose kind, id and name contain each of these words: an API key, a person or a part of
	// its name, or `operator`. Case does not matter.
	Actor string `json:"actor"`

	// Action: Only actions that contain each of these words. Case does not matter.
	Action string `json:"action"`

	// Target: Only events about the thing with this id, about things whose UUID begins so (from 4 characters on), or
	// about things of this kind, such as `webhook`.
	Target string `json:"target"`
}

// List: List who changed what, newest first
//
// With `actor`, `action` or `target`, a page can be short although `nextCursor` leads to more. Events are kept for the
// time that the operator has set, 400 days by default.
//
// Needs the scope `audit:read`.
func (c AuditCalls) List(ctx context.Context, query *AuditListQuery, options ...Option) *List[AuditEvent, CursorMeta] {
	return newList[AuditEvent, CursorMeta](ctx, c.s, call{method: "GET", path: "/v1/workspaces/{workspaceId}/audit-events", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// PublicCalls: The calls that open a session.
type PublicCalls struct {
	s *sender
}

func newPublicCalls(s *sender) PublicCalls {
	return PublicCalls{s}
}

// CreateSession: Begin a session with a customer token
//
// The body has at most 16 KiB.
func (c PublicCalls) CreateSession(ctx context.Context, workspaceID string, body CreateSessionBody, options ...Option) (*CreateSessionResult, error) {
	return value[CreateSessionResult](ctx, c.s, call{method: "POST", path: "/public/v1/workspaces/{workspaceId}/sessions", params: []string{workspaceID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// CreateLinkSession: Begin a session with the token of a link
//
// The token is the last part of the `link` of an interaction. Changes nothing. Only the landing page may call it. The
// body has at most 16 KiB.
func (c PublicCalls) CreateLinkSession(ctx context.Context, body CreateLinkSessionBody, options ...Option) (*CreateLinkSessionResult, error) {
	return value[CreateLinkSessionResult](ctx, c.s, call{method: "POST", path: "/public/v1/link-sessions", body: body, headers: []string{"X-Request-Id"}}, options)
}

// SessionClient: The calls of one customer's session.
type SessionClient struct {
	s *sender
}

func newSessionClient(s *sender) SessionClient {
	return SessionClient{s}
}

// SessionClientGetConversationQuery is the query of [SessionClient.GetConversation]. Fields that are zero are left out.
type SessionClientGetConversationQuery struct {
	// After: Entries after this number only; all if a revision has withdrawn some since. Default: `0`.
	After int `json:"after"`

	// Wait: How many seconds to wait for something newer than `after`. Default: `0`.
	Wait int `json:"wait"`

	// RevisedStepID: The `input` is the question of this step, with its answer as `prefill`, if that can be revised.
	RevisedStepID string `json:"revisedStepId"`
}

// GetConversation: Get the conversation; waits up to `wait` seconds for entries newer than `after`
//
// One call of a session waits for a conversation at a time. A newer call ends the older one, which returns the
// conversation unchanged.
func (c SessionClient) GetConversation(ctx context.Context, interactionID string, query *SessionClientGetConversationQuery, options ...Option) (*Snapshot, error) {
	return value[Snapshot](ctx, c.s, call{method: "GET", path: "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}", params: []string{c.s.workspaceID, interactionID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// StartConversation: Start the conversation; one in progress is returned unchanged
//
// A body is optional. Texts are in the language of `locale` if the bot has them, else in its own.
//
// The body has at most 16 KiB.
func (c SessionClient) StartConversation(ctx context.Context, interactionID string, body *StartConversationBody, options ...Option) (*Snapshot, error) {
	return value[Snapshot](ctx, c.s, call{method: "POST", path: "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/start", params: []string{c.s.workspaceID, interactionID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// PostMessage: Answer the current step
//
// The body has at most 16 KiB.
func (c SessionClient) PostMessage(ctx context.Context, interactionID string, body Message, options ...Option) (*Snapshot, error) {
	return value[Snapshot](ctx, c.s, call{method: "POST", path: "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages", params: []string{c.s.workspaceID, interactionID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// ReviseAnswer: Replace the answer to an earlier step
//
// The conversation continues at the first question without an answer. Answers that the new course does not come to,
// and texts of the bot, are `withdrawn`. At most 50 times in a conversation.
//
// The body has at most 16 KiB.
func (c SessionClient) ReviseAnswer(ctx context.Context, interactionID string, body Revision, options ...Option) (*Snapshot, error) {
	return value[Snapshot](ctx, c.s, call{method: "POST", path: "/public/v1/workspaces/{workspaceId}/conversations/{interactionId}/revise", params: []string{c.s.workspaceID, interactionID}, body: body, headers: []string{"X-Request-Id"}}, options)
}

// SessionClientGetPendingQuery is the query of [SessionClient.GetPending]. Fields that are zero are left out.
type SessionClientGetPendingQuery struct {
	// Locale: The customer's language, a BCP 47 tag.
	Locale string `json:"locale"`
}

// GetPending: Get the best waiting interaction of the session, or null.
func (c SessionClient) GetPending(ctx context.Context, query *SessionClientGetPendingQuery, options ...Option) (*Pending, error) {
	return value[Pending](ctx, c.s, call{method: "GET", path: "/public/v1/workspaces/{workspaceId}/pending", params: []string{c.s.workspaceID}, query: query, headers: []string{"If-Match", "If-None-Match", "X-Request-Id"}}, options)
}

// WithIdempotencyKey sets Idempotency-Key. A call with the same key, path and body within 24 hours gets the stored
// answer and has no effect of its own. A request that was rejected before it had an effect does not use the key.
func WithIdempotencyKey(value string) Option { return withField("Idempotency-Key", value) }

// WithIfMatch sets If-Match. Rejects the call with 412 unless this is the current `ETag`, with its double quotes. A
// change compares only the version of the row, not the interactions of a customer.
func WithIfMatch(value string) Option { return withField("If-Match", value) }

// WithIfNoneMatch sets If-None-Match. With GET: 304 without a body while the `ETag` is still this one. Anything but an
// `ETag` in double quotes is ignored. With PUT: only `*`, which rejects the call with 412 if there is something to
// replace.
func WithIfNoneMatch(value string) Option { return withField("If-None-Match", value) }

// WithRequestID sets X-Request-Id. Names the request in the answer and in our logs: 1 to 128 of `A-Z a-z 0-9 . _ -`.
// Anything else is replaced.
func WithRequestID(value string) Option { return withField("X-Request-Id", value) }
