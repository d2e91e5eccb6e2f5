// Code generated from the OpenAPI document by packages/sdk-generator: `npm run generate`. DO NOT EDIT.

package parley

import (
	"encoding/json"
	"fmt"
)

// ErrorType: The stable type of an error. The API may have more values.
type ErrorType string

// The values of ErrorType.
const (
	ErrorTypeInvalidRequest         ErrorType = "invalid-request"
	ErrorTypeMalformedJSON          ErrorType = "malformed-json"
	ErrorTypeMalformedPath          ErrorType = "malformed-path"
	ErrorTypeMalformedRequest       ErrorType = "malformed-request"
	ErrorTypeInvalidCredentials     ErrorType = "invalid-credentials"
	ErrorTypeMissingScope           ErrorType = "missing-scope"
	ErrorTypeNotForCaller           ErrorType = "not-for-caller"
	ErrorTypeCrossSite              ErrorType = "cross-site"
	ErrorTypeNotFound               ErrorType = "not-found"
	ErrorTypeNotAcceptable          ErrorType = "not-acceptable"
	ErrorTypeRequestTimeout         ErrorType = "request-timeout"
	ErrorTypeBodyTooLarge           ErrorType = "body-too-large"
	ErrorTypeConversationsTooLarge  ErrorType = "conversations-too-large"
	ErrorTypeUnsupportedMediaType   ErrorType = "unsupported-media-type"
	ErrorTypeIdempotencyKeyReused   ErrorType = "idempotency-key-reused"
	ErrorTypeRateLimited            ErrorType = "rate-limited"
	ErrorTypeTooManyFailures        ErrorType = "too-many-failures"
	ErrorTypeWorkspaceBusy          ErrorType = "workspace-busy"
	ErrorTypeHeadersTooLarge        ErrorType = "headers-too-large"
	ErrorTypeInternal               ErrorType = "internal"
	ErrorTypeOverloaded             ErrorType = "overloaded"
	ErrorTypeUnavailable            ErrorType = "unavailable"
	ErrorTypeTimeout                ErrorType = "timeout"
	ErrorTypePreconditionFailed     ErrorType = "precondition-failed"
	ErrorTypeInvalidCursor          ErrorType = "invalid-cursor"
	ErrorTypeCursorExpired          ErrorType = "cursor-expired"
	ErrorTypeContactLimit           ErrorType = "contact-limit"
	ErrorTypeIllegalTransition      ErrorType = "illegal-transition"
	ErrorTypeIllegalExpiry          ErrorType = "illegal-expiry"
	ErrorTypeIllegalAvailability    ErrorType = "illegal-availability"
	ErrorTypeLostRace               ErrorType = "lost-race"
	ErrorTypeNoEmailQuestion        ErrorType = "no-email-question"
	ErrorTypeCustomerExists         ErrorType = "customer-exists"
	ErrorTypeAnonymisationContinues ErrorType = "anonymisation-continues"
	ErrorTypeDeletionContinues      ErrorType = "deletion-continues"
	ErrorTypeInvalidSession         ErrorType = "invalid-session"
	ErrorTypeNotAvailableYet        ErrorType = "not-available-yet"
	ErrorTypeConversationEnded      ErrorType = "conversation-ended"
	ErrorTypeClientMessageIDReused  ErrorType = "client-message-id-reused"
	ErrorTypeStaleSequence          ErrorType = "stale-sequence"
	ErrorTypeNotStarted             ErrorType = "not-started"
	ErrorTypeUnanswerableAnswer     ErrorType = "unanswerable-answer"
	ErrorTypeRevisingOff            ErrorType = "revising-off"
	ErrorTypeBotKeyInUse            ErrorType = "bot-key-in-use"
	ErrorTypeTooManyBots            ErrorType = "too-many-bots"
	ErrorTypeTooManyBotVersions     ErrorType = "too-many-bot-versions"
	ErrorTypeUnexpectedBotVersion   ErrorType = "unexpected-bot-version"
	ErrorTypePreconditionRequired   ErrorType = "precondition-required"
	ErrorTypeTooManyOpenLinks       ErrorType = "too-many-open-links"
	ErrorTypeNoInsight              ErrorType = "no-insight"
	ErrorTypeTooManyPortalLinks     ErrorType = "too-many-portal-links"
	ErrorTypeSecretTokenInUse       ErrorType = "secret-token-in-use"
	ErrorTypeTooManyWebhooks        ErrorType = "too-many-webhooks"
	ErrorTypeWebhookInactive        ErrorType = "webhook-inactive"
	ErrorTypeDeliveryUnderWay       ErrorType = "delivery-under-way"
	ErrorTypeEventExpired           ErrorType = "event-expired"
	ErrorTypeEventFiltered          ErrorType = "event-filtered"
	ErrorTypeTooManyRecoveries      ErrorType = "too-many-recoveries"
	ErrorTypeNotHomeWorkspace       ErrorType = "not-home-workspace"
	ErrorTypeStrongerKey            ErrorType = "stronger-key"
	ErrorTypeTooManyAPIKeys         ErrorType = "too-many-api-keys"
	ErrorTypeKeyEnded               ErrorType = "key-ended"
	ErrorTypeOwnerOnly              ErrorType = "owner-only"
	ErrorTypeMemberExists           ErrorType = "member-exists"
	ErrorTypeTooManyMembers         ErrorType = "too-many-members"
	ErrorTypeLastOwner              ErrorType = "last-owner"
	ErrorTypeRoleOfGroup            ErrorType = "role-of-group"
	ErrorTypeOperatorOnly           ErrorType = "operator-only"
	ErrorTypeInvalidCustomerToken   ErrorType = "invalid-customer-token"
	ErrorTypeForeignOrigin          ErrorType = "foreign-origin"
)

// AllowedDomains is a type of the API.
type AllowedDomains struct {
	AllowedDomains []string `json:"allowedDomains"`
}

// APIKey is a type of the API.
type APIKey struct {
	// APIKey: The public half, `prl_key_...`.
	APIKey string `json:"apiKey"`

	// Name: May be empty.
	Name string `json:"name"`

	// Scopes: In the order of the catalogue.
	Scopes []Scope `json:"scopes"`

	// WorkspaceIDs: Those of its workspaces that the caller can access too.
	WorkspaceIDs []string `json:"workspaceIds"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CreatedBy: The API key or the id of the person that created it or has taken it over, or `operator`.
	CreatedBy string `json:"createdBy"`

	// ExpiresAt: Null: it does not expire.
	ExpiresAt *string `json:"expiresAt"`

	// LastUsedAt: The hour of its last use; null if it was never used.
	LastUsedAt *string `json:"lastUsedAt"`

	// RevokedAt: Null: it is not revoked.
	RevokedAt *string `json:"revokedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *APIKey) UnmarshalJSON(data []byte) error {
	type plain APIKey
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o APIKey) MarshalJSON() ([]byte, error) {
	type plain APIKey
	return encode(plain(o), o.Extra)
}

// APIKeyChange is a type of the API.
type APIKeyChange struct {
	// Name: For people.
	Name *string `json:"name,omitempty"`

	// Scopes: What the key may do: scopes that the calling key has too.
	Scopes []Scope `json:"scopes,omitempty"`

	// ExpiresAt: From then on no gateway accepts the key. Null: it does not expire.
	ExpiresAt *Field[string] `json:"expiresAt,omitempty"`
}

// Attempt is a type of the API.
type Attempt struct {
	// Number: From 1, as `x-parley-attempt` of its request. An uncounted attempt has the number of the next one.
	Number int `json:"number"`

	// IsCounted: Whether it uses up one of the attempts: false when its answer paused the webhook.
	IsCounted bool `json:"isCounted"`

	// StartedAt: UTC, ISO 8601 with six fractional digits and no zone.
	StartedAt string `json:"startedAt"`

	// DurationMs: In all.
	DurationMs int `json:"durationMs"`

	// Latency: The parts; null for what was not done: a kept connection needs no DNS, TCP and TLS.
	Latency AttemptLatency `json:"latency"`

	// Status: Of the answer; null when there was none.
	Status *int `json:"status"`

	// Error: `http_<status>`, `dns`, `refused`, `reset`, `tls_untrusted`, `tls_expired`, `tls_name`, `tls_protocol`,
	// `timeout_connect`, `timeout_total`, `protocol` or `blocked_address`; null for a success.
	Error *string `json:"error"`

	// RetryAfterSeconds: For how long its `Retry-After` (429 or 503) paused the webhook; null when it is counted.
	RetryAfterSeconds *int `json:"retryAfterSeconds"`

	// ResponseExcerpt: The beginning of the answer's body, at most 16 KiB. Bytes that are not UTF-8 become U+FFFD. Null
	// if it was empty, or deleted by an anonymisation. `[hidden]` without the scope `personal-data:read`. Links in it are
	// `[hidden]` without the scope `interactions:write`.
	ResponseExcerpt *string `json:"responseExcerpt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Attempt) UnmarshalJSON(data []byte) error {
	type plain Attempt
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Attempt) MarshalJSON() ([]byte, error) {
	type plain Attempt
	return encode(plain(o), o.Extra)
}

// AttemptLatency: The parts; null for what was not done: a kept connection needs no DNS, TCP and TLS.
type AttemptLatency struct {
	DNSMs *int `json:"dnsMs"`

	ConnectMs *int `json:"connectMs"`

	TLSMs *int `json:"tlsMs"`

	FirstByteMs *int `json:"firstByteMs"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *AttemptLatency) UnmarshalJSON(data []byte) error {
	type plain AttemptLatency
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o AttemptLatency) MarshalJSON() ([]byte, error) {
	type plain AttemptLatency
	return encode(plain(o), o.Extra)
}

// AuditActor is a type of the API.
type AuditActor struct {
	Type AuditActorType `json:"type"`

	// ID: The API key, the id of the person or portal link, or `operator`.
	ID string `json:"id"`

	// Name: Its name at that time; may be empty.
	Name string `json:"name"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *AuditActor) UnmarshalJSON(data []byte) error {
	type plain AuditActor
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o AuditActor) MarshalJSON() ([]byte, error) {
	type plain AuditActor
	return encode(plain(o), o.Extra)
}

func (o AuditActor) id() string { return o.ID }

// AuditActorType is an enum of the API. The API may have more values.
type AuditActorType string

// The values of AuditActorType.
const (
	AuditActorTypeKey      AuditActorType = "key"
	AuditActorTypePerson   AuditActorType = "person"
	AuditActorTypePortal   AuditActorType = "portal"
	AuditActorTypeOperator AuditActorType = "operator"
)

// AuditEvent is a type of the API.
type AuditEvent struct {
	ID string `json:"id"`

	// OccurredAt: UTC, ISO 8601 with six fractional digits and no zone.
	OccurredAt string `json:"occurredAt"`

	// Action: What was done: a thing and a verb in the past tense.
	Action string `json:"action"`

	Actor AuditActor `json:"actor"`

	Targets []AuditTarget `json:"targets"`

	// RequestID: The `x-request-id` of the request.
	RequestID string `json:"requestId"`

	// ClientAddress: The IP address of the client; null for the operator.
	ClientAddress *string `json:"clientAddress"`

	// Changes: `[before, after]` by field. Secrets and personal data of customers are `[hidden]`.
	Changes map[string][]any `json:"changes"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *AuditEvent) UnmarshalJSON(data []byte) error {
	type plain AuditEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o AuditEvent) MarshalJSON() ([]byte, error) {
	type plain AuditEvent
	return encode(plain(o), o.Extra)
}

func (o AuditEvent) id() string { return o.ID }

// AuditTarget is a type of the API.
type AuditTarget struct {
	Type string `json:"type"`

	ID string `json:"id"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *AuditTarget) UnmarshalJSON(data []byte) error {
	type plain AuditTarget
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o AuditTarget) MarshalJSON() ([]byte, error) {
	type plain AuditTarget
	return encode(plain(o), o.Extra)
}

func (o AuditTarget) id() string { return o.ID }

// Bot is a type of the API.
type Bot struct {
	ID string `json:"id"`

	Name string `json:"name"`

	// Context: The properties that an interaction may supply.
	Context []string `json:"context"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Bot) UnmarshalJSON(data []byte) error {
	type plain Bot
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Bot) MarshalJSON() ([]byte, error) {
	type plain Bot
	return encode(plain(o), o.Extra)
}

func (o Bot) id() string { return o.ID }

// BotDefinition: A conversation as data: at least `schemaVersion`, `key`, `name`, `type` and `steps`. It has its own
// JSON Schema (bot-v1).
type BotDefinition = map[string]any

// BotDraft is a type of the API.
type BotDraft struct {
	// BaseVersion: The version of the bot from which it began.
	BaseVersion int `json:"baseVersion"`

	// UpdatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	UpdatedAt string `json:"updatedAt"`

	// UpdatedBy: The API key, the id of the person, or `operator`.
	UpdatedBy string `json:"updatedBy"`

	// Faults: Why it cannot be published; at most 100.
	Faults []BotDraftFault `json:"faults"`

	// Definition: Byte for byte as it was saved.
	Definition map[string]any `json:"definition"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BotDraft) UnmarshalJSON(data []byte) error {
	type plain BotDraft
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BotDraft) MarshalJSON() ([]byte, error) {
	type plain BotDraft
	return encode(plain(o), o.Extra)
}

// BotDraftEntry is a type of the API.
type BotDraftEntry struct {
	BotID string `json:"botId"`

	// BaseVersion: The version of the bot from which it began.
	BaseVersion int `json:"baseVersion"`

	// UpdatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	UpdatedAt string `json:"updatedAt"`

	// UpdatedBy: The API key, the id of the person, or `operator`.
	UpdatedBy string `json:"updatedBy"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BotDraftEntry) UnmarshalJSON(data []byte) error {
	type plain BotDraftEntry
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BotDraftEntry) MarshalJSON() ([]byte, error) {
	type plain BotDraftEntry
	return encode(plain(o), o.Extra)
}

// BotDraftFault: Why it cannot be published; at most 100.
type BotDraftFault struct {
	// Pointer: A place in the definition.
	Pointer string `json:"pointer"`

	Detail string `json:"detail"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BotDraftFault) UnmarshalJSON(data []byte) error {
	type plain BotDraftFault
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BotDraftFault) MarshalJSON() ([]byte, error) {
	type plain BotDraftFault
	return encode(plain(o), o.Extra)
}

// BotTemplate is a type of the API.
type BotTemplate struct {
	// ID: For `template` of a new bot.
	ID string `json:"id"`

	Name string `json:"name"`

	Description string `json:"description"`

	// Definition: A valid definition. It has its texts in all languages of the templates.
	Definition map[string]any `json:"definition"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BotTemplate) UnmarshalJSON(data []byte) error {
	type plain BotTemplate
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BotTemplate) MarshalJSON() ([]byte, error) {
	type plain BotTemplate
	return encode(plain(o), o.Extra)
}

func (o BotTemplate) id() string { return o.ID }

// BotVersion is a type of the API.
type BotVersion struct {
	Version int `json:"version"`

	// PublishedAt: UTC, ISO 8601 with six fractional digits and no zone.
	PublishedAt string `json:"publishedAt"`

	// PublishedBy: The API key, the id of the person, or `operator`.
	PublishedBy string `json:"publishedBy"`

	Note *string `json:"note"`

	// Digest: SHA-256 of the definition, in hex; layout and the order of fields do not count.
	Digest string `json:"digest"`

	// IsLive: Whether new conversations start with it.
	IsLive bool `json:"isLive"`

	// RestoredFrom: The version that was published again as this one.
	RestoredFrom *int `json:"restoredFrom"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BotVersion) UnmarshalJSON(data []byte) error {
	type plain BotVersion
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BotVersion) MarshalJSON() ([]byte, error) {
	type plain BotVersion
	return encode(plain(o), o.Extra)
}

// BotVersionWithDefinition is a type of the API.
type BotVersionWithDefinition struct {
	Version int `json:"version"`

	// PublishedAt: UTC, ISO 8601 with six fractional digits and no zone.
	PublishedAt string `json:"publishedAt"`

	// PublishedBy: The API key, the id of the person, or `operator`.
	PublishedBy string `json:"publishedBy"`

	Note *string `json:"note"`

	// Digest: SHA-256 of the definition, in hex; layout and the order of fields do not count.
	Digest string `json:"digest"`

	// IsLive: Whether new conversations start with it.
	IsLive bool `json:"isLive"`

	// RestoredFrom: The version that was published again as this one.
	RestoredFrom *int `json:"restoredFrom"`

	// Key: The `key` of the bot's definition.
	Key string `json:"key"`

	// Definition: Byte for byte as it was published.
	Definition map[string]any `json:"definition"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BotVersionWithDefinition) UnmarshalJSON(data []byte) error {
	type plain BotVersionWithDefinition
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BotVersionWithDefinition) MarshalJSON() ([]byte, error) {
	type plain BotVersionWithDefinition
	return encode(plain(o), o.Extra)
}

// Branding: The look of the workspace on link pages and in the widget. For a field that is null, the product has
// defaults.
type Branding struct {
	DisplayName *string `json:"displayName"`

	// LogoURL: Where the logo is served. Its name is the first half of the SHA-256 of the image, in hex, so that it can
	// be cached for ever.
	LogoURL *string `json:"logoUrl"`

	AccentColor *string `json:"accentColor"`

	EndText *string `json:"endText"`

	EndLink *BrandingEndLink `json:"endLink"`

	PrivacyText *string `json:"privacyText"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Branding) UnmarshalJSON(data []byte) error {
	type plain Branding
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Branding) MarshalJSON() ([]byte, error) {
	type plain Branding
	return encode(plain(o), o.Extra)
}

// BrandingChange is a type of the API.
type BrandingChange struct {
	DisplayName *Field[string] `json:"displayName,omitempty"`

	Logo *Field[string] `json:"logo,omitempty"`

	AccentColor *Field[string] `json:"accentColor,omitempty"`

	EndText *Field[string] `json:"endText,omitempty"`

	EndLink *Field[BrandingEndLink] `json:"endLink,omitempty"`

	PrivacyText *Field[string] `json:"privacyText,omitempty"`
}

// BrandingEndLink: A link below `endText`.
type BrandingEndLink struct {
	// URL: An https URL without user name and password.
	URL string `json:"url"`

	// Label: The words of the link.
	Label string `json:"label"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *BrandingEndLink) UnmarshalJSON(data []byte) error {
	type plain BrandingEndLink
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o BrandingEndLink) MarshalJSON() ([]byte, error) {
	type plain BrandingEndLink
	return encode(plain(o), o.Extra)
}

// CallerSession is a type of the API.
type CallerSession struct {
	Type CallerSessionType `json:"type"`

	// ID: The API key, or the id of the person or of the portal link.
	ID string `json:"id"`

	// Name: May be empty.
	Name string `json:"name"`

	// Email: Null for all but people.
	Email *string `json:"email"`

	// IsOperator: Whether the caller may see the state of the deployment.
	IsOperator bool `json:"isOperator"`

	Workspaces []CallerSessionWorkspace `json:"workspaces"`

	// WebhookIDs: The webhooks that a portal link is limited to; null: no limit.
	WebhookIDs []string `json:"webhookIds"`

	// ExpiresAt: When the key or the session ends; a session ends later if it is used. Null: never.
	ExpiresAt *string `json:"expiresAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CallerSession) UnmarshalJSON(data []byte) error {
	type plain CallerSession
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CallerSession) MarshalJSON() ([]byte, error) {
	type plain CallerSession
	return encode(plain(o), o.Extra)
}

func (o CallerSession) id() string { return o.ID }

// CallerSessionType is an enum of the API. The API may have more values.
type CallerSessionType string

// The values of CallerSessionType.
const (
	CallerSessionTypeKey    CallerSessionType = "key"
	CallerSessionTypePerson CallerSessionType = "person"
	CallerSessionTypePortal CallerSessionType = "portal"
)

// CallerSessionWorkspace is a type of the API.
type CallerSessionWorkspace struct {
	WorkspaceID string `json:"workspaceId"`

	Name string `json:"name"`

	// Role: Null for all but people.
	Role *Role `json:"role"`

	// Scopes: In the order of the catalogue.
	Scopes []Scope `json:"scopes"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CallerSessionWorkspace) UnmarshalJSON(data []byte) error {
	type plain CallerSessionWorkspace
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CallerSessionWorkspace) MarshalJSON() ([]byte, error) {
	type plain CallerSessionWorkspace
	return encode(plain(o), o.Extra)
}

// ContactLimit is a type of the API.
type ContactLimit struct {
	// Count: How many interactions.
	Count int `json:"count"`

	// Days: In so many last days.
	Days int `json:"days"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ContactLimit) UnmarshalJSON(data []byte) error {
	type plain ContactLimit
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ContactLimit) MarshalJSON() ([]byte, error) {
	type plain ContactLimit
	return encode(plain(o), o.Extra)
}

// ContactPolicy: How many interactions a customer may be offered in the last days.
type ContactPolicy struct {
	// AnyBot: Of all bots together. Null: no limit.
	AnyBot *ContactLimit `json:"anyBot"`

	// SameBot: Of one bot. Null: no limit.
	SameBot *ContactLimit `json:"sameBot"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ContactPolicy) UnmarshalJSON(data []byte) error {
	type plain ContactPolicy
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ContactPolicy) MarshalJSON() ([]byte, error) {
	type plain ContactPolicy
	return encode(plain(o), o.Extra)
}

// ContactPolicyChange is a type of the API.
type ContactPolicyChange struct {
	// AnyBot: Of all bots together. Null: no limit.
	AnyBot *Field[ContactLimit] `json:"anyBot,omitempty"`

	// SameBot: Of one bot. Null: no limit.
	SameBot *Field[ContactLimit] `json:"sameBot,omitempty"`
}

// Contactability is a type of the API.
type Contactability struct {
	// Allowed: Whether an interaction may be offered now.
	Allowed bool `json:"allowed"`

	// RetryAt: From when it is allowed, unless others are offered meanwhile; null if it is allowed.
	RetryAt *string `json:"retryAt"`

	Policy ContactPolicy `json:"policy"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Contactability) UnmarshalJSON(data []byte) error {
	type plain Contactability
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Contactability) MarshalJSON() ([]byte, error) {
	type plain Contactability
	return encode(plain(o), o.Extra)
}

// ConversationDifference is a type of the API.
type ConversationDifference struct {
	InteractionID string `json:"interactionId"`

	// BotVersion: The version that it ran on.
	BotVersion int `json:"botVersion"`

	// CompletedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CompletedAt string `json:"completedAt"`

	Before Course `json:"before"`

	After Course `json:"after"`

	// TakesAnotherWay: Whether other questions are asked.
	TakesAnotherWay bool `json:"takesAnotherWay"`

	// EndsDifferently: Whether it reaches another end.
	EndsDifferently bool `json:"endsDifferently"`

	// EvaluationKeys: The keys of the evaluation that have another value.
	EvaluationKeys []string `json:"evaluationKeys"`

	// HearsAnotherText: Whether the customer hears another text at a question, or at the end.
	HearsAnotherText bool `json:"hearsAnotherText"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ConversationDifference) UnmarshalJSON(data []byte) error {
	type plain ConversationDifference
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ConversationDifference) MarshalJSON() ([]byte, error) {
	type plain ConversationDifference
	return encode(plain(o), o.Extra)
}

// Course is a type of the API.
type Course struct {
	// StepIDs: The questions that are asked, in their order.
	StepIDs []string `json:"stepIds"`

	// EndStepID: The `end` step; null if the conversation stops, or is closed because of its size.
	EndStepID *string `json:"endStepId"`

	// Stopped: The question at which it stops: the customer has not answered it, or the definition refuses the answer.
	Stopped *CourseStopped `json:"stopped"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Course) UnmarshalJSON(data []byte) error {
	type plain Course
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Course) MarshalJSON() ([]byte, error) {
	type plain Course
	return encode(plain(o), o.Extra)
}

// CourseStopped: The question at which it stops: the customer has not answered it, or the definition refuses the
// answer.
type CourseStopped struct {
	StepID string `json:"stepId"`

	Reason CourseStoppedReason `json:"reason"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CourseStopped) UnmarshalJSON(data []byte) error {
	type plain CourseStopped
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CourseStopped) MarshalJSON() ([]byte, error) {
	type plain CourseStopped
	return encode(plain(o), o.Extra)
}

// CourseStoppedReason is an enum of the API. The API may have more values.
type CourseStoppedReason string

// The values of CourseStoppedReason.
const (
	CourseStoppedReasonNoAnswer CourseStoppedReason = "no-answer"
	CourseStoppedReasonRefused  CourseStoppedReason = "refused"
)

// CreateCustomerTokenResult is a type of the API.
type CreateCustomerTokenResult struct {
	CustomerToken string `json:"customerToken"`

	// ExpiresAt: UTC, ISO 8601 with six fractional digits and no zone.
	ExpiresAt string `json:"expiresAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CreateCustomerTokenResult) UnmarshalJSON(data []byte) error {
	type plain CreateCustomerTokenResult
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CreateCustomerTokenResult) MarshalJSON() ([]byte, error) {
	type plain CreateCustomerTokenResult
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o CreateCustomerTokenResult) Format(f fmt.State, _ rune) {
	type plain CreateCustomerTokenResult
	o.CustomerToken = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// CreateLinkSessionBody is a type of the API.
type CreateLinkSessionBody struct {
	Token string `json:"token"`
}

// Format writes the object without its secrets.
func (o CreateLinkSessionBody) Format(f fmt.State, _ rune) {
	type plain CreateLinkSessionBody
	o.Token = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// CreateLinkSessionResult is a type of the API.
type CreateLinkSessionResult struct {
	SessionToken string `json:"sessionToken"`

	// ExpiresIn: Seconds.
	ExpiresIn int `json:"expiresIn"`

	WorkspaceID string `json:"workspaceId"`

	InteractionID string `json:"interactionId"`

	Status InteractionStatus `json:"status"`

	BotName string `json:"botName"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CreateLinkSessionResult) UnmarshalJSON(data []byte) error {
	type plain CreateLinkSessionResult
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CreateLinkSessionResult) MarshalJSON() ([]byte, error) {
	type plain CreateLinkSessionResult
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o CreateLinkSessionResult) Format(f fmt.State, _ rune) {
	type plain CreateLinkSessionResult
	o.SessionToken = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// CreateSessionBody is a type of the API.
type CreateSessionBody struct {
	CustomerToken string `json:"customerToken"`
}

// Format writes the object without its secrets.
func (o CreateSessionBody) Format(f fmt.State, _ rune) {
	type plain CreateSessionBody
	o.CustomerToken = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// CreateSessionResult is a type of the API.
type CreateSessionResult struct {
	SessionToken string `json:"sessionToken"`

	// ExpiresIn: Seconds.
	ExpiresIn int `json:"expiresIn"`

	// PollAfter: After how many seconds to ask for what is pending.
	PollAfter int `json:"pollAfter"`

	Branding *Branding `json:"branding,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CreateSessionResult) UnmarshalJSON(data []byte) error {
	type plain CreateSessionResult
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CreateSessionResult) MarshalJSON() ([]byte, error) {
	type plain CreateSessionResult
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o CreateSessionResult) Format(f fmt.State, _ rune) {
	type plain CreateSessionResult
	o.SessionToken = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// CreatedAPIKey is a type of the API.
type CreatedAPIKey struct {
	// APIKey: The public half, `prl_key_...`.
	APIKey string `json:"apiKey"`

	// Name: May be empty.
	Name string `json:"name"`

	// Scopes: In the order of the catalogue.
	Scopes []Scope `json:"scopes"`

	// WorkspaceIDs: Those of its workspaces that the caller can access too.
	WorkspaceIDs []string `json:"workspaceIds"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CreatedBy: The API key or the id of the person that created it or has taken it over, or `operator`.
	CreatedBy string `json:"createdBy"`

	// ExpiresAt: Null: it does not expire.
	ExpiresAt *string `json:"expiresAt"`

	// LastUsedAt: The hour of its last use; null if it was never used.
	LastUsedAt *string `json:"lastUsedAt"`

	// RevokedAt: Null: it is not revoked.
	RevokedAt *string `json:"revokedAt"`

	Secret string `json:"secret"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CreatedAPIKey) UnmarshalJSON(data []byte) error {
	type plain CreatedAPIKey
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CreatedAPIKey) MarshalJSON() ([]byte, error) {
	type plain CreatedAPIKey
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o CreatedAPIKey) Format(f fmt.State, _ rune) {
	type plain CreatedAPIKey
	o.Secret = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// CreatedItem is a type of the API.
type CreatedItem struct {
	// Index: The place in the request, from 0.
	Index int `json:"index"`

	Interaction Interaction `json:"interaction"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CreatedItem) UnmarshalJSON(data []byte) error {
	type plain CreatedItem
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CreatedItem) MarshalJSON() ([]byte, error) {
	type plain CreatedItem
	return encode(plain(o), o.Extra)
}

// CreatedPortalLink is a type of the API.
type CreatedPortalLink struct {
	ID string `json:"id"`

	// Name: For people; may be empty.
	Name string `json:"name"`

	// WebhookIDs: The webhooks that it shows. Null: all, also later ones.
	WebhookIDs []string `json:"webhookIds"`

	// PersonalData: Whether it shows personal data.
	PersonalData bool `json:"personalData"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CreatedBy: The API key or the id of the person that created it.
	CreatedBy string `json:"createdBy"`

	// ExpiresAt: When the link and its session end.
	ExpiresAt string `json:"expiresAt"`

	// UsedAt: When it was opened. Null: not yet.
	UsedAt *string `json:"usedAt"`

	// RevokedAt: Null: it is not revoked.
	RevokedAt *string `json:"revokedAt"`

	URL string `json:"url"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CreatedPortalLink) UnmarshalJSON(data []byte) error {
	type plain CreatedPortalLink
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CreatedPortalLink) MarshalJSON() ([]byte, error) {
	type plain CreatedPortalLink
	return encode(plain(o), o.Extra)
}

func (o CreatedPortalLink) id() string { return o.ID }

// CursorMeta is a type of the API.
type CursorMeta struct {
	// NextCursor: Returns the next page as `cursor`; null when there is none.
	NextCursor *string `json:"nextCursor"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CursorMeta) UnmarshalJSON(data []byte) error {
	type plain CursorMeta
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CursorMeta) MarshalJSON() ([]byte, error) {
	type plain CursorMeta
	return encode(plain(o), o.Extra)
}

// Customer is a type of the API.
type Customer struct {
	// ID: The client's own id of the customer, compared exactly; not `.` or `..`.
	ID string `json:"id"`

	// FirstName: `[hidden]` without the scope `personal-data:read`.
	FirstName string `json:"firstName"`

	// LastName: `[hidden]` without the scope `personal-data:read`.
	LastName string `json:"lastName"`

	// Email: `[hidden]` without the scope `personal-data:read`.
	Email string `json:"email"`

	// Interactions: Newest first; empty in lists and on creation.
	Interactions []CustomerInteraction `json:"interactions"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Customer) UnmarshalJSON(data []byte) error {
	type plain Customer
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Customer) MarshalJSON() ([]byte, error) {
	type plain Customer
	return encode(plain(o), o.Extra)
}

func (o Customer) id() string { return o.ID }

// CustomerAnonymisedEvent is a type of the API.
type CustomerAnonymisedEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data CustomerAnonymisedEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerAnonymisedEvent) UnmarshalJSON(data []byte) error {
	type plain CustomerAnonymisedEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerAnonymisedEvent) MarshalJSON() ([]byte, error) {
	type plain CustomerAnonymisedEvent
	return encode(plain(o), o.Extra)
}

func (o CustomerAnonymisedEvent) id() string { return o.ID }

// CustomerAnonymisedEventData is a type of the API.
type CustomerAnonymisedEventData struct {
	// ID: The client's own id of the customer, compared exactly; not `.` or `..`.
	ID string `json:"id"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerAnonymisedEventData) UnmarshalJSON(data []byte) error {
	type plain CustomerAnonymisedEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerAnonymisedEventData) MarshalJSON() ([]byte, error) {
	type plain CustomerAnonymisedEventData
	return encode(plain(o), o.Extra)
}

func (o CustomerAnonymisedEventData) id() string { return o.ID }

// CustomerChange is a type of the API.
type CustomerChange struct {
	FirstName *string `json:"firstName,omitempty"`

	LastName *string `json:"lastName,omitempty"`

	// Email: An email address, or empty.
	Email *string `json:"email,omitempty"`
}

// CustomerDetails: Details of the customer to set; the others stay as they are. Needs the scope `customers:write` if
// the customer exists and has others.
type CustomerDetails struct {
	FirstName *string `json:"firstName,omitempty"`

	LastName *string `json:"lastName,omitempty"`

	// Email: An email address, or empty.
	Email *string `json:"email,omitempty"`
}

// CustomerExport is a type of the API.
type CustomerExport struct {
	// SchemaVersion: Rises when a field changes its meaning or is removed. New fields do not raise it.
	SchemaVersion int `json:"schemaVersion"`

	// ExportedAt: UTC, ISO 8601 with six fractional digits and no zone.
	ExportedAt string `json:"exportedAt"`

	// Customer: Empty texts: nothing is stored.
	Customer CustomerExportCustomer `json:"customer"`

	// Interactions: Newest first.
	Interactions []CustomerExportInteraction `json:"interactions"`

	// Deliveries: Of events about the customer to webhooks, for as long as the log keeps them. Oldest event first.
	Deliveries []CustomerExportDelivery `json:"deliveries"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExport) UnmarshalJSON(data []byte) error {
	type plain CustomerExport
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExport) MarshalJSON() ([]byte, error) {
	type plain CustomerExport
	return encode(plain(o), o.Extra)
}

// CustomerExportCustomer: Empty texts: nothing is stored.
type CustomerExportCustomer struct {
	// ID: The client's own id of the customer, compared exactly; not `.` or `..`.
	ID string `json:"id"`

	// FirstName: `[hidden]` without the scope `personal-data:read`.
	FirstName string `json:"firstName"`

	// LastName: `[hidden]` without the scope `personal-data:read`.
	LastName string `json:"lastName"`

	// Email: `[hidden]` without the scope `personal-data:read`.
	Email string `json:"email"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportCustomer) UnmarshalJSON(data []byte) error {
	type plain CustomerExportCustomer
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportCustomer) MarshalJSON() ([]byte, error) {
	type plain CustomerExportCustomer
	return encode(plain(o), o.Extra)
}

func (o CustomerExportCustomer) id() string { return o.ID }

// CustomerExportDelivery is a type of the API.
type CustomerExportDelivery struct {
	ID string `json:"id"`

	Event DeliveredEvent `json:"event"`

	// EventID: Its requests carried it as `webhook-id`.
	EventID string `json:"eventId"`

	// InteractionID: Null for an event about the customer.
	InteractionID *string `json:"interactionId"`

	WebhookID string `json:"webhookId"`

	// Receiver: The address of the webhook now, without user, password, query and fragment.
	Receiver string `json:"receiver"`

	State DeliveryState `json:"state"`

	Attempts int `json:"attempts"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// FinishedAt: Null while it is pending.
	FinishedAt *string `json:"finishedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportDelivery) UnmarshalJSON(data []byte) error {
	type plain CustomerExportDelivery
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportDelivery) MarshalJSON() ([]byte, error) {
	type plain CustomerExportDelivery
	return encode(plain(o), o.Extra)
}

func (o CustomerExportDelivery) id() string { return o.ID }

// CustomerExportInteraction is a type of the API.
type CustomerExportInteraction struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Type: The type of the bot.
	Type string `json:"type"`

	Bot CustomerExportInteractionBot `json:"bot"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// Link: The link to the conversation. Its URL is a secret and no part of the export.
	Link CustomerExportInteractionLink `json:"link"`

	Context []CustomerExportInteractionContext `json:"context"`

	Evaluation map[string]string `json:"evaluation"`

	// Transcript: Null until the interaction has started.
	Transcript []CustomerExportInteractionTranscript `json:"transcript"`

	Conversation *CustomerExportInteractionConversation `json:"conversation"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteraction) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteraction
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteraction) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteraction
	return encode(plain(o), o.Extra)
}

func (o CustomerExportInteraction) id() string { return o.ID }

// CustomerExportInteractionBot is a type of the API.
type CustomerExportInteractionBot struct {
	Key string `json:"key"`

	// Version: Null until the interaction has started.
	Version *int `json:"version"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionBot) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionBot
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionBot) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionBot
	return encode(plain(o), o.Extra)
}

// CustomerExportInteractionContext is a type of the API.
type CustomerExportInteractionContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionContext) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionContext) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionContext
	return encode(plain(o), o.Extra)
}

// CustomerExportInteractionConversation is a type of the API.
type CustomerExportInteractionConversation struct {
	// Answers: The values of the answers by the steps of the bot. Each is `[hidden]` without the scope
	// `personal-data:read`.
	Answers map[string]any `json:"answers"`

	// Customer: The profile as it was when the conversation started.
	Customer CustomerExportInteractionConversationCustomer `json:"customer"`

	// Locale: The language of the browser.
	Locale string `json:"locale"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionConversation) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionConversation
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionConversation) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionConversation
	return encode(plain(o), o.Extra)
}

// CustomerExportInteractionConversationCustomer: The profile as it was when the conversation started.
type CustomerExportInteractionConversationCustomer struct {
	// ID: The client's own id of the customer, compared exactly; not `.` or `..`.
	ID string `json:"id"`

	// FirstName: `[hidden]` without the scope `personal-data:read`.
	FirstName string `json:"firstName"`

	// LastName: `[hidden]` without the scope `personal-data:read`.
	LastName string `json:"lastName"`

	// Email: `[hidden]` without the scope `personal-data:read`.
	Email string `json:"email"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionConversationCustomer) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionConversationCustomer
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionConversationCustomer) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionConversationCustomer
	return encode(plain(o), o.Extra)
}

func (o CustomerExportInteractionConversationCustomer) id() string { return o.ID }

// CustomerExportInteractionLink: The link to the conversation. Its URL is a secret and no part of the export.
type CustomerExportInteractionLink struct {
	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	ExpiresAt *string `json:"expiresAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionLink) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionLink
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionLink) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionLink
	return encode(plain(o), o.Extra)
}

// CustomerExportInteractionTranscript: Null until the interaction has started.
type CustomerExportInteractionTranscript struct {
	// Body: Of the customer: `[hidden]` without the scope `personal-data:read`. Of the bot: then `[hidden]` is in place
	// of what was filled in, and of what a model has written.
	Body string `json:"body"`

	// Timestamp: Epoch seconds with fraction.
	Timestamp float64 `json:"timestamp"`

	Type CustomerExportInteractionTranscriptType `json:"type"`

	// Order: The values of choices or rows, in the random order in which they were shown.
	Order []string `json:"order,omitempty"`

	// Consent: Of the answer to a consent: to what. Its instant is `timestamp`.
	Consent *CustomerExportInteractionTranscriptConsent `json:"consent,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionTranscript) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionTranscript
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionTranscript) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionTranscript
	return encode(plain(o), o.Extra)
}

// CustomerExportInteractionTranscriptConsent: Of the answer to a consent: to what. Its instant is `timestamp`.
type CustomerExportInteractionTranscriptConsent struct {
	// Sha256: SHA-256 of the text that was shown, in hexadecimal.
	Sha256 string `json:"sha256"`

	// Locale: The language of the text.
	Locale string `json:"locale"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerExportInteractionTranscriptConsent) UnmarshalJSON(data []byte) error {
	type plain CustomerExportInteractionTranscriptConsent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerExportInteractionTranscriptConsent) MarshalJSON() ([]byte, error) {
	type plain CustomerExportInteractionTranscriptConsent
	return encode(plain(o), o.Extra)
}

// CustomerExportInteractionTranscriptType is an enum of the API. The API may have more values.
type CustomerExportInteractionTranscriptType string

// The values of CustomerExportInteractionTranscriptType.
const (
	CustomerExportInteractionTranscriptTypeBot      CustomerExportInteractionTranscriptType = "bot"
	CustomerExportInteractionTranscriptTypeCustomer CustomerExportInteractionTranscriptType = "customer"
)

// CustomerInteraction is a type of the API.
type CustomerInteraction struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The longer label of the type.
	Type string `json:"type"`

	// Data: JSON text of an `InteractionHistory`; null until the interaction has started.
	Data *string `json:"data"`

	// Context: The names of the properties.
	Context []string `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *CustomerInteraction) UnmarshalJSON(data []byte) error {
	type plain CustomerInteraction
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o CustomerInteraction) MarshalJSON() ([]byte, error) {
	type plain CustomerInteraction
	return encode(plain(o), o.Extra)
}

func (o CustomerInteraction) id() string { return o.ID }

// DeletedCustomers is a type of the API.
type DeletedCustomers struct {
	// Deleted: How many this call has deleted.
	Deleted int `json:"deleted"`

	// HasMore: Whether there may be more: the time of the call was over. Repeat it.
	HasMore bool `json:"hasMore"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeletedCustomers) UnmarshalJSON(data []byte) error {
	type plain DeletedCustomers
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeletedCustomers) MarshalJSON() ([]byte, error) {
	type plain DeletedCustomers
	return encode(plain(o), o.Extra)
}

// DeletedTests is a type of the API.
type DeletedTests struct {
	// Deleted: How many this call has deleted.
	Deleted int `json:"deleted"`

	// HasMore: Whether there may be more: the time of the call was over. Repeat it.
	HasMore bool `json:"hasMore"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeletedTests) UnmarshalJSON(data []byte) error {
	type plain DeletedTests
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeletedTests) MarshalJSON() ([]byte, error) {
	type plain DeletedTests
	return encode(plain(o), o.Extra)
}

// DeliveredEvent is an enum of the API. The API may have more values.
type DeliveredEvent string

// The values of DeliveredEvent.
const (
	DeliveredEventInteractionCreated     DeliveredEvent = "InteractionCreated"
	DeliveredEventInteractionAvailable   DeliveredEvent = "InteractionAvailable"
	DeliveredEventInteractionReminderDue DeliveredEvent = "InteractionReminderDue"
	DeliveredEventInteractionStarted     DeliveredEvent = "InteractionStarted"
	DeliveredEventInteractionStalled     DeliveredEvent = "InteractionStalled"
	DeliveredEventInteractionCompleted   DeliveredEvent = "InteractionCompleted"
	DeliveredEventInteractionExpired     DeliveredEvent = "InteractionExpired"
	DeliveredEventCustomerAnonymised     DeliveredEvent = "CustomerAnonymised"
	DeliveredEventWebhookDeactivated     DeliveredEvent = "WebhookDeactivated"
	DeliveredEventTest                   DeliveredEvent = "Test"
)

// Delivery is a type of the API.
type Delivery struct {
	// ID: Its requests carry it as `x-parley-delivery-id`.
	ID string `json:"id"`

	// Event: Its requests carry it as `x-parley-event`. `Test`: a test event without a name. Null if it is deleted.
	Event *DeliveredEvent `json:"event"`

	// InteractionID: The interaction that the event is about; null for a test, and for an event about no interaction.
	InteractionID *string `json:"interactionId"`

	// IsTest: Whether it is a test event.
	IsTest bool `json:"isTest"`

	// IsTestInteraction: Only if its event is about a test interaction.
	IsTestInteraction *bool `json:"isTestInteraction,omitempty"`

	// WebhookID: The webhook that gets it.
	WebhookID string `json:"webhookId"`

	// WebhookMessageID: The id of the event: its requests carry it as `webhook-id`.
	WebhookMessageID string `json:"webhookMessageId"`

	State DeliveryState `json:"state"`

	// Attempts: How many were made, have ended and are counted.
	Attempts int `json:"attempts"`

	// LastError: The `error` of the last attempt; null after a success, and as long as there is no attempt in the log.
	LastError *string `json:"lastError"`

	// IsUnderWay: An attempt has been in flight for half a second or longer.
	IsUnderWay bool `json:"isUnderWay"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// DueAt: When the next attempt is due; null in flight, while it waits for an earlier one, and in the end.
	DueAt *string `json:"dueAt"`

	// FinishedAt: When it came to its end; null while it is pending.
	FinishedAt *string `json:"finishedAt"`

	// TraceID: Of the call that led to the event (W3C trace context). Its attempts are in this trace too. Null if the
	// event has no trace.
	TraceID *string `json:"traceId"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Delivery) UnmarshalJSON(data []byte) error {
	type plain Delivery
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Delivery) MarshalJSON() ([]byte, error) {
	type plain Delivery
	return encode(plain(o), o.Extra)
}

func (o Delivery) id() string { return o.ID }

// DeliveryBody is a type of the API.
type DeliveryBody struct {
	// Body: The body of each of its requests, byte for byte. Null if the event is deleted. `[hidden]` without the scope
	// `personal-data:read`. Links in it are `[hidden]` without the scope `interactions:write`.
	Body *string `json:"body"`

	// IsRedacted: Whether an anonymisation has replaced it: requests before had the personal data of the customer.
	IsRedacted bool `json:"isRedacted"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeliveryBody) UnmarshalJSON(data []byte) error {
	type plain DeliveryBody
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeliveryBody) MarshalJSON() ([]byte, error) {
	type plain DeliveryBody
	return encode(plain(o), o.Extra)
}

// DeliveryState is an enum of the API. The API may have more values.
type DeliveryState string

// The values of DeliveryState.
const (
	DeliveryStatePending   DeliveryState = "pending"
	DeliveryStateSucceeded DeliveryState = "succeeded"
	DeliveryStateFailed    DeliveryState = "failed"
	DeliveryStateSkipped   DeliveryState = "skipped"
	DeliveryStateDiscarded DeliveryState = "discarded"
)

// Deployment is a type of the API.
type Deployment struct {
	// IsWell: Whether there is no problem.
	IsWell bool `json:"isWell"`

	// CheckedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CheckedAt string `json:"checkedAt"`

	Problems []DeploymentProblem `json:"problems"`

	Services []DeploymentService `json:"services"`

	EventLogs []DeploymentEventLog `json:"eventLogs"`

	Consumers []DeploymentConsumer `json:"consumers"`

	Shards DeploymentShards `json:"shards"`

	// Stream: Null: no replica says.
	Stream *DeploymentStream `json:"stream"`

	Deliveries DeploymentDeliveries `json:"deliveries"`

	// Figures: Null: no replica of the insight service says.
	Figures *DeploymentFigures `json:"figures"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Deployment) UnmarshalJSON(data []byte) error {
	type plain Deployment
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Deployment) MarshalJSON() ([]byte, error) {
	type plain Deployment
	return encode(plain(o), o.Extra)
}

// DeploymentConsumer is a type of the API.
type DeploymentConsumer struct {
	Durable string `json:"durable"`

	IsWell bool `json:"isWell"`

	// Lag: Events that it has not acknowledged. Null: the broker has no such durable, or does not answer.
	Lag *int `json:"lag"`

	// Redelivered: Those among them that were delivered more than once.
	Redelivered *int `json:"redelivered"`

	// PutAside: Events that could not be handled and are tried again. Null: not a consumer of Parley.
	PutAside *int `json:"putAside"`

	// BehindSeconds: The age of the oldest event of the event logs that it should have handled.
	BehindSeconds *float64 `json:"behindSeconds"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentConsumer) UnmarshalJSON(data []byte) error {
	type plain DeploymentConsumer
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentConsumer) MarshalJSON() ([]byte, error) {
	type plain DeploymentConsumer
	return encode(plain(o), o.Extra)
}

// DeploymentDeliveries is a type of the API.
type DeploymentDeliveries struct {
	IsWell bool `json:"isWell"`

	// OldestDueAgeSeconds: The age of the oldest due delivery that could be sent: not of those that wait for their
	// receiver.
	OldestDueAgeSeconds *float64 `json:"oldestDueAgeSeconds"`

	// OpenBreakers: Webhooks with waiting deliveries whose breaker is open, because they fail.
	OpenBreakers *int `json:"openBreakers"`

	// Paused: Webhooks with waiting deliveries that are paused.
	Paused *int `json:"paused"`

	// Egress: Whether each replica of the webhook service can send.
	Egress []DeploymentDeliveriesEgress `json:"egress"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentDeliveries) UnmarshalJSON(data []byte) error {
	type plain DeploymentDeliveries
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentDeliveries) MarshalJSON() ([]byte, error) {
	type plain DeploymentDeliveries
	return encode(plain(o), o.Extra)
}

// DeploymentDeliveriesEgress: Whether each replica of the webhook service can send.
type DeploymentDeliveriesEgress struct {
	// Address: As the gateway reaches it.
	Address string `json:"address"`

	IsUp bool `json:"isUp"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentDeliveriesEgress) UnmarshalJSON(data []byte) error {
	type plain DeploymentDeliveriesEgress
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentDeliveriesEgress) MarshalJSON() ([]byte, error) {
	type plain DeploymentDeliveriesEgress
	return encode(plain(o), o.Extra)
}

// DeploymentEventLog is a type of the API.
type DeploymentEventLog struct {
	Service string `json:"service"`

	IsWell bool `json:"isWell"`

	// Waiting: Events that no consumer can read yet, counted up to 10,000.
	Waiting int `json:"waiting"`

	// OldestAgeSeconds: The age of the oldest of them; 0 without one.
	OldestAgeSeconds float64 `json:"oldestAgeSeconds"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentEventLog) UnmarshalJSON(data []byte) error {
	type plain DeploymentEventLog
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentEventLog) MarshalJSON() ([]byte, error) {
	type plain DeploymentEventLog
	return encode(plain(o), o.Extra)
}

// DeploymentFigures: Null: no replica of the insight service says.
type DeploymentFigures struct {
	// AsOfAgeSeconds: The figures have everything up to then.
	AsOfAgeSeconds float64 `json:"asOfAgeSeconds"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentFigures) UnmarshalJSON(data []byte) error {
	type plain DeploymentFigures
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentFigures) MarshalJSON() ([]byte, error) {
	type plain DeploymentFigures
	return encode(plain(o), o.Extra)
}

// DeploymentProblem is a type of the API.
type DeploymentProblem struct {
	Part DeploymentProblemPart `json:"part"`

	// Subject: What it is about, such as a service, a replica or a durable; may be empty.
	Subject string `json:"subject"`

	// Alert: The alert about it, which has the same limit.
	Alert string `json:"alert"`

	Detail string `json:"detail"`

	RunbookURL string `json:"runbookUrl"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentProblem) UnmarshalJSON(data []byte) error {
	type plain DeploymentProblem
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentProblem) MarshalJSON() ([]byte, error) {
	type plain DeploymentProblem
	return encode(plain(o), o.Extra)
}

// DeploymentProblemPart is an enum of the API. The API may have more values.
type DeploymentProblemPart string

// The values of DeploymentProblemPart.
const (
	DeploymentProblemPartServices   DeploymentProblemPart = "services"
	DeploymentProblemPartEventLogs  DeploymentProblemPart = "eventLogs"
	DeploymentProblemPartConsumers  DeploymentProblemPart = "consumers"
	DeploymentProblemPartShards     DeploymentProblemPart = "shards"
	DeploymentProblemPartStream     DeploymentProblemPart = "stream"
	DeploymentProblemPartDeliveries DeploymentProblemPart = "deliveries"
	DeploymentProblemPartFigures    DeploymentProblemPart = "figures"
)

// DeploymentReplica is a type of the API.
type DeploymentReplica struct {
	// Address: As the gateway reaches it.
	Address string `json:"address"`

	// State: `ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does not answer.
	// `unknown`: it answers calls, but its release does not say.
	State DeploymentReplicaState `json:"state"`

	Host *string `json:"host"`

	Version *string `json:"version"`

	StartedAt *string `json:"startedAt"`

	// SilentSince: Since when it does not answer this gateway. Null: it does.
	SilentSince *string `json:"silentSince"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentReplica) UnmarshalJSON(data []byte) error {
	type plain DeploymentReplica
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentReplica) MarshalJSON() ([]byte, error) {
	type plain DeploymentReplica
	return encode(plain(o), o.Extra)
}

// DeploymentReplicaState: `ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does
// not answer. `unknown`: it answers calls, but its release does not say. The API may have more values.
type DeploymentReplicaState string

// The values of DeploymentReplicaState.
const (
	DeploymentReplicaStateReady    DeploymentReplicaState = "ready"
	DeploymentReplicaStateNotReady DeploymentReplicaState = "not-ready"
	DeploymentReplicaStateSilent   DeploymentReplicaState = "silent"
	DeploymentReplicaStateUnknown  DeploymentReplicaState = "unknown"
)

// DeploymentService is a type of the API.
type DeploymentService struct {
	Name string `json:"name"`

	IsWell bool `json:"isWell"`

	Versions []string `json:"versions"`

	// Replicas: Of the gateway: only the one that answers.
	Replicas []DeploymentReplica `json:"replicas"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentService) UnmarshalJSON(data []byte) error {
	type plain DeploymentService
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentService) MarshalJSON() ([]byte, error) {
	type plain DeploymentService
	return encode(plain(o), o.Extra)
}

// DeploymentShards is a type of the API.
type DeploymentShards struct {
	IsWell bool `json:"isWell"`

	Total int `json:"total"`

	// Unowned: Those without an owner. Null: a replica does not say what it owns.
	Unowned *int `json:"unowned"`

	Owners []DeploymentShardsOwner `json:"owners"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentShards) UnmarshalJSON(data []byte) error {
	type plain DeploymentShards
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentShards) MarshalJSON() ([]byte, error) {
	type plain DeploymentShards
	return encode(plain(o), o.Extra)
}

// DeploymentShardsOwner is a type of the API.
type DeploymentShardsOwner struct {
	// Address: As the gateway reaches it.
	Address string `json:"address"`

	Shards int `json:"shards"`

	// Since: When it last gained or lost shards.
	Since *string `json:"since"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentShardsOwner) UnmarshalJSON(data []byte) error {
	type plain DeploymentShardsOwner
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentShardsOwner) MarshalJSON() ([]byte, error) {
	type plain DeploymentShardsOwner
	return encode(plain(o), o.Extra)
}

// DeploymentStream is a type of the API.
type DeploymentStream struct {
	Name string `json:"name"`

	IsWell bool `json:"isWell"`

	Replicas DeploymentStreamReplicas `json:"replicas"`

	// Leader: The server that leads it. Null: none, a server without a cluster, or not known.
	Leader *string `json:"leader"`

	Messages *int `json:"messages"`

	Bytes *int `json:"bytes"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentStream) UnmarshalJSON(data []byte) error {
	type plain DeploymentStream
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentStream) MarshalJSON() ([]byte, error) {
	type plain DeploymentStream
	return encode(plain(o), o.Extra)
}

// DeploymentStreamReplicas is a type of the API.
type DeploymentStreamReplicas struct {
	// Set: Those that it must have.
	Set int `json:"set"`

	// Configured: Those that it has by its configuration.
	Configured int `json:"configured"`

	// Online: Those that are up to date; 0 without a leader or a quorum.
	Online int `json:"online"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DeploymentStreamReplicas) UnmarshalJSON(data []byte) error {
	type plain DeploymentStreamReplicas
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DeploymentStreamReplicas) MarshalJSON() ([]byte, error) {
	type plain DeploymentStreamReplicas
	return encode(plain(o), o.Extra)
}

// DifferenceGroup is a type of the API.
type DifferenceGroup struct {
	// Count: How many go differently in this way.
	Count int `json:"count"`

	// Newest: The newest of them. The texts and values are from it.
	Newest ConversationDifference `json:"newest"`

	// Texts: What the customer hears otherwise; the first 10. Long texts are cut around the difference.
	Texts []DifferenceGroupText `json:"texts"`

	// Evaluation: The values of the evaluation that differ; the first 10. Long texts are cut around the difference.
	Evaluation []DifferenceGroupEvaluation `json:"evaluation"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DifferenceGroup) UnmarshalJSON(data []byte) error {
	type plain DifferenceGroup
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DifferenceGroup) MarshalJSON() ([]byte, error) {
	type plain DifferenceGroup
	return encode(plain(o), o.Extra)
}

// DifferenceGroupEvaluation: The values of the evaluation that differ; the first 10. Long texts are cut around the
// difference.
type DifferenceGroupEvaluation struct {
	Key string `json:"key"`

	// Before: Null: there is none.
	Before *string `json:"before"`

	// After: Null: there is none.
	After *string `json:"after"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DifferenceGroupEvaluation) UnmarshalJSON(data []byte) error {
	type plain DifferenceGroupEvaluation
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DifferenceGroupEvaluation) MarshalJSON() ([]byte, error) {
	type plain DifferenceGroupEvaluation
	return encode(plain(o), o.Extra)
}

// DifferenceGroupText: What the customer hears otherwise; the first 10. Long texts are cut around the difference.
type DifferenceGroupText struct {
	// StepID: The question; null at the end.
	StepID *string `json:"stepId"`

	Before string `json:"before"`

	After string `json:"after"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *DifferenceGroupText) UnmarshalJSON(data []byte) error {
	type plain DifferenceGroupText
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o DifferenceGroupText) MarshalJSON() ([]byte, error) {
	type plain DifferenceGroupText
	return encode(plain(o), o.Extra)
}

// Erasure is a type of the API.
type Erasure struct {
	ID string `json:"id"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	Kind ErasureKind `json:"kind"`

	// RequestedAt: UTC, ISO 8601 with six fractional digits and no zone.
	RequestedAt string `json:"requestedAt"`

	// CompletedAt: Null while it runs.
	CompletedAt *string `json:"completedAt"`

	// RequestedBy: The API key or the `personId` of its first call, or of the deletion that an anonymisation has become.
	RequestedBy string `json:"requestedBy"`

	Stores []ErasureStore `json:"stores"`

	// Receipt: Null while it runs. A JWS (RFC 7515, compact, Ed25519) over the JSON of the other fields.
	// `/.well-known/parley/erasure-keys` has the keys that verify it.
	Receipt *string `json:"receipt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Erasure) UnmarshalJSON(data []byte) error {
	type plain Erasure
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Erasure) MarshalJSON() ([]byte, error) {
	type plain Erasure
	return encode(plain(o), o.Extra)
}

func (o Erasure) id() string { return o.ID }

// ErasureKind is an enum of the API. The API may have more values.
type ErasureKind string

// The values of ErasureKind.
const (
	ErasureKindAnonymisation ErasureKind = "anonymisation"
	ErasureKindDeletion      ErasureKind = "deletion"
)

// ErasureStore is a type of the API.
type ErasureStore struct {
	Store ErasureStoreStore `json:"store"`

	// Removed: How many records have lost their personal data so far: the customer, its interactions, the bodies of its
	// events. Another anonymisation of the customer, while this one runs, restarts the count.
	Removed int `json:"removed"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ErasureStore) UnmarshalJSON(data []byte) error {
	type plain ErasureStore
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ErasureStore) MarshalJSON() ([]byte, error) {
	type plain ErasureStore
	return encode(plain(o), o.Extra)
}

// ErasureStoreStore is an enum of the API. The API may have more values.
type ErasureStoreStore string

// The values of ErasureStoreStore.
const (
	ErasureStoreStoreCustomer    ErasureStoreStore = "customer"
	ErasureStoreStoreInteraction ErasureStoreStore = "interaction"
	ErasureStoreStoreWebhook     ErasureStoreStore = "webhook"
)

// EventName is an enum of the API. The API may have more values.
type EventName string

// The values of EventName.
const (
	EventNameInteractionCreated     EventName = "InteractionCreated"
	EventNameInteractionAvailable   EventName = "InteractionAvailable"
	EventNameInteractionReminderDue EventName = "InteractionReminderDue"
	EventNameInteractionStarted     EventName = "InteractionStarted"
	EventNameInteractionStalled     EventName = "InteractionStalled"
	EventNameInteractionCompleted   EventName = "InteractionCompleted"
	EventNameInteractionExpired     EventName = "InteractionExpired"
	EventNameCustomerAnonymised     EventName = "CustomerAnonymised"
	EventNameWebhookDeactivated     EventName = "WebhookDeactivated"
)

// EventType is a type of the API.
type EventType struct {
	Name EventName `json:"name"`

	Description string `json:"description"`

	// Schema: The JSON Schema of the body.
	Schema map[string]any `json:"schema"`

	// Example: A body with the envelope.
	Example map[string]any `json:"example"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *EventType) UnmarshalJSON(data []byte) error {
	type plain EventType
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o EventType) MarshalJSON() ([]byte, error) {
	type plain EventType
	return encode(plain(o), o.Extra)
}

// ExportedInteraction: An interaction of an export.
type ExportedInteraction struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	Context []InteractionContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	// Data: Null until the conversation has started.
	Data *InteractionHistory `json:"data"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	UpdatedAt string `json:"updatedAt"`

	// Cursor: An export with this `cursor` goes on behind the interaction.
	Cursor string `json:"cursor"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ExportedInteraction) UnmarshalJSON(data []byte) error {
	type plain ExportedInteraction
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ExportedInteraction) MarshalJSON() ([]byte, error) {
	type plain ExportedInteraction
	return encode(plain(o), o.Extra)
}

func (o ExportedInteraction) id() string { return o.ID }

// Failure is a type of the API.
type Failure struct {
	Success bool `json:"success"`

	// Code: The HTTP status.
	Code int `json:"code"`

	// Detail: For people.
	Detail string `json:"detail"`

	// Data: null, but for `stale-sequence`: the current snapshot.
	Data any `json:"data"`

	Meta any `json:"meta"`

	// Type: For programs: a stable slug per cause.
	Type string `json:"type"`

	RequestID string `json:"requestId"`

	// Errors: Every fault of the request, the first hundred of them: with `invalid-request`, `malformed-json`, and, if
	// they name what the key may not do, `missing-scope` and `stronger-key`; with `invalid-cursor`, the cursor.
	Errors []FailureError `json:"errors,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Failure) UnmarshalJSON(data []byte) error {
	type plain Failure
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Failure) MarshalJSON() ([]byte, error) {
	type plain Failure
	return encode(plain(o), o.Extra)
}

// FailureError: Every fault of the request, the first hundred of them: with `invalid-request`, `malformed-json`, and,
// if they name what the key may not do, `missing-scope` and `stronger-key`; with `invalid-cursor`, the cursor.
type FailureError struct {
	// Pointer: A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields.
	Pointer string `json:"pointer"`

	Detail string `json:"detail"`

	// RetryAt: Of `contact-limit`: when it is allowed again.
	RetryAt *string `json:"retryAt,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *FailureError) UnmarshalJSON(data []byte) error {
	type plain FailureError
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o FailureError) MarshalJSON() ([]byte, error) {
	type plain FailureError
	return encode(plain(o), o.Extra)
}

// GetInteractionEmailBlockFormat: Default: `"html"`. The API may have more values.
type GetInteractionEmailBlockFormat string

// The values of GetInteractionEmailBlockFormat.
const (
	GetInteractionEmailBlockFormatHtml GetInteractionEmailBlockFormat = "html"
	GetInteractionEmailBlockFormatText GetInteractionEmailBlockFormat = "text"
)

// GetInteractionQrFormat: SVG can be printed in any size. Default: `"svg"`. The API may have more values.
type GetInteractionQrFormat string

// The values of GetInteractionQrFormat.
const (
	GetInteractionQrFormatSvg GetInteractionQrFormat = "svg"
	GetInteractionQrFormatPng GetInteractionQrFormat = "png"
)

// GetOpenLinkQrFormat: SVG can be printed in any size. Default: `"svg"`. The API may have more values.
type GetOpenLinkQrFormat string

// The values of GetOpenLinkQrFormat.
const (
	GetOpenLinkQrFormatSvg GetOpenLinkQrFormat = "svg"
	GetOpenLinkQrFormatPng GetOpenLinkQrFormat = "png"
)

// Input: The current question with the fields of its type. `min` and `max` are numbers for nps, rating and number,
// `YYYY-MM-DD` for date, `HH:MM` for time. `labels` are those of `yes` and `no`, or of the `low` and `high` end.
// `prefill` is the first content of the field.
type Input struct {
	StepID string `json:"stepId"`

	Type InputType `json:"type"`

	Required bool `json:"required"`

	Choices []InputChoice `json:"choices,omitempty"`

	Other *InputOther `json:"other,omitempty"`

	RankMax *int `json:"rankMax,omitempty"`

	Rows []InputRow `json:"rows,omitempty"`

	Columns []InputColumn `json:"columns,omitempty"`

	RowsRequired *bool `json:"rowsRequired,omitempty"`

	Label *string `json:"label,omitempty"`

	URL *string `json:"url,omitempty"`

	Min any `json:"min,omitempty"`

	Max any `json:"max,omitempty"`

	MinLength *int `json:"minLength,omitempty"`

	MaxLength *int `json:"maxLength,omitempty"`

	MinSelections *int `json:"minSelections,omitempty"`

	MaxSelections *int `json:"maxSelections,omitempty"`

	Labels map[string]string `json:"labels,omitempty"`

	Prefill any `json:"prefill,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Input) UnmarshalJSON(data []byte) error {
	type plain Input
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Input) MarshalJSON() ([]byte, error) {
	type plain Input
	return encode(plain(o), o.Extra)
}

// InputChoice is a type of the API.
type InputChoice struct {
	Value string `json:"value"`

	Label string `json:"label"`

	Exclusive *bool `json:"exclusive,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InputChoice) UnmarshalJSON(data []byte) error {
	type plain InputChoice
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InputChoice) MarshalJSON() ([]byte, error) {
	type plain InputChoice
	return encode(plain(o), o.Extra)
}

// InputColumn is a type of the API.
type InputColumn struct {
	Value string `json:"value"`

	Label string `json:"label"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InputColumn) UnmarshalJSON(data []byte) error {
	type plain InputColumn
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InputColumn) MarshalJSON() ([]byte, error) {
	type plain InputColumn
	return encode(plain(o), o.Extra)
}

// InputOther is a type of the API.
type InputOther struct {
	Label string `json:"label"`

	MaxLength int `json:"maxLength"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InputOther) UnmarshalJSON(data []byte) error {
	type plain InputOther
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InputOther) MarshalJSON() ([]byte, error) {
	type plain InputOther
	return encode(plain(o), o.Extra)
}

// InputPrefill is a type of the API.
type InputPrefill struct {
	Other string `json:"other"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InputPrefill) UnmarshalJSON(data []byte) error {
	type plain InputPrefill
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InputPrefill) MarshalJSON() ([]byte, error) {
	type plain InputPrefill
	return encode(plain(o), o.Extra)
}

// InputRow is a type of the API.
type InputRow struct {
	Value string `json:"value"`

	Label string `json:"label"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InputRow) UnmarshalJSON(data []byte) error {
	type plain InputRow
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InputRow) MarshalJSON() ([]byte, error) {
	type plain InputRow
	return encode(plain(o), o.Extra)
}

// InputType is an enum of the API. The API may have more values.
type InputType string

// The values of InputType.
const (
	InputTypeText        InputType = "text"
	InputTypeLongText    InputType = "longText"
	InputTypeEmail       InputType = "email"
	InputTypePhone       InputType = "phone"
	InputTypeURL         InputType = "url"
	InputTypeChoice      InputType = "choice"
	InputTypeMultiChoice InputType = "multiChoice"
	InputTypeNPS         InputType = "nps"
	InputTypeRating      InputType = "rating"
	InputTypeNumber      InputType = "number"
	InputTypeYesNo       InputType = "yesNo"
	InputTypeDate        InputType = "date"
	InputTypeTime        InputType = "time"
	InputTypeRanking     InputType = "ranking"
	InputTypeMatrix      InputType = "matrix"
	InputTypeConsent     InputType = "consent"
)

// Insight is a type of the API.
type Insight struct {
	Bot InsightBot `json:"bot"`

	// From: The start of the window, inclusive.
	From string `json:"from"`

	// To: The end of the window, exclusive.
	To string `json:"to"`

	// AsOf: The figures have everything that was committed until then.
	AsOf string `json:"asOf"`

	Totals InsightTotals `json:"totals"`

	Previous *InsightPrevious `json:"previous,omitempty"`

	// Steps: Questions and chats in the order of the newest version, then those of older versions only.
	Steps []InsightStep `json:"steps"`

	// Ways: The ways between steps of all kinds that were taken, in the order of the newest version, then those of steps
	// of older versions only. Absent if none is known.
	Ways []InsightWay `json:"ways,omitempty"`

	// Evaluation: By key, in the order of the newest version: of nps (`InsightNps`), rating and number
	// (`InsightNumbers`), choice, multiChoice, yesNo and consent (`InsightCounts`), ranking (`InsightRanking`), matrix
	// (`InsightMatrix`), and of texts and personal keys (`InsightTexts`)
	Evaluation map[string]OneOf `json:"evaluation"`

	// Days: Every day that the window touches.
	Days []InsightDay `json:"days"`

	// Weeks: The score of every week that the window touches, of the days in the window. Absent if the bot has no nps
	// key.
	Weeks []InsightWeek `json:"weeks,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Insight) UnmarshalJSON(data []byte) error {
	type plain Insight
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Insight) MarshalJSON() ([]byte, error) {
	type plain Insight
	return encode(plain(o), o.Extra)
}

// InsightBot is a type of the API.
type InsightBot struct {
	ID string `json:"id"`

	// Key: The `key` of the bot's definition.
	Key string `json:"key"`

	Name string `json:"name"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightBot) UnmarshalJSON(data []byte) error {
	type plain InsightBot
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightBot) MarshalJSON() ([]byte, error) {
	type plain InsightBot
	return encode(plain(o), o.Extra)
}

func (o InsightBot) id() string { return o.ID }

// InsightCounts is a type of the API.
type InsightCounts struct {
	// N: Started interactions that have the key, completed or not.
	N int `json:"n"`

	// Counts: How many have each choice; of multiChoice, an interaction may have several. Own words count as `other`.
	Counts map[string]int `json:"counts"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightCounts) UnmarshalJSON(data []byte) error {
	type plain InsightCounts
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightCounts) MarshalJSON() ([]byte, error) {
	type plain InsightCounts
	return encode(plain(o), o.Extra)
}

// InsightDay is a type of the API.
type InsightDay struct {
	// Date: In the time zone of `tz`.
	Date string `json:"date"`

	// Created: Interactions created on this day, imports excepted.
	Created int `json:"created"`

	// Started: Of these, those that are started by now.
	Started int `json:"started"`

	// Completed: Of these, those that are completed by now.
	Completed int `json:"completed"`

	// NPS: The score of the started ones over the first nps key of `evaluation`; null without an answer. Absent if the
	// bot has no nps key.
	NPS *float64 `json:"nps,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightDay) UnmarshalJSON(data []byte) error {
	type plain InsightDay
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightDay) MarshalJSON() ([]byte, error) {
	type plain InsightDay
	return encode(plain(o), o.Extra)
}

// InsightMatrix is a type of the API.
type InsightMatrix struct {
	// N: Started interactions that have the key, completed or not.
	N int `json:"n"`

	// Rows: In the order of the question.
	Rows []InsightMatrixRow `json:"rows"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightMatrix) UnmarshalJSON(data []byte) error {
	type plain InsightMatrix
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightMatrix) MarshalJSON() ([]byte, error) {
	type plain InsightMatrix
	return encode(plain(o), o.Extra)
}

// InsightMatrixRow: In the order of the question.
type InsightMatrixRow struct {
	Value string `json:"value"`

	// Counts: How many have chosen each column.
	Counts map[string]int `json:"counts"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightMatrixRow) UnmarshalJSON(data []byte) error {
	type plain InsightMatrixRow
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightMatrixRow) MarshalJSON() ([]byte, error) {
	type plain InsightMatrixRow
	return encode(plain(o), o.Extra)
}

// InsightNPS is a type of the API.
type InsightNPS struct {
	// N: Started interactions that have the key, completed or not.
	N int `json:"n"`

	// Score: `100 · (promoters − detractors) / n`; null without an answer.
	Score *float64 `json:"score"`

	// Margin: `196 · √((p + d − (p − d)²) / n)`, p and d being the shares of promoters and detractors: with 95 %, the
	// true score is within `score` ± `margin`. Unreliable under 30 answers; null without an answer.
	Margin *float64 `json:"margin"`

	// Promoters: Scores of 9 and 10.
	Promoters int `json:"promoters"`

	// Passives: Scores of 7 and 8.
	Passives int `json:"passives"`

	// Detractors: Scores of 0 to 6.
	Detractors int `json:"detractors"`

	// Distribution: How many have each value, rising; for a number at most the 1,000 most frequent ones.
	Distribution map[string]int `json:"distribution"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightNPS) UnmarshalJSON(data []byte) error {
	type plain InsightNPS
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightNPS) MarshalJSON() ([]byte, error) {
	type plain InsightNPS
	return encode(plain(o), o.Extra)
}

// InsightNumbers is a type of the API.
type InsightNumbers struct {
	// N: Started interactions that have the key, completed or not.
	N int `json:"n"`

	// Mean: The mean; null without a value.
	Mean *float64 `json:"mean"`

	// Median: The mean of the middle two of an even number of values.
	Median *float64 `json:"median"`

	// Distribution: How many have each value, rising; for a number at most the 1,000 most frequent ones.
	Distribution map[string]int `json:"distribution"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightNumbers) UnmarshalJSON(data []byte) error {
	type plain InsightNumbers
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightNumbers) MarshalJSON() ([]byte, error) {
	type plain InsightNumbers
	return encode(plain(o), o.Extra)
}

// InsightPrevious: The totals of the window of the same length before this one, with `compare=previous`.
type InsightPrevious struct {
	// From: UTC, ISO 8601 with six fractional digits and no zone.
	From string `json:"from"`

	// To: UTC, ISO 8601 with six fractional digits and no zone.
	To string `json:"to"`

	// Created: Interactions created in the window, imports excepted.
	Created int `json:"created"`

	// Started: Of the created ones, those with an answered or skipped question.
	Started int `json:"started"`

	// Completed: Of the started ones, those that are `Completed` now.
	Completed int `json:"completed"`

	// Expired: Of the started ones, those that are `Expired` now.
	Expired int `json:"expired"`

	// Stalled: Of the started ones, those in progress that nobody has answered for `stalledAfterSeconds`.
	Stalled int `json:"stalled"`

	// Active: Of the started ones, those in progress and not stalled.
	Active int `json:"active"`

	// Unknown: Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if
	// there is none.
	Unknown *int `json:"unknown,omitempty"`

	// StartRate: `started / created`; null if none was created.
	StartRate *float64 `json:"startRate"`

	// CompletionRate: `completed / started`; null if none was started.
	CompletionRate *float64 `json:"completionRate"`

	// TimeToComplete: From the start to the completion, of the completed ones.
	TimeToComplete InsightTimes `json:"timeToComplete"`

	// ActiveSeconds: As `timeToComplete`, each pause counted as at most 30 minutes.
	ActiveSeconds InsightTimes `json:"activeSeconds"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightPrevious) UnmarshalJSON(data []byte) error {
	type plain InsightPrevious
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightPrevious) MarshalJSON() ([]byte, error) {
	type plain InsightPrevious
	return encode(plain(o), o.Extra)
}

// InsightRanking is a type of the API.
type InsightRanking struct {
	// N: Started interactions that have the key, completed or not.
	N int `json:"n"`

	// Items: In the order of the question.
	Items []InsightRankingItem `json:"items"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightRanking) UnmarshalJSON(data []byte) error {
	type plain InsightRanking
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightRanking) MarshalJSON() ([]byte, error) {
	type plain InsightRanking
	return encode(plain(o), o.Extra)
}

// InsightRankingItem: In the order of the question.
type InsightRankingItem struct {
	Value string `json:"value"`

	// MeanRank: Of the answers that give it a place; null without any.
	MeanRank *float64 `json:"meanRank"`

	// First: How many have put it first.
	First int `json:"first"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightRankingItem) UnmarshalJSON(data []byte) error {
	type plain InsightRankingItem
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightRankingItem) MarshalJSON() ([]byte, error) {
	type plain InsightRankingItem
	return encode(plain(o), o.Extra)
}

// InsightStep is a type of the API.
type InsightStep struct {
	// StepID: Steps are joined over versions by their id.
	StepID string `json:"stepId"`

	Kind InsightStepKind `json:"kind"`

	// Text: The question in the language of the bot; null for a chat of a model.
	Text *string `json:"text"`

	// Since: When the first version with the step was published.
	Since string `json:"since"`

	// Seen: Interactions that have shown the step.
	Seen int `json:"seen"`

	// Answered: Interactions that have answered it.
	Answered int `json:"answered"`

	// Skipped: Interactions that have skipped it.
	Skipped int `json:"skipped"`

	// Dropped: Interactions that are expired or stalled, and this was the last step shown.
	Dropped int `json:"dropped"`

	// DropRate: `dropped / seen`; null if it was never seen.
	DropRate *float64 `json:"dropRate"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightStep) UnmarshalJSON(data []byte) error {
	type plain InsightStep
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightStep) MarshalJSON() ([]byte, error) {
	type plain InsightStep
	return encode(plain(o), o.Extra)
}

// InsightStepKind is an enum of the API. The API may have more values.
type InsightStepKind string

// The values of InsightStepKind.
const (
	InsightStepKindAsk InsightStepKind = "ask"
	InsightStepKindLlm InsightStepKind = "llm"
)

// InsightTexts is a type of the API.
type InsightTexts struct {
	// N: Started interactions that have the key, completed or not.
	N int `json:"n"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightTexts) UnmarshalJSON(data []byte) error {
	type plain InsightTexts
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightTexts) MarshalJSON() ([]byte, error) {
	type plain InsightTexts
	return encode(plain(o), o.Extra)
}

// InsightTimes is a type of the API.
type InsightTimes struct {
	// N: How many interactions have this time.
	N int `json:"n"`

	// MedianSeconds: The median, at most 5 % off; null without a time.
	MedianSeconds *float64 `json:"medianSeconds"`

	// P90Seconds: Nine of ten took at most this long, at most 5 % off; null without a time.
	P90Seconds *float64 `json:"p90Seconds"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightTimes) UnmarshalJSON(data []byte) error {
	type plain InsightTimes
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightTimes) MarshalJSON() ([]byte, error) {
	type plain InsightTimes
	return encode(plain(o), o.Extra)
}

// InsightTotals is a type of the API.
type InsightTotals struct {
	// Created: Interactions created in the window, imports excepted.
	Created int `json:"created"`

	// Started: Of the created ones, those with an answered or skipped question.
	Started int `json:"started"`

	// Completed: Of the started ones, those that are `Completed` now.
	Completed int `json:"completed"`

	// Expired: Of the started ones, those that are `Expired` now.
	Expired int `json:"expired"`

	// Stalled: Of the started ones, those in progress that nobody has answered for `stalledAfterSeconds`.
	Stalled int `json:"stalled"`

	// Active: Of the started ones, those in progress and not stalled.
	Active int `json:"active"`

	// Unknown: Of the created ones, those whose conversation cannot be read, so that they count nowhere else. Absent if
	// there is none.
	Unknown *int `json:"unknown,omitempty"`

	// StartRate: `started / created`; null if none was created.
	StartRate *float64 `json:"startRate"`

	// CompletionRate: `completed / started`; null if none was started.
	CompletionRate *float64 `json:"completionRate"`

	// TimeToComplete: From the start to the completion, of the completed ones.
	TimeToComplete InsightTimes `json:"timeToComplete"`

	// ActiveSeconds: As `timeToComplete`, each pause counted as at most 30 minutes.
	ActiveSeconds InsightTimes `json:"activeSeconds"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightTotals) UnmarshalJSON(data []byte) error {
	type plain InsightTotals
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightTotals) MarshalJSON() ([]byte, error) {
	type plain InsightTotals
	return encode(plain(o), o.Extra)
}

// InsightWay is a type of the API.
type InsightWay struct {
	// From: The id of the step that it leaves.
	From string `json:"from"`

	// To: The id of the step to which it leads: also `from` itself.
	To string `json:"to"`

	// N: Interactions that have taken it, once or more.
	N int `json:"n"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightWay) UnmarshalJSON(data []byte) error {
	type plain InsightWay
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightWay) MarshalJSON() ([]byte, error) {
	type plain InsightWay
	return encode(plain(o), o.Extra)
}

// InsightWeek is a type of the API.
type InsightWeek struct {
	// Date: Its Monday. It may be before the window.
	Date string `json:"date"`

	// N: How many have answered.
	N int `json:"n"`

	// NPS: The score, as in `days`; null without an answer.
	NPS *float64 `json:"nps"`

	// Margin: As in `evaluation`; null without an answer.
	Margin *float64 `json:"margin"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InsightWeek) UnmarshalJSON(data []byte) error {
	type plain InsightWeek
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InsightWeek) MarshalJSON() ([]byte, error) {
	type plain InsightWeek
	return encode(plain(o), o.Extra)
}

// Interaction is a type of the API.
type Interaction struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: JSON text of an `InteractionHistory`; null until the interaction has started.
	Data *string `json:"data"`

	Context []InteractionContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Interaction) UnmarshalJSON(data []byte) error {
	type plain Interaction
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Interaction) MarshalJSON() ([]byte, error) {
	type plain Interaction
	return encode(plain(o), o.Extra)
}

func (o Interaction) id() string { return o.ID }

// InteractionAvailableEvent is a type of the API.
type InteractionAvailableEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionAvailableEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionAvailableEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionAvailableEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionAvailableEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionAvailableEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionAvailableEvent) id() string { return o.ID }

// InteractionAvailableEventData is a type of the API.
type InteractionAvailableEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionAvailableEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionAvailableEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionAvailableEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionAvailableEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionAvailableEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionAvailableEventData) id() string { return o.ID }

// InteractionAvailableEventDataContext is a type of the API.
type InteractionAvailableEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionAvailableEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionAvailableEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionAvailableEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionAvailableEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionChange is a type of the API.
type InteractionChange struct {
	Status InteractionStatus `json:"status,omitempty"`

	Priority Priority `json:"priority,omitempty"`

	// Expiry: Seconds from the request; 0 and null mean none.
	Expiry *Field[float64] `json:"expiry,omitempty"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once.
	AvailableFrom *Field[string] `json:"availableFrom,omitempty"`

	// IgnoreContactPolicy: Offers the conversation also beyond the contact policy. The audit log has it.
	IgnoreContactPolicy *bool `json:"ignoreContactPolicy,omitempty"`
}

// InteractionCompletedEvent is a type of the API.
type InteractionCompletedEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionCompletedEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionCompletedEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionCompletedEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionCompletedEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionCompletedEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionCompletedEvent) id() string { return o.ID }

// InteractionCompletedEventData is a type of the API.
type InteractionCompletedEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionCompletedEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	Result InteractionHistory `json:"result"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionCompletedEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionCompletedEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionCompletedEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionCompletedEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionCompletedEventData) id() string { return o.ID }

// InteractionCompletedEventDataContext is a type of the API.
type InteractionCompletedEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionCompletedEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionCompletedEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionCompletedEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionCompletedEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionContext is a type of the API.
type InteractionContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionContext) UnmarshalJSON(data []byte) error {
	type plain InteractionContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionContext) MarshalJSON() ([]byte, error) {
	type plain InteractionContext
	return encode(plain(o), o.Extra)
}

// InteractionCreatedEvent is a type of the API.
type InteractionCreatedEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionCreatedEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionCreatedEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionCreatedEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionCreatedEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionCreatedEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionCreatedEvent) id() string { return o.ID }

// InteractionCreatedEventData is a type of the API.
type InteractionCreatedEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionCreatedEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionCreatedEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionCreatedEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionCreatedEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionCreatedEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionCreatedEventData) id() string { return o.ID }

// InteractionCreatedEventDataContext is a type of the API.
type InteractionCreatedEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionCreatedEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionCreatedEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionCreatedEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionCreatedEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionDetails: Only with `include=details`.
type InteractionDetails struct {
	BotID string `json:"botId"`

	// BotVersion: That the conversation runs on; null until it has started.
	BotVersion *int `json:"botVersion"`

	// StartedAt: When the conversation started first.
	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// UpdatedAt: When it changed last.
	UpdatedAt string `json:"updatedAt"`

	// Withdrawn: The numbers of the entries, from 1, that count no more since an answer was revised.
	Withdrawn []int `json:"withdrawn,omitempty"`

	// Reminders: Those that are still to come. Only of one interaction that is `Pending`.
	Reminders []InteractionDetailsReminder `json:"reminders,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionDetails) UnmarshalJSON(data []byte) error {
	type plain InteractionDetails
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionDetails) MarshalJSON() ([]byte, error) {
	type plain InteractionDetails
	return encode(plain(o), o.Extra)
}

// InteractionDetailsReminder: Those that are still to come. Only of one interaction that is `Pending`.
type InteractionDetailsReminder struct {
	// Number: From 1, in the order of the bot.
	Number int `json:"number"`

	// DueAt: UTC, ISO 8601 with six fractional digits and no zone.
	DueAt string `json:"dueAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionDetailsReminder) UnmarshalJSON(data []byte) error {
	type plain InteractionDetailsReminder
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionDetailsReminder) MarshalJSON() ([]byte, error) {
	type plain InteractionDetailsReminder
	return encode(plain(o), o.Extra)
}

// InteractionExpiredEvent is a type of the API.
type InteractionExpiredEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionExpiredEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionExpiredEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionExpiredEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionExpiredEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionExpiredEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionExpiredEvent) id() string { return o.ID }

// InteractionExpiredEventData is a type of the API.
type InteractionExpiredEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionExpiredEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// Reason: Its time was over, by a call, or with its customer.
	Reason InteractionExpiredEventDataReason `json:"reason"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionExpiredEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionExpiredEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionExpiredEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionExpiredEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionExpiredEventData) id() string { return o.ID }

// InteractionExpiredEventDataContext is a type of the API.
type InteractionExpiredEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionExpiredEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionExpiredEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionExpiredEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionExpiredEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionExpiredEventDataReason: Its time was over, by a call, or with its customer. The API may have more values.
type InteractionExpiredEventDataReason string

// The values of InteractionExpiredEventDataReason.
const (
	InteractionExpiredEventDataReasonClock      InteractionExpiredEventDataReason = "clock"
	InteractionExpiredEventDataReasonClient     InteractionExpiredEventDataReason = "client"
	InteractionExpiredEventDataReasonAnonymised InteractionExpiredEventDataReason = "anonymised"
)

// InteractionHistory is a type of the API.
type InteractionHistory struct {
	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customer_id"`

	InteractionID string `json:"interaction_id"`

	// Evaluation: By the keys of the bot. The values of personal keys are `[hidden]` without the scope
	// `personal-data:read`.
	Evaluation map[string]string `json:"evaluation"`

	Transcript []InteractionHistoryTranscript `json:"transcript"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionHistory) UnmarshalJSON(data []byte) error {
	type plain InteractionHistory
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionHistory) MarshalJSON() ([]byte, error) {
	type plain InteractionHistory
	return encode(plain(o), o.Extra)
}

// InteractionHistoryTranscript is a type of the API.
type InteractionHistoryTranscript struct {
	// Body: Of the customer: `[hidden]` without the scope `personal-data:read`. Of the bot: then `[hidden]` is in place
	// of what was filled in, and of what a model has written.
	Body string `json:"body"`

	// Timestamp: Epoch seconds with fraction.
	Timestamp float64 `json:"timestamp"`

	Type InteractionHistoryTranscriptType `json:"type"`

	// Order: The values of choices or rows, in the random order in which they were shown.
	Order []string `json:"order,omitempty"`

	// Consent: Of the answer to a consent: to what. Its instant is `timestamp`.
	Consent *InteractionHistoryTranscriptConsent `json:"consent,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionHistoryTranscript) UnmarshalJSON(data []byte) error {
	type plain InteractionHistoryTranscript
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionHistoryTranscript) MarshalJSON() ([]byte, error) {
	type plain InteractionHistoryTranscript
	return encode(plain(o), o.Extra)
}

// InteractionHistoryTranscriptConsent: Of the answer to a consent: to what. Its instant is `timestamp`.
type InteractionHistoryTranscriptConsent struct {
	// Sha256: SHA-256 of the text that was shown, in hexadecimal.
	Sha256 string `json:"sha256"`

	// Locale: The language of the text.
	Locale string `json:"locale"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionHistoryTranscriptConsent) UnmarshalJSON(data []byte) error {
	type plain InteractionHistoryTranscriptConsent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionHistoryTranscriptConsent) MarshalJSON() ([]byte, error) {
	type plain InteractionHistoryTranscriptConsent
	return encode(plain(o), o.Extra)
}

// InteractionHistoryTranscriptType is an enum of the API. The API may have more values.
type InteractionHistoryTranscriptType string

// The values of InteractionHistoryTranscriptType.
const (
	InteractionHistoryTranscriptTypeBot      InteractionHistoryTranscriptType = "bot"
	InteractionHistoryTranscriptTypeCustomer InteractionHistoryTranscriptType = "customer"
)

// InteractionReminderDueEvent is a type of the API.
type InteractionReminderDueEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionReminderDueEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionReminderDueEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionReminderDueEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionReminderDueEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionReminderDueEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionReminderDueEvent) id() string { return o.ID }

// InteractionReminderDueEventData is a type of the API.
type InteractionReminderDueEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionReminderDueEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// Number: From 1, in the order of the bot.
	Number int `json:"number"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionReminderDueEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionReminderDueEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionReminderDueEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionReminderDueEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionReminderDueEventData) id() string { return o.ID }

// InteractionReminderDueEventDataContext is a type of the API.
type InteractionReminderDueEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionReminderDueEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionReminderDueEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionReminderDueEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionReminderDueEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionStalledEvent is a type of the API.
type InteractionStalledEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionStalledEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionStalledEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionStalledEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionStalledEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionStalledEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionStalledEvent) id() string { return o.ID }

// InteractionStalledEventData is a type of the API.
type InteractionStalledEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionStalledEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// LastStepID: The step that waits for an answer.
	LastStepID string `json:"lastStepId"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionStalledEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionStalledEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionStalledEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionStalledEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionStalledEventData) id() string { return o.ID }

// InteractionStalledEventDataContext is a type of the API.
type InteractionStalledEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionStalledEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionStalledEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionStalledEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionStalledEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionStartedEvent is a type of the API.
type InteractionStartedEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data InteractionStartedEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionStartedEvent) UnmarshalJSON(data []byte) error {
	type plain InteractionStartedEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionStartedEvent) MarshalJSON() ([]byte, error) {
	type plain InteractionStartedEvent
	return encode(plain(o), o.Extra)
}

func (o InteractionStartedEvent) id() string { return o.ID }

// InteractionStartedEventData is a type of the API.
type InteractionStartedEventData struct {
	ID string `json:"id"`

	Status InteractionStatus `json:"status"`

	Priority Priority `json:"priority"`

	// Link: Opens the conversation for the customer. `[hidden]` without the scope `interactions:write`.
	Link string `json:"link"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. Absent: at once.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	// Type: The type of the bot.
	Type string `json:"type"`

	// Data: Always null: `result` of a completion has the history.
	Data any `json:"data"`

	Context []InteractionStartedEventDataContext `json:"context"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	Details *InteractionDetails `json:"details,omitempty"`

	BotID string `json:"botId"`

	BotKey string `json:"botKey"`

	BotVersion *int `json:"botVersion"`

	StartedAt *string `json:"startedAt"`

	CompletedAt *string `json:"completedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionStartedEventData) UnmarshalJSON(data []byte) error {
	type plain InteractionStartedEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionStartedEventData) MarshalJSON() ([]byte, error) {
	type plain InteractionStartedEventData
	return encode(plain(o), o.Extra)
}

func (o InteractionStartedEventData) id() string { return o.ID }

// InteractionStartedEventDataContext is a type of the API.
type InteractionStartedEventDataContext struct {
	Key string `json:"key"`

	// Value: Of a personal property: `[hidden]` without the scope `personal-data:read`.
	Value string `json:"value"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *InteractionStartedEventDataContext) UnmarshalJSON(data []byte) error {
	type plain InteractionStartedEventDataContext
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o InteractionStartedEventDataContext) MarshalJSON() ([]byte, error) {
	type plain InteractionStartedEventDataContext
	return encode(plain(o), o.Extra)
}

// InteractionStatus: `Draft` is invisible to the customer. `Pending` waits until the customer starts it. `InProgress`
// has started. `Completed` and `Expired` have ended. The API may have more values.
type InteractionStatus string

// The values of InteractionStatus.
const (
	InteractionStatusDraft      InteractionStatus = "Draft"
	InteractionStatusPending    InteractionStatus = "Pending"
	InteractionStatusInProgress InteractionStatus = "InProgress"
	InteractionStatusCompleted  InteractionStatus = "Completed"
	InteractionStatusExpired    InteractionStatus = "Expired"
)

// Invitation is a type of the API.
type Invitation struct {
	MemberID string `json:"memberId"`

	// PersonID: By which `createdBy` and others name the person; null until the invitation is accepted.
	PersonID *string `json:"personId"`

	Email *string `json:"email"`

	// IsEmailVerified: Whether the sign-in provider has verified the address, or the person came by the link of an
	// invitation to it.
	IsEmailVerified bool `json:"isEmailVerified"`

	// Name: Null: the invitation is not accepted.
	Name *string `json:"name"`

	Role Role `json:"role"`

	// PersonalData: Whether the member may see personal data.
	PersonalData bool `json:"personalData"`

	Status InvitationStatus `json:"status"`

	// Origin: A link of the operator, an invitation, or a group of the sign-in provider.
	Origin InvitationOrigin `json:"origin"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// LastSeenAt: The hour of the last call; null if there was none.
	LastSeenAt *string `json:"lastSeenAt"`

	// GroupsMissingSince: Since when the sign-in provider has not named the groups of the person: roles by groups stay.
	// Null: it has.
	GroupsMissingSince *string `json:"groupsMissingSince"`

	URL string `json:"url"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Invitation) UnmarshalJSON(data []byte) error {
	type plain Invitation
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Invitation) MarshalJSON() ([]byte, error) {
	type plain Invitation
	return encode(plain(o), o.Extra)
}

// InvitationOrigin: A link of the operator, an invitation, or a group of the sign-in provider. The API may have more
// values.
type InvitationOrigin string

// The values of InvitationOrigin.
const (
	InvitationOriginLink       InvitationOrigin = "link"
	InvitationOriginInvitation InvitationOrigin = "invitation"
	InvitationOriginGroup      InvitationOrigin = "group"
)

// InvitationStatus is an enum of the API. The API may have more values.
type InvitationStatus string

// The values of InvitationStatus.
const (
	InvitationStatusActive  InvitationStatus = "active"
	InvitationStatusInvited InvitationStatus = "invited"
)

// ItemError is a type of the API.
type ItemError struct {
	// Code: The HTTP status of the same call for this item alone.
	Code int `json:"code"`

	// Type: For programs, as in `Failure`.
	Type string `json:"type"`

	// Detail: For people.
	Detail string `json:"detail"`

	// Errors: The faults, with pointers within the item.
	Errors []ItemErrorError `json:"errors,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ItemError) UnmarshalJSON(data []byte) error {
	type plain ItemError
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ItemError) MarshalJSON() ([]byte, error) {
	type plain ItemError
	return encode(plain(o), o.Extra)
}

// ItemErrorError: The faults, with pointers within the item.
type ItemErrorError struct {
	// Pointer: A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields.
	Pointer string `json:"pointer"`

	Detail string `json:"detail"`

	// RetryAt: Of `contact-limit`: when it is allowed again.
	RetryAt *string `json:"retryAt,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *ItemErrorError) UnmarshalJSON(data []byte) error {
	type plain ItemErrorError
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ItemErrorError) MarshalJSON() ([]byte, error) {
	type plain ItemErrorError
	return encode(plain(o), o.Extra)
}

// ListBotTemplatesLocale: The language of names and descriptions, and the `locale` of the definitions. Default:
// `"en"`. The API may have more values.
type ListBotTemplatesLocale string

// The values of ListBotTemplatesLocale.
const (
	ListBotTemplatesLocaleEn ListBotTemplatesLocale = "en"
	ListBotTemplatesLocaleDe ListBotTemplatesLocale = "de"
)

// ListDeliveriesState: Only those in this state. The API may have more values.
type ListDeliveriesState string

// The values of ListDeliveriesState.
const (
	ListDeliveriesStatePending   ListDeliveriesState = "pending"
	ListDeliveriesStateSucceeded ListDeliveriesState = "succeeded"
	ListDeliveriesStateFailed    ListDeliveriesState = "failed"
	ListDeliveriesStateSkipped   ListDeliveriesState = "skipped"
)

// Member is a type of the API.
type Member struct {
	MemberID string `json:"memberId"`

	// PersonID: By which `createdBy` and others name the person; null until the invitation is accepted.
	PersonID *string `json:"personId"`

	Email *string `json:"email"`

	// IsEmailVerified: Whether the sign-in provider has verified the address, or the person came by the link of an
	// invitation to it.
	IsEmailVerified bool `json:"isEmailVerified"`

	// Name: Null: the invitation is not accepted.
	Name *string `json:"name"`

	Role Role `json:"role"`

	// PersonalData: Whether the member may see personal data.
	PersonalData bool `json:"personalData"`

	Status MemberStatus `json:"status"`

	// Origin: A link of the operator, an invitation, or a group of the sign-in provider.
	Origin MemberOrigin `json:"origin"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// LastSeenAt: The hour of the last call; null if there was none.
	LastSeenAt *string `json:"lastSeenAt"`

	// GroupsMissingSince: Since when the sign-in provider has not named the groups of the person: roles by groups stay.
	// Null: it has.
	GroupsMissingSince *string `json:"groupsMissingSince"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Member) UnmarshalJSON(data []byte) error {
	type plain Member
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Member) MarshalJSON() ([]byte, error) {
	type plain Member
	return encode(plain(o), o.Extra)
}

// MemberChange is a type of the API.
type MemberChange struct {
	Role Role `json:"role,omitempty"`

	// PersonalData: Whether the member may see personal data.
	PersonalData *bool `json:"personalData,omitempty"`
}

// MemberOrigin: A link of the operator, an invitation, or a group of the sign-in provider. The API may have more
// values.
type MemberOrigin string

// The values of MemberOrigin.
const (
	MemberOriginLink       MemberOrigin = "link"
	MemberOriginInvitation MemberOrigin = "invitation"
	MemberOriginGroup      MemberOrigin = "group"
)

// MemberStatus is an enum of the API. The API may have more values.
type MemberStatus string

// The values of MemberStatus.
const (
	MemberStatusActive  MemberStatus = "active"
	MemberStatusInvited MemberStatus = "invited"
)

// Message is a type of the API.
type Message struct {
	// ClientMessageID: The same id and message again get the stored outcome.
	ClientMessageID string `json:"clientMessageId"`

	// ExpectedSeq: The `seq` of the snapshot that is answered.
	ExpectedSeq int `json:"expectedSeq"`

	// StepID: The `input.stepId` of that snapshot.
	StepID string `json:"stepId"`

	// Answer: Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or `skip`.
	// Values are strings for text, longText, email, phone, url and choice, arrays of strings for multiChoice and ranking,
	// numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time and
	// objects of strings for matrix.
	Answer MessageAnswer `json:"answer"`
}

// MessageAnswer: Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or
// `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for multiChoice and
// ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time
// and objects of strings for matrix.
type MessageAnswer struct {
	Value any `json:"value,omitempty"`

	Text *string `json:"text,omitempty"`

	Skip *bool `json:"skip,omitempty"`
}

// NewAPIKey is a type of the API.
type NewAPIKey struct {
	// Name: For people.
	Name string `json:"name"`

	// Scopes: What the key may do: scopes that the calling key has too.
	Scopes []Scope `json:"scopes"`

	// ExpiresAt: From then on no gateway accepts the key. Null: it does not expire.
	ExpiresAt *Field[string] `json:"expiresAt,omitempty"`
}

// NewBotDraft is a type of the API.
type NewBotDraft struct {
	Definition BotDefinition `json:"definition"`

	// BaseVersion: The version from which it began. Without it: as before, or else the live version.
	BaseVersion *int `json:"baseVersion,omitempty"`
}

// NewBotVersion: A definition, in `definition` or as the body itself with these fields beside its own; or `restore` or
// `publishDraft` without one.
type NewBotVersion struct {
	Definition BotDefinition `json:"definition,omitempty"`

	// Restore: Instead of a definition: the version to publish again as a new one.
	Restore *int `json:"restore,omitempty"`

	// PublishDraft: Instead of a definition: publishes the draft of the bot, and removes it.
	PublishDraft *bool `json:"publishDraft,omitempty"`

	// ExpectedVersion: The version that must be live: otherwise 409.
	ExpectedVersion *int `json:"expectedVersion,omitempty"`

	// Note: Why it is published.
	Note *string `json:"note,omitempty"`
}

// NewCustomer is a type of the API.
type NewCustomer struct {
	// ID: The client's own id of the customer, compared exactly; not `.` or `..`.
	ID string `json:"id"`

	// FirstName: Default: `""`.
	FirstName *string `json:"firstName,omitempty"`

	// LastName: Default: `""`.
	LastName *string `json:"lastName,omitempty"`

	// Email: An email address, or empty. Default: `""`.
	Email *string `json:"email,omitempty"`
}

// NewInteraction: Exactly one of `botId` and `botKey` is required.
type NewInteraction struct {
	// CustomerID: The client's own id of the customer, compared exactly; not `.` or `..`.
	CustomerID string `json:"customerId"`

	Customer *CustomerDetails `json:"customer,omitempty"`

	// BotID: The id of the bot; or give its `botKey`.
	BotID *string `json:"botId,omitempty"`

	// BotKey: The `key` of the bot's definition, instead of `botId`.
	BotKey *string `json:"botKey,omitempty"`

	// Status: `Draft` is invisible to the customer; `Pending` offers the conversation to the customer. Default:
	// `"Draft"`.
	Status InteractionStatus `json:"status,omitempty"`

	// Priority: Default: `"Medium"`.
	Priority Priority `json:"priority,omitempty"`

	// Expiry: Seconds from the request; 0 and null mean none.
	Expiry *Field[float64] `json:"expiry,omitempty"`

	// AvailableFrom: Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once.
	AvailableFrom *Field[string] `json:"availableFrom,omitempty"`

	// Context: Default: `[]`.
	Context []NewInteractionContext `json:"context,omitempty"`

	// IsTest: Whether it is a test interaction: it works in every way, and counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	// IgnoreContactPolicy: Offers the conversation also beyond the contact policy. The audit log has it.
	IgnoreContactPolicy *bool `json:"ignoreContactPolicy,omitempty"`
}

// NewInteractionContext: Default: `[]`.
type NewInteractionContext struct {
	Key string `json:"key"`

	Value string `json:"value"`
}

// NewInteractions is a type of the API.
type NewInteractions struct {
	Interactions []NewInteraction `json:"interactions"`
}

// NewInvitation is a type of the API.
type NewInvitation struct {
	Email string `json:"email"`

	Role Role `json:"role"`

	// PersonalData: Whether the member may see personal data. Default: `true`.
	PersonalData *bool `json:"personalData,omitempty"`
}

// NewOpenLink is a type of the API.
type NewOpenLink struct {
	// Name: For people: it is in lists.
	Name string `json:"name"`

	// ExpiresAt: Null: it does not expire.
	ExpiresAt *Field[string] `json:"expiresAt,omitempty"`

	// ResponsesMax: How many conversations it begins at most. Null: any number.
	ResponsesMax *Field[int] `json:"responsesMax,omitempty"`

	// ContextKeys: The parameters of the URL that become context; the bot must declare them. Default: `[]`.
	ContextKeys []string `json:"contextKeys,omitempty"`

	// IsTest: Whether its conversations are tests, which no figure counts. Default: `false`.
	IsTest *bool `json:"isTest,omitempty"`
}

// NewPortalLink is a type of the API.
type NewPortalLink struct {
	// Name: For people: it is in lists and in the audit log. Default: `""`.
	Name *string `json:"name,omitempty"`

	// WebhookIDs: The webhooks that it shows. Default: all, also later ones.
	WebhookIDs []string `json:"webhookIds,omitempty"`

	// PersonalData: Whether it shows bodies of deliveries, which have whole conversations, and what receivers have
	// answered. Default: `false`.
	PersonalData *bool `json:"personalData,omitempty"`

	// ExpiresInSeconds: When the link and its session end, from now on. They end with the calling key, at the latest.
	// Default: `3600`.
	ExpiresInSeconds *int `json:"expiresInSeconds,omitempty"`
}

// NewRecovery is a type of the API.
type NewRecovery struct {
	// Since: Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it.
	Since string `json:"since"`

	// Until: Only deliveries created before this instant. Default: now.
	Until *string `json:"until,omitempty"`

	// States: Default: `["failed","skipped"]`.
	States []NewRecoveryState `json:"states,omitempty"`
}

// NewRecoveryState: Default: `["failed","skipped"]`. The API may have more values.
type NewRecoveryState string

// The values of NewRecoveryState.
const (
	NewRecoveryStateFailed  NewRecoveryState = "failed"
	NewRecoveryStateSkipped NewRecoveryState = "skipped"
)

// NewReplay is a type of the API.
type NewReplay struct {
	Definition BotDefinition `json:"definition"`

	// Conversations: How many of the completed conversations, the newest first. Default: `500`.
	Conversations *int `json:"conversations,omitempty"`
}

// NewWebhook is a type of the API.
type NewWebhook struct {
	// URL: http or https; a deployment takes public https URLs only.
	URL string `json:"url"`

	// SecretToken: Sent as a query parameter of each delivery; unique in the workspace and never shown.
	SecretToken string `json:"secretToken"`

	// IsActive: Default: `false`.
	IsActive *bool `json:"isActive,omitempty"`

	// Event: The only event; default: `InteractionCompleted`.
	Event EventName `json:"event,omitempty"`

	// Events: The events that it gets.
	Events []EventName `json:"events,omitempty"`

	// Filter: null or absent: every event passes.
	Filter *Field[string] `json:"filter,omitempty"`

	// Envelope: Whether `InteractionCompleted` has the envelope of the other events. Default: `false`.
	Envelope *bool `json:"envelope,omitempty"`
}

// Format writes the object without its secrets.
func (o NewWebhook) Format(f fmt.State, _ rune) {
	type plain NewWebhook
	o.SecretToken = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// OpenLink is a type of the API.
type OpenLink struct {
	ID string `json:"id"`

	BotID string `json:"botId"`

	// Name: For people.
	Name string `json:"name"`

	URL string `json:"url"`

	// ExpiresAt: Null: it does not expire.
	ExpiresAt *string `json:"expiresAt"`

	// ResponsesMax: How many conversations it begins at most. Null: any number.
	ResponsesMax *int `json:"responsesMax"`

	// Responses: How many it has begun, also deleted ones.
	Responses int `json:"responses"`

	// ContextKeys: The parameters of the URL that become context.
	ContextKeys []string `json:"contextKeys"`

	// IsClosed: Whether it takes no responses.
	IsClosed bool `json:"isClosed"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CreatedBy: The API key or the id of the person that created it.
	CreatedBy string `json:"createdBy"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *OpenLink) UnmarshalJSON(data []byte) error {
	type plain OpenLink
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o OpenLink) MarshalJSON() ([]byte, error) {
	type plain OpenLink
	return encode(plain(o), o.Extra)
}

func (o OpenLink) id() string { return o.ID }

// OpenLinkChange is a type of the API.
type OpenLinkChange struct {
	// Name: For people: it is in lists.
	Name *string `json:"name,omitempty"`

	// ExpiresAt: Null: it does not expire.
	ExpiresAt *Field[string] `json:"expiresAt,omitempty"`

	// ResponsesMax: How many conversations it begins at most. Null: any number.
	ResponsesMax *Field[int] `json:"responsesMax,omitempty"`

	// ContextKeys: The parameters of the URL that become context; the bot must declare them.
	ContextKeys []string `json:"contextKeys,omitempty"`

	// IsClosed: True: it takes no responses until it is opened again.
	IsClosed *bool `json:"isClosed,omitempty"`
}

// PageMeta is a type of the API.
type PageMeta struct {
	TotalResults int `json:"totalResults"`

	// TotalPages: 0 when there are no results.
	TotalPages int `json:"totalPages"`

	CurrentPage int `json:"currentPage"`

	PageSize int `json:"pageSize"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *PageMeta) UnmarshalJSON(data []byte) error {
	type plain PageMeta
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o PageMeta) MarshalJSON() ([]byte, error) {
	type plain PageMeta
	return encode(plain(o), o.Extra)
}

// Pending is a type of the API.
type Pending struct {
	InteractionID string `json:"interactionId"`

	Status InteractionStatus `json:"status"`

	Type string `json:"type"`

	Priority Priority `json:"priority"`

	// BotName: What the bot is called now.
	BotName string `json:"botName"`

	// Teaser: How the bot begins.
	Teaser string `json:"teaser"`

	ExpiresAt *string `json:"expiresAt"`

	// More: How many more are waiting.
	More int `json:"more"`

	// Effort: What the conversation takes, estimated from the bot; null when unknown.
	Effort *PendingEffort `json:"effort"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Pending) UnmarshalJSON(data []byte) error {
	type plain Pending
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Pending) MarshalJSON() ([]byte, error) {
	type plain Pending
	return encode(plain(o), o.Extra)
}

// PendingEffort: What the conversation takes, estimated from the bot; null when unknown.
type PendingEffort struct {
	// QuestionsMin: On the shortest path.
	QuestionsMin int `json:"questionsMin"`

	// QuestionsMax: On the longest path.
	QuestionsMax int `json:"questionsMax"`

	Minutes int `json:"minutes"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *PendingEffort) UnmarshalJSON(data []byte) error {
	type plain PendingEffort
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o PendingEffort) MarshalJSON() ([]byte, error) {
	type plain PendingEffort
	return encode(plain(o), o.Extra)
}

// PortalLink is a type of the API.
type PortalLink struct {
	ID string `json:"id"`

	// Name: For people; may be empty.
	Name string `json:"name"`

	// WebhookIDs: The webhooks that it shows. Null: all, also later ones.
	WebhookIDs []string `json:"webhookIds"`

	// PersonalData: Whether it shows personal data.
	PersonalData bool `json:"personalData"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// CreatedBy: The API key or the id of the person that created it.
	CreatedBy string `json:"createdBy"`

	// ExpiresAt: When the link and its session end.
	ExpiresAt string `json:"expiresAt"`

	// UsedAt: When it was opened. Null: not yet.
	UsedAt *string `json:"usedAt"`

	// RevokedAt: Null: it is not revoked.
	RevokedAt *string `json:"revokedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *PortalLink) UnmarshalJSON(data []byte) error {
	type plain PortalLink
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o PortalLink) MarshalJSON() ([]byte, error) {
	type plain PortalLink
	return encode(plain(o), o.Extra)
}

func (o PortalLink) id() string { return o.ID }

// Presence is a type of the API.
type Presence struct {
	// ID: The tab has chosen it.
	ID string `json:"id"`

	// PersonID: The `personId` of a member.
	PersonID string `json:"personId"`

	// OpenedAt: UTC, ISO 8601 with six fractional digits and no zone.
	OpenedAt string `json:"openedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Presence) UnmarshalJSON(data []byte) error {
	type plain Presence
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Presence) MarshalJSON() ([]byte, error) {
	type plain Presence
	return encode(plain(o), o.Extra)
}

func (o Presence) id() string { return o.ID }

// Presences is a type of the API.
type Presences struct {
	Presences []Presence `json:"presences"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Presences) UnmarshalJSON(data []byte) error {
	type plain Presences
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Presences) MarshalJSON() ([]byte, error) {
	type plain Presences
	return encode(plain(o), o.Extra)
}

// Priority is an enum of the API. The API may have more values.
type Priority string

// The values of Priority.
const (
	PriorityLow    Priority = "Low"
	PriorityMedium Priority = "Medium"
	PriorityHigh   Priority = "High"
)

// PublishedBot is a type of the API.
type PublishedBot struct {
	ID string `json:"id"`

	Name string `json:"name"`

	// Context: The properties that an interaction may supply.
	Context []string `json:"context"`

	Version int `json:"version"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *PublishedBot) UnmarshalJSON(data []byte) error {
	type plain PublishedBot
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o PublishedBot) MarshalJSON() ([]byte, error) {
	type plain PublishedBot
	return encode(plain(o), o.Extra)
}

func (o PublishedBot) id() string { return o.ID }

// Recovery is a type of the API.
type Recovery struct {
	ID string `json:"id"`

	// State: `stopped`: the webhook was deactivated meanwhile.
	State RecoveryState `json:"state"`

	// Recovered: How many deliveries it has made due so far.
	Recovered int `json:"recovered"`

	// Since: UTC, ISO 8601 with six fractional digits and no zone.
	Since string `json:"since"`

	// Until: UTC, ISO 8601 with six fractional digits and no zone.
	Until string `json:"until"`

	States []RecoveryStatesItem `json:"states"`

	// CreatedAt: UTC, ISO 8601 with six fractional digits and no zone.
	CreatedAt string `json:"createdAt"`

	// FinishedAt: Null while it is running.
	FinishedAt *string `json:"finishedAt"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Recovery) UnmarshalJSON(data []byte) error {
	type plain Recovery
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Recovery) MarshalJSON() ([]byte, error) {
	type plain Recovery
	return encode(plain(o), o.Extra)
}

func (o Recovery) id() string { return o.ID }

// RecoveryState: `stopped`: the webhook was deactivated meanwhile. The API may have more values.
type RecoveryState string

// The values of RecoveryState.
const (
	RecoveryStateRunning RecoveryState = "running"
	RecoveryStateDone    RecoveryState = "done"
	RecoveryStateStopped RecoveryState = "stopped"
)

// RecoveryStatesItem is an enum of the API. The API may have more values.
type RecoveryStatesItem string

// The values of RecoveryStatesItem.
const (
	RecoveryStatesItemFailed  RecoveryStatesItem = "failed"
	RecoveryStatesItemSkipped RecoveryStatesItem = "skipped"
)

// RejectedItem: An item without an interaction. Unless its error is `invalid-request`, its customer and the details in
// `customer` can have been set before.
type RejectedItem struct {
	// Index: The place in the request, from 0.
	Index int `json:"index"`

	Error ItemError `json:"error"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *RejectedItem) UnmarshalJSON(data []byte) error {
	type plain RejectedItem
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o RejectedItem) MarshalJSON() ([]byte, error) {
	type plain RejectedItem
	return encode(plain(o), o.Extra)
}

// RenewedPresence is a type of the API.
type RenewedPresence struct {
	// ID: A new UUID for each tab.
	ID string `json:"id"`
}

// Replays is a type of the API.
type Replays struct {
	// Replayed: How many conversations were replayed.
	Replayed int `json:"replayed"`

	// Differing: How many of them go differently.
	Differing int `json:"differing"`

	// Incomplete: How many have no complete record, because answers were removed or never given.
	Incomplete int `json:"incomplete"`

	// Differences: Those that go differently, the newest first; the first 100.
	Differences []ConversationDifference `json:"differences"`

	// Groups: The ways in which they go differently, the most frequent first; the first 50. Those of a way differ in the
	// same questions and ends, in the texts of the same questions, and in the same values.
	Groups []DifferenceGroup `json:"groups"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Replays) UnmarshalJSON(data []byte) error {
	type plain Replays
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Replays) MarshalJSON() ([]byte, error) {
	type plain Replays
	return encode(plain(o), o.Extra)
}

// Retention: After how many days without a change interactions are deleted. Null: never.
type Retention struct {
	// CompletedDays: `Completed` ones.
	CompletedDays *int `json:"completedDays"`

	// EndedDays: `Expired` ones, and `InProgress` ones that nobody touches.
	EndedDays *int `json:"endedDays"`

	// DraftDays: `Draft` and `Pending` ones.
	DraftDays *int `json:"draftDays"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Retention) UnmarshalJSON(data []byte) error {
	type plain Retention
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Retention) MarshalJSON() ([]byte, error) {
	type plain Retention
	return encode(plain(o), o.Extra)
}

// RetentionChange is a type of the API.
type RetentionChange struct {
	// CompletedDays: `Completed` ones.
	CompletedDays *Field[int] `json:"completedDays,omitempty"`

	// EndedDays: `Expired` ones, and `InProgress` ones that nobody touches.
	EndedDays *Field[int] `json:"endedDays,omitempty"`

	// DraftDays: `Draft` and `Pending` ones.
	DraftDays *Field[int] `json:"draftDays,omitempty"`
}

// RetentionPreview is a type of the API.
type RetentionPreview struct {
	// Interactions: In all.
	Interactions int `json:"interactions"`

	Completed int `json:"completed"`

	// Ended: `Expired` or `InProgress`.
	Ended int `json:"ended"`

	// Draft: `Draft` or `Pending`.
	Draft int `json:"draft"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *RetentionPreview) UnmarshalJSON(data []byte) error {
	type plain RetentionPreview
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o RetentionPreview) MarshalJSON() ([]byte, error) {
	type plain RetentionPreview
	return encode(plain(o), o.Extra)
}

// Revision is a type of the API.
type Revision struct {
	// ClientMessageID: The same id and revision again get the stored outcome.
	ClientMessageID string `json:"clientMessageId"`

	// ExpectedSeq: The `seq` of the snapshot that is answered.
	ExpectedSeq int `json:"expectedSeq"`

	// StepID: The `stepId` of an entry that has `canRevise`.
	StepID string `json:"stepId"`

	// Answer: Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or `skip`.
	// Values are strings for text, longText, email, phone, url and choice, arrays of strings for multiChoice and ranking,
	// numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time and
	// objects of strings for matrix.
	Answer RevisionAnswer `json:"answer"`
}

// RevisionAnswer: Exactly one: a `value` of the step's type, `text` that the service reads as a value if possible, or
// `skip`. Values are strings for text, longText, email, phone, url and choice, arrays of strings for multiChoice and
// ranking, numbers for nps, rating and number, booleans for yesNo and consent, `YYYY-MM-DD` for date, `HH:MM` for time
// and objects of strings for matrix.
type RevisionAnswer struct {
	Value any `json:"value,omitempty"`

	Text *string `json:"text,omitempty"`

	Skip *bool `json:"skip,omitempty"`
}

// Role is an enum of the API. The API may have more values.
type Role string

// The values of Role.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
)

// RotateAPIKeySecretResult is a type of the API.
type RotateAPIKeySecretResult struct {
	Secret string `json:"secret"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *RotateAPIKeySecretResult) UnmarshalJSON(data []byte) error {
	type plain RotateAPIKeySecretResult
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o RotateAPIKeySecretResult) MarshalJSON() ([]byte, error) {
	type plain RotateAPIKeySecretResult
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o RotateAPIKeySecretResult) Format(f fmt.State, _ rune) {
	type plain RotateAPIKeySecretResult
	o.Secret = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// RotateSDKSecretResult is a type of the API.
type RotateSDKSecretResult struct {
	Kid string `json:"kid"`

	Secret string `json:"secret"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *RotateSDKSecretResult) UnmarshalJSON(data []byte) error {
	type plain RotateSDKSecretResult
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o RotateSDKSecretResult) MarshalJSON() ([]byte, error) {
	type plain RotateSDKSecretResult
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o RotateSDKSecretResult) Format(f fmt.State, _ rune) {
	type plain RotateSDKSecretResult
	o.Secret = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// RotateSigningSecretBody is a type of the API.
type RotateSigningSecretBody struct {
	// OverlapSeconds: How long the current secrets continue to sign. Default: `86400`.
	OverlapSeconds *int `json:"overlapSeconds,omitempty"`
}

// RotateSigningSecretResult is a type of the API.
type RotateSigningSecretResult struct {
	SigningSecret string `json:"signingSecret"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *RotateSigningSecretResult) UnmarshalJSON(data []byte) error {
	type plain RotateSigningSecretResult
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o RotateSigningSecretResult) MarshalJSON() ([]byte, error) {
	type plain RotateSigningSecretResult
	return encode(plain(o), o.Extra)
}

// Format writes the object without its secrets.
func (o RotateSigningSecretResult) Format(f fmt.State, _ rune) {
	type plain RotateSigningSecretResult
	o.SigningSecret = hidden
	fmt.Fprintf(f, "%+v", plain(o))
}

// Scope is an enum of the API. The API may have more values.
type Scope string

// The values of Scope.
const (
	ScopeCustomersRead     Scope = "customers:read"
	ScopeCustomersWrite    Scope = "customers:write"
	ScopeInteractionsRead  Scope = "interactions:read"
	ScopeInteractionsWrite Scope = "interactions:write"
	ScopeBotsRead          Scope = "bots:read"
	ScopeBotsWrite         Scope = "bots:write"
	ScopeWebhooksRead      Scope = "webhooks:read"
	ScopeWebhooksWrite     Scope = "webhooks:write"
	ScopeInsightRead       Scope = "insight:read"
	ScopeInsightWrite      Scope = "insight:write"
	ScopeKeysRead          Scope = "keys:read"
	ScopeKeysWrite         Scope = "keys:write"
	ScopeWorkspaceRead     Scope = "workspace:read"
	ScopeWorkspaceWrite    Scope = "workspace:write"
	ScopeAuditRead         Scope = "audit:read"
	ScopeAuditWrite        Scope = "audit:write"
	ScopePersonalDataRead  Scope = "personal-data:read"
)

// SendTestEventBody is a type of the API.
type SendTestEventBody struct {
	Event EventName `json:"event,omitempty"`

	// IgnoreFilter: Whether it is sent although the filter of the webhook refuses it. Default: `false`.
	IgnoreFilter *bool `json:"ignoreFilter,omitempty"`
}

// Snapshot is a type of the API.
type Snapshot struct {
	Status InteractionStatus `json:"status"`

	// Seq: The number of the newest entry.
	Seq int `json:"seq"`

	Entries []SnapshotEntry `json:"entries"`

	Input *Input `json:"input"`

	// Awaiting: What else is waited for; null when nothing is.
	Awaiting *string `json:"awaiting"`

	Progress float64 `json:"progress"`

	ExpiresAt *string `json:"expiresAt"`

	// AvailableFrom: Only at a link, while the conversation cannot start yet: from when it can.
	AvailableFrom *string `json:"availableFrom,omitempty"`

	// BotName: What the bot is called now.
	BotName string `json:"botName"`

	// IsTest: Only of a test interaction: it counts nowhere.
	IsTest *bool `json:"isTest,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Snapshot) UnmarshalJSON(data []byte) error {
	type plain Snapshot
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Snapshot) MarshalJSON() ([]byte, error) {
	type plain Snapshot
	return encode(plain(o), o.Extra)
}

// SnapshotEntry is a type of the API.
type SnapshotEntry struct {
	Seq int `json:"seq"`

	Type SnapshotEntryType `json:"type"`

	Body string `json:"body"`

	// Timestamp: Epoch seconds with fraction.
	Timestamp float64 `json:"timestamp"`

	// Skipped: The customer has skipped the question.
	Skipped *bool `json:"skipped,omitempty"`

	// OutOf: The body is a number on a scale that ends here.
	OutOf *int `json:"outOf,omitempty"`

	// StepID: The step that it answers, if the bot lets customers revise answers.
	StepID *string `json:"stepId,omitempty"`

	// Withdrawn: A revision has replaced it, or taken the conversation another way.
	Withdrawn *bool `json:"withdrawn,omitempty"`

	// CanRevise: The answer can be revised now.
	CanRevise *bool `json:"canRevise,omitempty"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *SnapshotEntry) UnmarshalJSON(data []byte) error {
	type plain SnapshotEntry
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o SnapshotEntry) MarshalJSON() ([]byte, error) {
	type plain SnapshotEntry
	return encode(plain(o), o.Extra)
}

// SnapshotEntryType is an enum of the API. The API may have more values.
type SnapshotEntryType string

// The values of SnapshotEntryType.
const (
	SnapshotEntryTypeBot      SnapshotEntryType = "bot"
	SnapshotEntryTypeCustomer SnapshotEntryType = "customer"
)

// StartConversationBody is a type of the API.
type StartConversationBody struct {
	// Locale: The customer's language, a BCP 47 tag.
	Locale *string `json:"locale,omitempty"`
}

// Webhook is a type of the API.
type Webhook struct {
	ID string `json:"id"`

	URL string `json:"url"`

	IsActive bool `json:"isActive"`

	// Event: The names of its events, in the order of the catalogue, with commas.
	Event string `json:"event"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Webhook) UnmarshalJSON(data []byte) error {
	type plain Webhook
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Webhook) MarshalJSON() ([]byte, error) {
	type plain Webhook
	return encode(plain(o), o.Extra)
}

func (o Webhook) id() string { return o.ID }

// WebhookChange is a type of the API.
type WebhookChange struct {
	IsActive bool `json:"isActive"`
}

// WebhookDeactivatedEvent is a type of the API.
type WebhookDeactivatedEvent struct {
	// ID: The id of the event, and its `webhook-id`.
	ID string `json:"id"`

	Type string `json:"type"`

	// Timestamp: When it happened.
	Timestamp string `json:"timestamp"`

	// Test: Only of a test event.
	Test *bool `json:"test,omitempty"`

	Data WebhookDeactivatedEventData `json:"data"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *WebhookDeactivatedEvent) UnmarshalJSON(data []byte) error {
	type plain WebhookDeactivatedEvent
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o WebhookDeactivatedEvent) MarshalJSON() ([]byte, error) {
	type plain WebhookDeactivatedEvent
	return encode(plain(o), o.Extra)
}

func (o WebhookDeactivatedEvent) id() string { return o.ID }

// WebhookDeactivatedEventData is a type of the API.
type WebhookDeactivatedEventData struct {
	ID string `json:"id"`

	URL string `json:"url"`

	IsActive bool `json:"isActive"`

	// Event: The names of its events, in the order of the catalogue, with commas.
	Event string `json:"event"`

	// Reason: The receiver answered 410, or has failed for five days.
	Reason WebhookDeactivatedEventDataReason `json:"reason"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *WebhookDeactivatedEventData) UnmarshalJSON(data []byte) error {
	type plain WebhookDeactivatedEventData
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o WebhookDeactivatedEventData) MarshalJSON() ([]byte, error) {
	type plain WebhookDeactivatedEventData
	return encode(plain(o), o.Extra)
}

func (o WebhookDeactivatedEventData) id() string { return o.ID }

// WebhookDeactivatedEventDataReason: The receiver answered 410, or has failed for five days. The API may have more
// values.
type WebhookDeactivatedEventDataReason string

// The values of WebhookDeactivatedEventDataReason.
const (
	WebhookDeactivatedEventDataReasonGone WebhookDeactivatedEventDataReason = "gone"
	WebhookDeactivatedEventDataReasonAuto WebhookDeactivatedEventDataReason = "auto"
)

// WebhookOptions is a type of the API.
type WebhookOptions struct {
	// HeaderNames: Of the header fields that are added to every delivery; their values are never shown.
	HeaderNames []string `json:"headerNames"`

	// RateLimit: null: as fast as the receiver answers.
	RateLimit *WebhookRateLimit `json:"rateLimit"`

	Ordering WebhookOrdering `json:"ordering"`

	// AsymmetricSignature: Whether there is a `v1a` signature (Ed25519) as well.
	AsymmetricSignature bool `json:"asymmetricSignature"`

	// PublicKeys: Those that verify `v1a` signatures now, newest first: `whpk_` and base64 of 32 bytes.
	PublicKeys []string `json:"publicKeys"`

	Events []EventName `json:"events"`

	// Filter: null: every event passes.
	Filter *string `json:"filter"`

	// Envelope: Whether `InteractionCompleted` has the envelope of the other events.
	Envelope bool `json:"envelope"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *WebhookOptions) UnmarshalJSON(data []byte) error {
	type plain WebhookOptions
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o WebhookOptions) MarshalJSON() ([]byte, error) {
	type plain WebhookOptions
	return encode(plain(o), o.Extra)
}

// WebhookOptionsChange is a type of the API.
type WebhookOptionsChange struct {
	// URL: http or https; a deployment takes public https URLs only.
	URL *string `json:"url,omitempty"`

	// SecretToken: Sent as a query parameter of each delivery; unique in the workspace and never shown.
	SecretToken *string `json:"secretToken,omitempty"`

	// Headers: Header fields of every delivery, by name. They replace all earlier ones. Reserved are `host`, `content-*`,
	// `transfer-encoding`, `connection` and the like, `user-agent`, `traceparent`, `tracestate`, `webhook-*` and
	// `x-parley-*`. Values are stored encrypted and never shown.
	Headers map[string]string `json:"headers,omitempty"`

	// RateLimit: null for none.
	RateLimit *Field[WebhookRateLimit] `json:"rateLimit,omitempty"`

	Ordering WebhookOrdering `json:"ordering,omitempty"`

	AsymmetricSignature *bool `json:"asymmetricSignature,omitempty"`

	// Events: The events that it gets.
	Events []EventName `json:"events,omitempty"`

	// Filter: null for none.
	Filter *Field[string] `json:"filter,omitempty"`

	// Envelope: Whether `InteractionCompleted` has the envelope of the other events.
	Envelope *bool `json:"envelope,omitempty"`
}

// WebhookOrdering: `perCustomer`: the deliveries of a customer one after another. `strict`: all deliveries of the
// webhook. A failed delivery blocks later ones until it succeeds or has no attempts left. The API may have more
// values.
type WebhookOrdering string

// The values of WebhookOrdering.
const (
	WebhookOrderingNone        WebhookOrdering = "none"
	WebhookOrderingPerCustomer WebhookOrdering = "perCustomer"
	WebhookOrderingStrict      WebhookOrdering = "strict"
)

// WebhookRateLimit: Of attempts, over all replicas of the service.
type WebhookRateLimit struct {
	PerSecond float64 `json:"perSecond"`

	// Burst: How many may go out at once after a pause.
	Burst int `json:"burst"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *WebhookRateLimit) UnmarshalJSON(data []byte) error {
	type plain WebhookRateLimit
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o WebhookRateLimit) MarshalJSON() ([]byte, error) {
	type plain WebhookRateLimit
	return encode(plain(o), o.Extra)
}

// WebhookStats is a type of the API.
type WebhookStats struct {
	// Pending: Open deliveries, counted up to 10,000.
	Pending int `json:"pending"`

	// OldestDueSeconds: For how long the oldest of them has been due; 0 when none is.
	OldestDueSeconds float64 `json:"oldestDueSeconds"`

	// Breaker: `open` after many failures: one delivery at a time is tried.
	Breaker WebhookStatsBreaker `json:"breaker"`

	// PausedUntil: The end of the pause, set by `Retry-After` or the breaker. Null without a pause.
	PausedUntil *string `json:"pausedUntil"`

	// PauseReason: The receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or the `breaker`
	// is open. Null without a pause.
	PauseReason *WebhookStatsPauseReason `json:"pauseReason"`

	// InactiveReason: `user`: deactivated by a call. `gone`: the receiver answered 410. `auto`: it has failed for five
	// days. Null while it is active.
	InactiveReason *WebhookStatsInactiveReason `json:"inactiveReason"`

	LastSuccessAt *string `json:"lastSuccessAt"`

	// FailingSince: The first failure after the last success.
	FailingSince *string `json:"failingSince"`

	// DisabledAt: When it is deactivated if it continues to fail.
	DisabledAt *string `json:"disabledAt"`

	// Filtered: Events that the filter has kept back.
	Filtered int `json:"filtered"`

	// FilterErrors: Events for which the filter failed.
	FilterErrors int `json:"filterErrors"`

	// LastFilterError: Why it failed last.
	LastFilterError *string `json:"lastFilterError"`

	// DelayedSince: Since when events wait before they become deliveries of this webhook, because its filter or its
	// workspace needs much work. Null if none waits. It ends by itself.
	DelayedSince *string `json:"delayedSince"`

	// DelayReason: `filter`: the filter of this webhook is costly: use fewer or shorter conditions on long texts.
	// `workspace`: many webhooks or many events. Null without a delay.
	DelayReason *WebhookStatsDelayReason `json:"delayReason"`

	// WaitingEvents: Events that wait so, counted up to 1,000. Null for a portal link of certain webhooks, from which all
	// others are hidden.
	WaitingEvents *int `json:"waitingEvents"`

	// Hours: The last 24 hours (UTC) that had attempts, oldest first; kept for 7 days.
	Hours []WebhookStatsHour `json:"hours"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *WebhookStats) UnmarshalJSON(data []byte) error {
	type plain WebhookStats
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o WebhookStats) MarshalJSON() ([]byte, error) {
	type plain WebhookStats
	return encode(plain(o), o.Extra)
}

// WebhookStatsBreaker: `open` after many failures: one delivery at a time is tried. The API may have more values.
type WebhookStatsBreaker string

// The values of WebhookStatsBreaker.
const (
	WebhookStatsBreakerClosed WebhookStatsBreaker = "closed"
	WebhookStatsBreakerOpen   WebhookStatsBreaker = "open"
)

// WebhookStatsDelayReason: `filter`: the filter of this webhook is costly: use fewer or shorter conditions on long
// texts. `workspace`: many webhooks or many events. Null without a delay. The API may have more values.
type WebhookStatsDelayReason string

// The values of WebhookStatsDelayReason.
const (
	WebhookStatsDelayReasonFilter    WebhookStatsDelayReason = "filter"
	WebhookStatsDelayReasonWorkspace WebhookStatsDelayReason = "workspace"
)

// WebhookStatsHour: The last 24 hours (UTC) that had attempts, oldest first; kept for 7 days.
type WebhookStatsHour struct {
	// Hour: When it began.
	Hour string `json:"hour"`

	Attempts int `json:"attempts"`

	Failures int `json:"failures"`

	MeanMs int `json:"meanMs"`

	MaxMs int `json:"maxMs"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *WebhookStatsHour) UnmarshalJSON(data []byte) error {
	type plain WebhookStatsHour
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o WebhookStatsHour) MarshalJSON() ([]byte, error) {
	type plain WebhookStatsHour
	return encode(plain(o), o.Extra)
}

// WebhookStatsInactiveReason: `user`: deactivated by a call. `gone`: the receiver answered 410. `auto`: it has failed
// for five days. Null while it is active. The API may have more values.
type WebhookStatsInactiveReason string

// The values of WebhookStatsInactiveReason.
const (
	WebhookStatsInactiveReasonUser WebhookStatsInactiveReason = "user"
	WebhookStatsInactiveReasonGone WebhookStatsInactiveReason = "gone"
	WebhookStatsInactiveReasonAuto WebhookStatsInactiveReason = "auto"
)

// WebhookStatsPauseReason: The receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or
// the `breaker` is open. Null without a pause. The API may have more values.
type WebhookStatsPauseReason string

// The values of WebhookStatsPauseReason.
const (
	WebhookStatsPauseReasonRateLimited WebhookStatsPauseReason = "rate_limited"
	WebhookStatsPauseReasonUnavailable WebhookStatsPauseReason = "unavailable"
	WebhookStatsPauseReasonBreaker     WebhookStatsPauseReason = "breaker"
)

// Workspace is a type of the API.
type Workspace struct {
	ID string `json:"id"`

	Name string `json:"name"`

	// AllowedDomains: Origins of pages that may use the browser SDK, and show the portal in a frame.
	// `https://*.shop.example` is every host below shop.example.
	AllowedDomains []string `json:"allowedDomains"`

	// Extra has the fields that this version of the package does not know.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *Workspace) UnmarshalJSON(data []byte) error {
	type plain Workspace
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o Workspace) MarshalJSON() ([]byte, error) {
	type plain Workspace
	return encode(plain(o), o.Extra)
}

func (o Workspace) id() string { return o.ID }

// newEvent returns the body of an event of the catalogue.
func newEvent(name string) any {
	switch name {
	case "InteractionCreated":
		return &InteractionCreatedEvent{}
	case "InteractionAvailable":
		return &InteractionAvailableEvent{}
	case "InteractionReminderDue":
		return &InteractionReminderDueEvent{}
	case "InteractionStarted":
		return &InteractionStartedEvent{}
	case "InteractionStalled":
		return &InteractionStalledEvent{}
	case "InteractionCompleted":
		return &InteractionCompletedEvent{}
	case "InteractionExpired":
		return &InteractionExpiredEvent{}
	case "CustomerAnonymised":
		return &CustomerAnonymisedEvent{}
	case "WebhookDeactivated":
		return &WebhookDeactivatedEvent{}
	}
	return nil
}
