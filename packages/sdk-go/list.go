package parley

import (
	"context"
	"encoding/json"
	"strconv"
)

// None is the meta of a list that has one page.
type None struct{}

// Page is one page of a list.
type Page[T, M any] struct {
	// Data has the items.
	Data []T
	// Meta says where the page is in the list.
	Meta M
}

// List is a list that is being read. Iterate it for every item, or take its [List.Pages]. [List.Page] returns one page.
// Nothing is sent before.
//
//	for list.Next() {
//		item := list.Current()
//	}
//	err := list.Err()
//
// An iteration skips items that a new entry has moved to a later numbered page, so each is returned once. An item that
// leaves the list meanwhile may move others across the border of a numbered page: these are missed.
type List[T, M any] struct {
	pages   *Pages[T, M]
	items   []T
	current T
}

func newList[T, M any](ctx context.Context, s *sender, c call, options []Option) *List[T, M] {
	pages := &Pages[T, M]{ctx: ctx, s: s, call: c, options: options, position: map[string]string{}, current: &Page[T, M]{}}
	return &List[T, M]{pages: pages}
}

// Page returns the page that the query names, by default the first one.
func (l *List[T, M]) Page() (*Page[T, M], error) { return l.pages.read(map[string]string{}) }

// Pages returns an iterator of pages from there on, without items of earlier pages.
func (l *List[T, M]) Pages() *Pages[T, M] { return l.pages }

// Next reads the next item. It returns false at the end and after an error.
func (l *List[T, M]) Next() bool {
	for len(l.items) == 0 {
		if !l.pages.Next() {
			return false
		}
		l.items = l.pages.current.Data
	}
	l.current, l.items = l.items[0], l.items[1:]
	return true
}

// Current returns the item that Next has read; the zero value before.
func (l *List[T, M]) Current() T { return l.current }

// Err returns the error that has ended the iteration.
func (l *List[T, M]) Err() error { return l.pages.err }

// Pages is an iterator of the pages of a list.
type Pages[T, M any] struct {
	ctx      context.Context
	s        *sender
	call     call
	options  []Option
	position map[string]string
	seen     seen
	current  *Page[T, M]
	err      error
}

// Next reads the next page. It returns false at the end and after an error.
func (p *Pages[T, M]) Next() bool {
	if p.position == nil || p.err != nil {
		return false
	}
	p.current, p.err = p.read(p.position)
	if p.err != nil {
		return false
	}
	var meta struct {
		NextCursor              *string
		CurrentPage, TotalPages int
	}
	content, _ := json.Marshal(p.current.Meta)
	_ = json.Unmarshal(content, &meta)
	p.position = nil
	if meta.NextCursor != nil {
		p.position = map[string]string{"cursor": *meta.NextCursor}
	}
	if meta.CurrentPage > 0 {
		// A cursor never returns an item twice.
		p.current.Data = newOf(&p.seen, p.current.Data)
	}
	if meta.CurrentPage < meta.TotalPages {
		p.position = map[string]string{"page": strconv.Itoa(meta.CurrentPage + 1)}
	}
	return true
}

// Current returns the page that Next has read; an empty one before.
func (p *Pages[T, M]) Current() *Page[T, M] { return p.current }

// Err returns the error that has ended the iteration.
func (p *Pages[T, M]) Err() error { return p.err }

func (p *Pages[T, M]) read(position map[string]string) (*Page[T, M], error) {
	c := p.call
	c.position = position
	page := &Page[T, M]{}
	meta, err := p.s.send(p.ctx, c, &page.Data, p.options)
	if err == nil && len(meta) > 0 {
		err = unmarshal(meta, &page.Meta)
	}
	if page.Data == nil {
		// An answer without a list.
		page.Data = []T{}
	}
	return page, err
}

// seen are the ids of an iteration, in two generations. A new entry moves others to the next numbered page, where they
// are seen again.
type seen struct{ older, newer map[string]bool }

const rememberedMax = 100_000

func newOf[T any](s *seen, items []T) []T {
	unseen := make([]T, 0, len(items))
	for _, item := range items {
		one, ok := any(item).(interface{ id() string })
		if ok && (s.older[one.id()] || s.newer[one.id()]) {
			continue
		}
		if s.newer == nil || len(s.newer) == rememberedMax {
			s.older, s.newer = s.newer, map[string]bool{}
		}
		if ok {
			s.newer[one.id()] = true
		}
		unseen = append(unseen, item)
	}
	return unseen
}
