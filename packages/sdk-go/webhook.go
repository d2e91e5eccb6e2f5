package parley

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// WebhookVerificationError is a delivery that is not from the service, was changed, or is too old.
type WebhookVerificationError struct {
	// Detail says what is wrong.
	Detail string
}

// Error returns the detail.
func (e *WebhookVerificationError) Error() string { return "parley: " + e.Detail }

// WebhookEvent is a verified delivery.
type WebhookEvent struct {
	// ID is that of the event, in all its attempts. Receivers may ignore duplicates.
	ID string
	// Type is the name of the event; InteractionHistory for a completion without an envelope.
	Type string
	// SentAt is when this attempt was sent.
	SentAt time.Time
	// IsTest says whether it is a test event.
	IsTest bool
	// Event is a pointer to the typed event, such as *[InteractionExpiredEvent], or a *[InteractionHistory]. It is nil for
	// a type that this version of the package does not know, and for a test event without a name.
	Event any
	// Body has the bytes as received.
	Body json.RawMessage
}

// VerifyOption is an option of [VerifyWebhook].
type VerifyOption func(*verification)

type verification struct {
	now       time.Time
	tolerance time.Duration
}

// WithTolerance says how much the clock of the sender may differ, by default five minutes.
func WithTolerance(tolerance time.Duration) VerifyOption {
	return func(v *verification) { v.tolerance = tolerance }
}

// WithNow replaces the clock.
func WithNow(now time.Time) VerifyOption { return func(v *verification) { v.now = now } }

var timestampForm = regexp.MustCompile(`^[0-9]{1,11}$`)

// VerifyWebhook verifies a delivery (Standard Webhooks 1.0, v1) and parses it. The body must be the bytes as received.
// secrets are the signing secrets, whsec_..., of which one must fit. The error is a [WebhookVerificationError], or an
// [ArgumentError] without a valid secret.
func VerifyWebhook(headers http.Header, body []byte, secrets []string, options ...VerifyOption) (*WebhookEvent, error) {
	v := verification{now: time.Now(), tolerance: 5 * time.Minute}
	for _, option := range options {
		option(&v)
	}
	if len(secrets) == 0 {
		return nil, argument("there must be a signing secret")
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if headers.Get(name) == "" {
			return nil, &WebhookVerificationError{name + " is missing"}
		}
	}
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	if !timestampForm.MatchString(timestamp) {
		return nil, &WebhookVerificationError{"webhook-timestamp is no number"}
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if age, most := v.now.Unix()-seconds, int64(v.tolerance/time.Second); age > most || -age > most {
		return nil, &WebhookVerificationError{"webhook-timestamp is too far from now"}
	}
	fits := false
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, argument("the signing secret is not whsec_ and base64")
		}
		code := "v1," + base64.StdEncoding.EncodeToString(sign(key, id+"."+timestamp+"."+string(body)))
		for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
			fits = hmac.Equal([]byte(code), []byte(given)) || fits
		}
	}
	if !fits {
		return nil, &WebhookVerificationError{"no signature fits"}
	}
	return eventOf(id, time.Unix(seconds, 0).UTC(), body)
}

func eventOf(id string, sentAt time.Time, body []byte) (*WebhookEvent, error) {
	var known struct {
		ID   string
		Type *string
		Test bool
	}
	event := &WebhookEvent{ID: id, Type: "InteractionHistory", SentAt: sentAt, Event: &InteractionHistory{}, Body: body}
	if err := unmarshal(body, &known); err != nil {
		return nil, &WebhookVerificationError{"the body is not JSON"}
	}
	event.IsTest = known.Test
	if known.Type != nil {
		event.Type, event.Event = *known.Type, newEvent(*known.Type)
		if known.ID != "" {
			event.ID = known.ID
		}
	}
	if event.Event == nil {
		return event, nil
	}
	return event, unmarshal(body, event.Event)
}

func sign(key []byte, message string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(message))
	return mac.Sum(nil)
}

// HasSecretToken returns whether the URL of a delivery has the webhook's secret token, compared in constant time. The
// URL may be only path and query. parameter is the name of the token in this deployment, usually secretToken.
func HasSecretToken(deliveryURL, parameter, secretToken string) bool {
	parsed, err := url.Parse(deliveryURL)
	if err != nil || parsed.Query().Get(parameter) == "" {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(parsed.Query().Get(parameter)), []byte(secretToken)) == 1
}

// CustomerToken is a token with which a browser opens a session for the customer.
type CustomerToken struct {
	// CustomerID is the client's own id of the customer.
	CustomerID string
	// WorkspaceID is the workspace of the customer.
	WorkspaceID string
	// KeyID is the Kid of KeysCalls.RotateSDKSecret.
	KeyID string
	// Secret is the Secret of that call.
	Secret string
	// ExpiresIn is at most a day, and an hour if it is 0.
	ExpiresIn time.Duration
}

const hidden = "hidden"

// Format writes the fields without the secret.
func (t CustomerToken) Format(f fmt.State, _ rune) {
	type plain CustomerToken
	t.Secret = hidden
	fmt.Fprintf(f, "%+v", plain(t))
}

// Sign returns the token, a JWT. The error is an [ArgumentError].
func (t CustomerToken) Sign() (string, error) {
	if t.ExpiresIn == 0 {
		t.ExpiresIn = time.Hour
	}
	if t.ExpiresIn < time.Second || t.ExpiresIn > 24*time.Hour {
		return "", argument("ExpiresIn must be from a second to a day")
	}
	if t.CustomerID == "" || t.WorkspaceID == "" || t.KeyID == "" || t.Secret == "" {
		return "", argument("CustomerID, WorkspaceID, KeyID and Secret must not be empty")
	}
	now := time.Now().Unix()
	header, _ := json.Marshal(map[string]any{"alg": "HS256", "kid": t.KeyID})
	claims, _ := json.Marshal(map[string]any{
		"sub": t.CustomerID,
		"aud": "parley:" + t.WorkspaceID,
		"iat": now,
		"exp": now + int64(t.ExpiresIn/time.Second),
	})
	base64url := base64.RawURLEncoding
	signed := base64url.EncodeToString(header) + "." + base64url.EncodeToString(claims)
	return signed + "." + base64url.EncodeToString(sign([]byte(t.Secret), signed)), nil
}
