package parley

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	retryAfterMax = time.Minute
	backoffBase   = 500 * time.Millisecond
	backoffMax    = 10 * time.Second
	errorBytesMax = 1 << 20
	keyField      = "Idempotency-Key"
)

// call is one operation with its arguments.
type call struct {
	method string
	// With parameters in braces, which params fill in order.
	path   string
	params []string
	query  any
	// Replaces members of the query: the position in a list or an export.
	position map[string]string
	body     any
	// The header fields that it takes.
	headers []string
	// Whether it must not be sent again when its result is unknown.
	once bool
}

// request is what all tries of a call send, so they have the same idempotency key.
type request struct {
	call
	settings
	url     string
	headers http.Header
	content []byte
}

// value returns the data of a call; nil for null.
func value[T any](ctx context.Context, s *sender, c call, options []Option) (*T, error) {
	var data *T
	_, err := s.send(ctx, c, &data, options)
	return data, err
}

// many returns the list of a call that is no GET.
func many[T any](ctx context.Context, s *sender, c call, options []Option) ([]T, error) {
	var data []T
	_, err := s.send(ctx, c, &data, options)
	return data, err
}

func (s *sender) none(ctx context.Context, c call, options []Option) error {
	_, err := s.send(ctx, c, &json.RawMessage{}, options)
	return err
}

// file returns the content of an answer that is no envelope.
func (s *sender) file(ctx context.Context, c call, options []Option) ([]byte, error) {
	r, err := s.request(c, options)
	if err != nil {
		return nil, err
	}
	r.headers.Set("Accept", "*/*")
	t := tries{request: r}
	for {
		content, err := readFile(ctx, r)
		if err == nil {
			return content, nil
		}
		if err = t.after(ctx, err); !errors.Is(err, errRetry) {
			return nil, err
		}
	}
}

func (s *sender) text(ctx context.Context, c call, options []Option) (string, error) {
	content, err := s.file(ctx, c, options)
	return string(content), err
}

func readFile(ctx context.Context, r *request) ([]byte, error) {
	body, err := openStream(ctx, r)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(body)
}

// send reads the data of a call into data, and returns the meta of a page.
func (s *sender) send(ctx context.Context, c call, data any, options []Option) (json.RawMessage, error) {
	r, err := s.request(c, options)
	if err != nil {
		return nil, err
	}
	t := tries{request: r}
	for {
		envelope, answer, err := r.try(ctx)
		if err != nil {
			err = t.after(ctx, err)
		}
		if errors.Is(err, errRetry) {
			continue
		}
		if err != nil && !errors.Is(err, errDeleted) {
			return nil, err
		}
		if r.answer != nil {
			*r.answer = answer
		}
		if err != nil || len(envelope.Data) == 0 {
			return nil, nil
		}
		return envelope.Meta, unmarshal(envelope.Data, data)
	}
}

// request fails with an ArgumentError for arguments that cannot be sent.
func (s *sender) request(c call, options []Option) (*request, error) {
	settings, err := settingsOf(s.defaults, options)
	if err != nil {
		return nil, err
	}
	path := c.path
	for _, param := range c.params {
		// URL parsers remove such segments, which gives the URL of another resource.
		if param == "" || param == "." || param == ".." {
			return nil, argument(fmt.Sprintf("%s must not be %q", path[strings.Index(path, "{"):strings.Index(path, "}")+1], param))
		}
		path = path[:strings.Index(path, "{")] + escape(param) + path[strings.Index(path, "}")+1:]
	}
	r := &request{call: c, settings: settings, headers: settings.headers.Clone()}
	if r.headers == nil {
		r.headers = http.Header{}
	}
	set := func(name, value string) {
		if value != "" && r.headers.Get(name) == "" {
			r.headers.Set(name, value)
		}
	}
	set("Accept", "application/json")
	if s.authorization != nil {
		set("Authorization", s.authorization())
	}
	takesKey, taken := false, 0
	for _, name := range c.headers {
		takesKey = takesKey || name == keyField
		if values := settings.fields.Values(name); values != nil {
			r.headers[http.CanonicalHeaderKey(name)] = values
			taken++
			if values[0] == "" {
				return nil, argument(name + " must not be empty")
			}
		}
	}
	if taken < len(settings.fields) {
		return nil, argument("this call has only the options of " + strings.Join(c.headers, ", "))
	}
	if c.method == http.MethodPut && r.headers.Get("If-Match") == "" {
		// Without an ETag, it creates.
		set("If-None-Match", "*")
	}
	if takesKey {
		set(keyField, newKey())
		// In lower case, because the transport would repeat a request with this field by itself, uncounted.
		r.headers[strings.ToLower(keyField)] = r.headers[keyField]
		r.headers.Del(keyField)
	}
	if body := bodyOf(c.body); body != nil {
		if r.content, err = json.Marshal(body); err != nil {
			return nil, argument("the body cannot be sent: " + err.Error())
		}
		set("Content-Type", "application/json")
	}
	for name, values := range r.headers {
		if !fieldValue.MatchString(strings.Join(values, "")) {
			return nil, argument(fmt.Sprintf("the header field %q cannot be sent", name))
		}
	}
	query := queryOf(c.query)
	for name, value := range c.position {
		query.Set(name, value)
	}
	r.url = s.baseURL + path
	if len(query) > 0 {
		r.url += "?" + query.Encode()
	}
	if wait, err := strconv.Atoi(query.Get("wait")); err == nil && settings.timeout == s.defaults.timeout {
		r.timeout += time.Duration(wait) * time.Second
	}
	return r, nil
}

// escape also escapes what a path may have, such as ":" and "&".
func escape(segment string) string { return strings.ReplaceAll(url.QueryEscape(segment), "+", "%20") }

func newKey() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return hex.EncodeToString(random)
}

type envelope struct {
	Success   *bool           `json:"success"`
	Data      json.RawMessage `json:"data"`
	Meta      json.RawMessage `json:"meta"`
	Type      ErrorType       `json:"type"`
	Detail    string          `json:"detail"`
	RequestID string          `json:"requestId"`
	Errors    []Fault         `json:"errors"`
}

func (r *request) try(ctx context.Context) (envelope, Answer, error) {
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	response, err := r.open(limited)
	if err != nil {
		return envelope{}, Answer{}, reason(ctx, err)
	}
	defer response.Body.Close()
	return read(ctx, response)
}

// reason returns the caller's own end of a call as it is.
func reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("parley: %w", ctx.Err())
	}
	return noAnswer(err)
}

func (r *request) open(ctx context.Context) (*http.Response, error) {
	var body io.Reader = bytes.NewReader(r.content)
	if r.method == http.MethodGet || len(r.content) > 0 {
		// A body of which the transport has no copy: otherwise it would send the request again by itself, uncounted.
		body = io.NopCloser(body)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, r.url, body)
	if err != nil {
		return nil, err
	}
	sent.Header, sent.ContentLength = r.headers.Clone(), int64(len(r.content))
	client := *r.http
	// A redirect could turn a POST into a GET. The API has no redirects.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.Transport = withoutLocation{client.Transport}
	return client.Do(sent)
}

// withoutLocation is a transport whose answers have no Location: the client fails for one without a valid URL.
type withoutLocation struct{ http.RoundTripper }

// RoundTrip sends a request.
func (t withoutLocation) RoundTrip(sent *http.Request) (*http.Response, error) {
	if t.RoundTripper == nil {
		t.RoundTripper = http.DefaultTransport
	}
	response, err := t.RoundTripper.RoundTrip(sent)
	if err == nil {
		response.Header.Del("Location")
	}
	return response, err
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// field returns a header field. One that is there several times is a list, as in other languages.
func field(headers http.Header, name string) string { return strings.Join(headers.Values(name), ", ") }

func read(ctx context.Context, response *http.Response) (envelope, Answer, error) {
	headers, status := response.Header, response.StatusCode
	body := io.Reader(response.Body)
	if status >= 300 {
		// The error of a proxy may have no end.
		body = io.LimitReader(body, errorBytesMax)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		return envelope{}, Answer{}, reason(ctx, err)
	}
	replayed := field(headers, "Idempotency-Replayed") == "true"
	answer := Answer{status, field(headers, "ETag"), field(headers, "X-Request-Id"), replayed}
	var e envelope
	if status == http.StatusNoContent {
		return e, answer, nil
	}
	err = unmarshal(bytes.TrimPrefix(content, byteOrderMark), &e)
	if err != nil && status == http.StatusOK && strings.Contains(field(headers, "Content-Type"), "json") {
		return e, answer, noAnswer(errors.New("the answer was cut"))
	}
	if err == nil && e.Success != nil && *e.Success {
		return e, answer, nil
	}
	failure := &APIError{status, e.Type, e.Detail, e.RequestID, e.Errors, retryAfter(headers), e.Data, nil}
	if failure.RequestID == "" {
		failure.RequestID = answer.RequestID
	}
	switch {
	case status == http.StatusNotModified:
		failure.Type, failure.Detail = "not-modified", "The resource has the version of WithIfNoneMatch"
	case err != nil || e.Success == nil || e.Type == "":
		return e, answer, unexpected(failure)
	}
	return e, answer, kindOf(failure, status)
}

// retryAfter returns Retry-After (RFC 9110, 10.2.3). A date is compared with the answer's own Date.
func retryAfter(headers http.Header) time.Duration {
	asked := strings.TrimSpace(field(headers, "Retry-After"))
	if asked != "" && strings.Trim(asked, "0123456789") == "" {
		// More than 31 bits are as many as these.
		seconds, _ := strconv.ParseUint(asked, 10, 31)
		return time.Duration(seconds) * time.Second
	}
	until, err := time.Parse(http.TimeFormat, asked)
	if err != nil {
		return 0
	}
	from, err := time.Parse(http.TimeFormat, field(headers, "Date"))
	if err != nil {
		from = time.Now()
	}
	if until.Before(from) {
		return 0
	}
	return until.Sub(from)
}

var (
	errRetry   = errors.New("another try follows")
	errDeleted = errors.New("an earlier try, whose answer was lost, has deleted it")
)

// tries are the tries of one call. A call that must be sent once is retried only if it had no effect.
type tries struct {
	*request
	failures int
	lost     error
}

// after waits for the next try and returns errRetry. Otherwise it returns how the call ends. A change that meets its
// own effect ends with the failure of the lost answer.
func (t *tries) after(ctx context.Context, err error) error {
	var e *APIError
	if !errors.As(err, &e) {
		return err
	}
	t.failures++
	isConflict := e.Status == 412 || e.Status == 409 && e.Type != "lost-race"
	switch {
	case t.lost != nil && t.method == http.MethodDelete && e.Status == 404:
		return errDeleted
	case t.lost != nil && t.method == http.MethodPatch && isConflict:
		return t.lost
	}
	isLost := e.Status == 0 || e.Status == 408 || e.Status >= 500
	if t.failures > t.retries || isLost && t.once || !isTemporary(e) || e.RetryAfter > retryAfterMax {
		return err
	}
	if isLost && t.lost == nil {
		t.lost = err
	}
	limit := backoffMax
	if t.failures < 5 {
		limit = backoffBase << (t.failures - 1)
	}
	jitter, _ := rand.Int(rand.Reader, big.NewInt(int64(limit)))
	timer := time.NewTimer(e.RetryAfter + time.Duration(jitter.Int64()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return errRetry
	case <-ctx.Done():
		return reason(ctx, err)
	}
}

func isTemporary(e *APIError) bool {
	switch {
	// The call has begun a removal that continues without it.
	case e.Type == "anonymisation-continues" || e.Type == "deletion-continues":
		return false
	case e.Type == "lost-race" || e.Status == 0 || e.Status == 408 || e.Status == 429:
		return true
	}
	// 502 comes from a proxy, never from the API.
	return e.Status >= 502 && e.Status <= 504
}
