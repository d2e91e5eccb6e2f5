package parley

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// APIError is a failed call. It contains no credentials. Each kind has a type of its own, such as [NotFoundError]:
// errors.As finds both.
type APIError struct {
	// Status is that of HTTP; 0 if there was no answer.
	Status int
	// Type is the stable slug of the cause.
	Type ErrorType
	// Detail is for people.
	Detail string
	// RequestID is the id under which the service has logged the call.
	RequestID string
	// Errors has all faults of the request.
	Errors []Fault
	// RetryAfter is how long the service asks to wait.
	RetryAfter time.Duration
	// Data is, for stale-sequence, the current snapshot of the conversation.
	Data json.RawMessage

	cause error
}

// Fault is one fault of a request.
type Fault struct {
	// Pointer is a JSON pointer into the body; /query/... into the query, /headers/... into the header fields.
	Pointer string `json:"pointer"`
	// Detail is for people.
	Detail string `json:"detail"`
}

// Error returns status, type, detail and the first fault.
func (e *APIError) Error() string {
	text := fmt.Sprintf("%s - %s", e.Type, e.Detail)
	if e.Status != 0 {
		text = fmt.Sprintf("%d %s", e.Status, text)
	}
	for _, fault := range e.Errors {
		return text + ": " + strings.TrimPrefix(fault.Pointer, "/") + ": " + fault.Detail
	}
	return text
}

// Unwrap returns the reason why there was no answer.
func (e *APIError) Unwrap() error { return e.cause }

type kind struct{ *APIError }

// Unwrap returns the [APIError].
func (k kind) Unwrap() error { return k.APIError }

// NoAnswerError says that the connection failed or timed out: no-answer.
type NoAnswerError struct{ kind }

// UnexpectedAnswerError says that something else answered, such as a proxy: unexpected-answer.
type UnexpectedAnswerError struct{ kind }

// InvalidRequestError says that the request is wrong: 400 and all other 4xx without a type of their own.
type InvalidRequestError struct{ kind }

// AuthenticationError says that the credentials are not accepted: 401.
type AuthenticationError struct{ kind }

// PermissionDeniedError says that the credentials do not allow the call: 403.
type PermissionDeniedError struct{ kind }

// NotFoundError says that there is no such thing, or no more: 404 and 410.
type NotFoundError struct{ kind }

// ConflictError says that the resource has another state or version: 409 and 412.
type ConflictError struct{ kind }

// RateLimitError says that there are too many calls: 429.
type RateLimitError struct{ kind }

// ServerError says that the service or a proxy failed: 5xx.
type ServerError struct{ kind }

// ArgumentError is a call with arguments that cannot be sent. Nothing was sent.
type ArgumentError struct {
	// Detail says what is wrong.
	Detail string
}

// Error returns the detail.
func (e *ArgumentError) Error() string { return "parley: " + e.Detail }

func argument(detail string) error { return &ArgumentError{detail} }

func noAnswer(cause error) error {
	return &NoAnswerError{kind{&APIError{Type: "no-answer", Detail: "There was no answer: " + cause.Error(), cause: cause}}}
}

// kindOf returns the error with the type of its status.
func kindOf(e *APIError) error {
	switch k := (kind{e}); e.Status {
	case 401:
		return &AuthenticationError{k}
	case 403:
		return &PermissionDeniedError{k}
	case 404, 410:
		return &NotFoundError{k}
	case 409, 412:
		return &ConflictError{k}
	case 429:
		return &RateLimitError{k}
	default:
		if e.Status >= 500 {
			return &ServerError{k}
		}
		return &InvalidRequestError{k}
	}
}
