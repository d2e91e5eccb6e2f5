// Package parley has the API of Parley: typed calls with retries, lists, exports and verified webhooks.
//
// [New] returns a client, and [Client.Workspace] the calls inside a workspace. [VerifyWebhook] is for receivers of
// webhooks. All of them can be used by several goroutines at once; a list and an export belong to one goroutine.
package parley

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Client is the API under a key.
type Client struct {
	KeyCalls

	// Public has the calls of customers, without an API key: they open a session.
	Public PublicClient
}

// PublicClient has the calls without an API key.
type PublicClient struct {
	PublicCalls

	s *sender
}

// New returns a client. baseURL is the address of the API, without the /v1. It sends nothing. The error is an
// [ArgumentError].
func New(baseURL, apiKey, apiSecret string, options ...Option) (*Client, error) {
	parsed, err := url.Parse(baseURL)
	if err != nil || !regexp.MustCompile(`^(?i:https?)://\S+$`).MatchString(baseURL) || parsed.Hostname() == "" {
		// The message does not repeat a URL that may contain a password.
		return nil, argument("the base URL must be an http or https URL")
	}
	if parsed.User != nil || strings.ContainsAny(baseURL, "?#") {
		return nil, argument("the base URL must not have a user name, password, query or fragment")
	}
	if apiKey == "" || apiSecret == "" {
		return nil, argument("the API key and its secret must not be empty")
	}
	defaults, err := settingsOf(settings{timeout: 30 * time.Second, retries: 2}, options)
	if err != nil {
		return nil, err
	}
	if defaults.fields != nil || defaults.answer != nil {
		return nil, argument("WithAnswer and options such as WithIfMatch are for calls")
	}
	s := &sender{baseURL: strings.TrimRight(baseURL, "/"), defaults: defaults}
	basic := base64.StdEncoding.EncodeToString([]byte(apiKey + ":" + apiSecret))
	public := PublicClient{newPublicCalls(s), s}
	return &Client{newKeyCalls(s.with(func() string { return "Basic " + basic }, "")), public}, nil
}

// Workspace returns the calls inside this workspace. It sends nothing.
func (c *Client) Workspace(workspaceID string) *WorkspaceClient {
	calls := newWorkspaceClient(c.KeyCalls.s.with(c.KeyCalls.s.authorization, workspaceID))
	return &calls
}

// Session returns the calls under a session of a customer. It sends nothing.
func (c *PublicClient) Session(workspaceID, sessionToken string) *SessionClient {
	calls := newSessionClient(c.s.with(func() string { return "Bearer " + sessionToken }, workspaceID))
	return &calls
}

// Option is an option of a client, which all its calls have, or of one call.
type Option func(*settings)

type settings struct {
	timeout time.Duration
	retries int
	http    *http.Client
	headers http.Header
	// The header fields of options that only some calls have.
	fields http.Header
	answer *Answer
}

// WithTimeout limits each try, by default to 30 seconds and the wait of a long poll. Of an export it limits the time
// without data.
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithRetries says how often a call is retried after a temporary failure, by default 2.
func WithRetries(retries int) Option { return func(s *settings) { s.retries = retries } }

// WithHTTPClient sends the requests with this client, for example through a proxy.
func WithHTTPClient(client *http.Client) Option { return func(s *settings) { s.http = client } }

// WithHeader adds a header field.
func WithHeader(name, value string) Option {
	return func(s *settings) { s.headers = withHeader(s.headers, name, value) }
}

func withField(name, value string) Option {
	return func(s *settings) { s.fields = withHeader(s.fields, name, value) }
}

func withHeader(headers http.Header, name, value string) http.Header {
	headers = headers.Clone()
	if headers == nil {
		headers = http.Header{}
	}
	headers.Set(name, value)
	return headers
}

// WithAnswer stores in answer what the answer of a call has beside its data.
func WithAnswer(answer *Answer) Option { return func(s *settings) { s.answer = answer } }

// Answer is what an answer has beside its data.
type Answer struct {
	// Status is that of HTTP.
	Status int
	// ETag is for [WithIfMatch], if the answer shows one resource.
	ETag string
	// RequestID is the id under which the service has logged the call.
	RequestID string
	// IsReplayed says whether this is the stored answer of an earlier call with the same idempotency key.
	IsReplayed bool
}

var (
	fieldName  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	fieldValue = regexp.MustCompile(`^[\t\x20-\x7e]*$`)
)

func settingsOf(s settings, options []Option) (settings, error) {
	for _, option := range options {
		if option != nil {
			option(&s)
		}
	}
	if s.http == nil {
		s.http = &http.Client{}
	}
	if s.timeout <= 0 {
		return s, argument("the timeout must be above 0")
	}
	if s.retries < 0 {
		return s, argument("the retries must be 0 or more")
	}
	for name, values := range s.headers {
		if !fieldName.MatchString(name) || !fieldValue.MatchString(strings.Join(values, "")) {
			return s, argument(fmt.Sprintf("the header field %q cannot be sent", name))
		}
	}
	return s, nil
}

type sender struct {
	baseURL string
	// A function, so that nothing that prints a client prints its secret. Nil without a credential.
	authorization func() string
	workspaceID   string
	defaults      settings
}

func (s *sender) with(authorization func() string, workspaceID string) *sender {
	return &sender{s.baseURL, authorization, workspaceID, s.defaults}
}
