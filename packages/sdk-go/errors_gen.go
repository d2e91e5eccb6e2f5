// Code generated from the OpenAPI document by packages/sdk-generator: `npm run generate`. DO NOT EDIT.

package parley

// NotModifiedError: The resource still has the version of `If-None-Match`: `not-modified`, 304.
type NotModifiedError struct{ kind }

// AuthenticationError: The credentials are not accepted: 401.
type AuthenticationError struct{ kind }

// PermissionDeniedError: The credentials do not allow the call: 403.
type PermissionDeniedError struct{ kind }

// NotFoundError: There is no such thing, or no more: 404 and 410.
type NotFoundError struct{ kind }

// ConflictError: The resource has another state or version: 409 and 412.
type ConflictError struct{ kind }

// RateLimitError: Too many calls: 429.
type RateLimitError struct{ kind }

// InvalidRequestError: The request is wrong: all other 4xx.
type InvalidRequestError struct{ kind }

// ServerError: The service or a proxy failed: 5xx.
type ServerError struct{ kind }

// NoAnswerError: The connection failed or timed out: `no-answer`. The cause has the reason.
type NoAnswerError struct{ kind }

// UnexpectedAnswerError: Something else answered, such as a proxy: `unexpected-answer`.
type UnexpectedAnswerError struct{ kind }

// kindOf returns the error with the type of its status, or of the hundred of its status.
func kindOf(e *APIError, status int) error {
	switch k := (kind{e}); status {
	case 304:
		return &NotModifiedError{k}
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
	case 400:
		return &InvalidRequestError{k}
	case 500:
		return &ServerError{k}
	case status - status%100:
		return &UnexpectedAnswerError{k}
	}
	return kindOf(e, status-status%100)
}
