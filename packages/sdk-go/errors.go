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
	// RetryAt is, for contact-limit, when it is allowed again.
	RetryAt string `json:"retryAt,omitempty"`
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

// ArgumentError is a call with arguments that cannot be sent. Nothing was sent.
type ArgumentError struct {
	// Detail says what is wrong.
	Detail string
}

// Error returns the detail.
func (e *ArgumentError) Error() string { return "parley: " + e.Detail }

func argument(detail string) error { return &ArgumentError{detail} }

func unexpected(e *APIError) error {
	e.Type, e.Detail = "unexpected-answer", "The answer is not from the API"
	return &UnexpectedAnswerError{kind{e}}
}

func noAnswer(cause error) error {
	return &NoAnswerError{kind{&APIError{Type: "no-answer", Detail: "There was no answer: " + cause.Error(), cause: cause}}}
}
