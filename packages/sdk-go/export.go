package parley

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Export is an export. Iterate it for the interactions, the oldest change first; a stream that was cut is continued.
// [Export.CSV] returns the rows instead. Close it if you stop before the end.
type Export struct {
	ctx     context.Context
	s       *sender
	call    call
	options []Option
	tries   tries
	body    *stream
	lines   *bufio.Reader
	cursor  string
	current *ExportedInteraction
	isEnded bool
	err     error
}

func newExport(ctx context.Context, s *sender, c call, options []Option) *Export {
	return &Export{ctx: ctx, s: s, call: c, options: options, current: &ExportedInteraction{}}
}

// Next reads the next interaction. It returns false at the end and after an error.
func (e *Export) Next() bool {
	for e.err == nil && !e.isEnded {
		line, err := e.line()
		if err == nil {
			if e.isEnded {
				e.Close()
				return false
			}
			e.current = &ExportedInteraction{}
			e.err = unmarshal(line, e.current)
			return e.err == nil
		}
		e.Close()
		if err = e.tries.after(e.ctx, err); !errors.Is(err, errRetry) {
			e.err = err
		}
	}
	return false
}

// Current returns the interaction that Next has read; an empty one before.
func (e *Export) Current() *ExportedInteraction { return e.current }

// Err returns the error that has ended the iteration.
func (e *Export) Err() error { return e.err }

// Cursor returns the cursor of the last interaction, and at the end of the export; empty before. An export with this
// cursor goes on behind it.
func (e *Export) Cursor() string { return e.cursor }

// Close ends the request.
func (e *Export) Close() error {
	if e.body == nil {
		return nil
	}
	body := e.body
	e.body = nil
	return body.Close()
}

// CSV returns the export as CSV. Reading it fails with a [NoAnswerError] if it is cut.
func (e *Export) CSV() (io.ReadCloser, error) {
	r, err := e.request(map[string]string{"format": "csv"})
	if err != nil {
		return nil, err
	}
	return openStream(e.ctx, r)
}

func (e *Export) request(position map[string]string) (*request, error) {
	c := e.call
	c.position = position
	r, err := e.s.request(c, e.options)
	if err == nil {
		r.headers.Set("Accept", "*/*")
	}
	return r, err
}

func (e *Export) line() ([]byte, error) {
	if e.body == nil {
		position := map[string]string{}
		if e.cursor != "" {
			position["cursor"] = e.cursor
		}
		r, err := e.request(position)
		if err != nil {
			return nil, err
		}
		e.tries.request = r
		if e.body, err = openStream(e.ctx, r); err != nil {
			return nil, err
		}
		e.lines = bufio.NewReader(e.body)
	}
	line, err := e.lines.ReadBytes('\n')
	if err == io.EOF {
		return nil, noAnswer(errors.New("the export was cut"))
	}
	if err != nil {
		return nil, err
	}
	line = bytes.TrimPrefix(line, byteOrderMark)
	var known struct {
		Cursor *string
		End    bool
	}
	if err := json.Unmarshal(line, &known); err != nil || known.Cursor == nil {
		return nil, unexpected(&APIError{Status: http.StatusOK})
	}
	e.tries.failures, e.cursor, e.isEnded = 0, *known.Cursor, known.End
	return line, nil
}

// An export is silent while the gateway is busy, and while nothing matches: for more than a minute.
const silenceMax = 2 * time.Minute

// stream is a body whose reads fail when nothing arrives for the time limit, and for silenceMax.
type stream struct {
	io.ReadCloser
	ctx     context.Context
	timer   *time.Timer
	cancel  context.CancelFunc
	timeout time.Duration
}

func openStream(ctx context.Context, r *request) (*stream, error) {
	limited, cancel := context.WithCancel(ctx)
	s := &stream{ctx: ctx, timer: time.AfterFunc(r.timeout, cancel), cancel: cancel, timeout: r.timeout}
	response, err := r.open(limited)
	if err == nil && response.StatusCode == http.StatusOK {
		s.ReadCloser = response.Body
		s.timer.Stop()
		if s.timeout < silenceMax {
			s.timeout = silenceMax
		}
		return s, nil
	}
	defer cancel()
	defer s.timer.Stop()
	if err != nil {
		return nil, reason(ctx, err)
	}
	defer response.Body.Close()
	if _, _, err = read(ctx, response); err == nil {
		err = noAnswer(errors.New("the answer has no content"))
	}
	return nil, err
}

// Read reads the body.
func (s *stream) Read(content []byte) (int, error) {
	s.timer.Reset(s.timeout)
	count, err := s.ReadCloser.Read(content)
	// The caller may take as long as it wants until the next read.
	s.timer.Stop()
	if err != nil && err != io.EOF {
		err = reason(s.ctx, err)
	}
	return count, err
}

// Close ends the request.
func (s *stream) Close() error {
	s.timer.Stop()
	s.cancel()
	return s.ReadCloser.Close()
}
